//! The accounts' tables, brought up to date. Must not change a step that was released: the text of each is
//! remembered by its checksum.

use super::db::{AccountsDb, OpenFault};
use super::turns::Tx;
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AnyPool, Executor as _, Row as _};
use std::collections::BTreeMap;

static OF_FILE: Migrator = sqlx::migrate!("../migrations/sqlite/accounts");
static OF_POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres/accounts");

/// Brings the tables of a file up to date.
pub(super) async fn of_file(writing: &AnyPool) -> Result<(), MigrateError> {
    OF_FILE.run(writing).await
}

/// Brings the tables in PostgreSQL up to date: all steps or none. The transaction has the turn. What was done is
/// noted in a table of its own, since the log and the read models may keep theirs in the same database.
pub(super) async fn of_postgres(tx: &mut Tx) -> Result<(), MigrateError> {
    let found = sqlx::query("SELECT to_regclass('accounts_migrations')::TEXT AS name")
        .fetch_one(&mut **tx)
        .await?;
    // Asked first: making a table needs a right, also where it is there.
    if found.try_get::<Option<String>, _>("name")?.is_none() {
        tx.execute(
            "CREATE TABLE accounts_migrations (number BIGINT NOT NULL PRIMARY KEY, checksum BYTEA NOT NULL)",
        )
        .await?;
    }
    let rows = sqlx::query("SELECT number, checksum FROM accounts_migrations")
        .fetch_all(&mut **tx)
        .await?;
    let mut done = BTreeMap::new();
    for row in rows {
        done.insert(row.try_get::<i64, _>("number")?, row.try_get::<Vec<u8>, _>("checksum")?);
    }
    for step in OF_POSTGRES.iter() {
        match done.remove(&step.version) {
            Some(checksum) if checksum == step.checksum.as_ref() => {}
            Some(_) => return Err(MigrateError::VersionMismatch(step.version)),
            None => {
                let failed = |error| MigrateError::ExecuteMigration(error, step.version);
                tx.execute(step.sql.as_ref()).await.map_err(failed)?;
                sqlx::query("INSERT INTO accounts_migrations (number, checksum) VALUES ($1, $2)")
                    .bind(step.version)
                    .bind(step.checksum.as_ref())
                    .execute(&mut **tx)
                    .await?;
            }
        }
    }
    match done.first_key_value() {
        Some((newer, _)) => Err(MigrateError::VersionMissing(*newer)),
        None => Ok(()),
    }
}

/// Whether the tables are those that a reader of this program expects; changes nothing.
pub(super) async fn check(db: &AccountsDb) -> Result<(), OpenFault> {
    let (steps, there, noted) = if db.shared().is_some() {
        (
            &OF_POSTGRES,
            "SELECT COUNT(to_regclass('accounts_migrations'))",
            "SELECT number, checksum FROM accounts_migrations",
        )
    } else {
        (
            &OF_FILE,
            "SELECT COUNT(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'",
            "SELECT version, checksum FROM _sqlx_migrations",
        )
    };
    let found: i64 = sqlx::query_scalar(there).fetch_one(db.reading()).await?;
    if found == 0 {
        return Err(OpenFault::Nothing);
    }
    let mut done = BTreeMap::new();
    for row in sqlx::query(noted).fetch_all(db.reading()).await? {
        done.insert(row.try_get::<i64, _>(0)?, row.try_get::<Vec<u8>, _>(1)?);
    }
    for step in steps.iter() {
        match done.remove(&step.version) {
            Some(checksum) if checksum == step.checksum.as_ref() => {}
            Some(_) => return Err(MigrateError::VersionMismatch(step.version).into()),
            None => return Err(OpenFault::TooOld),
        }
    }
    match done.first_key_value() {
        Some((newer, _)) => Err(MigrateError::VersionMissing(*newer).into()),
        None => Ok(()),
    }
}

/// A table as the steps make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<(String, Kind)>,
    /// Tables that its rows refer to.
    refers: Vec<String>,
}

/// What a column holds, in either database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Number,
    Text,
    Bytes,
}

/// Every table of the accounts, those that others refer to first. Asked of the steps themselves, run in memory: a
/// table that a later step adds is among them.
pub(super) async fn tables() -> Result<Vec<Table>, MigrateError> {
    install_default_drivers();
    // One connection: another one would see another memory.
    let memory = AnyPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    let memory = memory.connect("sqlite::memory:").await?;
    of_file(&memory).await?;
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'
        AND name <> '_sqlx_migrations' ORDER BY rowid";
    let names: Vec<String> = sqlx::query_scalar(sql).fetch_all(&memory).await?;
    let (mut left, mut sorted) = (Vec::new(), Vec::<Table>::new());
    for name in names {
        let sql = "SELECT name, type FROM pragma_table_info($1) ORDER BY cid";
        let rows = sqlx::query(sql).bind(&name).fetch_all(&memory).await?;
        let column = |row: &super::Row| {
            let kind = match row.try_get::<String, _>(1)?.as_str() {
                "INTEGER" | "INT" => Kind::Number,
                "BLOB" => Kind::Bytes,
                _ => Kind::Text,
            };
            Ok((row.try_get(0)?, kind))
        };
        let columns = rows.iter().map(column).collect::<Result<_, sqlx::Error>>()?;
        let sql = "SELECT \"table\" FROM pragma_foreign_key_list($1)";
        let refers = sqlx::query_scalar(sql).bind(&name).fetch_all(&memory).await?;
        left.push(Table { name, columns, refers });
    }
    memory.close().await;
    while !left.is_empty() {
        let known = |name: &String| sorted.iter().any(|table| table.name == *name);
        let fits = |table: &Table| table.refers.iter().all(|it| *it == table.name || known(it));
        let (now, later): (Vec<_>, Vec<_>) = left.into_iter().partition(fits);
        // Tables that refer to each other could not be filled in any order.
        left = if now.is_empty() { Vec::new() } else { later };
        sorted.extend(now);
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::Kind::{Bytes, Number, Text};
    use super::*;

    #[tokio::test]
    async fn both_databases_have_the_same_tables() {
        let tables = tables().await.unwrap();
        let mut names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        let at = |name| names.iter().position(|known| *known == name).unwrap();
        assert!(at("players") < at("accounts") && at("players") < at("nicknames"));
        names.sort_unstable();
        let text: String = OF_POSTGRES.iter().map(|step| step.sql.as_ref()).collect();
        let made = text.split("CREATE TABLE ").skip(1).filter_map(|rest| rest.split(' ').next());
        // Sessions that ended a moment ago are told to other processes, of which a file has none.
        let mut made: Vec<&str> = made.filter(|name| *name != "session_ends").collect();
        made.sort_unstable();
        assert_eq!(names, made);
        let codes = tables.iter().find(|table| table.name == "codes").unwrap();
        let kinds: Vec<Kind> = codes.columns.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(kinds, [Text, Text, Bytes, Bytes, Number, Number]);
    }
}
