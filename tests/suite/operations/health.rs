//! Ready or not, and why: each ailment by making it.

use serde_json::{Value, json};
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::Clock as _;
use yibu_tests::app::TestApp;

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
    app.outages().beat().await.unwrap();
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
