//! The primary PostgreSQL dies under load and its standby takes its place. With a synchronous standby nothing
//! that was acknowledged is lost, and commands in doubt are settled by their keys. The control is the same
//! with an asynchronous standby that has fallen behind: there acknowledged commands are lost, and the test
//! sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, CommandId, PlayerId, Time};
use yibu_infrastructure::log::port::{
    AppendError, Commit, EventLog, Expected, Memo, NewEvent, Stamp,
};
use yibu_infrastructure::log::{StoreConfig, open};
use yibu_infrastructure::system::{Entropy, SystemClock};
use yibu_tests::postgres::{Cluster, Settings};

/// Who writes at the same time.
const WRITERS: u64 = 16;
/// So many commands are acknowledged before the primary dies.
const ENOUGH: u64 = 400;
const NAME: &str = "second";

/// A command as its sender knows it.
#[derive(Clone)]
struct Sent {
    account: PlayerId,
    id: CommandId,
}

/// What became of the load.
#[derive(Default)]
struct Told {
    acknowledged: Vec<Sent>,
    doubtful: Vec<Sent>,
}

async fn log_at(url: String) -> Arc<dyn EventLog> {
    let store = StoreConfig::Postgres { url, connections: 8, archive: None };
    let entropy = Entropy::system().unwrap();
    open(store, Arc::new(SystemClock::new()), entropy).await.unwrap()
}

fn commit(entropy: &Entropy, sent: &Sent) -> Commit {
    Commit {
        stream: format!("player-{}", sent.account.0),
        expected: Expected::Any,
        events: vec![NewEvent {
            id: entropy.event_id(),
            name: "test.happened.v1",
            payload: r#"{"n":1}"#.to_owned(),
        }],
        stamp: Stamp {
            at: Time(1_800_000_000_000),
            actor: Actor::Player(sent.account),
            command: "try".to_owned(),
            command_id: Some(sent.id),
            correlation: entropy.uuid(),
            causation: None,
            node: "node-a".to_owned(),
            build: "0.1.0".to_owned(),
        },
        claims: Vec::new(),
        memo: Some(memo(sent)),
    }
}

fn memo(sent: &Sent) -> Memo {
    Memo { account: sent.account, id: sent.id, input: [1; 32], result: "OK".to_owned() }
}

/// Writers send commands until one fails; every answer is noted. `after` is done once, when enough were
/// acknowledged.
async fn load(log: &Arc<dyn EventLog>, after: impl FnOnce()) -> Told {
    let (count, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut writers = JoinSet::new();
    for writer in 1..=WRITERS {
        let (log, count, stop) = (Arc::clone(log), Arc::clone(&count), Arc::clone(&stop));
        let entropy = Entropy::system().unwrap();
        writers.spawn(async move {
            let mut told = Told::default();
            let account = PlayerId(Uuid::from_u128(u128::from(writer)));
            while !stop.load(Ordering::SeqCst) {
                let sent = Sent { account, id: CommandId(entropy.uuid()) };
                match log.append(commit(&entropy, &sent)).await {
                    Ok(_) => {
                        count.fetch_add(1, Ordering::SeqCst);
                        told.acknowledged.push(sent);
                    }
                    Err(AppendError::Unreachable(_) | AppendError::Fault(_)) => {
                        stop.store(true, Ordering::SeqCst);
                        told.doubtful.push(sent);
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            told
        });
    }
    while count.load(Ordering::SeqCst) < ENOUGH {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    after();
    let mut told = Told::default();
    for one in writers.join_all().await {
        told.acknowledged.extend(one.acknowledged);
        told.doubtful.extend(one.doubtful);
    }
    told
}

async fn lost(log: &dyn EventLog, told: &Told) -> usize {
    let mut lost = 0;
    for sent in &told.acknowledged {
        lost += usize::from(log.find_command(sent.account, sent.id).await.unwrap().is_none());
    }
    lost
}

fn primary(synchronous: bool) -> Cluster {
    let mut lines = vec!["max_connections = 100".to_owned()];
    if synchronous {
        lines.push(format!("synchronous_standby_names = '{NAME}'"));
    }
    Cluster::start(&Settings { lines, ..Settings::default() })
}

/// A commit waits for its standby: it has to be there before the first.
fn standby(primary: &Cluster) -> Cluster {
    let standby = Cluster::standby_of(primary, NAME, &Settings::default());
    let streams = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
    for _ in 0..600 {
        if primary.psql("postgres", streams) == "1" {
            return standby;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the standby does not follow:\n{}", standby.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_synchronous_standby_loses_nothing_acknowledged() {
    let primary = primary(false);
    // The database is made before commits wait for the standby.
    let url = primary.database();
    let database = url.split(['/', '?']).nth(3).unwrap().to_owned();
    let standby = standby(&primary);
    let sync = format!("ALTER SYSTEM SET synchronous_standby_names = '{NAME}'");
    primary.psql("postgres", &sync);
    primary.psql("postgres", "SELECT pg_reload_conf()");
    let waits = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    while primary.psql("postgres", waits) != "1" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    let log = log_at(url).await;
    let told = load(&log, || primary.crash()).await;
    assert!(told.acknowledged.len() as u64 >= ENOUGH);
    drop(log);

    standby.promote();
    let log = log_at(standby.url(&database)).await;
    assert_eq!(lost(log.as_ref(), &told).await, 0, "of {}", told.acknowledged.len());

    // Who is in doubt asks again with the same key: done once, whichever it was.
    let entropy = Entropy::system().unwrap();
    for sent in &told.doubtful {
        let before = log.find_command(sent.account, sent.id).await.unwrap();
        let again = log.append(commit(&entropy, sent)).await;
        match (before, again) {
            (Some(known), Err(AppendError::Repeated(told))) => assert_eq!(*told, known),
            (None, Ok(_)) => {}
            (before, again) => panic!("{before:?}, then {again:?}"),
        }
    }
    let all = told.acknowledged.iter().chain(&told.doubtful);
    let events = log.read_all(0, usize::MAX).await.unwrap();
    for sent in all {
        let found = events.iter().filter(|event| event.stamp.command_id == Some(sent.id));
        assert_eq!(found.count(), 1);
    }
    log.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_control_with_a_stalled_asynchronous_standby_loses_some() {
    let primary = primary(false);
    let url = primary.database();
    let database = url.split(['/', '?']).nth(3).unwrap().to_owned();
    let standby = standby(&primary);
    let log = log_at(url).await;
    // The tables reach the standby, then its receiver stands still.
    let told = load(&log, || {
        let caught_up = "SELECT count(*) FROM pg_stat_replication \
             WHERE replay_lsn >= pg_current_wal_lsn() - 16::numeric * 1024 * 1024";
        while primary.psql("postgres", caught_up) != "1" {
            std::thread::sleep(Duration::from_millis(20));
        }
        standby.psql("postgres", "ALTER SYSTEM SET primary_conninfo = ''");
        standby.psql("postgres", "SELECT pg_reload_conf()");
        while standby.psql("postgres", "SELECT count(*) FROM pg_stat_wal_receiver") != "0" {
            std::thread::sleep(Duration::from_millis(20));
        }
        // What is acknowledged from here on is on the primary alone.
        let at = primary.psql(&database, "SELECT position FROM log_head");
        let at: u64 = at.parse().expect("a position");
        while primary.psql(&database, "SELECT position FROM log_head").parse::<u64>().unwrap()
            < at + 50
        {
            std::thread::sleep(Duration::from_millis(20));
        }
        primary.crash();
    })
    .await;
    drop(log);

    standby.promote();
    let log = log_at(standby.url(&database)).await;
    let lost = lost(log.as_ref(), &told).await;
    assert!(lost > 0, "the test would not notice a loss: {} acknowledged", told.acknowledged.len());
    log.close().await;
}
