//! What a command begins to make and does not finish: taken away again, so that a failure leaves a folder as it
//! was. Must not touch anything that was there before.

use std::path::PathBuf;
use yibu_infrastructure::log::StoreConfig;
use yibu_infrastructure::system::LOCK;

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
