//! Faults leave nothing half done: a transaction that fails in the middle, an event that cannot be taken in,
//! a feed that breaks, a worker that was taken over.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store, poisoned, run};
use async_trait::async_trait;
use sqlx::Executor as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use yibu_projections::engine::{Conn, Fault, Fold, NotReached, Projection, Standing, Step};
use yibu_projections::{Engine, Fed, Views, ViewsError, models, rebuild};

const LONG: Duration = Duration::from_secs(60);

fn history(seed: u64, events: usize) -> World {
    let mut world = World::new(seed, 12, 6);
    world.grow(events);
    world
}

/// A read model whose flush writes everything and then fails, so many times, or that cannot take an event in.
struct Faulty {
    inner: Arc<dyn Projection>,
    failing: Arc<AtomicUsize>,
    refused: Option<u64>,
}

struct FaultyFold {
    inner: Box<dyn Fold>,
    failing: Arc<AtomicUsize>,
    refused: Option<u64>,
}

impl Projection for Faulty {
    fn name(&self) -> &'static str {
        self.inner.name()
    }
    fn shape(&self) -> u32 {
        self.inner.shape()
    }
    fn tables(&self) -> &'static [&'static str] {
        self.inner.tables()
    }
    fn schema(&self) -> &'static str {
        self.inner.schema()
    }
    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        let inner = self.inner.begin(views, generation);
        Box::new(FaultyFold { inner, failing: self.failing.clone(), refused: self.refused })
    }
}

#[async_trait]
impl Fold for FaultyFold {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        self.inner.absorb(batch).await?;
        match self.refused {
            Some(position) if batch.iter().any(|fed| fed.position == position) => {
                Err(Fault::Poison { position, problem: "as ordered".to_owned() })
            }
            _ => Ok(()),
        }
    }

    fn changed_matches(&self) -> usize {
        self.inner.changed_matches()
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        self.inner.flush(tx).await?;
        let failing = &self.failing;
        match failing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)) {
            Ok(_) => Err(sqlx::Error::WorkerCrashed.into()),
            Err(_) => Ok(()),
        }
    }
}

fn faulty(failing: &Arc<AtomicUsize>, refuse: Option<(&str, u64)>) -> Vec<Arc<dyn Projection>> {
    let wrap = |inner: Arc<dyn Projection>| -> Arc<dyn Projection> {
        let refused = refuse.filter(|(name, _)| *name == inner.name()).map(|(_, at)| at);
        Arc::new(Faulty { inner, failing: failing.clone(), refused })
    };
    models::all().into_iter().map(wrap).collect()
}

pub(super) async fn a_transaction_that_fails_leaves_nothing(store: Store) {
    let world = history(61, 1_500);
    let feed = MemoryFeed::new(world.log);
    let failing = Arc::new(AtomicUsize::new(0));
    let rig = Rig::with(store, faulty(&failing, None)).await;
    for name in rig.views.names() {
        let mut projector = rig.projector(name, &feed).await;
        assert_eq!(projector.step(600).await.unwrap(), Step::Advanced(600));
        let before = rig.views.rows(name).await.unwrap();
        failing.store(2, Ordering::SeqCst);
        for _ in 0..2 {
            let fault = projector.step(600).await.unwrap_err();
            assert!(fault.may_pass(), "{fault}");
            assert_eq!(projector.checkpoint(), 600);
            assert_eq!(rig.views.rows(name).await.unwrap(), before);
        }
        // The same worker goes on with nothing left over in its memory.
        run(&mut projector, 600).await.unwrap();
        assert_eq!(projector.checkpoint(), 1_500);
    }
    let fresh = Rig::new(store).await;
    fresh.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}

pub(super) async fn live_workers_get_over_faults_that_pass(store: Store) {
    let world = history(62, 800);
    let feed = MemoryFeed::new(world.log);
    let failing = Arc::new(AtomicUsize::new(3));
    let rig = Rig::with(store, faulty(&failing, None)).await;
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    feed.fail(2);
    for name in rig.views.names() {
        rig.views.reached(name, 800, LONG).await.unwrap();
    }
    engine.stop().await;
    let fresh = Rig::new(store).await;
    fresh.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}

pub(super) async fn a_log_that_cannot_be_read_stops_them_until_it_can(store: Store) {
    let feed = MemoryFeed::new(history(65, 300).log);
    let rig = Rig::new(store).await;
    feed.break_off(true);
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    for name in rig.views.names() {
        assert_eq!(rig.views.reached(name, 300, LONG).await, Err(NotReached::Stopped));
        let standing = rig.views.progress(name).unwrap().borrow().standing.clone();
        let Standing::Stopped { position: 1, problem, unread: true } = standing else { panic!() };
        assert!(problem.contains("as ordered"), "{problem}");
    }
    // Put right, it goes on without anybody's help.
    feed.break_off(false);
    for name in rig.views.names() {
        let mut progress = rig.views.progress(name).unwrap();
        let there = progress.wait_for(|progress| progress.checkpoint == 300);
        tokio::time::timeout(LONG, there).await.expect("in time").unwrap();
    }
    engine.stop().await;
}

/// The inner read model on a disk that is full for so many transactions, of which the last only fails: SQLite
/// undoes the former by itself, and the latter is for the driver to undo.
struct Filling {
    inner: Arc<dyn Projection>,
    full: Arc<AtomicUsize>,
}

struct FillingFold {
    inner: Box<dyn Fold>,
    full: Arc<AtomicUsize>,
}

impl Projection for Filling {
    fn name(&self) -> &'static str {
        self.inner.name()
    }
    fn shape(&self) -> u32 {
        self.inner.shape()
    }
    fn tables(&self) -> &'static [&'static str] {
        self.inner.tables()
    }
    fn schema(&self) -> &'static str {
        self.inner.schema()
    }
    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        let inner = self.inner.begin(views, generation);
        Box::new(FillingFold { inner, full: self.full.clone() })
    }
}

#[async_trait]
impl Fold for FillingFold {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        self.inner.absorb(batch).await
    }

    fn changed_matches(&self) -> usize {
        self.inner.changed_matches()
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        self.inner.flush(tx).await?;
        let full = &self.full;
        let full = full.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        if full.is_ok_and(|left| left > 1) {
            tx.execute("CREATE TABLE IF NOT EXISTS filler (x)").await?;
        }
        // No more than there is, or as much as there can be.
        let most = if full.is_ok_and(|left| left > 1) { "1" } else { "4294967294" };
        tx.execute(format!("PRAGMA max_page_count = {most}").as_str()).await?;
        match full {
            Ok(1) => Err(sqlx::Error::WorkerCrashed.into()),
            Ok(_) => {
                // Nothing that it could undo alone: it undoes the whole transaction.
                tx.execute("INSERT INTO filler VALUES (zeroblob(1000000))").await?;
                Ok(())
            }
            Err(_) => Ok(()),
        }
    }
}

#[tokio::test]
async fn a_full_disk_is_named_and_passes() {
    let feed = MemoryFeed::new(history(66, 700).log);
    let full = Arc::new(AtomicUsize::new(0));
    let all = models::all().into_iter();
    let all =
        all.map(|inner| -> Arc<dyn Projection> { Arc::new(Filling { inner, full: full.clone() }) });
    let rig = Rig::with(Store::Sqlite, all.collect()).await;
    feed.show(300);
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    let all_there = async |position| {
        for name in rig.views.names() {
            rig.views.reached(name, position, LONG).await.unwrap();
        }
    };
    all_there(300).await;
    for times in 2..=4 {
        full.store(times, Ordering::SeqCst);
        for left in (1..=times).rev() {
            let told = rebuild(&rig.views, feed.clone(), &["lobby"], |_| {}).await.remove(0);
            let told = told.unwrap_err().to_string();
            let cause = if left > 1 { "disk is full" } else { "crashed" };
            assert!(told.contains(cause), "{told}");
        }
        let done = rebuild(&rig.views, feed.clone(), &["lobby"], |_| {}).await.remove(0).unwrap();
        assert_eq!(done.same, Some(true));
        // The live worker finds itself fenced out, gives its transaction up, and takes the new generation over.
        let position = 300 + 100 * times as u64;
        feed.show(position);
        all_there(position).await;
    }
    engine.stop().await;
    let fresh = Rig::new(Store::Sqlite).await;
    fresh.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}

pub(super) async fn an_event_that_one_cannot_take_in_stops_that_one_alone(store: Store) {
    let world = history(63, 1_200);
    let feed = MemoryFeed::new(world.log.clone());
    let none = Arc::default();
    let rig = Rig::with(store, faulty(&none, Some(("lobby", 700)))).await;
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    for name in ["match_views", "match_actions", "deadlines"] {
        rig.views.reached(name, 1_200, LONG).await.unwrap();
    }
    let waited = rig.views.reached("lobby", 1_200, LONG).await;
    assert_eq!(waited, Err(NotReached::Stopped));
    let progress = rig.views.progress("lobby").unwrap().borrow().clone();
    assert_eq!(progress.checkpoint, 699, "everything before it is in the rows");
    assert!(matches!(progress.standing, Standing::Stopped { position: 700, .. }));
    // A rebuild with the same program stands at the same event and leaves what is served alone.
    let rows = rig.views.rows("lobby").await.unwrap();
    for answer in rebuild(&rig.views, feed.clone(), &["lobby"], |_| {}).await {
        assert!(matches!(answer.unwrap_err().fault, Fault::Poison { position: 700, .. }));
    }
    assert_eq!(rig.views.rows("lobby").await.unwrap(), rows);
    engine.stop().await;
    // A program that can take it in goes on from there.
    let rig = rig.restart(models::all()).await;
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    rig.views.reached("lobby", 1_200, LONG).await.unwrap();
    engine.stop().await;
    let fresh = Rig::new(store).await;
    fresh.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}

pub(super) async fn an_unreadable_event_stops_before_it(store: Store) {
    let world = history(64, 500);
    let feed = MemoryFeed::new(poisoned(world.log.clone(), 321));
    let rig = Rig::new(store).await;
    for name in rig.views.names() {
        let mut projector = rig.projector(name, &feed).await;
        let fault = run(&mut projector, 5_000).await.unwrap_err();
        assert!(matches!(fault, Fault::Poison { position: 321, .. }), "{fault}");
        assert_eq!(projector.checkpoint(), 320);
    }
    let cut = MemoryFeed::new(world.log);
    cut.show(320);
    let fresh = Rig::new(store).await;
    fresh.catch_up_all(&cut).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}

pub(super) async fn a_worker_that_was_taken_over_writes_nothing(store: Store) {
    let world = history(65, 900);
    let feed = MemoryFeed::new(world.log);
    let rig = Rig::new(store).await;
    let mut old = rig.projector("match_actions", &feed).await;
    old.step(300).await.unwrap();
    let mut new = rig.projector("match_actions", &feed).await;
    assert!(matches!(old.step(300).await, Err(Fault::Fenced)));
    run(&mut new, 300).await.unwrap();
    assert!(matches!(old.step(300).await, Err(Fault::Fenced)));
    let fresh = Rig::new(store).await;
    fresh.catch_up("match_actions", &feed, 900).await;
    let rows = [&rig, &fresh].map(|rig| rig.views.clone());
    assert_eq!(
        rows[0].rows("match_actions").await.unwrap(),
        rows[1].rows("match_actions").await.unwrap()
    );
}

pub(super) async fn a_stream_with_a_hole_is_not_guessed_over(store: Store) {
    let world = history(66, 600);
    let mut log = world.log;
    let hole = log.iter().rposition(|fed| fed.version == 9).unwrap();
    log.remove(hole);
    let feed = MemoryFeed::new(log);
    let rig = Rig::new(store).await;
    for name in ["match_views", "lobby"] {
        let mut projector = rig.projector(name, &feed).await;
        assert!(matches!(run(&mut projector, 50).await, Err(Fault::Poison { .. })));
    }
}
