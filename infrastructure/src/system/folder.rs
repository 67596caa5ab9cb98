//! Folders for what must be kept and is nobody else's business. Must not touch a folder that exists: its
//! owner has decided.

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

/// Holds a data folder against every other process that would serve from it or write there, until the file that is
/// returned is dropped: the operating system lets it go when the process ends, however it ends. `None`: somebody
/// else holds it. An embedded log holds its own folder; a server whose log is elsewhere holds the folder of its
/// socket.
///
/// # Errors
/// The operating system's.
pub fn hold(folder: &Path) -> io::Result<Option<File>> {
    let file = File::options().create(true).truncate(false).write(true).open(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
