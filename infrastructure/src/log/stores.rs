//! The one file that names the stores. Nothing above the log asks which of them it talks to.

use super::memory::MemoryLog;
use super::port::EventLog;
use super::sqlite::{OpenError, SqliteLog};
use crate::system::{Clock, Entropy};
use std::path::PathBuf;
use std::sync::Arc;

/// Which store, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreConfig {
    /// In memory; gone with the process.
    Memory,
    /// The embedded store in a folder of its own (made where it is missing).
    Sqlite {
        /// Where `log.db` is or will be.
        folder: PathBuf,
    },
    /// The embedded store of a server that may be running, for commands that only read.
    SqliteReadOnly {
        /// Where `log.db` is.
        folder: PathBuf,
    },
}

impl StoreConfig {
    /// The store's name, as in configuration and reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sqlite { .. } | Self::SqliteReadOnly { .. } => "sqlite",
        }
    }
}

/// Opens a store.
///
/// # Errors
/// See [`OpenError`].
pub async fn open(
    config: StoreConfig,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
) -> Result<Arc<dyn EventLog>, OpenError> {
    // Opening a file blocks.
    let opening = tokio::task::spawn_blocking(move || {
        let log: Arc<dyn EventLog> = match config {
            StoreConfig::Memory => Arc::new(MemoryLog::new(clock, entropy)),
            StoreConfig::Sqlite { folder } => Arc::new(SqliteLog::open(&folder, clock, entropy)?),
            StoreConfig::SqliteReadOnly { folder } => {
                Arc::new(SqliteLog::open_read_only(&folder, clock)?)
            }
        };
        Ok(log)
    });
    opening.await.map_err(|error| OpenError::Io(std::io::Error::other(error)))?
}
