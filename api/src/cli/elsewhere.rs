//! Where commands may put what they make: never among what a site keeps. Whatever a user names as a target is held
//! against this before anything is written. Must not write anything itself.

use super::backup::{FORMAT, MANIFEST};
use super::restore::MOST_MANIFEST;
use crate::bounded;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use yibu_infrastructure::log::archive;
use yibu_infrastructure::system::LOCK;

const DATA: &str = "data folder";
const BACKUP: &str = "backup";
const ARCHIVE: &str = "archive";

/// What stands in a data folder and nowhere else.
const MARKS: [&str; 7] =
    ["log.db", LOCK, "log.head", "accounts.db", "accounts.lock", "views.db", "views.lock"];

/// Why nothing is put in a place.
#[derive(Debug, thiserror::Error)]
pub enum TargetFault {
    /// It belongs to a site's own files.
    #[error("{} is inside the {what} {}: name a place elsewhere, best on another disk", .place.display(), .store.display())]
    Inside {
        /// What was named.
        place: PathBuf,
        /// The folder around it.
        store: PathBuf,
        /// What that is.
        what: &'static str,
    },
    /// It is something else than the store that is to be filled.
    #[error("{} is a {what}: name another folder for the store", .0.display(), what = .1)]
    Kept(PathBuf, &'static str),
    /// There is no telling where it leads.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, Error),
}

/// Refuses a place inside of any data folder, backup or archive that can be told by what it holds, and inside of
/// `own`, the stores that the command knows of.
///
/// # Errors
/// See [`TargetFault`].
pub(super) fn apart(place: &Path, own: &[(&'static str, &Path)]) -> Result<(), TargetFault> {
    let io = |error| TargetFault::Io(place.to_owned(), error);
    let whole = led(place).map_err(io)?;
    let inside = |store: &Path, what| TargetFault::Inside {
        place: place.to_owned(),
        store: store.to_owned(),
        what,
    };
    for (what, store) in own {
        if whole.starts_with(led(store).map_err(io)?) {
            return Err(inside(store, what));
        }
    }
    // The place itself may be a store: whoever fills one says what must not be there.
    match whole.ancestors().skip(1).find_map(|above| kept(above).map(|what| (above, what))) {
        Some((above, what)) => Err(inside(above, what)),
        None => Ok(()),
    }
}

/// As [`apart`], for what a command makes of the site in a data folder, which may have its archive elsewhere.
pub(super) fn apart_from(
    place: &Path,
    data: &Path,
    archive: Option<&Path>,
) -> Result<(), TargetFault> {
    let archive = archive.map(|archive| (ARCHIVE, archive));
    apart(place, &[(DATA, data)].into_iter().chain(archive).collect::<Vec<_>>())
}

/// Refuses a folder that is not for a store to be filled: what is inside another one, or is a backup or an archive.
pub(super) fn fillable(folder: &Path) -> Result<(), TargetFault> {
    apart(folder, &[])?;
    match kept(folder).filter(|what| *what != DATA) {
        Some(what) => Err(TargetFault::Kept(folder.to_owned(), what)),
        None => Ok(()),
    }
}

/// Refuses to begin a site inside what another one keeps. One that stands there already goes on.
pub(super) fn beginnable(data: &Path) -> Result<(), TargetFault> {
    if kept(data).is_some() { Ok(()) } else { apart(data, &[]) }
}

/// Which of a site's folders it is, by what it holds.
fn kept(folder: &Path) -> Option<&'static str> {
    // Others have files of this name as well.
    let listed = || {
        let list = folder.join(MANIFEST);
        list.is_file()
            && bounded::text(&list, MOST_MANIFEST).is_ok_and(|text| text.contains(FORMAT))
    };
    if listed() {
        return Some(BACKUP);
    }
    if archive::file(folder, 1).exists() {
        return Some(ARCHIVE);
    }
    MARKS.iter().any(|name| folder.join(name).exists()).then_some(DATA)
}

/// Where a path leads, through links and upward steps, as far as it is there; from there on it is taken by its words.
fn led(path: &Path) -> std::io::Result<PathBuf> {
    let mut at = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        if part == Component::ParentDir {
            at.pop();
        } else {
            at.push(part);
        }
        match at.canonicalize() {
            Ok(real) => at = real,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            // Under a file there is nothing, and whoever writes there says so.
            Err(error) if error.kind() == ErrorKind::NotADirectory => {}
            Err(error) => return Err(error),
        }
    }
    Ok(at)
}
