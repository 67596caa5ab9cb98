//! Faults of the database: they fail the commits that they meet and no others, and nothing that was
//! acknowledged is lost.

use super::fixture::{DAWN, Fixture, memo, player, postgres_at};
use sqlx::{Connection, Executor as _, PgConnection};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use yibu_domain::kernel::{Claim, Counter};
use yibu_infrastructure::log::chain::{Roller, START, verify_stream};
use yibu_infrastructure::log::port::{AppendError, Commit, Expected, ReadError, Receipt};
use yibu_tests::postgres::{Cluster, Settings};

fn taking(fixture: &Fixture, n: u128, expected: Expected) -> Commit {
    let claims = vec![Claim::Take { counter: Counter::Full, player: player(1) }];
    Commit { expected, memo: Some(memo(1, n)), ..fixture.claiming("match-a", claims) }
}

#[tokio::test]
async fn a_fault_fails_its_commits_and_no_others() {
    let url = Cluster::shared().database();
    let database = url.split('/').next_back().unwrap().split('?').next().unwrap().to_owned();
    let sql = |sql: &str| Cluster::shared().psql(&database, sql);
    let node = postgres_at(&url).await;
    node.append(taking(&node, 1, Expected::None)).await.unwrap();

    // The last statement of a batch fails, after everything else was written.
    sql("ALTER TABLE log_head ADD CONSTRAINT stuck CHECK (position < 2)");
    for round in 2..=3 {
        let failed = node.append(taking(&node, round, Expected::Exact(1))).await;
        assert!(matches!(failed, Err(AppendError::Fault(_))));
        assert_eq!(node.log.head().await.unwrap().position, 1);
        assert_eq!(node.everything().await.len(), 1);
        assert_eq!(node.log.count(Counter::Full, player(1)).await.unwrap().0, 1);
        assert_eq!(node.log.find_command(player(1), memo(1, round).id).await, Ok(None));
    }
    sql("ALTER TABLE log_head DROP CONSTRAINT stuck");
    let next = Receipt { position: 2, version: 2 };
    assert_eq!(node.append(taking(&node, 2, Expected::Exact(1))).await, Ok(next));

    // Connections that an administrator ends, or a server that was started again: no batch notices.
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert_ne!(sql(end), "0");
    let next = Receipt { position: 3, version: 3 };
    assert_eq!(node.append(taking(&node, 3, Expected::Exact(2))).await, Ok(next));
    assert_eq!(node.everything().await.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restarted_server_costs_no_command_and_one_that_is_away_is_told_as_such() {
    let mut cluster = Cluster::start(&Settings::default());
    let node = postgres_at(&cluster.database()).await;
    node.append(taking(&node, 1, Expected::None)).await.unwrap();
    assert!(node.log.answers());
    cluster.end();
    cluster.restart();
    let next = Receipt { position: 2, version: 2 };
    assert_eq!(node.append(taking(&node, 2, Expected::Exact(1))).await, Ok(next));
    assert_eq!(node.log.read_all(0, 9).await.unwrap().len(), 2);

    cluster.end();
    let away = node.append(taking(&node, 3, Expected::Exact(2))).await;
    assert!(matches!(away, Err(AppendError::Unreachable(_))), "{away:?}");
    let read = node.log.head().await;
    assert!(matches!(read, Err(ReadError::Unreachable(_))), "{read:?}");
    let noticed = async {
        while node.log.answers() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), noticed).await.expect("it is noticed");
    cluster.restart();
    let next = Receipt { position: 3, version: 3 };
    assert_eq!(node.append(taking(&node, 3, Expected::Exact(2))).await, Ok(next));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_crash_loses_nothing_that_was_acknowledged() {
    const WRITERS: usize = 12;
    const CRASHES: usize = 3;
    // Not synced: the kernel outlives the server, and keeps what it was given.
    let mut cluster = Cluster::start(&Settings::default());
    let url = cluster.database();
    let nodes = Arc::new([postgres_at(&url).await, postgres_at(&url).await]);
    let stop = Arc::new(AtomicBool::new(false));

    let writers = (0..WRITERS).map(|writer| {
        let (nodes, stop) = (Arc::clone(&nodes), Arc::clone(&stop));
        tokio::spawn(async move {
            let node = &nodes[writer % 2];
            let (mut acknowledged, mut doubtful) = (Vec::new(), Vec::new());
            for n in 0_u128.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let memo = memo(writer as u128, n);
                let commit = node.commit_of(&format!("match-{writer}"), Expected::Any, 2);
                match node.append(Commit { memo: Some(memo.clone()), ..commit }).await {
                    Ok(receipt) => acknowledged.push((memo.id, receipt)),
                    Err(AppendError::Unreachable(_)) => doubtful.push(memo.id),
                    Err(other) => panic!("{other}"),
                }
            }
            (acknowledged, doubtful)
        })
    });
    let writers: Vec<_> = writers.collect();
    let mut changes = nodes[0].log.changes();
    for _ in 0..CRASHES {
        let before = *changes.borrow();
        changes.wait_for(|position| *position >= before + 100).await.unwrap();
        cluster.crash();
        cluster.restart();
    }
    let before = *changes.borrow();
    changes.wait_for(|position| *position >= before + 100).await.unwrap();
    stop.store(true, Ordering::Relaxed);

    let mut found = 0;
    let (mut settled, mut doubts) = (HashSet::new(), 0);
    for (writer, task) in writers.into_iter().enumerate() {
        let (acknowledged, doubtful) = task.await.unwrap();
        let account = player(writer as u128);
        for (id, receipt) in acknowledged {
            let known = nodes[0].log.find_command(account, id).await.unwrap().expect("it is there");
            assert_eq!((known.position, known.version), (receipt.position, receipt.version));
            found += 2;
        }
        doubts += doubtful.len();
        for id in doubtful {
            // What is in doubt is settled by its command: there as a whole, or not at all.
            if let Some(known) = nodes[1].log.find_command(account, id).await.unwrap() {
                assert!(settled.insert(known.position));
                found += 2;
            }
        }
    }
    assert!(doubts > 0, "somebody met a crash");
    let events = nodes[1].everything().await;
    assert_eq!(events.len(), found);
    let mut roller = Roller::new();
    events.iter().for_each(|event| roller.push(event).unwrap());
    assert_eq!(roller.head(), nodes[0].log.head().await.unwrap());
    assert_eq!(roller.head().position, found as u64, "no gap");
    for writer in 0..WRITERS {
        let stream = nodes[0].log.read_stream(&format!("match-{writer}"), 0, usize::MAX).await;
        verify_stream(START, 0, &stream.unwrap()).unwrap();
    }
}

/// To rebuild an index or to copy a table keeps commands out, but nobody from the head row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_no_command_could_be_written_no_node_marks_that_it_serves() {
    for table in ["events", "log_memos", "log_claims_counted", "log_claims_unique", "log_limits"] {
        let url = Cluster::shared().database();
        let node = postgres_at(&url).await;
        let mut other = PgConnection::connect(&url).await.unwrap();
        let lock = format!("BEGIN; LOCK TABLE {table} IN SHARE MODE");
        other.execute(lock.as_str()).await.unwrap();
        let log = Arc::clone(&node.log);
        let mark = tokio::spawn(async move { log.beat("node-a", DAWN).await });
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND \
             database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut other).await.unwrap() == 0 {
            assert!(!mark.is_finished(), "marked while {table} is held");
            tokio::task::yield_now().await;
        }
        assert_eq!(node.log.last_beat().await, Ok(None));
        other.execute("COMMIT").await.unwrap();
        mark.await.unwrap().unwrap();
        assert_eq!(node.log.last_beat().await, Ok(Some(DAWN)));
    }
}

/// What a database says for all its sessions is not for those of the log: each of these changed what was
/// written, or how it was read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_of_the_database_do_not_change_what_is_written() {
    for setting in [
        "standard_conforming_strings = off",
        "bytea_output = 'escape'",
        "default_transaction_isolation = 'serializable'",
        "DateStyle = 'German'",
        "IntervalStyle = 'sql_standard'",
        "lc_messages = 'C'",
        "plan_cache_mode = 'force_custom_plan'",
        "enable_nestloop = off",
        "backslash_quote = on",
        "escape_string_warning = off",
        "quote_all_identifiers = on",
        "array_nulls = off",
        "extra_float_digits = 0",
    ] {
        let url = Cluster::shared().database();
        let database = url.split('/').next_back().unwrap().split('?').next().unwrap().to_owned();
        Cluster::shared().psql(&database, &format!("ALTER DATABASE {database} SET {setting}"));
        let node = postgres_at(&url).await;
        // Both ways that a batch may go, and every first byte that a hash may have.
        for n in 1..=40 {
            let commit = taking(&node, n, Expected::Exact(u64::try_from(n).unwrap() - 1));
            let (counter, player) = (Counter::Full, player(1));
            let claims = match n % 4 {
                1 => commit.claims,
                3 => vec![Claim::Release { counter, player }],
                _ => Vec::new(),
            };
            let done = node.append(Commit { claims, ..commit }).await;
            assert!(done.is_ok(), "{setting}: {done:?}");
        }
        node.log.beat("node-a", DAWN).await.unwrap();
        node.log.close().await;
        let again = postgres_at(&url).await;
        let events = again.everything().await;
        let head = again.log.head().await.unwrap();
        let mut roller = Roller::new();
        events.iter().for_each(|event| roller.push(event).unwrap());
        assert_eq!((events.len(), roller.head()), (40, head), "{setting}");
        verify_stream(START, 0, &events).unwrap();
    }
}
