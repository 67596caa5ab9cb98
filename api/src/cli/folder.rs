//! The data folder, opened as a command needs it: for reading beside a running server, or for writing where
//! none runs. Must not write where a server might.

use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::log::{OpenError, StoreConfig, stores};
use yibu_infrastructure::system::{Clock, Entropy, NoEntropy, SystemClock};
use yibu_projections::Home;

/// Where the data is.
#[derive(Args, Clone, Debug)]
pub(super) struct Folder {
    /// The data folder
    #[arg(long, env = "YIBU_DATA", default_value = "./data", value_name = "FOLDER", global = true)]
    pub(super) data: PathBuf,
    /// The store of the log, where it is not the data folder: sqlite:FOLDER, or the URL of a database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL", global = true)]
    pub(super) database: Option<String>,
}

/// What a command is about to do with a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// Read, beside a server.
    Read,
    /// Write, where no server does.
    Write,
}

/// What one command reads a shared database with.
const CONNECTIONS: u32 = 4;

/// The store at an address. The one place of the command line that tells stores apart.
///
/// # Errors
/// The address is of no store that this program knows.
pub(super) fn store(address: &str, access: Access) -> Result<StoreConfig, FolderFault> {
    match (address.split_once(':'), access) {
        (Some(("sqlite", folder)), Access::Read) => {
            Ok(StoreConfig::SqliteReadOnly { folder: folder.into() })
        }
        (Some(("sqlite", folder)), Access::Write) => {
            Ok(StoreConfig::Sqlite { folder: folder.into() })
        }
        (Some(("postgres" | "postgresql", _)), _) => Ok(StoreConfig::Postgres {
            url: address.to_owned(),
            connections: CONNECTIONS,
            archive: std::env::var_os("YIBU_ARCHIVE").map(PathBuf::from),
        }),
        // An address may hold a password: only its first word is ever shown.
        (Some((scheme, _)), _) => Err(FolderFault::UnknownStore(scheme.to_owned())),
        (None, _) => Err(FolderFault::UnknownStore("…".to_owned())),
    }
}

/// Why the data cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum FolderFault {
    /// Nothing was ever written there.
    #[error("there is no data in {}; `yibu serve --dev` makes it", .0.display())]
    Nothing(PathBuf),
    /// The address names no store.
    #[error(
        "no store is known for addresses that begin with {0}; known are sqlite:FOLDER and postgres://…"
    )]
    UnknownStore(String),
    /// A database was named, and the folder holds a log of its own.
    #[error(
        "a database is named (--database or DATABASE_URL), and {} holds a log of its own: take the database \
         away, or name the data folder of a server on that database with --data", .0.display()
    )]
    TwoSites(PathBuf),
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

    /// The folder whose server is asked. Whoever names a database as well must not mean another site than the
    /// folder's own.
    pub(super) fn site(&self) -> Result<&Path, FolderFault> {
        if self.shared().is_some() && self.data.join("log.db").is_file() {
            return Err(FolderFault::TwoSites(self.data.clone()));
        }
        Ok(&self.data)
    }

    /// The folder of an embedded log, if it is one.
    pub(super) fn embedded(&self) -> Option<PathBuf> {
        match self.store(Access::Read) {
            Ok(StoreConfig::SqliteReadOnly { folder }) => Some(folder),
            _ => None,
        }
    }

    /// The store that was named; an empty name is none.
    fn named(&self) -> Option<&str> {
        self.database.as_deref().filter(|address| !address.is_empty())
    }

    /// The database that nodes share, where there is one.
    pub(super) fn shared(&self) -> Option<&str> {
        self.named().filter(|address| address.starts_with("postgres"))
    }

    /// Where the accounts are.
    pub(super) fn accounts(&self) -> Place {
        let folder = || Place::Folder(self.data.clone());
        self.shared().map_or_else(folder, |url| Place::Postgres(url.to_owned()))
    }

    /// Where the read models are.
    pub(super) fn views(&self) -> Home {
        let folder = || Home::Folder(self.data.clone());
        self.shared().map_or_else(folder, |url| Home::Postgres(url.to_owned()))
    }

    /// Where the segments of closed streams are.
    pub(super) fn archive(&self) -> Option<PathBuf> {
        self.store(Access::Read).ok()?.archive()
    }

    /// Opens the log for reading, whether or not a server runs.
    pub(super) async fn read_log(&self) -> Result<Opened, FolderFault> {
        self.there()?;
        open(self.store(Access::Read)?).await
    }

    /// Opens the log for writing; refused while a server runs.
    pub(super) async fn write_log(&self) -> Result<Opened, FolderFault> {
        self.there()?;
        self.make_log().await
    }

    /// Opens the log for writing, makes it where it is missing.
    pub(super) async fn make_log(&self) -> Result<Opened, FolderFault> {
        open(self.store(Access::Write)?).await
    }

    fn store(&self, access: Access) -> Result<StoreConfig, FolderFault> {
        match self.named() {
            Some(address) => store(address, access),
            None => store(&format!("sqlite:{}", self.data.display()), access),
        }
    }

    fn there(&self) -> Result<(), FolderFault> {
        present(&self.store(Access::Read)?)
    }
}

/// Whether an embedded log was ever written there; others say so themselves.
pub(super) fn present(store: &StoreConfig) -> Result<(), FolderFault> {
    match store {
        StoreConfig::Sqlite { folder } | StoreConfig::SqliteReadOnly { folder }
            if !folder.join("log.db").is_file() =>
        {
            Err(FolderFault::Nothing(folder.clone()))
        }
        _ => Ok(()),
    }
}

/// Opens a store with the clock and the chance of the system.
pub(super) async fn open(store: StoreConfig) -> Result<Opened, FolderFault> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let entropy = Entropy::system()?;
    let log = stores::open(store, Arc::clone(&clock), entropy.clone()).await?;
    Ok(Opened { log, clock, entropy })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_not_shown() {
        let fault = store("mysql://me:secret@host/db", Access::Read).unwrap_err().to_string();
        assert!(fault.contains("mysql") && !fault.contains("secret"));
        assert!(!store("secret", Access::Write).unwrap_err().to_string().contains("secret"));
        let folder = Folder { data: "x".into(), database: None };
        assert_eq!(folder.embedded(), Some("x".into()));
        assert_eq!(folder.archive(), Some("x/archive".into()));
    }
}
