//! Several nodes on one database: what one wrote, the others judge by; opening and reopening; clocks.

use super::fixture::{DAWN, Fixture, memo, player, postgres_at};
use async_trait::async_trait;
use futures_util::future::join_all;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use yibu_domain::kernel::{Claim, Counter, DEFAULT_LIMIT, Span, Time};
use yibu_infrastructure::log::port::{AppendError, Commit, EventLog as _, Expected, Receipt};
use yibu_infrastructure::log::{OpenError, PostgresLog, StoreConfig, open};
use yibu_infrastructure::system::{Clock, Entropy, ManualClock, SystemClock};
use yibu_tests::postgres::Cluster;

/// How long a node may take to hear of another's commit.
const PATIENCE: Duration = Duration::from_secs(20);

async fn nodes() -> (Fixture, Fixture) {
    let url = Cluster::shared().database();
    // Both make the tables at once.
    futures_util::join!(postgres_at(&url), postgres_at(&url))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn claims_are_exact_across_nodes() {
    let (a, b) = nodes().await;
    let claims = || {
        let take = Claim::Take { counter: Counter::Full, player: player(1) };
        vec![take, Claim::Room { counter: Counter::Takeover, player: player(1) }]
    };
    let takes = (0..40).map(|n| {
        let node = if n % 2 == 0 { &a } else { &b };
        node.append(node.claiming(&format!("match-{n}"), claims()))
    });
    let outcomes = join_all(takes).await;
    let granted = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(granted, DEFAULT_LIMIT as usize);
    let full = AppendError::LimitReached { counter: Counter::Full };
    assert!(outcomes.into_iter().filter_map(Result::err).all(|error| error == full));
    for node in [&a, &b] {
        let count = node.log.count(Counter::Full, player(1)).await;
        assert_eq!(count, Ok((DEFAULT_LIMIT, DEFAULT_LIMIT)));
    }
    // A limit and a key of one node bind the other at once.
    let lower = vec![Claim::Limit { counter: Counter::Takeover, most: 0 }];
    a.append(a.claiming("site", [lower, vec![Claim::Unique { key: "k".to_owned() }]].concat()))
        .await
        .unwrap();
    let room = Claim::Room { counter: Counter::Takeover, player: player(2) };
    let refused = b.append(b.claiming("match-a", vec![room])).await;
    assert_eq!(refused, Err(AppendError::LimitReached { counter: Counter::Takeover }));
    let taken = b.append(b.claiming("match-a", vec![Claim::Unique { key: "k".to_owned() }])).await;
    assert_eq!(taken, Err(AppendError::Taken { key: "k".to_owned() }));
    assert_eq!(a.log.claims().await, b.log.claims().await);
}

#[tokio::test]
async fn versions_and_commands_are_known_across_nodes() {
    let (a, b) = nodes().await;
    let put = async |node: &Fixture, expected| node.append(node.commit("match-a", expected)).await;
    let clash = |actual| Err(AppendError::Conflict { stream: "match-a".to_owned(), actual });
    // In turn, so that each node's memory of the stream is always one behind.
    for version in 0..6 {
        let (one, two) = if version % 2 == 0 { (&a, &b) } else { (&b, &a) };
        let receipt = Receipt { position: version + 1, version: version + 1 };
        assert_eq!(put(one, Expected::Exact(version)).await, Ok(receipt));
        assert_eq!(put(two, Expected::Exact(version)).await, clash(version + 1));
    }
    let first = Commit { memo: Some(memo(1, 1)), ..a.commit("match-b", Expected::None) };
    assert_eq!(a.append(first).await, Ok(Receipt { position: 7, version: 1 }));
    let again = Commit { memo: Some(memo(1, 1)), ..b.commit("match-c", Expected::None) };
    let found = b.log.find_command(player(1), memo(1, 1).id).await.unwrap().unwrap();
    assert_eq!((found.stream.as_str(), found.position), ("match-b", 7));
    assert_eq!(b.append(again).await, Err(AppendError::Repeated(Box::new(found))));
    a.log.beat("a", DAWN + Span(9)).await.unwrap();
    assert_eq!(b.log.last_beat().await, Ok(Some(DAWN + Span(9))));
}

#[tokio::test]
async fn nodes_wake_each_other() {
    let (a, b) = nodes().await;
    let mut changes = b.log.changes();
    for n in 1..=5 {
        a.append(a.commit("match-a", Expected::Any)).await.unwrap();
        let woken = tokio::time::timeout(PATIENCE, changes.wait_for(|position| *position >= n));
        assert_eq!(*woken.await.expect("it is told").unwrap(), n);
    }
}

#[tokio::test]
async fn everything_is_there_after_a_reopening() {
    let url = Cluster::shared().database();
    let node = postgres_at(&url).await;
    let claims = vec![
        Claim::Take { counter: Counter::Full, player: player(1) },
        Claim::Unique { key: "k".to_owned() },
        Claim::Limit { counter: Counter::Takeover, most: 9 },
    ];
    let commit = Commit { memo: Some(memo(1, 1)), ..node.claiming("match-a", claims) };
    node.append(commit).await.unwrap();
    for n in 0..30 {
        node.append(node.commit(&format!("match-{n}"), Expected::None)).await.unwrap();
    }
    node.log.beat("node-a", DAWN + Span(7)).await.unwrap();
    let (events, head) = (node.everything().await, node.log.head().await.unwrap());
    let (claims, memo_id) = (node.log.claims().await, memo(1, 1).id);
    let remembered = node.log.find_command(player(1), memo_id).await;
    node.log.close().await;
    assert!(node.log.beat("node-a", DAWN + Span(8)).await.is_err());

    let again = postgres_at(&url).await;
    assert_eq!(again.everything().await, events);
    assert_eq!(again.log.head().await, Ok(head));
    assert_eq!(*again.log.changes().borrow(), head.position);
    assert_eq!(again.log.claims().await, claims);
    assert_eq!(again.log.last_beat().await, Ok(Some(DAWN + Span(7))));
    assert!(matches!(&remembered, Ok(Some(_))));
    assert_eq!(again.log.find_command(player(1), memo_id).await, remembered);
    let next = again.append(again.commit("match-a", Expected::Exact(1))).await;
    assert_eq!(next, Ok(Receipt { position: head.position + 1, version: 2 }));
}

#[tokio::test]
async fn old_memos_are_pruned() {
    let url = Cluster::shared().database();
    let node = postgres_at(&url).await;
    let database = url.split('/').next_back().unwrap().split('?').next().unwrap().to_owned();
    let memos = || Cluster::shared().psql(&database, "SELECT count(*) FROM log_memos");
    let send = async |from: u128| {
        let all = (from..from + 1_100).map(|n| {
            let commit = node.commit(&format!("match-{n}"), Expected::Any);
            node.append(Commit { memo: Some(memo(1, n)), ..commit })
        });
        assert!(join_all(all).await.iter().all(Result::is_ok));
    };
    send(0).await;
    assert_eq!(memos(), "1100");
    node.clock.advance(Span::hours(24 * 8));
    send(10_000).await;
    // The commands of before are gone as soon as enough new ones came.
    send(20_000).await;
    assert_eq!(memos(), "2200");
}

/// The world's time, and a little more.
struct Shifted(SystemClock, Span);

#[async_trait]
impl Clock for Shifted {
    fn now(&self) -> Time {
        self.0.now() + self.1
    }

    async fn until(&self, at: Time) {
        self.0.until(at - self.1).await;
    }

    fn is_system(&self) -> bool {
        true
    }
}

/// The world's time, which somebody sets forward and back.
#[derive(Default)]
struct Jumping(AtomicI64);

#[async_trait]
impl Clock for Jumping {
    fn now(&self) -> Time {
        SystemClock::new().now() + Span(self.0.load(Ordering::SeqCst))
    }

    async fn until(&self, at: Time) {
        SystemClock::new().until(at).await;
    }

    fn is_system(&self) -> bool {
        true
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_by_a_clock_that_is_hours_off() {
    let url = Cluster::shared().database();
    let other = postgres_at(&url).await;
    let clock = Arc::new(Jumping::default());
    let shown: Arc<dyn Clock> = clock.clone();
    let log = PostgresLog::open(&url, 2, shown, Entropy::seeded(1)).await.unwrap();
    let put = async |stream: &str| log.append(other.commit(stream, Expected::Any)).await;
    for hours in [17, -17] {
        // Twice: the second goes the short way.
        for stream in ["match-a", "player-a"] {
            put(stream).await.unwrap();
        }
        let before = log.head().await.unwrap();
        clock.0.store(Span::hours(hours).0, Ordering::SeqCst);
        for stream in ["match-a", "player-a", "site"] {
            let refused = put(stream).await.unwrap_err().to_string();
            assert!(refused.contains("apart: nothing is written by such a clock"), "{refused}");
        }
        assert_eq!(log.head().await.unwrap(), before);
        other.append(other.commit("match-b", Expected::Any)).await.unwrap();
        clock.0.store(0, Ordering::SeqCst);
    }
    put("match-a").await.unwrap();
    log.close().await;
}

#[tokio::test]
async fn a_node_whose_clock_is_off_does_not_open() {
    let url = Cluster::shared().database();
    let open =
        async |clock: Arc<dyn Clock>| PostgresLog::open(&url, 2, clock, Entropy::seeded(1)).await;
    for shift in [60_000, -60_000] {
        let off = Arc::new(Shifted(SystemClock::new(), Span(shift)));
        let refused = open(off).await.map(drop).unwrap_err();
        assert!(refused.to_string().contains("time servers"), "{refused}");
        let OpenError::Skewed { skew, .. } = refused else { panic!("{refused}") };
        assert!((skew.0 + shift).abs() < 5_000, "{skew:?} where {shift} was expected");
    }
    let log = open(Arc::new(SystemClock::new())).await.unwrap();
    assert!(log.skew().await.unwrap().0.abs() < 5_000);
    log.close().await;
    let log = open(Arc::new(ManualClock::at(DAWN))).await.unwrap();
    assert_eq!(log.skew().await, Ok(Span(0)));
}

#[tokio::test]
async fn other_databases_are_refused_in_words() {
    let url = Cluster::shared().database();
    let database = url.split('/').next_back().unwrap().split('?').next().unwrap().to_owned();
    let opened = async |url: &str| {
        let store = StoreConfig::Postgres { url: url.to_owned(), connections: 2, archive: None };
        let clock = Arc::new(ManualClock::at(DAWN));
        open(store, clock, Entropy::seeded(1)).await.map(drop)
    };
    opened(&url).await.unwrap();
    let sql = |sql: &str| Cluster::shared().psql(&database, sql);
    sql("INSERT INTO log_schema (step) VALUES (99)");
    assert!(matches!(opened(&url).await, Err(OpenError::TooNew { found: 99, known: 1 })));
    sql("DELETE FROM log_schema WHERE step = 99; UPDATE log_head SET position = 3");
    assert!(matches!(opened(&url).await, Err(OpenError::Damaged(_))));
    sql("UPDATE log_head SET position = 0");
    opened(&url).await.unwrap();

    let secret = "postgres://yibu:pass-word@localhost:1/nothing";
    let store = StoreConfig::Postgres { url: secret.to_owned(), connections: 1, archive: None };
    let unreachable = opened(secret).await.unwrap_err();
    let malformed = opened("postgres://yibu:pass-word@host:port-word/x").await.unwrap_err();
    assert!(matches!(malformed, OpenError::NotAUrl));
    for told in [
        format!("{unreachable} {unreachable:?}"),
        format!("{malformed} {malformed:?}"),
        format!("{store:?}"),
    ] {
        assert!(!told.contains("pass-word") && !told.contains("port-word"), "{told}");
    }
}
