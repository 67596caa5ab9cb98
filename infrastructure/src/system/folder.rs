//! Folders for what must be kept and is nobody else's business, and who holds them. What exists with wider modes is
//! brought back by `private`.

use super::private;
use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// The file by which a process holds a data folder.
pub const LOCK: &str = "log.lock";

/// Makes a folder, with those above it, for the server's own user alone (0700) where it is missing.
///
/// # Errors
/// The operating system's.
pub fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Keeps every process from writing where this lock is held to write, until the file that is returned is dropped.
/// Makes nothing: where there is no lock, nobody ever wrote.
///
/// # Errors
/// [`TryLockError::WouldBlock`] where somebody writes; else the operating system's.
pub fn hold_to_read(lock: &Path) -> Result<Option<File>, TryLockError> {
    match File::open(lock) {
        Ok(file) => file.try_lock_shared().map(|()| Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TryLockError::Error(error)),
    }
}

/// Whether a file of SQLite is whole by itself, with no log of later writes beside it. As long as nobody may write, it
/// can be read as one that never changes then: that makes no files beside it, which whoever may only read the folder
/// could not.
pub fn stands_alone(file: &Path) -> bool {
    let mut later = file.as_os_str().to_owned();
    later.push("-wal");
    match std::fs::metadata(later) {
        Ok(later) => later.len() == 0,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// A path as part of a URL, whatever its name is made of.
pub fn escaped(path: &Path) -> String {
    path.as_os_str().as_encoded_bytes().iter().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(byte) {
            text.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

/// Holds a data folder against every other process that would serve from it or write there, until the file that is
/// returned is dropped: the operating system lets it go when the process ends, however it ends. `None`: somebody
/// else holds it. An embedded log holds its own folder; a server whose log is elsewhere holds the folder of its
/// socket.
///
/// # Errors
/// The operating system's.
pub fn hold(folder: &Path) -> io::Result<Option<File>> {
    let file = private().create(true).truncate(false).write(true).open(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
