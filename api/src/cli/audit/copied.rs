//! The read models of a shared database, copied as of one instant into `views.db` in a folder of the audit's own:
//! so everything else compares files, and holds up no server meanwhile. Must not write to the database.

use crate::app::MATCH_VIEWS;
use futures_util::TryStreamExt as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{
    Column, ConnectOptions, Connection, Executor, PgConnection, Row, Sqlite, SqliteConnection,
    TypeInfo,
};
use std::path::Path;
use yibu_domain::kernel::MatchId;
use yibu_infrastructure::log::looks::Oddity;
use yibu_projections::engine::Projection;
use yibu_projections::{Home, Views, models};

/// The generation that this program would serve.
struct Served {
    generation: i64,
    shape: i64,
    checkpoint: i64,
}

/// Copies the served generations, or of one match its documents alone, and names what this program makes no tables
/// with. Where there are no read models yet, the folder stays as it is.
pub(super) async fn copy(
    url: &str,
    folder: &Path,
    only: Option<MatchId>,
) -> Result<Vec<Oddity>, Box<dyn std::error::Error + Send + Sync>> {
    let mut from = PgConnection::connect(url).await?;
    from.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let there = "SELECT to_regclass('projections') IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(there).fetch_one(&mut from).await? {
        return Ok(Vec::new());
    }
    // Makes the tables in this program's shape, as generation 1.
    Views::open(Home::Folder(folder.to_owned()), models::all()).await?.close().await;
    let file = SqliteConnectOptions::new().filename(folder.join("views.db"));
    let mut to = file.synchronous(SqliteSynchronous::Off).connect().await?;
    let mut tables = Vec::new();
    for projection in models::all() {
        let served = served(&mut from, projection.as_ref()).await?;
        let generation = note(&mut to, projection.as_ref(), served).await?;
        if let Some(generation) = generation
            && (only.is_none() || projection.name() == MATCH_VIEWS)
        {
            tables.extend(projection.tables().iter().map(|table| (*table, generation)));
        }
    }
    let mut odd = Vec::new();
    let mut there = Vec::new();
    for (table, generation) in tables {
        if is_there(&mut from, &format!("{table}_g{generation}")).await? {
            there.push((table, generation));
        } else {
            odd.push(Oddity::of(table, "the table of the generation that is served is missing"));
        }
    }
    let tables = there;
    odd.extend(aside(&mut from, &tables).await?);
    // Held from now on: what a rebuild puts out of service is dropped a while later.
    for (table, generation) in &tables {
        from.execute(format!("SELECT 1 FROM {table}_g{generation} LIMIT 0").as_str()).await?;
    }
    let mut tx = to.begin().await?;
    for table in tables {
        rows(&mut from, &mut tx, table, only).await?;
    }
    tx.commit().await?;
    to.close().await?;
    from.close().await?;
    Ok(odd)
}

async fn is_there(from: &mut PgConnection, table: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL").bind(table).fetch_one(from).await
}

/// Triggers and rules on the tables: the engine makes none.
async fn aside(
    from: &mut PgConnection,
    tables: &[(&str, i64)],
) -> Result<Vec<Oddity>, sqlx::Error> {
    let mut names = vec![("projections".to_owned(), "projections")];
    names.extend(tables.iter().map(|(table, number)| (format!("{table}_g{number}"), *table)));
    let sql = "SELECT 'trigger ' || tgname FROM pg_trigger
        WHERE tgrelid = to_regclass($1) AND NOT tgisinternal
        UNION ALL SELECT 'rule ' || rulename FROM pg_rewrite WHERE ev_class = to_regclass($1)";
    let mut odd = Vec::new();
    for (name, table) in names {
        let found = sqlx::query_scalar::<_, String>(sql).bind(name).fetch_all(&mut *from).await?;
        odd.extend(found.iter().map(|what| Oddity::more(table, what)));
    }
    Ok(odd)
}

/// Several generations may be active, one for each shape; this program's own comes first.
async fn served(
    from: &mut PgConnection,
    projection: &dyn Projection,
) -> Result<Option<Served>, sqlx::Error> {
    let sql =
        "SELECT generation, shape, checkpoint FROM projections WHERE name = $1 AND state = 'active'
        ORDER BY shape = $2 DESC, generation DESC LIMIT 1";
    let query = sqlx::query(sql).bind(projection.name()).bind(i64::from(projection.shape()));
    let row = query.fetch_optional(from).await?;
    row.map(|row| {
        let (generation, shape) = (row.try_get(0)?, row.try_get(1)?);
        Ok(Served { generation, shape, checkpoint: row.try_get(2)? })
    })
    .transpose()
}

/// Notes in the copy what is served, and gives the generation whose rows belong in it: those of another shape
/// have no place there.
async fn note(
    to: &mut SqliteConnection,
    projection: &dyn Projection,
    served: Option<Served>,
) -> Result<Option<i64>, sqlx::Error> {
    let Some(Served { generation, shape, checkpoint }) = served else {
        let sql = "DELETE FROM projections WHERE name = ?";
        sqlx::query(sql).bind(projection.name()).execute(to).await?;
        return Ok(None);
    };
    let sql = "UPDATE projections SET shape = ?, checkpoint = ? WHERE name = ?";
    let query = sqlx::query(sql).bind(shape).bind(checkpoint).bind(projection.name());
    query.execute(to).await?;
    Ok((shape == i64::from(projection.shape())).then_some(generation))
}

/// Copies a table's rows; of one match, where every table begins with its id.
async fn rows(
    from: &mut PgConnection,
    to: &mut SqliteConnection,
    (table, generation): (&str, i64),
    only: Option<MatchId>,
) -> Result<(), sqlx::Error> {
    let filter = if only.is_some() { " WHERE match_id = $1" } else { "" };
    let sql = format!("SELECT * FROM {table}_g{generation}{filter}");
    let mut query = sqlx::query(&sql);
    if let Some(id) = only {
        query = query.bind(id.0.as_bytes().to_vec());
    }
    let mut rows = query.fetch(from);
    let mut insert = None::<String>;
    while let Some(row) = rows.try_next().await? {
        let insert = insert.get_or_insert_with(|| {
            let names: Vec<_> = row.columns().iter().map(Column::name).collect();
            let (names, marks) = (names.join(", "), vec!["?"; names.len()].join(", "));
            format!("INSERT INTO {table}_g1 ({names}) VALUES ({marks})")
        });
        let mut query = sqlx::query::<Sqlite>(insert);
        for (index, column) in row.columns().iter().enumerate() {
            query = match column.type_info().name() {
                "BYTEA" => query.bind(row.try_get::<Option<Vec<u8>>, _>(index)?),
                "INT8" => query.bind(row.try_get::<Option<i64>, _>(index)?),
                _ => query.bind(row.try_get::<Option<String>, _>(index)?),
            };
        }
        query.execute(&mut *to).await?;
    }
    Ok(())
}
