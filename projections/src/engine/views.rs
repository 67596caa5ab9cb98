//! The store of the read models, `views.db`: exactly one writing connection for all of them, readers that
//! cannot write, a held lock file against a second process, and the generation that readers get.

use super::fault::ViewsError;
use super::progress::{self, NotReached, Progress, Standing};
use super::projection::{Changed, Projection};
use super::registry;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection, Sqlite, SqliteConnection};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard, RwLock, RwLockReadGuard, broadcast, watch};

/// Readers beside the one writer.
const READERS: u32 = 8;
/// Pulses kept for a slow listener; who falls further behind is told that it missed some.
const PULSES: usize = 4096;

/// `views.db`, open. Clones share everything.
///
/// One writing connection per file is a matter of safety: two that write or checkpoint at the same instant
/// can hit a defect of the SQLite in use and lose pages.
#[derive(Clone)]
pub struct Views {
    inner: Arc<Inner>,
}

struct Inner {
    writing: Mutex<Option<SqliteConnection>>,
    reading: SqlitePool,
    slots: Vec<Slot>,
    pulses: broadcast::Sender<Changed>,
    /// Freed by the operating system when the last clone goes, or the process.
    _lock: File,
}

/// One read model's place in the store.
pub(super) struct Slot {
    pub(super) projection: Arc<dyn Projection>,
    /// Held for reading during each query, so that no table is dropped under one.
    generation: RwLock<u64>,
    pub(super) progress: watch::Sender<Progress>,
}

/// A connection for queries, on the generation that is served. Queries that belong together begin a
/// transaction on it.
pub struct Reading<'v> {
    generation: RwLockReadGuard<'v, u64>,
    connection: PoolConnection<Sqlite>,
}

impl Reading<'_> {
    /// The ending of the tables' names.
    pub fn generation(&self) -> u64 {
        *self.generation
    }

    /// The connection; it cannot write.
    pub fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}

/// A connection to a database whose first pages can be read.
async fn sound(options: &SqliteConnectOptions) -> Result<SqliteConnection, sqlx::Error> {
    let mut connection = SqliteConnection::connect_with(options).await?;
    sqlx::query("SELECT count(*) FROM sqlite_master").execute(&mut connection).await?;
    Ok(connection)
}

/// SQLite says that the file is malformed (11) or no database at all (26).
fn damaged(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    matches!(code.as_deref(), Some("11" | "26"))
}

impl Views {
    /// Opens `views.db` in a folder (both made when missing) with a place for each projection.
    ///
    /// # Errors
    /// As [`ViewsError`] says.
    pub async fn open(
        folder: &Path,
        projections: Vec<Arc<dyn Projection>>,
    ) -> Result<Self, ViewsError> {
        std::fs::create_dir_all(folder)?;
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join("views.lock"))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => ViewsError::InUse,
            TryLockError::Error(error) => ViewsError::Folder(error),
        })?;
        let options = SqliteConnectOptions::new()
            .filename(folder.join("views.db"))
            .page_size(8192)
            .pragma("cache_size", "-65536")
            .statement_cache_capacity(200);
        // NORMAL: a power cut may cost the last rows together with their checkpoints, and they come again.
        let writer = options
            .clone()
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .pragma("wal_autocheckpoint", "4000");
        let mut writing = match sound(&writer).await {
            Err(error) if damaged(&error) => {
                // Everything in it comes from the log: a damaged one is worth nothing.
                tracing::warn!(%error, "the read models are damaged and begin again from the log");
                for ending in ["", "-wal", "-shm"] {
                    let file = folder.join(format!("views.db{ending}"));
                    if file.exists() {
                        std::fs::remove_file(file)?;
                    }
                }
                SqliteConnection::connect_with(&writer).await?
            }
            other => other?,
        };
        let mut slots = Vec::new();
        for projection in projections {
            let active = registry::prepare(&mut writing, projection.as_ref()).await?;
            let progress = Progress {
                generation: active.generation,
                checkpoint: active.checkpoint,
                standing: Standing::Idle,
            };
            slots.push(Slot {
                projection,
                generation: RwLock::new(active.generation),
                progress: watch::Sender::new(progress),
            });
        }
        let reading = SqlitePoolOptions::new()
            .max_connections(READERS)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_with(options.read_only(true))
            .await?;
        Ok(Self {
            inner: Arc::new(Inner {
                writing: Mutex::new(Some(writing)),
                reading,
                slots,
                pulses: broadcast::Sender::new(PULSES),
                _lock: lock,
            }),
        })
    }

    /// The names of all projections, in the order in which they were given.
    pub fn names(&self) -> Vec<&'static str> {
        self.inner.slots.iter().map(|slot| slot.projection.name()).collect()
    }

    /// A connection for queries of one read model.
    ///
    /// # Errors
    /// No such read model, or the store failed.
    pub async fn read(&self, name: &str) -> Result<Reading<'_>, ViewsError> {
        let generation = self.slot(name)?.generation.read().await;
        let connection = self.inner.reading.acquire().await?;
        Ok(Reading { generation, connection })
    }

    /// How far a projection is, now and from now on; `None` when there is none of this name.
    pub fn progress(&self, name: &str) -> Option<watch::Receiver<Progress>> {
        self.slot(name).ok().map(|slot| slot.progress.subscribe())
    }

    /// Every committed change of a match's documents, from now on. A listener that is told that it missed
    /// some has to look at what it serves again.
    pub fn pulses(&self) -> broadcast::Receiver<Changed> {
        self.inner.pulses.subscribe()
    }

    /// Waits until a projection has everything up to `position` in its rows: read your writes.
    ///
    /// # Errors
    /// Not within the time given, or it stands still before there.
    pub async fn reached(
        &self,
        name: &str,
        position: u64,
        within: Duration,
    ) -> Result<(), NotReached> {
        let progress = self.progress(name).ok_or(NotReached::Unknown)?;
        tokio::time::timeout(within, progress::reached(progress, position))
            .await
            .unwrap_or(Err(NotReached::Late))
    }

    /// How many events a projection is behind a head of the log (on stores without gaps in positions).
    pub fn lag(&self, name: &str, head: u64) -> Option<u64> {
        self.slot(name).ok().map(|slot| head.saturating_sub(slot.progress.borrow().checkpoint))
    }

    /// Lets running work finish and closes all connections. The lock is freed with the last clone.
    pub async fn close(&self) {
        self.inner.reading.close().await;
        let writing = self.inner.writing.lock().await.take();
        if let Some(connection) = writing {
            // What is committed stays; a failure to tidy up loses nothing.
            let _ = connection.close().await;
        }
    }

    /// The one writing connection. Never wait for anything slow while holding it.
    pub(super) async fn writing(
        &self,
    ) -> Result<MappedMutexGuard<'_, SqliteConnection>, ViewsError> {
        let guard = self.inner.writing.lock().await;
        MutexGuard::try_map(guard, Option::as_mut).map_err(|_| ViewsError::Closed)
    }

    /// A connection that only reads, whatever the generation: for folds, which name their own.
    pub(crate) async fn reading(&self) -> Result<PoolConnection<Sqlite>, ViewsError> {
        Ok(self.inner.reading.acquire().await?)
    }

    pub(super) fn slot(&self, name: &str) -> Result<&Slot, ViewsError> {
        let mut slots = self.inner.slots.iter();
        slots
            .find(|slot| slot.projection.name() == name)
            .ok_or_else(|| ViewsError::Unknown(name.to_owned()))
    }

    pub(super) fn pulse(&self, changed: impl IntoIterator<Item = Changed>) {
        for one in changed {
            // Nobody listens: nobody misses it.
            let _ = self.inner.pulses.send(one);
        }
    }
}

impl Slot {
    /// Readers get `generation` from now on. Returns when the last query on the one before has ended.
    pub(super) async fn serve(&self, generation: u64, checkpoint: u64) {
        *self.generation.write().await = generation;
        self.progress.send_modify(|progress| {
            progress.generation = generation;
            progress.checkpoint = checkpoint;
        });
    }
}
