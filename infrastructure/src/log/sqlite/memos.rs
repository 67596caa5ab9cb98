//! The rows of commands that were done. A memo counts for a fixed time; older ones are as good as gone and
//! are pruned from the front now and then.

use crate::log::port::{Memo, Remembered, memo_cutoff};
use rusqlite::{Connection, OptionalExtension};
use yibu_domain::kernel::{CommandId, PlayerId, Time};

pub(super) fn find(
    connection: &Connection,
    account: PlayerId,
    id: CommandId,
    now: Time,
) -> rusqlite::Result<Option<Remembered>> {
    connection
        .prepare_cached(
            "SELECT m.input, m.result, s.name, m.version, m.position \
             FROM memos m JOIN streams s ON s.id = m.stream \
             WHERE m.account = ?1 AND m.id = ?2 AND m.recorded > ?3",
        )?
        .query_row((account.0.as_bytes(), id.0.as_bytes(), memo_cutoff(now).0), |row| {
            Ok(Remembered {
                memo: Memo { account, id, input: row.get(0)?, result: row.get(1)? },
                stream: row.get(2)?,
                version: row.get(3)?,
                position: row.get(4)?,
            })
        })
        .optional()
}

/// Keeps a memo; one that no longer counts makes way.
pub(super) fn write(
    connection: &Connection,
    memo: &Memo,
    stream: i64,
    version: u64,
    position: u64,
    recorded: Time,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO memos \
             (position, account, id, input, result, stream, version, recorded) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute((
            position,
            memo.account.0.as_bytes(),
            memo.id.0.as_bytes(),
            memo.input,
            &memo.result,
            stream,
            version,
            recorded.0,
        ))?;
    Ok(())
}

/// Removes the oldest memos as far as they no longer count, at most `most` of them.
pub(super) fn prune(connection: &Connection, now: Time, most: u32) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM memos WHERE recorded <= ?1 AND position IN \
             (SELECT position FROM memos ORDER BY position LIMIT ?2)",
        )?
        .execute((memo_cutoff(now).0, most))?;
    Ok(())
}
