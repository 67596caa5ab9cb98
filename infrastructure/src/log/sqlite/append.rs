//! One commit inside the writer's transaction: judged first, written only when nothing stands against it, so
//! that a refused commit leaves nothing and does not disturb the others of its batch.

use super::tips::{Place, Tips};
use super::{claims, memos};
use crate::log::actor_bytes;
use crate::log::claims::judge;
use crate::log::port::{AppendError, Commit, Head, Receipt, Stored};
use crate::log::sealing::Seal;
use crate::system::Entropy;
use rusqlite::{Connection, params};
use yibu_domain::kernel::Time;

/// The index over the streams is brought up to date for about so many events at a time. Whoever reads a stream
/// looks through at most as many, which costs less than reading it.
const INDEX_EVERY: u64 = 1024;

/// The log's end as it moves on within a batch.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) head: Head,
    /// The hash of the last event.
    pub(super) last: [u8; 32],
    /// Up to which position the index over the streams goes.
    pub(super) indexed: u64,
}

/// Judges and writes. After a fault the transaction must be rolled back; `tips` and `end` are worthless then.
pub(super) fn append(
    connection: &Connection,
    tips: &mut Tips,
    end: &mut End,
    commit: Commit,
    recorded: Time,
    entropy: &Entropy,
) -> Result<Receipt, AppendError> {
    if let Some(memo) = &commit.memo {
        let found = memos::find(connection, memo.account, memo.id, recorded);
        if let Some(remembered) = found.map_err(claims::fault)? {
            return Err(AppendError::Repeated(Box::new(remembered)));
        }
    }
    let mut place = tips.find(connection, &commit.stream).map_err(claims::fault)?;
    commit.expected.judge(&commit.stream, place.tip.version)?;
    let changes = judge(&commit.claims, &mut claims::Rows(connection))?;

    let write = || -> rusqlite::Result<Receipt> {
        let id = match place.id {
            Some(id) => id,
            None => new_stream(connection, &commit.stream)?,
        };
        let (stream, stamp) = (&commit.stream, &commit.stamp);
        let seal = Seal { stream, stamp, recorded, entropy };
        for event in commit.events {
            let stored = seal.next(&mut place.tip, &mut end.head, event);
            insert(connection, id, &stored)?;
            end.last = stored.hash;
        }
        claims::write(connection, &changes)?;
        let receipt = Receipt { position: end.head.position, version: place.tip.version };
        if let Some(memo) = &commit.memo {
            memos::write(connection, memo, id, receipt.version, receipt.position, recorded)?;
        }
        tips.put(&commit.stream, Place { id: Some(id), tip: place.tip });
        Ok(receipt)
    };
    write().map_err(claims::fault)
}

pub(super) fn new_stream(connection: &Connection, stream: &str) -> rusqlite::Result<i64> {
    connection.prepare_cached("INSERT INTO streams (name) VALUES (?1)")?.insert([stream])
}

pub(super) fn insert(connection: &Connection, stream: i64, event: &Stored) -> rusqlite::Result<()> {
    let stamp = &event.stamp;
    connection
        .prepare_cached(
            "INSERT INTO events (position, stream, version, id, name, payload, at, actor, command, \
             command_id, correlation, causation, node, build, recorded, salt, hash) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        )?
        .execute(params![
            event.position,
            stream,
            event.version,
            event.id.0.as_bytes(),
            event.name,
            event.payload,
            stamp.at.0,
            actor_bytes::write(&stamp.actor),
            stamp.command,
            stamp.command_id.as_ref().map(|id| id.0.as_bytes()),
            stamp.correlation.as_bytes(),
            stamp.causation.as_ref().map(|id| id.0.as_bytes()),
            stamp.node,
            stamp.build,
            event.recorded.0,
            event.salt,
            event.hash,
        ])?;
    Ok(())
}

/// Writes the end of the batch to the head row, and brings the index over the streams up to it when enough
/// events wait for it.
pub(super) fn write_end(connection: &Connection, end: &mut End) -> rusqlite::Result<()> {
    if end.head.position - end.indexed >= INDEX_EVERY {
        connection
            .prepare_cached(
                "INSERT INTO stream_index (stream, version, position) \
                 SELECT stream, version, position FROM events WHERE position > ?1 \
                 ORDER BY stream, version",
            )?
            .execute([end.indexed])?;
        end.indexed = end.head.position;
    }
    connection
        .prepare_cached("UPDATE head SET position = ?1, hash = ?2, indexed = ?3")?
        .execute((end.head.position, end.head.hash, end.indexed))?;
    Ok(())
}

/// Moves a node's mark on, never back.
pub(super) fn write_beat(connection: &Connection, node: &str, at: Time) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO heartbeats (node, at) VALUES (?1, ?2) \
             ON CONFLICT (node) DO UPDATE SET at = max(at, excluded.at)",
        )?
        .execute((node, at.0))?;
    Ok(())
}
