//! What a batch costs does not grow with what stands already. A plan that was made while the tables were empty,
//! or small when they were last analysed, is kept: it must go by the keys from the first.

use super::fixture::{memo, player, postgres_at};
use sqlx::postgres::PgRow;
use sqlx::{Connection, Executor as _, PgConnection, Row};
use std::time::Duration;
use yibu_domain::kernel::{Claim, Counter};
use yibu_infrastructure::log::port::Commit;
use yibu_tests::postgres::Cluster;

/// Commits before the tables are analysed, and after.
const FEW: u128 = 60;
const MANY: u128 = 300;

/// The most rows of a table that two commits of those below look at, on average.
const LOOKS: i64 = 8;

/// Tables that are looked into for every commit, and grow.
const GROWING: [&str; 4] = ["events", "log_memos", "log_claims_counted", "log_claims_unique"];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_batch_finds_what_it_asks_for_by_key_from_the_first() {
    let url = Cluster::shared().database();
    let node = postgres_at(&url).await;
    let mut reader = PgConnection::connect(&url).await.unwrap();
    for n in 1..=MANY {
        let (counter, player) = (Counter::Full, player(n));
        let unique = Claim::Unique { key: format!("name-{n}") };
        let claims = vec![Claim::Take { counter, player }, unique];
        let commit = Commit { memo: Some(memo(n, n)), ..node.claiming("match-a", claims) };
        node.append(commit).await.unwrap();
        // The short way, too.
        let commit = Commit { memo: Some(memo(n, MANY + n)), ..node.claiming("match-a", vec![]) };
        node.append(commit).await.unwrap();
        if n == FEW {
            reader.execute("ANALYZE").await.unwrap();
        }
    }
    node.log.close().await;

    // Sessions report what they did when they end.
    let told = async {
        loop {
            let seen = looks(&mut reader).await;
            if seen.iter().any(|looks| looks.table == "events" && looks.put >= 2 * MANY as i64) {
                return seen;
            }
            tokio::task::yield_now().await;
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(20), told).await.expect("it is told");
    for looks in told {
        assert_eq!(looks.passed, 0, "rows of {} that were read one after the other", looks.table);
        let most = LOOKS * MANY as i64;
        assert!(looks.found <= most, "{} rows of {} were looked at", looks.found, looks.table);
    }
}

/// What was done to a table.
struct Looks {
    table: String,
    /// Rows that were read by going through the whole of it.
    passed: i64,
    /// Rows that were read by an index.
    found: i64,
    /// Rows that were put in.
    put: i64,
}

/// Of each growing table.
async fn looks(reader: &mut PgConnection) -> Vec<Looks> {
    let sql = "SELECT relname::text, seq_tup_read, idx_tup_fetch, n_tup_ins \
         FROM pg_stat_user_tables WHERE relname = ANY($1)";
    let rows = sqlx::query(sql).bind(&GROWING[..]).fetch_all(reader).await.unwrap();
    assert_eq!(rows.len(), GROWING.len());
    let looks = |row: &PgRow| Looks {
        table: row.get(0),
        passed: row.get(1),
        found: row.get(2),
        put: row.get(3),
    };
    rows.iter().map(looks).collect()
}
