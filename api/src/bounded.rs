//! Files that are read whole into memory: never more of one than its reader allows, and every fault names the file.
//! Must not know what the bytes mean.

use crate::files::Wrong;
use std::fs::File;
use std::io::{Error, Read};
use std::path::{Path, PathBuf};

/// The most of a file of settings, keys, certificates or the like, in bytes.
pub const MOST_SMALL: usize = 4 * 1024 * 1024;

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The system refuses.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, Error),
    /// It has more bytes than are read.
    #[error("{}: more than {} bytes, which are read at most [{}]", .0.display(), .1, Wrong::TooLarge.code())]
    TooLarge(PathBuf, usize),
    /// A text was wanted.
    #[error("{}: not UTF-8 [{}]", .0.display(), Wrong::NotUtf8.code())]
    NotText(PathBuf),
}

/// All bytes of a file that has `most` at most.
///
/// # Errors
/// See [`Unread`].
pub fn bytes(path: &Path, most: usize) -> Result<Vec<u8>, Unread> {
    let io = |error| Unread::Io(path.to_owned(), error);
    let file = File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    // The size that the system tells says nothing of pipes and devices: what counts is what comes.
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() > most {
        return Err(Unread::TooLarge(path.to_owned(), most));
    }
    Ok(bytes)
}

/// The text of a file that has `most` bytes at most.
///
/// # Errors
/// See [`Unread`].
pub fn text(path: &Path, most: usize) -> Result<String, Unread> {
    String::from_utf8(bytes(path, most)?).map_err(|_| Unread::NotText(path.to_owned()))
}
