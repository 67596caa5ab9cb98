//! The data folder, or the database, that the settings name, opened as a command needs it: for reading beside a
//! running server, or for writing where none runs. Must not write where a server might.

use super::console;
use super::elsewhere::{self, TargetFault};
use super::given::{self, Unusable};
use crate::app::LogStore;
use crate::settings::Loaded;
use clap::Args;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::log::port::{EventLog, ReadError};
use yibu_infrastructure::log::{OpenError, StoreConfig, stores};
use yibu_infrastructure::system::{self, Clock, Entropy, LOCK, NoEntropy, SystemClock, tighten};
use yibu_projections::Home;

/// Where the data is: where the settings say, as for `serve`, unless it is named here.
#[derive(Args, Clone, Debug)]
pub(super) struct Named {
    /// The TOML file with the server's settings
    #[arg(long, env = "YIBU_CONFIG", value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// The data folder (setting data, YIBU_DATA)
    #[arg(long, value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
    /// The Postgres that everything is in (setting database_url, DATABASE_URL)
    #[arg(long, value_name = "URL", global = true)]
    database: Option<String>,
}

impl Named {
    /// The settings, with what is named here above them.
    pub(super) fn load(&self) -> Result<Loaded, Unusable> {
        let data = self.data.as_ref().map(|path| path.display().to_string());
        let named = [("data", data), ("database_url", self.database.clone())];
        let flags = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        given::load(self.config.as_deref(), flags.collect())
    }

    /// Where the data is.
    pub(super) fn find(&self) -> Result<Folder, Unusable> {
        self.load().map(|loaded| Folder::of(&loaded))
    }
}

/// Where the data is.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    data: PathBuf,
    log: LogStore,
}

/// What one command reads a shared database with.
const CONNECTIONS: u32 = 4;

/// The store at an address, for commands that are told of two. `archive` is where the segments of a shared one are.
///
/// # Errors
/// The address is of no store that this program knows.
pub(super) fn store(address: &str, archive: Option<PathBuf>) -> Result<StoreConfig, FolderFault> {
    match address.split_once(':') {
        Some(("sqlite", folder)) => Ok(StoreConfig::Sqlite { folder: folder.into() }),
        Some(("postgres" | "postgresql", _)) => {
            Ok(StoreConfig::Postgres { url: address.to_owned(), connections: CONNECTIONS, archive })
        }
        // An address may hold a password: only its first word is ever shown.
        Some((scheme, _)) => Err(FolderFault::UnknownStore(scheme.to_owned())),
        None => Err(FolderFault::UnknownStore("…".to_owned())),
    }
}

/// Why the data cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum FolderFault {
    /// Nothing was ever written there.
    #[error("there is no data in {}; `yibu serve --dev` makes it", .0.display())]
    Nothing(PathBuf),
    /// Nobody is told what is there.
    #[error("{} cannot be looked at: {}. Run this as the user who serves from it", .0.display(), .1)]
    Denied(PathBuf, std::io::Error),
    /// Something else has the name.
    #[error("{}: not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// The log was there, and is not any more.
    #[error(
        "{} is missing, though {other} is there: restore the log from a backup (or bring it along with \
         `yibu import-log`)", .folder.join("log.db").display()
    )]
    Missing {
        /// Where.
        folder: PathBuf,
        /// What a log leaves behind.
        other: &'static str,
    },
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
    /// It would be made among what another site keeps.
    #[error(transparent)]
    Inside(#[from] TargetFault),
    /// It is there and cannot be opened.
    #[error(transparent)]
    Log(#[from] OpenError),
    /// A server writes there.
    #[error(
        "a server serves from {0}, or did until a moment ago: its last sign of service is only seconds old. Stop \
         all servers first, and wait a moment"
    )]
    Served(&'static str),
    /// It cannot be asked.
    #[error(transparent)]
    Read(#[from] ReadError),
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
    /// What the settings say.
    pub(super) fn of(loaded: &Loaded) -> Self {
        let settings = &loaded.settings;
        Self { data: settings.base.data.clone(), log: settings.log_store() }
    }

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
        a_folder(&self.data)?;
        Ok(&self.data)
    }

    /// The folder of an embedded log, if it is one.
    pub(super) fn embedded(&self) -> Option<PathBuf> {
        (self.log == LogStore::Sqlite).then(|| self.data.clone())
    }

    /// The database that nodes share, where there is one.
    pub(super) fn shared(&self) -> Option<&str> {
        self.log.database()
    }

    /// The database of the log itself, where it is in PostgreSQL.
    pub(super) fn postgres(&self) -> Option<&str> {
        match &self.log {
            LogStore::Postgres { url, .. } => Some(url),
            _ => None,
        }
    }

    /// Where the accounts are.
    pub(super) fn accounts(&self) -> Place {
        self.log.accounts(&self.data)
    }

    /// Where the read models are.
    pub(super) fn views(&self) -> Home {
        self.log.views(&self.data)
    }

    /// Where the segments of closed streams are.
    pub(super) fn archive(&self) -> Option<PathBuf> {
        self.store().archive()
    }

    /// Refuses a place for what a command makes that is among what a site keeps.
    pub(super) fn apart(&self, place: &Path) -> Result<(), TargetFault> {
        elsewhere::apart_from(place, &self.data, self.archive().as_deref())
    }

    /// Opens the log for reading, whether or not a server runs. Makes and changes nothing.
    pub(super) async fn read_log(&self) -> Result<Opened, FolderFault> {
        self.there()?;
        open_to_read(self.store()).await
    }

    /// Opens the log for writing; refused while a server runs, and where there is none yet.
    pub(super) async fn write_log(&self) -> Result<Opened, FolderFault> {
        self.there()?;
        if self.shared().is_some() {
            // Only the database itself knows. What else is odd, the opening says.
            match open_to_read(self.store()).await {
                Ok(opened) => opened.log.close().await,
                Err(FolderFault::Log(empty @ OpenError::Empty(_))) => return Err(empty.into()),
                Err(_) => {}
            }
        }
        self.make_log().await
    }

    /// Opens the log for writing, makes it where it is missing.
    pub(super) async fn make_log(&self) -> Result<Opened, FolderFault> {
        a_folder(&self.data)?;
        if let Some(data) = self.embedded() {
            elsewhere::beginnable(&data)?;
        }
        open(self.store()).await
    }

    fn store(&self) -> StoreConfig {
        self.log.store(&self.data)
    }

    /// Whether there is a log to be opened.
    pub(super) fn there(&self) -> Result<(), FolderFault> {
        present(&self.store())
    }
}

/// Whether an embedded log was ever written there; others say so themselves.
pub(super) fn present(store: &StoreConfig) -> Result<(), FolderFault> {
    // What no folder has before it has a log.
    const LEFT: [&str; 3] = ["log.head", "accounts.db", "archive"];
    let StoreConfig::Sqlite { folder } = store else { return Ok(()) };
    let file = folder.join("log.db");
    match file.metadata() {
        Ok(meta) if meta.is_file() => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return Err(FolderFault::Denied(file, error));
        }
        _ => {}
    }
    a_folder(folder)?;
    match LEFT.into_iter().find(|name| folder.join(name).exists()) {
        Some(other) => Err(FolderFault::Missing { folder: folder.clone(), other }),
        None => Err(FolderFault::Nothing(folder.clone())),
    }
}

/// Refuses a store that is not for carrying anything there, by where it is.
pub(super) fn fillable(store: &StoreConfig) -> Result<(), TargetFault> {
    let StoreConfig::Sqlite { folder } = store else { return Ok(()) };
    elsewhere::fillable(folder)
}

/// Whether it is a folder, or not there yet.
pub(super) fn a_folder(data: &Path) -> Result<(), FolderFault> {
    if data.exists() && !data.is_dir() {
        return Err(FolderFault::NotAFolder(data.to_owned()));
    }
    Ok(())
}

/// Holds an embedded store against every process that would write there, and makes nothing.
pub(super) fn hold_to_read(store: &StoreConfig) -> Result<Option<File>, FolderFault> {
    let StoreConfig::Sqlite { folder } = store else { return Ok(None) };
    system::hold_to_read(&folder.join(LOCK)).map_err(|error| match error {
        TryLockError::WouldBlock => OpenError::InUse(folder.clone()).into(),
        TryLockError::Error(error) => FolderFault::Denied(folder.join(LOCK), error),
    })
}

/// A server marks every few seconds that it serves: after this time without a mark, none does.
const RESTED: Span = Span::seconds(20);

/// Refuses a store from which a server serves; `which` is how it is called. An embedded one is locked by its server.
/// `brought` is a mark that came with the log from where it was carried: it says nothing of this store.
pub(super) async fn rested(
    opened: &Opened,
    store: &StoreConfig,
    which: &'static str,
    brought: Option<Time>,
) -> Result<(), FolderFault> {
    if store.is_shared()
        && let Some(beat) = opened.log.last_beat().await?
        && brought != Some(beat)
    {
        let rest = opened.clock.now() - beat;
        if rest.0 >= 0 && rest.0 < RESTED.0 {
            return Err(FolderFault::Served(which));
        }
    }
    Ok(())
}

/// Closes what is in a data folder to everybody but its owner, and says so.
pub(super) fn close_to_others(folder: &Path) {
    let closed = tighten(folder);
    Some(closed.to_string()).filter(|said| !said.is_empty()).iter().for_each(console::note);
    closed.warnings().for_each(console::note);
}

/// Opens a store to write with the clock and the chance of the system. What others could reach of a folder is closed
/// to them first.
pub(super) async fn open(store: StoreConfig) -> Result<Opened, FolderFault> {
    if let StoreConfig::Sqlite { folder } = &store {
        close_to_others(folder);
    }
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let entropy = Entropy::system()?;
    let log = stores::open(store, Arc::clone(&clock), entropy.clone()).await?;
    Ok(Opened { log, clock, entropy })
}

/// Opens a store to read with the clock and the chance of the system. Makes and changes nothing.
pub(super) async fn open_to_read(store: StoreConfig) -> Result<Opened, FolderFault> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let entropy = Entropy::system()?;
    let log = stores::open_to_read(store, Arc::clone(&clock), entropy.clone()).await?;
    Ok(Opened { log, clock, entropy })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_not_shown() {
        let fault = store("mysql://me:secret@host/db", None).unwrap_err().to_string();
        assert!(fault.contains("mysql") && !fault.contains("secret"));
        assert!(!store("secret", None).unwrap_err().to_string().contains("secret"));
    }
}
