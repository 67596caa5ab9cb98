//! The files of signed anchors: keys, anchors to be held against the log, and new ones. Must not print a key.

use crate::bounded::{self, MOST_SMALL, Unread};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use yibu_domain::kernel::Time;
use yibu_infrastructure::log::anchor::{Anchor, AnchorFault, Key};
use yibu_infrastructure::log::port::Head;
use yibu_infrastructure::system::{Entropy, NoEntropy};

/// A file of keys or anchors cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileFault {
    /// It cannot be read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// It cannot be written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
    /// There is a file of this name, and it may be the only copy of a key or an anchor.
    #[error("{} is there already, and nothing that is there is written over: name another file", .0.display())]
    There(PathBuf),
    /// It holds something else.
    #[error("{}: {}", .0.display(), .1)]
    Content(PathBuf, AnchorFault),
    /// No random numbers for a key.
    #[error(transparent)]
    Chance(#[from] NoEntropy),
}

/// Makes a key in a file that is not there yet, for its owner alone, and gives the public key.
pub(super) fn new_key(path: &Path) -> Result<String, FileFault> {
    let key = Key::draw(&Entropy::system()?);
    write_new(path, 0o600, &key.secret())?;
    Ok(key.public())
}

/// The key of a file.
pub(super) fn key(path: &Path) -> Result<Key, FileFault> {
    Key::read(&text(path)?).map_err(|fault| FileFault::Content(path.to_owned(), fault))
}

/// What anchors promise, each with a good signature.
pub(super) fn read(paths: &[PathBuf], public: Option<&str>) -> Result<Vec<Head>, FileFault> {
    let anchors = paths.iter().map(|path| {
        let anchor = Anchor::read(&text(path)?);
        let head = anchor.and_then(|anchor| anchor.verify(public));
        head.map_err(|fault| FileFault::Content(path.clone(), fault))
    });
    anchors.collect()
}

/// Signs where the log ends, into a file that is not there yet.
pub(super) fn sign(key: &Key, end: Head, now: Time, to: &Path) -> Result<(), FileFault> {
    let io = |error| FileFault::Io(to.to_owned(), error);
    let anchor = Anchor::sign(key, end, now);
    let text = serde_json::to_string_pretty(&anchor).map_err(std::io::Error::other).map_err(io)?;
    write_new(to, 0o644, &text)
}

fn text(path: &Path) -> Result<String, FileFault> {
    Ok(bounded::text(path, MOST_SMALL)?)
}

fn write_new(path: &Path, mode: u32, text: &str) -> Result<(), FileFault> {
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    let written = file.and_then(|mut file| {
        writeln!(file, "{text}")?;
        file.sync_all()
    });
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => FileFault::There(path.to_owned()),
        _ => FileFault::Io(path.to_owned(), error),
    })
}
