//! The lock file that keeps a second process from writing to the same folder. The operating system lets it
//! go when the process ends, however it ends.

use crate::log::open_error::OpenError;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Holds the folder until the file that is returned is dropped.
pub(super) fn hold(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join("log.lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
