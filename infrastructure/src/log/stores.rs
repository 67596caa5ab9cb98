//! The one file that names the stores. Nothing above the log asks which of them it talks to.

use super::archive::{self, ArchivedLog};
use super::eventstoredb::EventStoreLog;
use super::memory::MemoryLog;
use super::open_error::OpenError;
use super::port::EventLog;
use super::postgres::PostgresLog;
use super::sqlite::SqliteLog;
use crate::system::{Clock, Entropy};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Which store, and where.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreConfig {
    /// In memory; gone with the process.
    Memory,
    /// The embedded store in a folder of its own (made where it is missing).
    Sqlite {
        /// Where `log.db` is or will be.
        folder: PathBuf,
    },
    /// A PostgreSQL database, which several nodes may share.
    Postgres {
        /// `postgres://user:password@host:port/database`, straight to the server: a pooler in transaction mode
        /// breaks LISTEN.
        url: String,
        /// The most connections that this node reads with; it holds two more, to write and to listen.
        connections: u32,
        /// Where the segments of closed streams are, a folder that all nodes see; none where nothing is archived.
        archive: Option<PathBuf>,
    },
    /// An EventStoreDB server, with claims in Postgres.
    EventStore {
        /// `esdb://host:port?options#prefix`.
        url: String,
        /// The Postgres database for what cannot live on the server.
        claims: String,
    },
}

impl StoreConfig {
    /// The store's name, as in configuration and reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sqlite { .. } => "sqlite",
            Self::Postgres { .. } => "postgres",
            Self::EventStore { .. } => "eventstoredb",
        }
    }

    /// Whether other processes may write there at the same time.
    pub const fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres { .. } | Self::EventStore { .. })
    }

    /// Where the segments of closed streams are; none where nothing is archived.
    pub fn archive(&self) -> Option<PathBuf> {
        match self {
            Self::Memory | Self::EventStore { .. } => None,
            Self::Postgres { archive, .. } => archive.clone(),
            Self::Sqlite { folder } => Some(folder.join(archive::FOLDER)),
        }
    }
}

/// A URL holds a password, so that none is shown.
impl fmt::Debug for StoreConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory | Self::Postgres { .. } | Self::EventStore { .. } => {
                f.write_str(self.name())
            }
            Self::Sqlite { folder } => write!(f, "sqlite in {}", folder.display()),
        }
    }
}

/// Opens a store to write; makes it where it is missing, and brings its tables up to date.
///
/// # Errors
/// See [`OpenError`].
pub async fn open(
    config: StoreConfig,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
) -> Result<Arc<dyn EventLog>, OpenError> {
    let archive = config.archive();
    let shelves = matches!(config, StoreConfig::Postgres { .. });
    let log: Arc<dyn EventLog> = match config {
        StoreConfig::Memory => Arc::new(MemoryLog::new(clock, entropy)),
        StoreConfig::Sqlite { folder } => {
            Arc::new(blocking(move || SqliteLog::open(&folder, clock, entropy)).await?)
        }
        StoreConfig::Postgres { url, connections, .. } => {
            Arc::new(PostgresLog::open(&url, connections, clock, entropy).await?)
        }
        StoreConfig::EventStore { url, claims } => {
            Arc::new(EventStoreLog::open(&url, &claims, clock, entropy).await?)
        }
    };
    with_archive(log, archive, shelves).await
}

/// Opens a store to read, whether or not a server serves from it. Makes and changes nothing: what is not there, or
/// is of another format than this program's, is an error.
///
/// # Errors
/// See [`OpenError`].
pub async fn open_to_read(
    config: StoreConfig,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
) -> Result<Arc<dyn EventLog>, OpenError> {
    let archive = config.archive();
    let shelves = matches!(config, StoreConfig::Postgres { .. });
    let log: Arc<dyn EventLog> = match config {
        StoreConfig::Memory => Arc::new(MemoryLog::new(clock, entropy)),
        StoreConfig::Sqlite { folder } => {
            Arc::new(blocking(move || SqliteLog::open_to_read(&folder, clock)).await?)
        }
        StoreConfig::Postgres { url, connections, .. } => {
            Arc::new(PostgresLog::open_to_read(&url, connections, clock).await?)
        }
        StoreConfig::EventStore { url, claims } => {
            Arc::new(EventStoreLog::open_to_read(&url, &claims, clock, entropy).await?)
        }
    };
    with_archive(log, archive, shelves).await
}

/// Archived events are read from their folder. Where none is named, a log that has some is refused: its pointers are
/// no payloads.
async fn with_archive(
    log: Arc<dyn EventLog>,
    archive: Option<PathBuf>,
    shelves: bool,
) -> Result<Arc<dyn EventLog>, OpenError> {
    // One in memory is nobody else's, and what an event store holds stays there.
    if archive.is_none() && !shelves {
        return Ok(log);
    }
    // What cannot be read is named by whoever reads it: `yibu audit` goes on where it can.
    if archive.is_none() && matches!(archive::points_anywhere(log.as_ref()).await, Ok(true)) {
        log.close().await;
        return Err(OpenError::ArchiveUnnamed);
    }
    Ok(Arc::new(ArchivedLog::new(log, archive)))
}

/// Opening a file blocks.
async fn blocking<T: Send + 'static>(
    opening: impl FnOnce() -> Result<T, OpenError> + Send + 'static,
) -> Result<T, OpenError> {
    let opened = tokio::task::spawn_blocking(opening).await;
    opened.map_err(|error| OpenError::Io(std::io::Error::other(error)))?
}
