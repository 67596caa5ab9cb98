//! The accounts' database: exactly one writing connection, readers that cannot write, and a held lock file
//! against a second process. Must not know what the tables mean.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

static MIGRATIONS: Migrator = sqlx::migrate!("../migrations/sqlite/accounts");

/// Readers beside the one writer.
const READERS: u32 = 4;

/// The database cannot be opened.
#[derive(Debug, Error)]
pub enum OpenFault {
    /// Another process, or another handle of this one, has the lock.
    #[error("the accounts in this folder are in use by another process (accounts.lock is held)")]
    InUse,
    /// The folder or the lock file cannot be made.
    #[error("the accounts' folder cannot be used")]
    Folder(#[from] std::io::Error),
    /// The database failed.
    #[error("the accounts' database cannot be opened")]
    Store(#[from] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("the accounts' tables cannot be brought up to date")]
    Migration(#[from] MigrateError),
}

/// `accounts.db`, open. Clones share the connections.
///
/// One writing connection per file is a matter of safety: two that write or checkpoint at the same instant
/// can hit a defect of the SQLite in use and lose pages.
#[derive(Clone)]
pub struct AccountsDb {
    inner: Arc<Inner>,
}

struct Inner {
    writing: SqlitePool,
    reading: SqlitePool,
    /// Freed by the operating system when the last clone goes, or the process.
    _lock: File,
}

impl AccountsDb {
    /// Opens `accounts.db` in a folder (both made when missing) and brings its tables up to date.
    ///
    /// # Errors
    /// As [`OpenFault`] says.
    pub async fn open(folder: &Path) -> Result<Self, OpenFault> {
        std::fs::create_dir_all(folder)?;
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join("accounts.lock"))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => OpenFault::InUse,
            TryLockError::Error(error) => OpenFault::Folder(error),
        })?;
        let options =
            SqliteConnectOptions::new().filename(folder.join("accounts.db")).foreign_keys(true);
        let writing = SqlitePoolOptions::new()
            .min_connections(1)
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(
                options
                    .clone()
                    .create_if_missing(true)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Full),
            )
            .await?;
        MIGRATIONS.run(&writing).await?;
        let reading = SqlitePoolOptions::new()
            .max_connections(READERS)
            .max_lifetime(None)
            .connect_with(options.read_only(true))
            .await?;
        Ok(Self { inner: Arc::new(Inner { writing, reading, _lock: lock }) })
    }

    /// The one writing connection. Never wait for anything slow while holding it.
    pub(crate) fn writing(&self) -> &SqlitePool {
        &self.inner.writing
    }

    /// Connections that only read.
    pub(crate) fn reading(&self) -> &SqlitePool {
        &self.inner.reading
    }

    /// Lets running work finish and closes all connections. The lock is freed with the last clone.
    pub async fn close(&self) {
        self.inner.reading.close().await;
        self.inner.writing.close().await;
    }
}
