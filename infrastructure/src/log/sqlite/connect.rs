//! Opens the file: as its one writer, with durable settings and the schema brought up to date; or as a
//! reader, which can change nothing.

use super::reads;
use crate::log::open_error::OpenError;
use crate::log::port::Head;
use crate::quiet::{held_still, may_make_nothing};
use crate::system::{LOCK, escaped};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The schema's steps in order; `user_version` counts those that ran.
pub(super) const STEPS: &[&str] = &[
    include_str!("../../../../migrations/sqlite/log/0001_log.sql"),
    include_str!("../../../../migrations/sqlite/log/0002_stream_index.sql"),
];

/// How many steps there are.
const KNOWN: u32 = STEPS.len() as u32;

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
    crate::system::make_private_file(&path)?;
    let mut connection = Connection::open(&path).map_err(|error| refused(error, &path))?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);

    let (application, version) = format(&connection)?;
    if version > KNOWN && application == APPLICATION {
        return Err(OpenError::TooNew { found: version, known: KNOWN });
    }
    if application != APPLICATION && tables(&connection)? + version > 0 {
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
    if version < KNOWN {
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", KNOWN)?;
    }
    transaction.commit()?;
    Ok(connection)
}

/// What stands in the file: whose it is, and how many steps of the schema ran.
fn format(connection: &Connection) -> Result<(u32, u32), rusqlite::Error> {
    let application = connection.pragma_query_value(None, "application_id", |r| r.get(0))?;
    let version = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
    Ok((application, version))
}

fn tables(connection: &Connection) -> Result<u32, rusqlite::Error> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
}

/// Whether the file is what a reader of this program expects; changes nothing.
pub(super) fn check_format(folder: &Path) -> Result<(), OpenError> {
    let path = path(folder);
    let looked = for_reading(folder).and_then(|connection| {
        let (application, found) = format(&connection)?;
        Ok((application, found, tables(&connection)?))
    });
    let (application, found, tables) = looked.map_err(|error| refused(error, &path))?;
    match (application == APPLICATION, found) {
        (true, found) if found == KNOWN => Ok(()),
        (true, found) if found > KNOWN => Err(OpenError::TooNew { found, known: KNOWN }),
        (true, found) => Err(OpenError::TooOld { found, known: KNOWN }),
        (false, 0) if tables == 0 => Err(OpenError::Empty(path.display().to_string())),
        (false, _) => Err(OpenError::Foreign(path)),
    }
}

/// SQLite only says that it cannot open a file; the system says why. To be asked where nothing of this process
/// holds the file open.
fn refused(error: rusqlite::Error, path: &Path) -> OpenError {
    if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen)
        && let Err(why) = File::open(path)
    {
        return OpenError::Io(why);
    }
    error.into()
}

/// A connection that reads, and what is held meanwhile by somebody who may not write in the folder.
pub(super) struct Reading {
    connection: Connection,
    _held: Option<File>,
}

impl Deref for Reading {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// A connection that reads, and makes nothing of what it reads durable.
pub(super) fn for_reading(folder: &Path) -> Result<Reading, rusqlite::Error> {
    let reading = for_copying(folder)?;
    reading.set_prepared_statement_cache_capacity(32);
    reading.pragma_update(None, "query_only", true)?;
    Ok(reading)
}

/// A connection that reads, and writes elsewhere.
pub(super) fn for_copying(folder: &Path) -> Result<Reading, rusqlite::Error> {
    let path = path(folder);
    let open = |_held: Option<File>| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match &_held {
            Some(_) => {
                let name = format!("file:{}?immutable=1", escaped(&path));
                Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_URI)?
            }
            None => Connection::open_with_flags(&path, flags)?,
        };
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // The first look at the file.
        connection.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
        Ok(Reading { connection, _held })
    };
    match open(None) {
        Err(rusqlite::Error::SqliteFailure(error, words))
            if may_make_nothing(error.extended_code) =>
        {
            match held_still(&path, &folder.join(LOCK)) {
                Some(held) => open(Some(held)),
                None => Err(rusqlite::Error::SqliteFailure(error, words)),
            }
        }
        done => done,
    }
}

/// The head row, which must agree with the last event.
pub(super) fn checked_head(connection: &Connection) -> Result<Head, OpenError> {
    let head = reads::head(connection).optional()?;
    let head = head.ok_or(OpenError::Damaged("the row that says where it ends is missing"))?;
    if reads::last(connection)? != head.position {
        return Err(OpenError::Damaged("the head does not stand at the last event"));
    }
    Ok(head)
}
