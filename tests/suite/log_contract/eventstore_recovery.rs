//! What the log on an event store promises about its three steps (reserve, append, confirm): a crash between
//! them, a server that is silent, and several nodes at once leave each commit done once or not at all.

use super::fixture::{DAWN, Fixture, memo, player};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use yibu_domain::kernel::{Claim, Counter, PlayerId, Span};
use yibu_infrastructure::log::port::{AppendError, Commit, EventLog, Expected, ReadError};
use yibu_infrastructure::log::{ClaimTable, EventStoreLog, OpenError};
use yibu_infrastructure::system::{Entropy, ManualClock};
use yibu_tests::eventstore::{EventStore, Mishap, Point};
use yibu_tests::postgres::Cluster;

/// A server, a database for claims, and nodes on both.
struct House {
    server: EventStore,
    claims: String,
    clock: ManualClock,
    entropy: Entropy,
}

impl House {
    async fn new() -> Self {
        Self {
            server: EventStore::start().await,
            claims: Cluster::shared().database(),
            clock: ManualClock::at(DAWN),
            entropy: Entropy::seeded(2),
        }
    }

    async fn node(&self) -> Fixture {
        self.open().await.unwrap()
    }

    async fn open(&self) -> Result<Fixture, OpenError> {
        let clock = Arc::new(self.clock.clone());
        let (url, entropy) = (self.server.url(), self.entropy.clone());
        Ok(Fixture {
            log: Arc::new(EventStoreLog::open(&url, &self.claims, clock, entropy).await?),
            clock: self.clock.clone(),
            entropy: self.entropy.clone(),
            folder: tempfile::tempdir().unwrap(),
        })
    }

    /// Reservations that nobody has settled.
    async fn on_their_way(&self) -> i64 {
        let pool = sqlx::PgPool::connect(&self.claims).await.unwrap();
        let count = sqlx::query_scalar("SELECT count(*) FROM es_reservations");
        count.fetch_one(&pool).await.unwrap()
    }

    /// Starts a node, lets it send, and ends it when `done` is: with everything that it was about to do.
    async fn crash(&self, commits: Vec<Commit>, done: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (url, claims) = (self.server.url(), self.claims.clone());
        let (clock, entropy) = (Arc::new(self.clock.clone()), self.entropy.clone());
        let sending = runtime.spawn(async move {
            let log = EventStoreLog::open(&url, &claims, clock, entropy).await.unwrap();
            let log = Arc::new(log);
            for commit in commits {
                let log = Arc::clone(&log);
                tokio::spawn(async move { log.append(commit).await });
            }
            std::future::pending::<()>().await;
        });
        done.await;
        assert!(!sending.is_finished());
        let end = move || runtime.shutdown_timeout(Duration::from_secs(10));
        tokio::task::spawn_blocking(end).await.unwrap();
        self.server.holds_none().await;
    }
}

fn take(player: PlayerId) -> Claim {
    Claim::Take { counter: Counter::Full, player }
}

fn release(player: PlayerId) -> Claim {
    Claim::Release { counter: Counter::Full, player }
}

/// A commit with everything that can be reserved.
fn rich(fixture: &Fixture, stream: &str, n: u128) -> Commit {
    let key = Claim::Unique { key: format!("key/{n}") };
    let commit = fixture.claiming(stream, vec![take(player(1)), key]);
    Commit { expected: Expected::None, memo: Some(memo(1, n)), ..commit }
}

async fn held(fixture: &Fixture) -> u32 {
    fixture.log.count(Counter::Full, player(1)).await.unwrap().0
}

/// Polls a condition for a bounded time.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..600 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not within 12 s: {what}");
}

/// The commit stands once, with all that belongs to it.
async fn stands(house: &House, fixture: &Fixture, commit: &Commit) {
    let events = fixture.log.read_stream(&commit.stream, 0, 9).await.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].id, commit.events[0].id);
    let memo = commit.memo.as_ref().unwrap();
    let found = fixture.log.find_command(memo.account, memo.id).await.unwrap().unwrap();
    assert_eq!((found.version, found.position), (1, events[0].position));
    let again = fixture.append(commit.clone()).await;
    assert_eq!(again, Err(AppendError::Repeated(Box::new(found))));
    assert_eq!(house.on_their_way().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_crash_at_each_step_leaves_the_commit_done_once() {
    for crash in [Some(Point::BeforeStoring), Some(Point::AfterStoring), None] {
        let house = House::new().await;
        let first = house.node().await;
        let commit = rich(&first, "match-a", 1);
        let sent = vec![commit.clone()];
        if let Some(point) = crash {
            house.server.plan(point, Mishap::Hold, 1);
            house.crash(sent, house.server.holds(1)).await;
            house.server.let_go();
            assert_eq!(house.on_their_way().await, 1, "{crash:?}");
            assert_eq!(held(&first).await, 1, "what is reserved counts");
            let found = first.log.find_command(player(1), memo(1, 1).id).await.unwrap();
            assert_eq!(found, None, "nobody is told before it is sure");
        } else {
            let confirmed = until("it is confirmed", async || {
                first.log.find_command(player(1), memo(1, 1).id).await.unwrap().is_some()
            });
            house.crash(sent, confirmed).await;
        }
        let second = house.node().await;
        stands(&house, &second, &commit).await;
        assert_eq!(held(&second).await, 1);
        assert_eq!(second.log.claims().await.unwrap().unique.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_crashed_commit_that_lost_its_place_is_freed() {
    let house = House::new().await;
    let first = house.node().await;
    let lost = rich(&first, "match-a", 1);
    house.server.plan(Point::BeforeStoring, Mishap::Hold, 1);
    house.crash(vec![lost.clone()], house.server.holds(1)).await;
    house.server.let_go();

    first.append(first.commit("match-a", Expected::None)).await.unwrap();
    assert_eq!(held(&first).await, 1);
    let second = house.node().await;
    assert_eq!(second.log.claims().await.unwrap(), ClaimTable::default());
    assert_eq!(house.on_their_way().await, 0);
    assert_eq!(second.everything().await.len(), 1);
    // Its command id, its key and its count can be had by another.
    let again = Commit { expected: Expected::Exact(1), ..lost };
    assert_eq!(second.append(again).await.unwrap().version, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_append_that_still_flies_may_meet_its_recovery() {
    for passed in [false, true] {
        let house = House::new().await;
        let node = house.node().await;
        let commit = rich(&node, "match-a", 1);
        house.server.plan(Point::BeforeStoring, Mishap::Hold, 1);
        let sent = node.append(commit.clone());
        let meanwhile = async {
            house.server.holds(1).await;
            if passed {
                // While it flies, another takes its place.
                node.append(node.commit("match-a", Expected::None)).await.unwrap();
            }
            house.node().await;
            assert_eq!(house.on_their_way().await, 0);
            house.server.let_go();
        };
        let (told, ()) = futures_util::join!(sent, meanwhile);
        if passed {
            let stream = "match-a".to_owned();
            assert_eq!(told, Err(AppendError::Conflict { stream, actual: 1 }));
            assert_eq!(node.log.claims().await.unwrap(), ClaimTable::default());
        } else {
            assert_eq!(told.unwrap().version, 1);
            stands(&house, &node, &commit).await;
            assert_eq!(held(&node).await, 1);
        }
        assert_eq!(node.everything().await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nodes_that_recover_at_once_do_it_once() {
    let house = House::new().await;
    let first = house.node().await;
    let commits: Vec<_> = (0..5).map(|n| rich(&first, &format!("match-{n}"), n)).collect();
    for point in [Point::BeforeStoring, Point::AfterStoring] {
        let (sent, rest) = commits.split_at(3);
        let sent = if point == Point::BeforeStoring { sent } else { rest };
        house.server.plan(point, Mishap::Hold, sent.len());
        house.crash(sent.to_vec(), house.server.holds(sent.len())).await;
        house.server.let_go();
        let nodes = join_all((0..3).map(|_| house.node())).await;
        for commit in sent {
            stands(&house, &nodes[1], commit).await;
        }
    }
    assert_eq!(held(&first).await, 5);
    assert_eq!(first.everything().await.len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn limits_are_exact_with_commits_on_their_way() {
    let house = House::new().await;
    let (one, two) = (house.node().await, house.node().await);
    house.server.plan(Point::BeforeStoring, Mishap::Hold, 5);
    let sent = join_all((0..5).map(|n| one.append(rich(&one, &format!("match-{n}"), n))));
    let meanwhile = async {
        house.server.holds(5).await;
        let full = AppendError::LimitReached { counter: Counter::Full };
        assert_eq!(two.append(rich(&two, "match-9", 9)).await, Err(full));
        let taken = two.claiming("match-8", vec![Claim::Unique { key: "key/3".to_owned() }]);
        let key = "key/3".to_owned();
        assert_eq!(two.append(taken).await, Err(AppendError::Taken { key }));
        assert_eq!(held(&two).await, 5);
        assert!(two.everything().await.is_empty());
        house.server.let_go();
    };
    let (outcomes, ()) = futures_util::join!(sent, meanwhile);
    assert!(outcomes.iter().all(Result::is_ok));

    // What is given back is free once its commit is confirmed, not before.
    house.server.plan(Point::AfterStoring, Mishap::Hold, 1);
    let giving = one.append(one.claiming("match-0", vec![release(player(1))]));
    let meanwhile = async {
        house.server.holds(1).await;
        assert_eq!(held(&two).await, 5);
        house.server.let_go();
    };
    let (given, ()) = futures_util::join!(giving, meanwhile);
    given.unwrap();
    assert_eq!(held(&two).await, 4);
    two.append(rich(&two, "match-9", 9)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_answer_that_was_lost_is_asked_for_again() {
    let house = House::new().await;
    let node = house.node().await;
    for (n, point) in (0..).zip([Point::BeforeStoring, Point::AfterStoring]) {
        house.server.plan(point, Mishap::Cut, 2);
        let commit = rich(&node, &format!("match-{n}"), n);
        let receipt = node.append(commit.clone()).await.unwrap();
        let events = node.log.read_stream(&commit.stream, 0, 9).await.unwrap();
        assert_eq!((receipt.version, receipt.position), (1, events[0].position));
        stands(&house, &node, &commit).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_silent_server_leaves_a_commit_in_doubt_and_is_told_as_away_until_it_speaks() {
    let house = House::new().await;
    let node = house.node().await;
    let commit = rich(&node, "match-a", 1);
    house.server.plan(Point::AfterStoring, Mishap::Cut, 99);
    let doubt = node.append(commit.clone()).await;
    assert!(matches!(doubt, Err(AppendError::Unreachable(_))), "{doubt:?}");
    assert_eq!(house.on_their_way().await, 1);
    house.server.let_go();
    // Found by the node's own rounds, once it is old enough.
    house.clock.advance(Span::seconds(6));
    until("it is recovered", async || house.on_their_way().await == 0).await;
    stands(&house, &node, &commit).await;

    house.server.down().await;
    let lost = node.append(node.commit("match-b", Expected::None)).await;
    assert!(matches!(lost, Err(AppendError::Unreachable(_))), "{lost:?}");
    let away = [
        node.log.read_stream("match-a", 0, 9).await.map(drop),
        node.log.read_all(0, 9).await.map(drop),
        node.log.head().await.map(drop),
    ];
    for read in away {
        assert!(matches!(read, Err(ReadError::Unreachable(_))), "{read:?}");
    }
    house.server.up().await;
    node.append(node.commit("match-b", Expected::None)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_can_never_be_stored_is_freed() {
    let house = House::new().await;
    let node = house.node().await;
    for payload in ["not JSON".to_owned(), format!("\"{}\"", "long".repeat(300_000))] {
        let mut commit = rich(&node, "match-a", 1);
        commit.events[0].payload = payload;
        let told = node.append(commit).await;
        assert!(matches!(&told, Err(AppendError::Fault(told)) if told.len() < 200), "{told:?}");
        assert_eq!(house.on_their_way().await, 0);
        assert_eq!(node.log.claims().await.unwrap(), ClaimTable::default());
    }
    node.append(rich(&node, "match-a", 1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nodes_wake_each_other_and_agree_on_the_head() {
    let house = House::new().await;
    let (one, two) = (house.node().await, house.node().await);
    let mut changes = two.log.changes();
    for n in 1..=5 {
        let receipt = one.append(one.commit_of("match-a", Expected::Any, n)).await.unwrap();
        changes.wait_for(|position| *position >= receipt.position).await.unwrap();
    }
    let head = one.log.head().await.unwrap();
    assert_eq!(two.log.head().await.unwrap(), head);
    one.log.close().await;
    assert_eq!(house.node().await.log.head().await.unwrap(), head);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn servers_and_claims_that_do_not_belong_together_are_refused() {
    let house = House::new().await;
    let node = house.node().await;
    node.append(rich(&node, "match-a", 1)).await.unwrap();
    node.log.head().await.unwrap();
    node.log.close().await;
    let told = |opened: Result<Fixture, OpenError>| opened.map(drop).unwrap_err().to_string();

    let other = House { server: EventStore::start().await, claims: house.claims.clone(), ..house };
    assert!(told(other.open().await).contains("do not belong together"));
    let emptied = House { server: house.server, claims: Cluster::shared().database(), ..other };
    assert!(told(emptied.open().await).contains("restore it from its backup"));

    let clock = Arc::new(emptied.clock.clone());
    let url = "http://admin:secret@127.0.0.1:1";
    let opened = EventStoreLog::open(url, &emptied.claims, clock, emptied.entropy.clone()).await;
    let told = opened.map(drop).unwrap_err().to_string();
    assert!(told.contains("esdb://") && !told.contains("secret"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn who_only_reads_makes_nothing_and_commits_nothing() {
    let house = House::new().await;
    let (url, entropy) = (house.server.url(), house.entropy.clone());
    let read = async || {
        let clock = Arc::new(house.clock.clone());
        EventStoreLog::open_to_read(&url, &house.claims, clock, entropy.clone()).await
    };
    let pool = sqlx::PgPool::connect(&house.claims).await.unwrap();
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert!(matches!(read().await.map(drop), Err(OpenError::Empty(_))));
    assert_eq!(sqlx::query_scalar::<_, i64>(tables).fetch_one(&pool).await.unwrap(), 0);

    let node = house.node().await;
    node.append(rich(&node, "match-a", 1)).await.unwrap();
    let head = node.log.head().await.unwrap();
    let log = read().await.unwrap();
    assert_eq!(log.head().await.unwrap(), head);
    let refused = log.append(rich(&node, "match-a", 2)).await;
    assert!(matches!(refused, Err(AppendError::Fault(_))));
    log.close().await;
    node.log.close().await;
}
