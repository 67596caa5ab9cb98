//! The data folder, opened as a command needs it: for reading beside a running server, or for writing where
//! none runs. Must not write where a server might.

use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::log::{OpenError, StoreConfig, stores};
use yibu_infrastructure::system::{Clock, Entropy, NoEntropy, SystemClock};

/// Where the data is.
#[derive(Args, Clone, Debug)]
pub(super) struct Folder {
    /// The data folder
    #[arg(long, env = "YIBU_DATA", default_value = "./data", value_name = "FOLDER", global = true)]
    pub(super) data: PathBuf,
}

/// Why the data cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum FolderFault {
    /// Nothing was ever written there.
    #[error("there is no data in {}; `yibu serve --dev` makes it", .0.display())]
    Nothing(PathBuf),
    /// It is there and cannot be opened.
    #[error(transparent)]
    Log(#[from] OpenError),
    /// No random numbers.
    #[error(transparent)]
    Entropy(#[from] NoEntropy),
}

/// An open log with what belongs to it.
pub(super) struct Opened {
    pub(super) log: Arc<dyn EventLog>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Entropy,
}

impl Folder {
    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.data
    }

    /// Opens the log for reading, whether or not a server runs.
    pub(super) async fn read_log(&self) -> Result<Opened, FolderFault> {
        self.there()?;
        self.open(StoreConfig::SqliteReadOnly { folder: self.data.clone() }).await
    }

    /// Opens the log for writing; refused while a server runs.
    pub(super) async fn write_log(&self) -> Result<Opened, FolderFault> {
        self.there()?;
        self.open(StoreConfig::Sqlite { folder: self.data.clone() }).await
    }

    /// Opens the log for writing, makes it where it is missing.
    pub(super) async fn make_log(&self) -> Result<Opened, FolderFault> {
        self.open(StoreConfig::Sqlite { folder: self.data.clone() }).await
    }

    fn there(&self) -> Result<(), FolderFault> {
        if self.data.join("log.db").is_file() {
            Ok(())
        } else {
            Err(FolderFault::Nothing(self.data.clone()))
        }
    }

    async fn open(&self, store: StoreConfig) -> Result<Opened, FolderFault> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let entropy = Entropy::system()?;
        let log = stores::open(store, Arc::clone(&clock), entropy.clone()).await?;
        Ok(Opened { log, clock, entropy })
    }
}
