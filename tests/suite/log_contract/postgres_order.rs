//! The one order of a log that several nodes write: a reader that goes on from the last position misses
//! nothing. The control shows what an identity column does to the same reader.

use super::fixture::{Fixture, postgres_at};
use futures_util::future::join_all;
use sqlx::{Connection, PgConnection, Row};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use yibu_infrastructure::log::chain::Roller;
use yibu_infrastructure::log::port::Expected;
use yibu_tests::postgres::Cluster;

const WRITERS: usize = 32;
const NODES: usize = 4;
const EACH: usize = 15;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_follower_misses_nothing_of_many_writers() {
    let url = Cluster::shared().database();
    let nodes: Arc<Vec<Fixture>> = Arc::new(join_all((0..NODES).map(|_| postgres_at(&url))).await);
    let total = WRITERS * (0..EACH).map(|n| 1 + n % 3).sum::<usize>();
    let written = Arc::new(AtomicUsize::new(0));

    let writers = (0..WRITERS).map(|writer| {
        let (nodes, written) = (Arc::clone(&nodes), Arc::clone(&written));
        tokio::spawn(async move {
            let node = &nodes[writer % NODES];
            for n in 0..EACH {
                let stream = format!("match-{}", (writer + n) % 12);
                let commit = node.commit_of(&stream, Expected::Any, 1 + n % 3);
                node.append(commit).await.unwrap();
                written.fetch_add(1 + n % 3, Ordering::Relaxed);
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    let aborting = tokio::spawn({
        let (url, written) = (url.clone(), Arc::clone(&written));
        async move {
            let mut aborted = 0;
            let mut connection = PgConnection::connect(&url).await.unwrap();
            while written.load(Ordering::Relaxed) < total {
                abort(&mut connection).await;
                aborted += 1;
            }
            aborted
        }
    });
    // Follows on a node that does not write at all.
    let reader = postgres_at(&url).await;
    let mut seen = Vec::new();
    while seen.len() < total {
        let page = reader.log.read_all(seen.len() as u64, 100).await.unwrap();
        for (event, position) in page.iter().zip(seen.len() as u64 + 1..) {
            assert_eq!(event.position, position, "no gap, and nothing that comes late");
        }
        seen.extend(page);
        tokio::task::yield_now().await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert!(aborting.await.unwrap() > 0, "a transaction was undone among them");
    assert_eq!(seen, reader.everything().await);
    let mut roller = Roller::new();
    seen.iter().for_each(|event| roller.push(event).unwrap());
    assert_eq!(roller.head(), reader.log.head().await.unwrap());
}

/// Takes the head row, writes an event at the next position, and undoes it.
async fn abort(connection: &mut PgConnection) {
    let mut transaction = connection.begin().await.unwrap();
    let head = sqlx::query("SELECT position FROM log_head FOR UPDATE");
    let head: i64 = head.fetch_one(&mut *transaction).await.unwrap().get(0);
    let event = "INSERT INTO events VALUES \
         ('match', 'undone', 1, 'test.happened.v1', '1', '{}', '{}', $1, 0, '', '')";
    sqlx::query(event).bind(head + 1).execute(&mut *transaction).await.unwrap();
    let moved = sqlx::query("UPDATE log_head SET position = $1").bind(head + 1);
    moved.execute(&mut *transaction).await.unwrap();
    transaction.rollback().await.unwrap();
}

/// The control: were positions given out by an identity column, the same reader would miss events, for they
/// are given out before the commit and become visible after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_naive_reader_of_an_identity_column_misses_events() {
    const ROUNDS: usize = 20;
    let url = Cluster::shared().database();
    let mut reader = PgConnection::connect(&url).await.unwrap();
    let table = "CREATE TABLE naive (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int)";
    sqlx::query(table).execute(&mut reader).await.unwrap();
    let (mut last, mut seen, mut total) = (0_i64, 0, 0);
    for _ in 0..ROUNDS {
        let writers = (0..WRITERS).map(|_| {
            let url = url.clone();
            tokio::spawn(async move {
                let mut connection = PgConnection::connect(&url).await.unwrap();
                for n in 0..EACH {
                    let mut transaction = connection.begin().await.unwrap();
                    let insert = sqlx::query("INSERT INTO naive (n) VALUES ($1)").bind(n as i32);
                    insert.execute(&mut *transaction).await.unwrap();
                    transaction.commit().await.unwrap();
                }
                connection.close().await.unwrap();
            })
        });
        let writers: Vec<_> = writers.collect();
        total += WRITERS * EACH;
        loop {
            let done = writers.iter().all(tokio::task::JoinHandle::is_finished);
            let page = sqlx::query_scalar("SELECT id FROM naive WHERE id > $1 ORDER BY id");
            let page: Vec<i64> = page.bind(last).fetch_all(&mut reader).await.unwrap();
            seen += page.len();
            last = page.last().copied().unwrap_or(last);
            if done {
                break;
            }
        }
        for writer in writers {
            writer.await.unwrap();
        }
        if seen < total {
            return;
        }
    }
    panic!("the naive reader saw all of {total} rows: the control shows nothing");
}
