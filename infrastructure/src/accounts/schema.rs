//! The accounts' tables, brought up to date. Must not change a step that was released: the text of each is
//! remembered by its checksum.

use super::turns::Tx;
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
