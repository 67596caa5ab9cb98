//! Reading: a few read-only connections, and the queries over them. Every query is short and bounded, so
//! that no reader holds a checkpoint up.

use super::connect;
use crate::log::actor_bytes;
use crate::log::port::{Head, ReadError, Stamp, Stored};
use crate::log::sealing::Tip;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use uuid::Uuid;
use yibu_domain::kernel::{CommandId, EventId, Time};

/// More would not help: reads are short, and a machine has few cores.
const CONNECTIONS: usize = 4;

/// Read-only connections that are lent out one at a time.
pub(super) struct Pool {
    idle: Arc<Mutex<Vec<connect::Reading>>>,
    permits: Arc<Semaphore>,
}

impl Pool {
    pub(super) fn open(folder: &Path) -> Result<Self, rusqlite::Error> {
        let idle = (0..CONNECTIONS)
            .map(|_| connect::for_reading(folder))
            .collect::<Result<Vec<_>, _>>()?;
        let permits = Arc::new(Semaphore::new(CONNECTIONS));
        Ok(Self { idle: Arc::new(Mutex::new(idle)), permits })
    }

    /// Runs a query where it may block.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, ReadError> {
        const CLOSED: &str = "it is closed";
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|_| ReadError::Failed(CLOSED.to_owned()))?;
        let idle = Arc::clone(&self.idle);
        let read = tokio::task::spawn_blocking(move || {
            let lent = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let connection = lent.ok_or_else(|| ReadError::Failed(CLOSED.to_owned()))?;
            let answer = query(&connection).map_err(ReadError::from);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            drop(permit);
            answer
        });
        read.await.map_err(|error| ReadError::Failed(error.to_string()))?
    }

    /// Waits for the reads that run and closes the connections.
    pub(super) async fn close(&self) {
        let all = u32::try_from(CONNECTIONS).unwrap_or(u32::MAX);
        if let Ok(permits) = self.permits.acquire_many(all).await {
            self.permits.close();
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
            drop(permits);
        }
    }
}

/// The columns of an event, in the order in which [`event`] reads them.
const COLUMNS: &str = "e.position, e.version, e.id, e.name, e.payload, e.at, e.actor, e.command, \
     e.command_id, e.correlation, e.causation, e.node, e.build, e.recorded, e.salt, e.hash";

pub(super) fn all(
    connection: &Connection,
    after: u64,
    limit: usize,
) -> rusqlite::Result<Vec<Stored>> {
    // CROSS JOIN keeps SQLite from starting at the streams.
    let mut query = connection.prepare_cached(&format!(
        "SELECT {COLUMNS}, s.name FROM events e CROSS JOIN streams s ON s.id = e.stream \
         WHERE e.position > ?1 ORDER BY e.position LIMIT ?2"
    ))?;
    let rows =
        query.query_map((bounded(after), bounded(limit as u64)), |row| event(row, row.get(16)?))?;
    rows.collect()
}

pub(super) fn stream(
    connection: &Connection,
    stream: &str,
    after: u64,
    limit: usize,
) -> rusqlite::Result<Vec<Stored>> {
    let Some(id) = stream_id(connection, stream)? else {
        return Ok(Vec::new());
    };
    let mut query = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM ({PLACES} ORDER BY version LIMIT ?3) p \
         CROSS JOIN events e ON e.position = p.position ORDER BY e.version"
    ))?;
    let rows = query.query_map((id, bounded(after), bounded(limit as u64)), |row| {
        event(row, stream.to_owned())
    })?;
    rows.collect()
}

/// Where the events of stream ?1 after version ?2 stand: those that are indexed and those that are not yet.
const PLACES: &str = "SELECT version, position FROM stream_index WHERE stream = ?1 AND version > ?2 \
     UNION ALL SELECT version, position FROM events \
     WHERE position > (SELECT indexed FROM head) AND stream = ?1 AND version > ?2";

/// Where a stream stands, if it has an event.
pub(super) fn tip(connection: &Connection, stream: i64) -> rusqlite::Result<Option<Tip>> {
    connection
        .prepare_cached(&format!(
            "SELECT e.version, e.hash FROM ({PLACES} ORDER BY version DESC LIMIT 1) p \
             CROSS JOIN events e ON e.position = p.position"
        ))?
        .query_row((stream, 0), |row| Ok(Tip { version: row.get(0)?, hash: row.get(1)? }))
        .optional()
}

/// The small number that stands for a stream.
pub(super) fn stream_id(connection: &Connection, stream: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT id FROM streams WHERE name = ?1")?
        .query_row([stream], |row| row.get(0))
        .optional()
}

pub(super) fn head(connection: &Connection) -> rusqlite::Result<Head> {
    connection
        .prepare_cached("SELECT position, hash FROM head")?
        .query_row([], |row| Ok(Head { position: row.get(0)?, hash: row.get(1)? }))
}

/// The position of the last event; 0 where there is none.
pub(super) fn last(connection: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT max(coalesce(max(position), 0), 0) FROM events";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// Up to which position the index over the streams goes.
pub(super) fn indexed(connection: &Connection) -> rusqlite::Result<u64> {
    connection.prepare_cached("SELECT indexed FROM head")?.query_row([], |row| row.get(0))
}

/// The hash of the event at a position.
pub(super) fn hash_at(
    connection: &Connection,
    position: u64,
) -> rusqlite::Result<Option<[u8; 32]>> {
    connection
        .prepare_cached("SELECT hash FROM events WHERE position = ?1")?
        .query_row([position], |row| row.get(0))
        .optional()
}

/// The hash of a stream's event.
pub(super) fn hash_of(
    connection: &Connection,
    stream: i64,
    version: u64,
) -> rusqlite::Result<Option<[u8; 32]>> {
    connection
        .prepare_cached("SELECT hash FROM events WHERE stream = ?1 AND version = ?2")?
        .query_row((stream, bounded(version)), |row| row.get(0))
        .optional()
}

pub(super) fn last_beat(connection: &Connection) -> rusqlite::Result<Option<Time>> {
    let mut query = connection.prepare_cached("SELECT max(at) FROM heartbeats")?;
    query.query_row([], |row| Ok(row.get::<_, Option<i64>>(0)?.map(Time)))
}

/// SQLite's integers are signed; nothing is that large.
fn bounded(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn event(row: &Row<'_>, stream: String) -> rusqlite::Result<Stored> {
    Ok(Stored {
        position: row.get(0)?,
        stream,
        version: row.get(1)?,
        id: EventId(uuid(row, 2)?),
        name: row.get(3)?,
        payload: row.get(4)?,
        stamp: Stamp {
            at: Time(row.get(5)?),
            actor: actor_bytes::read(row.get_ref(6)?.as_blob()?)
                .ok_or_else(|| broken(6, "not an actor"))?,
            command: row.get(7)?,
            command_id: optional_uuid(row, 8)?.map(CommandId),
            correlation: uuid(row, 9)?,
            causation: optional_uuid(row, 10)?.map(EventId),
            node: row.get(11)?,
            build: row.get(12)?,
        },
        recorded: Time(row.get(13)?),
        salt: row.get(14)?,
        hash: row.get(15)?,
    })
}

/// An id from its 16 bytes.
pub(super) fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    optional_uuid(row, column)?.ok_or_else(|| broken(column, "an id is missing"))
}

fn optional_uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Uuid>> {
    let bytes = row.get_ref(column)?.as_blob_or_null()?;
    bytes.map(Uuid::from_slice).transpose().map_err(|_| broken(column, "not an id"))
}

/// A column that does not hold what was written there.
pub(super) fn broken(column: usize, problem: &'static str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Blob, problem.into())
}
