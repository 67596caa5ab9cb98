//! The figures: on the operators' door alone, and they tell what happened. Other tests of this process count
//! in the same families, so only growth is looked at.

use serde_json::json;
use std::collections::BTreeMap;
use yibu_api::app::{LogStore, Mail};
use yibu_domain::kernel::Span;
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

async fn figures(server: &TestApp) -> BTreeMap<String, f64> {
    let answer = reqwest::get(format!("http://{}/metrics", server.ops())).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    let text = answer.text().await.unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let pairs = lines.map(|line| {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        (name.to_owned(), value.parse().expect("a number"))
    });
    pairs.collect()
}

fn grew(before: &BTreeMap<String, f64>, after: &BTreeMap<String, f64>, name: &str) {
    let (was, is) = (before.get(name).copied().unwrap_or(0.0), after.get(name).copied());
    assert!(is.is_some_and(|is| is > was), "{name}: {was} and then {is:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_leaves_its_traces_in_the_figures() {
    let server = TestApp::with(|config| {
        config.log = LogStore::Sqlite;
        config.operations.ops = Some(([127, 0, 0, 1], 0).into());
        config.operations.health.least_free = 1;
    })
    .await;
    let before = figures(&server).await;
    for name in [
        "yibu_faults_total",
        "yibu_outages_total",
        "yibu_outage_seconds_total",
        "yibu_commit_faults_total{store=\"sqlite\"}",
        "yibu_requests_total{door=\"stream\",outcome=\"refused\"}",
        "yibu_requests_total{door=\"http\",outcome=\"errors\"}",
        "yibu_http_requests_total{route=\"/graphql\",status=\"200\"}",
    ] {
        assert!(before.contains_key(name), "{name} is there before it is raised");
    }
    let mut table = Table::started(&server, "f").await;
    table.ply().await;
    let stale = json!({ "expectedVersion": 1 });
    for person in &table.people {
        table.command(person, "skip", "SkipInput", &stale).await;
    }
    let mut socket = table.people[0].socket().await;
    let query = "subscription($id: ID!) { match(id: $id) { __typename } }";
    socket.subscribe("1", query, &json!({ "id": table.id })).await;
    // Whatever it is, it is an answer: the operation has begun.
    let _ = socket.hear().await;
    let open = figures(&server).await;
    assert!(open["yibu_sockets_open"] >= 1.0);
    // Nobody moves, and the clock runs out.
    server.pass(Span::hours(17)).await;
    let ran_out = "yibu_deadline_lateness_seconds_count";
    while figures(&server).await.get(ran_out).copied() <= before.get(ran_out).copied() {
        tokio::task::yield_now().await;
    }
    server
        .app()
        .outages()
        .declare(
            yibu_infrastructure::system::Clock::now(&server.clock) - Span(120_000),
            None,
            "drill".parse().unwrap(),
        )
        .await
        .unwrap();
    let after = figures(&server).await;
    for name in [
        "yibu_commands_total{kind=\"ready\",result=\"OK\"}",
        "yibu_commands_total{kind=\"move\",result=\"OK\"}",
        "yibu_commands_total{kind=\"skip\",result=\"STALE_VERSION\"}",
        "yibu_commands_total{kind=\"expire\",result=\"OK\"}",
        "yibu_command_seconds_count",
        "yibu_commit_batch_size_count{store=\"sqlite\"}",
        "yibu_commit_seconds_bucket{store=\"sqlite\",le=\"10\"}",
        "yibu_http_requests_total{route=\"/graphql\",status=\"200\"}",
        "yibu_http_seconds_count{route=\"/graphql\"}",
        "yibu_requests_total{door=\"http\",outcome=\"ok\"}",
        "yibu_outages_total",
        "yibu_outage_seconds_total",
    ] {
        grew(&before, &after, name);
    }
    for name in [
        "yibu_log_position",
        "yibu_projection_checkpoint{name=\"match_views\"}",
        "yibu_projection_lag_events{name=\"lobby\"}",
        "yibu_free_bytes",
        "yibu_ready",
    ] {
        assert!(after.contains_key(name), "{name}");
    }
    assert!(after.keys().any(|name| name.starts_with("yibu_build_info{") && name.contains("test")));
}

#[tokio::test]
async fn players_find_no_figures_in_either_mode() {
    for development in [true, false] {
        let server = TestApp::with(|config| {
            config.development = development;
            config.mail = if development { Mail::Development } else { Mail::None };
            config.operations.ops = Some(([127, 0, 0, 1], 0).into());
        })
        .await;
        assert!(figures(&server).await.contains_key("yibu_log_position"));
        let status = async |address, path: &str| {
            reqwest::get(format!("http://{address}{path}")).await.unwrap().status().as_u16()
        };
        assert_eq!(status(server.addr, "/metrics").await, 404);
        assert_eq!(status(server.ops(), "/health/ready").await, 200);
        assert_eq!(status(server.ops(), "/graphql").await, 404);
    }
}
