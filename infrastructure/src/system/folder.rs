//! Folders for what must be kept and is nobody else's business. Must not touch a folder that exists: its
//! owner has decided.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes a folder, with those above it, for the server's own user alone (0700) where it is missing.
///
/// # Errors
/// The operating system's.
pub fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
