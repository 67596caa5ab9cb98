//! Looking after the files from outside: a consistent copy beside a server that writes, and the mark of what
//! was acknowledged last held against the log. Changes nothing in the folder.

use super::{OpenError, connect, mark, reads};
use crate::log::archive::Pointer;
use crate::log::port::Head;
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// What `log.head` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MarkState {
    /// There is none, as after a restore.
    Missing,
    /// It is there and cannot be read.
    Unreadable,
    /// The log holds what was acknowledged last, at this position.
    Holds(u64),
    /// It does not, in words.
    Lost(String),
}

/// Copies `log.db` of a folder as of one instant to a file that must not be there yet, whether or not a
/// server writes, and returns where the copy ends. The copy is compact and synced. Blocks.
///
/// # Errors
/// See [`OpenError`].
pub fn copy(folder: &Path, to: &Path) -> Result<Head, OpenError> {
    let connection = connect::for_copying(folder)?;
    let text = to.to_str().ok_or_else(|| Error::other("the path is not UTF-8"))?;
    // SQLite fills an empty file as well as one that it makes, and this one is private.
    crate::system::make_private_file(to)?;
    // The log is only read: it is the copy that there is no room for.
    connection.execute("VACUUM INTO ?1", [text]).map_err(|error| {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Error::new(ErrorKind::StorageFull, error).into(),
            _ => OpenError::from(error),
        }
    })?;
    drop(connection);
    File::open(to)?.sync_all()?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copied = Connection::open_with_flags(to, flags)?;
    connect::checked_head(&copied)
}

/// The archive's frames that a copied log points to: without their segments it is not whole. Blocks.
///
/// # Errors
/// The copy cannot be read.
pub fn pointers(copy: &Path) -> Result<BTreeSet<Pointer>, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags)?;
    // No payload is a JSON text in quotes.
    let sql = "SELECT DISTINCT payload FROM events WHERE substr(payload, 1, 1) = '\"'";
    let mut query = connection.prepare(sql)?;
    let texts = query.query_map([], |row| row.get::<_, String>(0))?;
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    Ok(texts.iter().filter_map(|text| Pointer::read(text)).collect())
}

/// Holds `log.head` against the log. Blocks.
///
/// # Errors
/// The log cannot be read.
pub fn examine(folder: &Path) -> Result<MarkState, OpenError> {
    let path = folder.join("log.head");
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(MarkState::Missing);
        }
        Err(error) => return Err(error.into()),
    };
    // The mark first: a server that runs moves the log on before it.
    let Some((acknowledged, hash)) = mark::latest(&file) else {
        return Ok(MarkState::Unreadable);
    };
    if acknowledged == 0 {
        return Ok(MarkState::Holds(0));
    }
    let connection = connect::for_reading(folder)?;
    let found = reads::hash_at(&connection, acknowledged)?;
    if found == Some(hash) {
        return Ok(MarkState::Holds(acknowledged));
    }
    let problem = if found.is_some() { mark::OTHER } else { mark::GONE };
    // Of the events and not of the row that says so: one of the two is wrong.
    let found = reads::last(&connection)?;
    Ok(MarkState::Lost(OpenError::Lost { found, acknowledged, problem, mark: path }.to_string()))
}
