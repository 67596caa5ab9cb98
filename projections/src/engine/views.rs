//! The store of the read models as the rest of the process sees it: readers that cannot write, the generation
//! that they get, how far each read model is, and the pulses that tell of changes.

use super::fault::ViewsError;
use super::progress::{self, NotReached, Progress, Standing};
use super::projection::{Changed, Projection};
use super::registry;
use super::store::{Conn, Home, Store};
use sqlx::Any;
use sqlx::pool::PoolConnection;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Notify, RwLock, RwLockReadGuard, broadcast, watch};

/// Pulses kept for a slow listener; who falls further behind is told that it missed some.
const PULSES: usize = 4096;

/// The read models, open. Clones share everything.
#[derive(Clone)]
pub struct Views {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    /// This handle among all those of all processes.
    holder: String,
    slots: Vec<Slot>,
    pulses: broadcast::Sender<Changed>,
}

/// One read model's place in the store.
pub(super) struct Slot {
    pub(super) projection: Arc<dyn Projection>,
    /// Held for reading during each query, so that no table is dropped under one.
    generation: RwLock<u64>,
    pub(super) progress: watch::Sender<Progress>,
    /// Held by whoever finds or makes news and tells it, so that they are told in order, none left out. Taken
    /// before any connection.
    pub(super) telling: Mutex<()>,
    /// Held by the one rebuild of this process.
    pub(super) rebuilding: Arc<Mutex<()>>,
    /// Rung when another process may have committed. Only a hint.
    pub(super) bell: Notify,
}

/// A connection for queries, on the generation that is served. Queries that belong together begin a
/// transaction on it.
pub struct Reading<'v> {
    generation: RwLockReadGuard<'v, u64>,
    connection: PoolConnection<Any>,
}

impl Reading<'_> {
    /// The ending of the tables' names.
    pub fn generation(&self) -> u64 {
        *self.generation
    }

    /// The connection; it cannot write.
    pub fn connection(&mut self) -> &mut Conn {
        &mut self.connection
    }
}

impl Views {
    /// Opens the read models where they stand (made when missing) with a place for each projection.
    ///
    /// # Errors
    /// As [`ViewsError`] says.
    pub async fn open(
        home: Home,
        projections: Vec<Arc<dyn Projection>>,
    ) -> Result<Self, ViewsError> {
        let store = Store::open(home).await?;
        let prepared = {
            let mut on = store.writing().await?;
            registry::prepare(&mut on, &projections).await?
        };
        let slots = projections.into_iter().zip(prepared).map(|(projection, active)| Slot {
            projection,
            generation: RwLock::new(active.generation),
            progress: watch::Sender::new(Progress {
                generation: active.generation,
                checkpoint: active.checkpoint,
                standing: Standing::Idle,
            }),
            telling: Mutex::new(()),
            rebuilding: Arc::default(),
            bell: Notify::new(),
        });
        let (slots, holder) = (slots.collect(), store.name().await?);
        let pulses = broadcast::Sender::new(PULSES);
        Ok(Self { inner: Arc::new(Inner { store, holder, slots, pulses }) })
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
        let connection = self.inner.store.reading().await?;
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

    /// Lets running work finish and closes all connections. The lock of a file is freed with the last clone.
    pub async fn close(&self) {
        self.inner.store.close().await;
    }

    pub(super) fn store(&self) -> &Store {
        &self.inner.store
    }

    /// This handle's name as the holder of leases.
    pub(super) fn holder(&self) -> &str {
        &self.inner.holder
    }

    /// A connection that only reads, whatever the generation: for folds, which name their own.
    pub(crate) async fn reading(&self) -> Result<PoolConnection<Any>, ViewsError> {
        self.inner.store.reading().await
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.inner.slots
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
    pub(super) async fn serve(&self, generation: u64) {
        *self.generation.write().await = generation;
    }

    /// Whoever waits for a position is told, after everything before it was.
    pub(super) fn reached(&self, generation: u64, checkpoint: u64) {
        self.progress.send_if_modified(|progress| {
            let news = (progress.generation, progress.checkpoint) != (generation, checkpoint);
            (progress.generation, progress.checkpoint) = (generation, checkpoint);
            news
        });
    }

    pub(super) fn stand(&self, standing: Standing) {
        self.progress.send_modify(|progress| progress.standing = standing);
    }
}
