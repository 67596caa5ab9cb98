//! The keeper's work on the file: events carried over as they were stored, what stands beside them, and
//! payloads that make way for pointers. Runs in the writer's thread, in a transaction of its own.

use super::append::{self, End};
use super::tips::{Place, Tips};
use super::{claims, memos, reads};
use crate::log::claims::Changes;
use crate::log::custody::{self, Beside, CustodyError, KeptMemo, Shelf};
use crate::log::port::{Memo, Remembered, Stored, memo_cutoff};
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;
use yibu_domain::kernel::{CommandId, PlayerId, Time};

/// What the keeper asks for.
pub(super) enum Work {
    Import(Vec<Stored>),
    Finish(Box<Beside>),
    Shelve(Vec<Shelf>),
}

/// Does the work inside the open transaction and returns how many events or rows it was about.
pub(super) fn work(
    connection: &Connection,
    tips: &mut Tips,
    end: &mut End,
    work: Work,
) -> Result<u64, CustodyError> {
    match work {
        Work::Import(events) => import(connection, tips, end, &events),
        Work::Finish(beside) => finish(connection, *beside),
        Work::Shelve(shelves) => shelve(connection, &shelves),
    }
}

fn import(
    connection: &Connection,
    tips: &mut Tips,
    end: &mut End,
    events: &[Stored],
) -> Result<u64, CustodyError> {
    for event in events {
        let mut place = tips.find(connection, &event.stream).map_err(fault)?;
        custody::follow(&mut place.tip, &mut end.head, event)?;
        let id = match place.id {
            Some(id) => id,
            None => append::new_stream(connection, &event.stream).map_err(fault)?,
        };
        append::insert(connection, id, event).map_err(fault)?;
        end.last = event.hash;
        tips.put(&event.stream, Place { id: Some(id), tip: place.tip });
    }
    append::write_end(connection, end).map_err(fault)?;
    Ok(events.len() as u64)
}

fn finish(connection: &Connection, beside: Beside) -> Result<u64, CustodyError> {
    let clear = "DELETE FROM claims_counted; DELETE FROM claims_unique; DELETE FROM limits;";
    connection.execute_batch(clear).map_err(fault)?;
    let table = beside.claims;
    let changes = Changes { held: table.counted, taken: table.unique, limits: table.limits };
    claims::write(connection, &changes).map_err(fault)?;
    let count = beside.memos.len() as u64;
    for KeptMemo { remembered, recorded } in beside.memos {
        let Remembered { memo, stream, version, position } = remembered;
        let Some(id) = reads::stream_id(connection, &stream).map_err(fault)? else {
            return Err(CustodyError::OtherHistory { stream, version });
        };
        memos::write(connection, &memo, id, version, position, recorded).map_err(fault)?;
    }
    for (node, at) in &beside.beats {
        append::write_beat(connection, node, *at).map_err(fault)?;
    }
    Ok(count)
}

fn shelve(connection: &Connection, shelves: &[Shelf]) -> Result<u64, CustodyError> {
    let mut changed = 0;
    for Shelf { stream, from, to, hash, pointer } in shelves {
        let other = || CustodyError::OtherHistory { stream: stream.clone(), version: *to };
        let id = reads::stream_id(connection, stream).map_err(fault)?.ok_or_else(other)?;
        let found = reads::hash_of(connection, id, *to).map_err(fault)?;
        if found.as_ref() != Some(hash) {
            return Err(other());
        }
        let rows = connection
            .prepare_cached(
                "UPDATE events SET payload = ?1 WHERE payload <> ?1 AND position IN \
                 (SELECT position FROM stream_index WHERE stream = ?2 AND version BETWEEN ?3 AND ?4 \
                 UNION ALL SELECT position FROM events WHERE position > (SELECT indexed FROM head) \
                 AND stream = ?2 AND version BETWEEN ?3 AND ?4)",
            )
            .and_then(|mut update| update.execute((pointer, id, from, to)));
        changed += rows.map_err(fault)? as u64;
    }
    Ok(changed)
}

/// The memos that were recorded after ?1, by position, in the columns that [`memo`] reads.
pub(super) const MEMOS: &str = "SELECT m.account, m.id, m.input, m.result, s.name, m.version, m.position, m.recorded \
     FROM memos m JOIN streams s ON s.id = m.stream WHERE m.recorded > ?1 ORDER BY m.position";

/// A memo of a row.
pub(super) fn memo(row: &Row<'_>) -> rusqlite::Result<KeptMemo> {
    let (account, id) = (PlayerId(reads::uuid(row, 0)?), CommandId(reads::uuid(row, 1)?));
    let memo = Memo { account, id, input: row.get(2)?, result: row.get(3)? };
    let (stream, version, position) = (row.get(4)?, row.get(5)?, row.get(6)?);
    let remembered = Remembered { memo, stream, version, position };
    Ok(KeptMemo { remembered, recorded: Time(row.get(7)?) })
}

/// What stands beside the events; memos that no longer count at `now` are left out.
pub(super) fn beside(connection: &Connection, now: Time) -> rusqlite::Result<Beside> {
    let mut query = connection.prepare(MEMOS)?;
    let rows = query.query_map([memo_cutoff(now).0], memo)?;
    let memos = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut query = connection.prepare("SELECT node, at FROM heartbeats")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, Time(row.get(1)?))))?;
    let beats = rows.collect::<rusqlite::Result<BTreeMap<String, Time>>>()?;
    Ok(Beside { claims: claims::table(connection)?, memos, beats })
}

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
pub(super) fn fault(error: rusqlite::Error) -> CustodyError {
    CustodyError::Fault(error.to_string())
}
