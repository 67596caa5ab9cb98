//! Reading events and the small rows beside them. Positions are given out in commit order, so that whoever
//! reads on from a position misses nothing.

use super::{metadata, names};
use crate::log::custody::OddRow;
use crate::log::port::{Head, Stored};
use crate::log::sealing::Tip;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, PgExecutor, PgPool, Row};
use std::collections::HashMap;
use yibu_domain::kernel::Time;

/// The columns of an event, in the order in which [`event`] reads them.
const COLUMNS: &str = "position, aggregate_type, aggregate_id, sequence, event_type, payload::text, \
     metadata::text, written_at, salt, hash";

pub(super) async fn all(
    pool: &PgPool,
    after: u64,
    limit: usize,
) -> Result<Vec<Stored>, sqlx::Error> {
    let sql =
        format!("SELECT {COLUMNS} FROM events WHERE position > $1 ORDER BY position LIMIT $2");
    let query = sqlx::query(&sql).bind(signed(after)).bind(signed(limit as u64));
    query.fetch_all(pool).await?.iter().map(event).collect()
}

pub(super) async fn stream(
    pool: &PgPool,
    stream: &str,
    after: u64,
    limit: usize,
) -> Result<Vec<Stored>, sqlx::Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM events WHERE aggregate_type = $1 AND aggregate_id = $2 \
         AND sequence > $3 ORDER BY sequence LIMIT $4"
    );
    let (kind, id) = names::split(stream);
    let query = sqlx::query(&sql).bind(kind).bind(id);
    let query = query.bind(signed(after)).bind(signed(limit as u64));
    query.fetch_all(pool).await?.iter().map(event).collect()
}

/// Rows whose columns are not the texts that this program writes; see `Custody::odd_rows`.
pub(super) async fn odd_rows(
    pool: &PgPool,
    after: u64,
    limit: usize,
) -> Result<(Vec<OddRow>, Option<u64>), sqlx::Error> {
    let sql = "SELECT position, aggregate_type, aggregate_id, sequence, event_type, event_version, \
         metadata::text FROM events WHERE position > $1 ORDER BY position LIMIT $2";
    let query = sqlx::query(sql).bind(signed(after)).bind(signed(limit as u64));
    let rows = query.fetch_all(pool).await?;
    let last = rows.last().map(|row| unsigned(row, 0)).transpose()?;
    let mut odd = Vec::new();
    for row in &rows {
        let (kind, id): (&str, &str) = (row.try_get(1)?, row.try_get(2)?);
        let stream = names::join(kind, id);
        let (name, metadata): (&str, &str) = (row.try_get(4)?, row.try_get(6)?);
        let columns = [
            ("aggregate_type", names::split(&stream) == (kind, id)),
            ("event_version", names::version(name) == row.try_get::<&str, _>(5)?),
            ("metadata", metadata::stands(metadata)),
        ];
        for (column, _) in columns.into_iter().filter(|(_, holds)| !holds) {
            let (version, position) = (unsigned(row, 3)?, unsigned(row, 0)?);
            odd.push(OddRow { stream: stream.clone(), version, position, column });
        }
    }
    Ok((odd, last))
}

/// Where each of the streams stands; those without events are left out.
pub(super) async fn tips(
    connection: &mut PgConnection,
    streams: &[&str],
) -> Result<HashMap<String, Tip>, sqlx::Error> {
    let (kinds, ids): (Vec<_>, Vec<_>) = streams.iter().map(|stream| names::split(stream)).unzip();
    let sql = "SELECT s.kind, s.id, e.sequence, e.hash \
         FROM UNNEST($1::text[], $2::text[]) AS s (kind, id) CROSS JOIN LATERAL \
         (SELECT sequence, hash FROM events WHERE aggregate_type = s.kind AND aggregate_id = s.id \
         ORDER BY sequence DESC LIMIT 1) e";
    let rows = sqlx::query(sql).bind(kinds).bind(ids).fetch_all(connection).await?;
    let tip = |row: &PgRow| {
        let stream = names::join(row.try_get(0)?, row.try_get(1)?);
        Ok((stream, Tip { version: unsigned(row, 2)?, hash: row.try_get(3)? }))
    };
    rows.iter().map(tip).collect()
}

pub(super) async fn head(pool: &PgPool) -> Result<Head, sqlx::Error> {
    head_of(&sqlx::query("SELECT position, hash FROM log_head").fetch_one(pool).await?)
}

/// The position of the last event; 0 where there is none.
pub(super) async fn last(pool: &PgPool) -> Result<u64, sqlx::Error> {
    let sql = "SELECT greatest(coalesce(max(position), 0), 0) FROM events";
    unsigned(&sqlx::query(sql).fetch_one(pool).await?, 0)
}

/// The head of a row that begins with its columns.
pub(super) fn head_of(row: &PgRow) -> Result<Head, sqlx::Error> {
    Ok(Head { position: unsigned(row, 0)?, hash: row.try_get(1)? })
}

/// Waits until commands could be written, as a batch would: while somebody holds the tables against that (to
/// rebuild an index, to copy them), nobody could serve.
pub(super) const WRITABLE: &str = "LOCK TABLE events, log_memos, log_claims_counted, \
     log_claims_unique, log_limits IN ROW EXCLUSIVE MODE";

/// Moves a node's mark on, never back. Takes the head row for it: where that cannot be had, nobody could serve.
pub(super) async fn beat(on: impl PgExecutor<'_>, node: &str, at: Time) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO log_heartbeats (node, at) SELECT $1, $2 FROM log_head FOR UPDATE \
         ON CONFLICT (node) DO UPDATE SET at = greatest(log_heartbeats.at, excluded.at)";
    sqlx::query(sql).bind(node).bind(at.0).execute(on).await?;
    Ok(())
}

pub(super) async fn last_beat(pool: &PgPool) -> Result<Option<Time>, sqlx::Error> {
    let at = sqlx::query_scalar("SELECT max(at) FROM log_heartbeats").fetch_one(pool).await?;
    Ok(Option::<i64>::map(at, Time))
}

/// The database's integers are signed; nothing is that large.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number that is never negative.
pub(super) fn unsigned(row: &PgRow, column: usize) -> Result<u64, sqlx::Error> {
    u64::try_from(row.try_get::<i64, _>(column)?).map_err(|error| broken(column, error))
}

/// A column that does not hold what was written there.
pub(super) fn broken(
    column: usize,
    problem: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: column.to_string(), source: problem.into() }
}

fn event(row: &PgRow) -> Result<Stored, sqlx::Error> {
    let (id, stamp) = metadata::read(row.try_get(6)?).map_err(|error| broken(6, error))?;
    Ok(Stored {
        position: unsigned(row, 0)?,
        stream: names::join(row.try_get(1)?, row.try_get(2)?),
        version: unsigned(row, 3)?,
        id,
        name: row.try_get(4)?,
        payload: row.try_get(5)?,
        stamp,
        recorded: Time(row.try_get(7)?),
        salt: row.try_get(8)?,
        hash: row.try_get(9)?,
    })
}
