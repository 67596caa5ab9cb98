//! What a server is started with. Must not read the environment or files: whoever starts the server does.

use super::{HealthLimits, StartFault};
use crate::http;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use yibu_infrastructure::accounts::{self, Place};
use yibu_infrastructure::executor;
use yibu_infrastructure::log::StoreConfig;
use yibu_infrastructure::mail::SmtpSettings;
use yibu_infrastructure::system::{Clock, Entropy};
use yibu_projections::Home;

/// Where everything that is kept stands: the log, the accounts and the read models.
#[derive(Clone, PartialEq, Eq)]
pub enum LogStore {
    /// In SQLite's files in the data folder, which belong to this process.
    Sqlite,
    /// The log in memory, the rest in the data folder; for tests.
    Memory,
    /// In one PostgreSQL database, which several nodes may share.
    Postgres {
        /// Its URL.
        url: String,
        /// The folder of archived matches, which all nodes see; none where nothing is archived.
        archive: Option<PathBuf>,
    },
    /// The log in an EventStoreDB; the rest, and what is claimed, in a PostgreSQL database.
    EventStore {
        /// Where the EventStoreDB is.
        url: String,
        /// The PostgreSQL database's URL.
        database: String,
    },
}

/// A URL may hold a password, so that none is shown.
impl fmt::Debug for LogStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "Sqlite",
            Self::Memory => "Memory",
            Self::Postgres { .. } => "Postgres",
            Self::EventStore { .. } => "EventStore",
        })
    }
}

impl LogStore {
    /// The database that accounts and read models share with other nodes, where there is one.
    pub fn database(&self) -> Option<&str> {
        match self {
            Self::Sqlite | Self::Memory => None,
            Self::Postgres { url, .. } | Self::EventStore { database: url, .. } => Some(url),
        }
    }

    /// The log's own store; `data` is the data folder.
    pub fn store(&self, data: &Path) -> StoreConfig {
        match self {
            Self::Sqlite => StoreConfig::Sqlite { folder: data.to_owned() },
            Self::Memory => StoreConfig::Memory,
            Self::Postgres { url, archive } => StoreConfig::Postgres {
                url: url.clone(),
                connections: READERS,
                archive: archive.clone(),
            },
            Self::EventStore { url, database } => {
                StoreConfig::EventStore { url: url.clone(), claims: database.clone() }
            }
        }
    }

    /// Where the accounts are.
    pub fn accounts(&self, data: &Path) -> Place {
        let folder = || Place::Folder(data.to_owned());
        self.database().map_or_else(folder, |url| Place::Postgres(url.to_owned()))
    }

    /// Where the read models are.
    pub fn views(&self, data: &Path) -> Home {
        let folder = || Home::Folder(data.to_owned());
        self.database().map_or_else(folder, |url| Home::Postgres(url.to_owned()))
    }
}

/// So many connections of a node read the log at the most.
const READERS: u32 = 8;

/// Where mails go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mail {
    /// Into the development mailbox.
    Development,
    /// To a mail server.
    Smtp(SmtpSettings),
    /// Nowhere: whatever needs a mail is refused.
    None,
}

/// Everything that a server is started with.
#[derive(Clone)]
pub struct ServeConfig {
    /// The folder for everything that is kept.
    pub data: PathBuf,
    /// Where the log is kept.
    pub log: LogStore,
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Pages for developers, on loopback alone.
    pub development: bool,
    /// The server is reached by TLS: cookies are `Secure`, browsers are told to stay with TLS.
    pub tls: bool,
    /// Where mails go.
    pub mail: Mail,
    /// The doors.
    pub doors: http::Settings,
    /// Accounts: cost of hashing, caps.
    pub accounts: accounts::Settings,
    /// Executing commands: grace, cache.
    pub executor: executor::Settings,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The source of chance.
    pub entropy: Entropy,
    /// This node's name in the log.
    pub node: String,
    /// Running it: the operators' door, stopping, health.
    pub operations: Operations,
}

impl ServeConfig {
    /// The address under which people reach the server: the one that is set, else the one that it listens on.
    pub fn public_url(&self) -> String {
        let set =
            self.doors.origins.public.as_deref().map(|url| url.trim_end_matches('/').to_owned());
        set.unwrap_or_else(|| format!("http://{}", self.listen))
    }

    /// Whether a server may be started with this at all, whatever its stores hold.
    ///
    /// # Errors
    /// [`StartFault::NotLoopback`].
    pub fn judge(&self) -> Result<(), StartFault> {
        if self.development && !self.listen.ip().is_loopback() {
            return Err(StartFault::NotLoopback(self.listen));
        }
        Ok(())
    }
}

/// What operators decide about a server that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operations {
    /// The address of the operators' door: figures and health. Port 0 takes a free one.
    pub ops: Option<SocketAddr>,
    /// How long the server drains before it takes no more requests.
    pub drain: Duration,
    /// How long requests under way may take to finish after that.
    pub farewell: Duration,
    /// When the server is not ready.
    pub health: HealthLimits,
}

impl Default for Operations {
    fn default() -> Self {
        Self {
            ops: None,
            drain: Duration::ZERO,
            farewell: Duration::from_secs(10),
            health: HealthLimits::default(),
        }
    }
}

/// The program's version, as the log notes it.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");
