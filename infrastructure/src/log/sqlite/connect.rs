//! Opens the file: as its one writer, with durable settings and the schema brought up to date; or as a
//! reader, which can change nothing.

use super::reads;
use crate::log::open_error::OpenError;
use crate::log::port::Head;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The schema's steps in order; `user_version` counts those that ran.
const STEPS: &[&str] = &[
    include_str!("../../../../migrations/sqlite/log/0001_log.sql"),
    include_str!("../../../../migrations/sqlite/log/0002_stream_index.sql"),
];

/// Marks the file as an event log (`yibu` in ASCII).
const APPLICATION: u32 = 0x7969_6275;

/// Nobody else writes; only a backup tool or an administrator's shell can be in the way for a moment.
const PATIENCE: Duration = Duration::from_millis(250);

pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join("log.db")
}

/// The writing connection. Only whoever holds the lock may ask for it.
pub(super) fn for_writing(folder: &Path) -> Result<Connection, OpenError> {
    let path = path(folder);
    let mut connection = Connection::open(&path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);

    let application: u32 = connection.pragma_query_value(None, "application_id", |r| r.get(0))?;
    let version: u32 = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
    let known = u32::try_from(STEPS.len()).unwrap_or(u32::MAX);
    if version > known && application == APPLICATION {
        return Err(OpenError::TooNew { found: version, known });
    }
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    if application != APPLICATION && tables + version > 0 {
        return Err(OpenError::Foreign(path));
    }

    // Write-ahead log, synced at every commit; checkpoints are made by the writer between batches alone.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))?;
    // 16 MB: the ends of the tables and the recent parts of the indexes. SQLite walks the whole cache's
    // index at each commit, so that a larger one costs more than it saves.
    connection.pragma_update(None, "cache_size", -16_384)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // The rows that streams are referred to by are written by the same code just before.
    connection.pragma_update(None, "foreign_keys", false)?;

    let transaction = connection.transaction()?;
    for step in STEPS.iter().skip(version as usize) {
        transaction.execute_batch(step)?;
    }
    if version < known {
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", known)?;
    }
    transaction.commit()?;
    Ok(connection)
}

/// A connection that reads.
pub(super) fn for_reading(folder: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path(folder), flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(32);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// The head row, which must agree with the last event.
pub(super) fn checked_head(connection: &Connection) -> Result<Head, OpenError> {
    let head = reads::head(connection)?;
    let last: Option<u64> =
        connection.query_row("SELECT max(position) FROM events", [], |row| row.get(0))?;
    if last.unwrap_or(0) != head.position {
        return Err(OpenError::Damaged("the head does not stand at the last event"));
    }
    Ok(head)
}
