//! What a batch costs does not grow with what stands already: a plan that was made while the tables were empty
//! is kept for as long as the node runs, so that it must go by the keys from the first.

use super::fixture::{memo, player, postgres_at};
use sqlx::{Connection, PgConnection, Row};
use std::time::Duration;
use yibu_domain::kernel::{Claim, Counter};
use yibu_infrastructure::log::port::Commit;
use yibu_tests::postgres::Cluster;

const COMMITS: u128 = 60;

/// Tables that are looked into for every commit, and grow.
const GROWING: [&str; 4] = ["events", "log_memos", "log_claims_counted", "log_claims_unique"];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_batch_finds_what_it_asks_for_by_key_from_the_first() {
    let url = Cluster::shared().database();
    let node = postgres_at(&url).await;
    for n in 1..=COMMITS {
        let (counter, player) = (Counter::Full, player(n));
        let unique = Claim::Unique { key: format!("name-{n}") };
        let claims = vec![Claim::Take { counter, player }, unique];
        let commit = Commit { memo: Some(memo(n, n)), ..node.claiming("match-a", claims) };
        node.append(commit).await.unwrap();
        // The short way, too.
        let commit = Commit { memo: Some(memo(n, COMMITS + n)), ..node.claiming("match-a", vec![]) };
        node.append(commit).await.unwrap();
    }
    node.log.close().await;

    let mut reader = PgConnection::connect(&url).await.unwrap();
    // Sessions report what they did when they end.
    let told = async {
        loop {
            let seen = scans(&mut reader).await;
            if seen.iter().any(|(table, _, rows)| table == "events" && *rows >= 2 * COMMITS as i64) {
                return seen;
            }
            tokio::task::yield_now().await;
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(20), told).await.expect("it is told");
    for (table, read, _) in told {
        assert_eq!(read, 0, "rows of {table} that were read one after the other");
    }
}

/// Of each growing table: rows that were read by going through the whole of it, and rows that were put in.
async fn scans(reader: &mut PgConnection) -> Vec<(String, i64, i64)> {
    let sql = "SELECT relname::text, seq_tup_read, n_tup_ins FROM pg_stat_user_tables \
         WHERE relname = ANY($1)";
    let rows = sqlx::query(sql).bind(&GROWING[..]).fetch_all(reader).await.unwrap();
    assert_eq!(rows.len(), GROWING.len());
    rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
}
