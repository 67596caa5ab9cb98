//! Ready or not, and why: each ailment by making it.

use async_trait::async_trait;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use yibu_api::app::LogStore;
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::system::{Clock, SystemClock};
use yibu_tests::app::TestApp;
use yibu_tests::postgres::Cluster;

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
    server.app().outages().beat().await.unwrap();
    assert_eq!(health(&server, "ready").await, not_ready("clock_skew"));
}
