//! What a command begins to make and does not finish: taken away again, so that a failure leaves a folder as it
//! was. Must not touch anything that was there before.

use super::console;
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use tokio::signal::unix::{SignalKind, signal};
use yibu_infrastructure::log::StoreConfig;
use yibu_infrastructure::system::{LOCK, make_private, tighten_whole};

/// The files of an embedded log, the log itself first.
pub(super) const LOG: &[&str] = &["log.db", "log.db-wal", "log.db-shm", "log.head", LOCK];

/// The files of embedded accounts.
pub(super) const ACCOUNTS: &[&str] =
    &["accounts.db", "accounts.db-wal", "accounts.db-shm", "accounts.lock"];

/// Files that are about to be made. Dropped without [`Making::keep`], it takes them away.
pub(super) struct Making {
    files: Vec<PathBuf>,
    folder: Option<PathBuf>,
}

impl Making {
    /// Of these files in the folder of an embedded store: those that are not there yet, all of them if the first
    /// one is not.
    pub(super) fn of(store: &StoreConfig, names: &[&str]) -> Self {
        let mut making = Self { files: Vec::new(), folder: None };
        if let StoreConfig::Sqlite { folder } = store
            && names.first().is_some_and(|first| !folder.join(first).exists())
        {
            making.files = names.iter().map(|name| folder.join(name)).collect();
            making.files.retain(|file| !file.exists());
            making.folder = (!folder.exists()).then(|| folder.clone());
        }
        making
    }

    /// They are finished.
    pub(super) fn keep(mut self) {
        self.files.clear();
        self.folder = None;
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        for file in &self.files {
            // It may never have been made.
            let _ = std::fs::remove_file(file);
        }
        if let Some(folder) = &self.folder {
            // Only where it is empty.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Why a folder cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum HalfFault {
    /// There is something in its place.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// Another command makes it now.
    #[error("{} is being made by another command; wait for its end", .0.display())]
    InUse(PathBuf),
    /// The system refuses.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, Error),
}

/// A folder that is made whole before it stands in its place: beside that, as `NAME.making`, or inside an empty
/// folder that is there already, which may be a disk of its own. Dropped without [`Half::place`] it goes; what a
/// process that was killed left behind goes with the next try.
pub(super) struct Half {
    making: PathBuf,
    place: PathBuf,
    inside: bool,
    /// Locked as long as it is made.
    _held: File,
}

impl Half {
    /// Begins to make a folder for its owner alone, whose place must be free.
    pub(super) fn begin(place: &Path) -> Result<Self, HalfFault> {
        const MAKING: &str = ".making";
        let io = |error| HalfFault::Io(place.to_owned(), error);
        let inside = match std::fs::read_dir(place) {
            Ok(mut entries) => {
                let other = entries.any(|entry| entry.is_ok_and(|it| it.file_name() != MAKING));
                if other {
                    return Err(HalfFault::NotEmpty(place.to_owned()));
                }
                true
            }
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(io(error)),
        };
        let making = if inside {
            place.join(MAKING)
        } else {
            let mut name = place.file_name().unwrap_or_default().to_owned();
            name.push(MAKING);
            place.with_file_name(name)
        };
        let held = |making: &Path| {
            let folder = File::open(making).map_err(io)?;
            match folder.try_lock() {
                Ok(()) => Ok(folder),
                Err(TryLockError::WouldBlock) => Err(HalfFault::InUse(place.to_owned())),
                Err(TryLockError::Error(error)) => Err(io(error)),
            }
        };
        if making.exists() {
            let left = held(&making)?;
            std::fs::remove_dir_all(&making).map_err(io)?;
            drop(left);
        }
        make_private(&making).map_err(io)?;
        if inside {
            // It may be open to others.
            tighten_whole(place).warnings().for_each(console::note);
        }
        let _held = held(&making)?;
        Ok(Self { making, place: place.to_owned(), inside, _held })
    }

    /// Where it is made.
    pub(super) fn path(&self) -> &Path {
        &self.making
    }

    /// Puts it in its place. Where that takes several steps, the file `last` comes with the last of them: what is
    /// there without it counts for nothing.
    pub(super) fn place(self, last: &str) -> Result<(), HalfFault> {
        let io = |error| HalfFault::Io(self.place.clone(), error);
        if !self.inside {
            std::fs::rename(&self.making, &self.place).map_err(io)?;
            let beside = self.place.parent().filter(|beside| !beside.as_os_str().is_empty());
            return sync(beside.unwrap_or(Path::new("."))).map_err(io);
        }
        let entries = std::fs::read_dir(&self.making).map_err(io)?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let mut names = names.collect::<Result<Vec<_>, _>>().map_err(io)?;
        names.sort_by_key(|name| name == last);
        for name in names {
            match std::fs::rename(self.making.join(&name), self.place.join(&name)) {
                // The driver calls a file of SQLite closed a moment before it is: what stands beside it goes then.
                Err(error) if error.kind() == ErrorKind::NotFound && is_beside(&name) => {}
                done => done.map_err(io)?,
            }
        }
        std::fs::remove_dir(&self.making).and_then(|()| sync(&self.place)).map_err(io)
    }
}

impl Drop for Half {
    fn drop(&mut self) {
        // It is in its place, or of no use to anybody.
        take_away(&self.making);
    }
}

/// Takes a folder away in which a thread of work that was broken off may still make files: these hinder as many times
/// as it makes some, and none is made once the folder is gone. Some file systems never let an open file go: nobody
/// waits for that.
pub(super) fn take_away(folder: &Path) {
    const MOST: u32 = 1_000;
    for _ in 0..MOST {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
            _ => return,
        }
    }
}

/// Whether SQLite makes such a file beside an open one, and takes it away with the last who has that open.
fn is_beside(name: &OsStr) -> bool {
    ["-wal", "-shm", "-journal"].iter().any(|end| name.as_encoded_bytes().ends_with(end.as_bytes()))
}

fn sync(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Does the work, unless somebody breaks it off: then what it began is taken away, and the process ends.
pub(super) async fn unless_broken_off<T>(work: impl Future<Output = T>) -> std::io::Result<T> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let code = tokio::select! {
        done = work => return Ok(done),
        _ = interrupt.recv() => 130,
        _ = terminate.recv() => 143,
    };
    // The work was dropped, and its half folder with it. A thread of it may still copy, into nothing: nobody waits
    // for that.
    console::note("broken off: nothing of it is left");
    std::process::exit(code)
}
