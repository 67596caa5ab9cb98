//! Every read model against one built afresh from the log, row for row. The fresh ones live in a folder of
//! their own that goes away with the audit. Reads the served ones only.

use super::documents::NOT_SERVED;
use super::scratch::Scratch;
use super::{Report, ends};
use crate::app::LogFeed;
use crate::cli::views;
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{ConnectOptions, Connection, Row, SqliteConnection};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::watch;
use uuid::Uuid;
use yibu_infrastructure::log::looks::{self, Oddity, Part};
use yibu_infrastructure::log::port::EventLog;
use yibu_projections::engine::{Pages, Projection, Projector, Step};
use yibu_projections::{Fed, Feed, FeedError, Home, Views, models};

/// Events per transaction of the fresh build.
const ROUND: usize = 32_768;

/// Rows that differ are named up to so many per table.
const NAMED: usize = 3;

/// Compares every read model whose rows are in `views.db` of a folder.
pub(super) async fn check(log: Arc<dyn EventLog>, folder: &Path, report: &mut Report) {
    let Some(path) = views::file(folder) else { return };
    let scratch = match Scratch::new() {
        Ok(scratch) => scratch,
        Err(error) => {
            report.note(format!("no room for a fresh build of the read models: {error}"));
            return;
        }
    };
    if let Err(error) = aside(&path, report).await {
        report.problem("views.db", None, error);
    }
    for projection in models::all() {
        let name = projection.name();
        let before = report.problem_count;
        let compared = compare(&log, &path, &scratch.path().join(name), projection, report).await;
        match compared {
            Ok(true) if report.problem_count == before => report.read_models.push(name.to_owned()),
            Ok(_) => {}
            Err(problem) => report.problem(name, None, problem),
        }
    }
}

/// What the engine never makes: triggers of the registry, and tables that are queries.
async fn aside(path: &Path, report: &mut Report) -> Result<(), sqlx::Error> {
    let (options, _held) = views::to_read(path).await;
    let mut on = options.connect().await?;
    let sql = "SELECT tbl_name, type || ' ' || name FROM sqlite_schema
               WHERE type = 'view' OR type = 'trigger' AND tbl_name = 'projections'";
    for (table, what) in sqlx::query_as::<_, (String, String)>(sql).fetch_all(&mut on).await? {
        report.odd(Oddity::more(table, &what));
    }
    on.close().await
}

/// Whether there was something to compare; what differs is in the report.
async fn compare(
    log: &Arc<dyn EventLog>,
    served: &Path,
    folder: &Path,
    projection: Arc<dyn Projection>,
    report: &mut Report,
) -> Result<bool, String> {
    let text = |error: sqlx::Error| error.to_string();
    let name = projection.name();
    let (options, _held) = views::to_read(served).await;
    let mut on = options.connect().await.map_err(text)?;
    // Attached before the snapshot is taken, for that cannot be done inside one.
    let fresh = Views::open(Home::Folder(folder.to_owned()), vec![Arc::clone(&projection)]).await;
    let fresh = fresh.map_err(|error| error.to_string())?;
    let file = folder.join("views.db").display().to_string();
    let attach = sqlx::query("ATTACH DATABASE $1 AS fresh").bind(file);
    attach.execute(&mut on).await.map_err(text)?;

    for state in odd_states(&mut on, name).await.map_err(text)? {
        report.problem(name, None, format!("no generation can be in the state {state}"));
    }
    let shape = i64::from(projection.shape());
    let found = generation(&mut on, (name, shape)).await.map_err(text)?;
    let first = found.ok_or(NOT_SERVED)?;
    if first.shape != shape {
        let (there, next) = match first.shape < shape {
            true => ("an older", "a start of this program builds it anew"),
            false => ("a newer", "the program that serves it can audit it"),
        };
        let Served { shape: found, .. } = first;
        return Err(format!(
            "it has {there} shape ({found}) than this program's ({shape}): nothing was compared; {next}"
        ));
    }
    // The served rows move on while the fresh ones are built: a snapshot of the served ones comes first, in
    // a transaction on a database of which nothing else is read yet.
    let mut tx = on.begin().await.map_err(text)?;
    let Some(served) = generation(&mut tx, (name, shape)).await.map_err(text)? else {
        report.note(format!("{name} is being replaced: nothing was compared"));
        return Ok(false);
    };
    let end = ends::last(log.as_ref()).await.map_err(|error| error.to_string())?;
    if served.checkpoint > end {
        let at = served.checkpoint;
        return Err(format!("it is at position {at}, ahead of the log, which ends at {end}"));
    }
    build(log, &fresh, name, served.checkpoint).await?;
    fresh.close().await;
    for table in projection.tables() {
        let parts = parts(&mut tx, table, served.generation).await.map_err(text)?;
        parts.into_iter().for_each(|odd| report.odd(odd));
        differences(&mut tx, table, served.generation, report).await.map_err(text)?;
    }
    tx.rollback().await.map_err(text)?;
    // It only read.
    let _ = on.close().await;
    Ok(true)
}

struct Served {
    generation: i64,
    shape: i64,
    checkpoint: u64,
}

/// The generation that readers get: as they choose it where there are several.
async fn generation(
    on: &mut SqliteConnection,
    (name, shape): (&str, i64),
) -> Result<Option<Served>, sqlx::Error> {
    let sql = "SELECT generation, shape, checkpoint FROM main.projections
               WHERE name = $1 AND state = 'active'
               ORDER BY shape = $2 DESC, generation DESC LIMIT 1";
    let row = sqlx::query(sql).bind(name).bind(shape).fetch_optional(on).await?;
    row.map(|row| {
        Ok(Served {
            generation: row.try_get(0)?,
            shape: row.try_get(1)?,
            checkpoint: u64::try_from(row.try_get::<i64, _>(2)?).unwrap_or(0),
        })
    })
    .transpose()
}

/// What stands where a generation's state should.
async fn odd_states(on: &mut SqliteConnection, name: &str) -> Result<Vec<String>, sqlx::Error> {
    let sql = "SELECT CAST(state AS TEXT) FROM main.projections
               WHERE name = $1 AND state NOT IN ('active', 'building', 'retired')";
    sqlx::query_scalar(sql).bind(name).fetch_all(on).await
}

async fn build(log: &Arc<dyn EventLog>, fresh: &Views, name: &str, to: u64) -> Result<(), String> {
    let feed = Upto { feed: LogFeed::new(Arc::clone(log)), to };
    let projector = Projector::adopt(fresh, name, Pages::new(Arc::new(feed))).await;
    let mut projector = projector.map_err(|fault| fault.to_string())?;
    loop {
        match projector.step(ROUND).await {
            Ok(Step::Advanced(_)) => {}
            Ok(Step::Idle) if projector.checkpoint() == to => return Ok(()),
            Ok(Step::Idle) => {
                let at = projector.checkpoint();
                return Err(format!("a fresh build ends at position {at}, the served one at {to}"));
            }
            Err(fault) => return Err(fault.to_string()),
        }
    }
}

/// How a table and its indexes are made otherwise than a fresh one.
async fn parts(
    on: &mut SqliteConnection,
    table: &str,
    generation: i64,
) -> Result<Vec<Oddity>, sqlx::Error> {
    let mut both = Vec::new();
    for (schema, generation) in [("fresh", 1), ("main", generation)] {
        // SQLite's own parts follow from the others.
        let sql = format!(
            "SELECT type || ' ' || name, coalesce(sql, '') FROM {schema}.sqlite_schema
             WHERE tbl_name = $1 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        );
        let number = format!("_g{generation}");
        let query = sqlx::query(&sql).bind(format!("{table}{number}"));
        let part = |row: &SqliteRow| {
            let (what, made): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            // Of whichever generation it is.
            let (what, made) = (what.replace(&number, ""), made.replace(&number, ""));
            Ok(Part { table: table.to_owned(), what, made })
        };
        let rows = query.fetch_all(&mut *on).await?;
        both.push(rows.iter().map(part).collect::<Result<Vec<_>, sqlx::Error>>()?);
    }
    let found = both.pop().unwrap_or_default();
    Ok(looks::otherwise(&both.pop().unwrap_or_default(), &found))
}

/// Names the first rows that differ, by their keys.
async fn differences(
    on: &mut SqliteConnection,
    table: &str,
    generation: i64,
    report: &mut Report,
) -> Result<(), sqlx::Error> {
    let (served, fresh) = (format!("{table}_g{generation}"), format!("{table}_g1"));
    let sql = "SELECT name FROM pragma_table_info($1, 'fresh') WHERE pk > 0 ORDER BY pk";
    let key: Vec<String> = sqlx::query_scalar(sql).bind(&fresh).fetch_all(&mut *on).await?;
    let columns = key.join(", ");
    // Where the row stands in its stream and in the log, as far as the table says.
    let sql =
        "SELECT name FROM pragma_table_info($1, 'fresh') WHERE name IN ('version', 'position')";
    let known: Vec<String> = sqlx::query_scalar(sql).bind(&fresh).fetch_all(&mut *on).await?;
    let place = |column: &str| match known.iter().any(|name| name == column) {
        true => column.to_owned(),
        false => "NULL".to_owned(),
    };
    let places =
        format!("{} AS at_version, {} AS at_position", place("version"), place("position"));
    let (served, fresh) = (format!("main.{served}"), format!("fresh.{fresh}"));
    let same = key.iter().map(|column| format!("there.{column} = odd.{column}"));
    let same = same.collect::<Vec<_>>().join(" AND ");
    for (one, other, there, what) in [
        (&served, &fresh, "NOT EXISTS", "a row that the log does not give"),
        (&fresh, &served, "NOT EXISTS", "a missing row"),
        (&fresh, &served, "EXISTS", "another row than the log gives"),
    ] {
        let sql = format!(
            "SELECT {columns}, {places} FROM (SELECT * FROM {one} EXCEPT SELECT * FROM {other}) AS odd
             WHERE {there} (SELECT 1 FROM {other} AS there WHERE {same})
             ORDER BY {columns} LIMIT {NAMED}"
        );
        for row in sqlx::query(&sql).fetch_all(&mut *on).await? {
            let values = key.iter().map(|column| format!("{column} {}", shown(&row, column)));
            let number = |column| row.try_get::<Option<i64>, _>(column).ok().flatten();
            let number = |column| number(column).and_then(|number| u64::try_from(number).ok());
            report.odd(Oddity {
                place: table.to_owned(),
                version: number("at_version"),
                position: number("at_position"),
                problem: format!("{what}: {}", values.collect::<Vec<_>>().join(", ")),
            });
        }
    }
    Ok(())
}

/// A key's column as people and other tools write it.
fn shown(row: &SqliteRow, column: &str) -> String {
    let number = row.try_get::<i64, _>(column).map(|number| number.to_string());
    let text = number.or_else(|_| row.try_get::<String, _>(column));
    let bytes = |bytes: Vec<u8>| match Uuid::from_slice(&bytes) {
        Ok(id) => id.to_string(),
        Err(_) => hex::encode(bytes),
    };
    text.or_else(|_| row.try_get(column).map(bytes)).unwrap_or_else(|_| "?".to_owned())
}

/// The log up to a position, as if it ended there.
struct Upto {
    feed: LogFeed,
    to: u64,
}

#[async_trait]
impl Feed for Upto {
    async fn read(&self, after: u64, limit: usize) -> Result<Vec<Fed>, FeedError> {
        let mut events = self.feed.read(after, limit).await?;
        events.retain(|event| event.position <= self.to);
        Ok(events)
    }

    async fn head(&self) -> Result<u64, FeedError> {
        Ok(self.to)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.feed.changes()
    }
}
