//! Ready or not, and why: each ailment by making it.

use async_trait::async_trait;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use yibu_api::app::LogStore;
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;
use yibu_tests::postgres::Cluster;
use yibu_tests::table::Table;

/// Status and body of a path of the server's.
pub(super) async fn health(server: &TestApp, path: &str) -> (u16, Value) {
    let answer = reqwest::get(format!("http://{}/health/{path}", server.addr)).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "application/json");
    (answer.status().as_u16(), answer.json().await.unwrap())
}

fn not_ready(reason: &str) -> (u16, Value) {
    (503, json!({ "status": "not_ready", "reasons": [reason] }))
}

#[tokio::test]
async fn a_well_server_is_live_and_ready() {
    let server = TestApp::start().await;
    assert_eq!(health(&server, "live").await, (200, json!({ "status": "live", "reasons": [] })));
    assert_eq!(health(&server, "ready").await, (200, json!({ "status": "ready", "reasons": [] })));
}

#[tokio::test]
async fn too_little_space_is_a_reason() {
    let server = TestApp::with(|config| config.operations.health.least_free = u64::MAX).await;
    assert_eq!(health(&server, "ready").await, not_ready("disk_low"));
    assert_eq!(health(&server, "live").await.0, 200);
}

#[tokio::test]
async fn a_clock_behind_another_nodes_marks_is_a_reason() {
    let server = TestApp::start().await;
    let (app, now) = (server.app(), server.clock.now());
    app.log().beat("another", now + Span(100)).await.unwrap();
    app.outages().beat().await.unwrap();
    assert_eq!(health(&server, "ready").await.0, 200, "a little is no reason");
    app.log().beat("another", now + Span(101)).await.unwrap();
    assert!(app.outages().beat().await.is_err(), "who cannot serve marks nothing");
    assert_eq!(health(&server, "ready").await, not_ready("clock_skew"));
    server.clock.advance(Span(1000));
    assert_eq!(health(&server, "ready").await.0, 200);
}

#[tokio::test]
async fn a_log_that_takes_nothing_is_a_reason() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    server.app().log().close().await;
    assert!(server.app().outages().beat().await.is_err());
    assert_eq!(health(&server, "ready").await, not_ready("log_not_writable"));
}

/// Somebody holds the file longer than the writer waits: as with a full disk, the store takes nothing, and that
/// passes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_the_store_does_not_take_is_told_at_once_and_passes() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    let mut table = Table::started(&server, "full").await;
    let file = rusqlite::Connection::open(server.folder.path().join("log.db")).unwrap();
    file.execute_batch("BEGIN IMMEDIATE").unwrap();
    let view = table.view(&table.people[0]).await;
    let person = table.people[table.on_turn(&view)].clone();
    let skip = "mutation($input: SkipInput!) { skip(input: $input) { userErrors { code } } }";
    let input = json!({ "input": {
        "matchId": table.id, "idempotencyKey": person.key(), "expectedVersion": view["version"],
    } });
    let answer = person.send(skip, &input).await;
    let told = &answer["errors"][0]["extensions"];
    assert_eq!(
        (&told["code"], &told["retryAfter"]),
        (&json!("UNAVAILABLE"), &json!(2)),
        "{answer}"
    );
    assert_eq!(health(&server, "ready").await, not_ready("log_not_writable"));

    file.execute_batch("ROLLBACK").unwrap();
    assert_eq!(person.data(skip, &input).await["skip"]["userErrors"], json!([]));
    assert_eq!(health(&server, "ready").await.0, 200);
    table.ply().await;
}

/// The system's clock, off by as much as is wanted.
struct Off(SystemClock, AtomicI64);

#[async_trait]
impl Clock for Off {
    fn now(&self) -> Time {
        self.0.now() + Span(self.1.load(Ordering::SeqCst))
    }

    async fn until(&self, at: Time) {
        self.0.until(at - Span(self.1.load(Ordering::SeqCst))).await;
    }

    fn is_system(&self) -> bool {
        true
    }
}

#[tokio::test]
async fn a_clock_that_leaves_the_databases_is_a_reason() {
    let clock = Arc::new(Off(SystemClock::new(), AtomicI64::new(0)));
    let url = Cluster::shared().database();
    let server = TestApp::with(|config| {
        config.log = LogStore::Postgres { url, archive: Some(config.data.join("archive")) };
        config.clock = clock.clone();
        // Far more than it takes to ask, also on a busy machine.
        config.operations.health.most_skew = Span(20_000);
    })
    .await;
    assert_eq!(health(&server, "ready").await.0, 200);
    // Ahead: no mark of another node tells.
    clock.1.store(30_000, Ordering::SeqCst);
    assert!(server.app().outages().beat().await.is_err());
    assert_eq!(health(&server, "ready").await, not_ready("clock_skew"));
    // Nor does such a clock make an outage of what the database knows to be none, for every node.
    clock.1.store(3_600_000, Ordering::SeqCst);
    let head = server.app().log().head().await.unwrap();
    assert!(server.app().outages().beat().await.is_err());
    assert_eq!(server.app().log().head().await.unwrap(), head);
    let marked = server.app().log().last_beat().await.unwrap().unwrap();
    assert!(marked < clock.now() - Span(1_800_000));
}

#[tokio::test]
async fn a_clock_that_was_set_back_is_told_and_commands_are_refused() {
    let server = TestApp::with(|config| {
        config.log = LogStore::Sqlite;
        config.operations.ops = Some(([127, 0, 0, 1], 0).into());
    })
    .await;
    let me = server.player("standing").await;
    server.clock.set_back(Span::hours(1));
    assert_eq!(health(&server, "ready").await, not_ready("clock_skew"));
    let figures = reqwest::get(format!("http://{}/metrics", server.ops())).await.unwrap();
    let figures = figures.text().await.unwrap();
    let behind = figures.lines().find(|line| line.starts_with("yibu_clock_behind_seconds "));
    assert_eq!(behind, Some("yibu_clock_behind_seconds 3600"));
    let new =
        "mutation($input: MatchNewGameInput!) { matchNewGame(input: $input) { match { id } } }";
    let input = json!({ "input": { "idempotencyKey": me.key() } });
    let answer = me.send(new, &input).await;
    let told = &answer["errors"][0]["extensions"];
    assert_eq!((&told["code"], &told["retryAfter"]), (&json!("UNAVAILABLE"), &json!(2)));

    server.clock.advance(Span::hours(1));
    assert_eq!(health(&server, "ready").await.0, 200);
    me.data(new, &input).await;
}

#[tokio::test]
async fn a_server_whose_clock_is_behind_its_log_starts_and_takes_nothing() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    let (now, me) = (server.clock.now(), server.player("early").await);
    server.clock.advance(Span::hours(16));
    server.app().outages().beat().await.unwrap();
    server.stop().await;
    let clock = ManualClock::at(now + Span::seconds(8));
    let folder = std::mem::replace(&mut server.folder, tempfile::tempdir().unwrap());
    let server = TestApp::over(folder, LogStore::Sqlite, clock).await;
    assert_eq!(health(&server, "ready").await, not_ready("clock_skew"));
    let me = me.moved_to(server.addr);
    assert_eq!(me.data("{ lobby { openTables } }", &json!({})).await["lobby"]["openTables"], 0);
    let new =
        "mutation($input: MatchNewGameInput!) { matchNewGame(input: $input) { match { id } } }";
    let input = json!({ "input": { "idempotencyKey": me.key() } });
    let told = me.send(new, &input).await;
    assert_eq!(told["errors"][0]["extensions"]["code"], "UNAVAILABLE");
}
