//! Draining and stopping: nothing new begins, what runs goes on, nobody who holds a connection is waited for.

use super::health::health;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use yibu_api::local::{Answer, Ask, ask, listen};
use yibu_tests::app::TestApp;
use yibu_tests::table::{Table, payload};

/// Half of what a client may send, and then nothing.
const HALVES: [&str; 4] = [
    "",
    "GET / HTTP/1.1\r\nhost: 127",
    "POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
     content-length: 100\r\n\r\n{\"query\":",
    "POST /graphql/stream HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
     content-length: 100\r\n\r\n{",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draining_server_goes_on_and_begins_nothing_new() {
    let server = TestApp::start().await;
    let mut table = Table::started(&server, "d").await;
    let late = server.player("late").await;
    let mut socket = table.people[0].socket().await;
    let data = server.folder.path();
    let listening = listen(data, Arc::clone(server.app()), server.addr).unwrap();

    assert_eq!(ask(data, &Ask::Drain, |_| {}).await.unwrap(), Answer::Draining);
    let draining = json!({ "status": "not_ready", "reasons": ["draining"] });
    assert_eq!(health(&server, "ready").await, (503, draining));
    let last = reqwest::get(format!("http://{}/health/live", server.addr)).await.unwrap();
    assert_eq!(
        (last.status().as_u16(), &last.headers()["connection"]),
        (200, &"close".parse().unwrap())
    );
    assert_eq!(socket.hear().await, Err(1012), "open sockets are told to come again");

    for (name, kind) in
        [("matchNewGame", "MatchNewGameInput"), ("matchTakeover", "MatchTakeoverInput")]
    {
        let query = format!(
            "mutation($input: {kind}!) {{ {name}(input: $input) {{ {} userErrors {{ code }} }} }}",
            payload()
        );
        let input = json!({ "input": { "idempotencyKey": late.key() } });
        let answer = late.send(&query, &input).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "UNAVAILABLE", "{name}: {answer}");
    }
    for path in ["ws", "stream?query=subscription%7Blobby%7B__typename%7D%7D"] {
        let url = format!("http://{}/graphql/{path}", server.addr);
        let request = reqwest::Client::new().get(url).header("accept", "*/*");
        let upgrade = request
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
            .header("sec-websocket-protocol", "graphql-transport-ws");
        let refused = upgrade.send().await.unwrap();
        let retry = refused.headers().get("retry-after").cloned();
        let (status, text) = (refused.status().as_u16(), refused.text().await.unwrap());
        assert_eq!((status, retry.is_some()), (503, true), "{path}: {text}");
    }
    // Moves go on.
    assert_eq!(table.ply().await, "PLAYING");
    listening.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_request_does_not_hold_the_stop_up() {
    let mut server = TestApp::start().await;
    let mut held = Vec::new();
    for half in HALVES {
        let mut stream = TcpStream::connect(server.addr).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        held.push(stream);
    }
    // A connection that was used and is idle.
    let mut idle = TcpStream::connect(server.addr).await.unwrap();
    idle.write_all(b"GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n").await.unwrap();
    let mut answer = [0; 12];
    idle.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    let _open = server.visitor().socket().await;

    let since = Instant::now();
    server.stop().await;
    let took = since.elapsed();
    assert!(took < Duration::from_secs(6), "stopping took {took:?}");
    for mut stream in held {
        let mut rest = Vec::new();
        // Closed or reset: whatever it is, it is over.
        let _ = stream.read_to_end(&mut rest).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_drains_first_for_as_long_as_it_is_set() {
    let drain = Duration::from_millis(1500);
    let mut server = TestApp::with(|config| config.operations.drain = drain).await;
    let addr = server.addr;
    let since = Instant::now();
    let stopping = tokio::spawn(async move {
        server.stop().await;
        since.elapsed()
    });
    let mut seen = Vec::new();
    while let Ok(answer) = reqwest::get(format!("http://{addr}/health/ready")).await {
        seen.push((answer.status().as_u16(), answer.text().await.unwrap_or_default()));
        tokio::task::yield_now().await;
    }
    assert!(
        seen.iter().any(|(status, text)| *status == 503 && text.contains("draining")),
        "{seen:?}"
    );
    assert!(stopping.await.unwrap() >= drain);
}
