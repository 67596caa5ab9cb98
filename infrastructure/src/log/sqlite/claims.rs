//! The rows of what is claimed: read for judging and for audits, written with the commit that claims. The
//! rule itself is in `log::claims`.

use super::reads;
use crate::log::claims::{self, Changes, ClaimTable, Ledger};
use crate::log::port::{AppendError, ReadError};
use rusqlite::{Connection, OptionalExtension};
use yibu_domain::kernel::{Counter, DEFAULT_LIMIT, PlayerId};

pub(super) fn held(
    connection: &Connection,
    counter: Counter,
    player: PlayerId,
) -> rusqlite::Result<u32> {
    let held = connection
        .prepare_cached("SELECT held FROM claims_counted WHERE counter = ?1 AND player = ?2")?
        .query_row((counter.name(), player.0.as_bytes()), |row| row.get(0))
        .optional()?;
    Ok(held.unwrap_or(0))
}

pub(super) fn limit(connection: &Connection, counter: Counter) -> rusqlite::Result<u32> {
    let most = connection
        .prepare_cached("SELECT most FROM limits WHERE counter = ?1")?
        .query_row([counter.name()], |row| row.get(0))
        .optional()?;
    Ok(most.unwrap_or(DEFAULT_LIMIT))
}

fn taken(connection: &Connection, key: &str) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM claims_unique WHERE key = ?1")?.exists([key])
}

/// The rows as judging asks for them, inside the writer's transaction.
pub(super) struct Rows<'a>(pub(super) &'a Connection);

impl Ledger for Rows<'_> {
    fn held(&mut self, counter: Counter, player: PlayerId) -> Result<u32, AppendError> {
        held(self.0, counter, player).map_err(fault)
    }

    fn limit(&mut self, counter: Counter) -> Result<u32, AppendError> {
        limit(self.0, counter).map_err(fault)
    }

    fn taken(&mut self, key: &str) -> Result<bool, AppendError> {
        taken(self.0, key).map_err(fault)
    }
}

pub(super) fn fault(error: rusqlite::Error) -> AppendError {
    ReadError::from(error).into()
}

/// Writes what was granted.
pub(super) fn write(connection: &Connection, changes: &Changes) -> rusqlite::Result<()> {
    for ((counter, player), held) in &changes.held {
        let row = (counter.name(), player.0.as_bytes());
        if *held == 0 {
            connection
                .prepare_cached("DELETE FROM claims_counted WHERE counter = ?1 AND player = ?2")?
                .execute(row)?;
        } else {
            connection
                .prepare_cached(
                    "INSERT INTO claims_counted (counter, player, held) VALUES (?1, ?2, ?3) \
                     ON CONFLICT (counter, player) DO UPDATE SET held = excluded.held",
                )?
                .execute((row.0, row.1, held))?;
        }
    }
    for key in &changes.taken {
        connection.prepare_cached("INSERT INTO claims_unique (key) VALUES (?1)")?.execute([key])?;
    }
    for (counter, most) in &changes.limits {
        connection
            .prepare_cached(
                "INSERT INTO limits (counter, most) VALUES (?1, ?2) \
                 ON CONFLICT (counter) DO UPDATE SET most = excluded.most",
            )?
            .execute((counter.name(), most))?;
    }
    Ok(())
}

/// Everything claimed, as of one instant.
pub(super) fn table(connection: &Connection) -> rusqlite::Result<ClaimTable> {
    let transaction = connection.unchecked_transaction()?;
    let mut table = ClaimTable::default();
    let mut counted = transaction.prepare("SELECT counter, player, held FROM claims_counted")?;
    let mut rows = counted.query([])?;
    while let Some(row) = rows.next()? {
        let player = PlayerId(reads::uuid(row, 1)?);
        table.counted.insert((counter(row.get_ref(0)?.as_str()?)?, player), row.get(2)?);
    }
    let mut unique = transaction.prepare("SELECT key FROM claims_unique")?;
    table.unique = unique.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut limits = transaction.prepare("SELECT counter, most FROM limits")?;
    let mut rows = limits.query([])?;
    while let Some(row) = rows.next()? {
        table.limits.insert(counter(row.get_ref(0)?.as_str()?)?, row.get(1)?);
    }
    Ok(table)
}

fn counter(name: &str) -> rusqlite::Result<Counter> {
    claims::counter(name).ok_or_else(|| reads::broken(0, "not a counter"))
}
