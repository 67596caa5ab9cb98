//! A feed in memory that can be cut short and made to fail, and a store of read models of its own, of either kind.

use async_trait::async_trait;
use sqlx::{AnyConnection, Connection, Executor};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use tempfile::TempDir;
use tokio::sync::watch;
use yibu_projections::engine::{Fault, Pages, Projection, Projector, Step};
use yibu_projections::{Fed, Feed, FeedError, Home, Poison, Views, models};
use yibu_tests::postgres::Cluster;

/// Events in memory, of which the first `shown` exist.
pub(crate) struct MemoryFeed {
    log: Vec<Fed>,
    shown: watch::Sender<u64>,
    /// Reads that will fail before one succeeds.
    failing: AtomicUsize,
    broken: AtomicBool,
    /// The lowest position after which somebody has read.
    lowest: AtomicU64,
}

impl MemoryFeed {
    pub(crate) fn new(log: Vec<Fed>) -> Arc<Self> {
        let shown = watch::Sender::new(log.len() as u64);
        let lowest = AtomicU64::new(u64::MAX);
        Arc::new(Self {
            log,
            shown,
            failing: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            lowest,
        })
    }

    /// The same, with nothing to be seen yet.
    pub(crate) fn hidden(log: Vec<Fed>) -> Arc<Self> {
        let feed = Self::new(log);
        feed.show(0);
        feed
    }

    /// The log now ends at this position.
    pub(crate) fn show(&self, position: u64) {
        self.shown.send_replace(position);
    }

    pub(crate) fn len(&self) -> u64 {
        self.log.len() as u64
    }

    /// The lowest position after which somebody has read since the last time.
    pub(crate) fn lowest_read(&self) -> u64 {
        self.lowest.swap(u64::MAX, Ordering::SeqCst)
    }

    /// What stands there cannot be read, or can be again.
    pub(crate) fn break_off(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    pub(crate) fn fail(&self, times: usize) {
        self.failing.store(times, Ordering::SeqCst);
    }
}

#[async_trait]
impl Feed for MemoryFeed {
    async fn read(&self, after: u64, limit: usize) -> Result<Vec<Fed>, FeedError> {
        self.lowest.fetch_min(after, Ordering::SeqCst);
        let failing = &self.failing;
        if failing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok() {
            return Err(FeedError::Away("as ordered".to_owned()));
        }
        if self.broken.load(Ordering::SeqCst) {
            return Err(FeedError::Broken("as ordered".to_owned()));
        }
        let shown = *self.shown.borrow();
        let upto = self.log.iter().skip(after as usize).take_while(|fed| fed.position <= shown);
        Ok(upto.take(limit).cloned().collect())
    }

    async fn head(&self) -> Result<u64, FeedError> {
        Ok(*self.shown.borrow())
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.shown.subscribe()
    }
}

/// The log with one event that cannot be read.
pub(crate) fn poisoned(mut log: Vec<Fed>, position: u64) -> Vec<Fed> {
    log[position as usize - 1].fact = Err(Poison("as ordered".to_owned()));
    log
}

/// Which kind of store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Store {
    Sqlite,
    Postgres,
}

impl Store {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Sqlite => Self::Postgres,
            Self::Postgres => Self::Sqlite,
        }
    }
}

/// A store of its own.
pub(crate) struct Rig {
    pub(crate) home: Home,
    pub(crate) views: Views,
    /// Of a store in files.
    _folder: Option<TempDir>,
}

impl Rig {
    pub(crate) async fn new(store: Store) -> Self {
        Self::with(store, models::all()).await
    }

    pub(crate) async fn with(store: Store, projections: Vec<Arc<dyn Projection>>) -> Self {
        let (home, folder) = match store {
            Store::Sqlite => {
                let folder = tempfile::tempdir().unwrap();
                (Home::Folder(folder.path().to_owned()), Some(folder))
            }
            Store::Postgres => (Home::Postgres(Cluster::shared().database()), None),
        };
        Self { _folder: folder, ..Self::at(home, projections).await }
    }

    /// Where something may stand already.
    pub(crate) async fn at(home: Home, projections: Vec<Arc<dyn Projection>>) -> Self {
        let views = Views::open(home.clone(), projections).await.unwrap();
        Self { home, views, _folder: None }
    }

    /// Closes the store and opens it again, as after the end of the process, when its leases have run out.
    pub(crate) async fn restart(self, projections: Vec<Arc<dyn Projection>>) -> Self {
        let Self { home, views, _folder } = self;
        views.close().await;
        drop(views);
        if let Home::Postgres(_) = &home {
            run_out(&home).await;
        }
        let views = Views::open(home.clone(), projections).await.unwrap();
        Self { home, views, _folder }
    }

    /// Changes rows behind the engine's back; says how many.
    pub(crate) async fn harm(&self, sql: &str) -> u64 {
        harm(&self.home, sql).await
    }

    pub(crate) async fn projector(&self, name: &str, feed: &Arc<MemoryFeed>) -> Projector {
        Projector::adopt(&self.views, name, Pages::new(feed.clone())).await.unwrap()
    }

    /// Takes everything in, in steps of `most` events.
    pub(crate) async fn catch_up(&self, name: &str, feed: &Arc<MemoryFeed>, most: usize) {
        let mut projector = self.projector(name, feed).await;
        run(&mut projector, most).await.unwrap();
    }

    /// Takes everything in, all read models.
    pub(crate) async fn catch_up_all(&self, feed: &Arc<MemoryFeed>) {
        for name in self.views.names() {
            self.catch_up(name, feed, 4096).await;
        }
    }

    /// Every row of every read model.
    pub(crate) async fn rows(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for name in self.views.names() {
            rows.extend(self.views.rows(name).await.unwrap());
        }
        rows
    }
}

async fn harm(home: &Home, sql: &str) -> u64 {
    let url = match home {
        Home::Folder(folder) => format!("sqlite://{}/views.db", folder.display()),
        Home::Postgres(url) => url.clone(),
    };
    let mut on = AnyConnection::connect(&url).await.unwrap();
    let done = on.execute(sql).await.unwrap();
    on.close().await.unwrap();
    done.rows_affected()
}

/// Lets every lease run out, as time would.
pub(crate) async fn run_out(home: &Home) {
    harm(home, "UPDATE projections SET expires = 0").await;
}

/// Steps until there is nothing new.
pub(crate) async fn run(projector: &mut Projector, most: usize) -> Result<(), Fault> {
    while projector.step(most).await? != Step::Idle {}
    Ok(())
}
