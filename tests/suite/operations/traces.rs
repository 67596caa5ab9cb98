//! Spans: a collector in this process, and the binary that sends to it.

use crate::cli::binary;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use prost::Message;
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// What is read of a batch of spans; the numbers are the protocol's.
#[derive(Clone, PartialEq, Message)]
struct Batch {
    #[prost(message, repeated, tag = "1")]
    of_resources: Vec<OfResource>,
}

#[derive(Clone, PartialEq, Message)]
struct OfResource {
    #[prost(message, repeated, tag = "2")]
    of_scopes: Vec<OfScope>,
}

#[derive(Clone, PartialEq, Message)]
struct OfScope {
    #[prost(message, repeated, tag = "2")]
    spans: Vec<Span>,
}

#[derive(Clone, PartialEq, Message)]
struct Span {
    #[prost(bytes = "vec", tag = "1")]
    trace: Vec<u8>,
    #[prost(string, tag = "5")]
    name: String,
}

type Received = Arc<Mutex<Vec<Bytes>>>;

async fn collector() -> (String, Received) {
    let received = Received::default();
    let take = async |State(received): State<Received>, body: Bytes| {
        received.lock().unwrap().push(body);
    };
    let router = Router::new().route("/v1/traces", post(take)).with_state(received.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (format!("http://{address}"), received)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_and_commands_are_spans_of_one_trace_and_hold_no_secret() {
    let (endpoint, received) = collector().await;
    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new(binary())
        .args(["serve", "--dev", "--no-house", "--listen", "127.0.0.1:0", "--log-format", "json"])
        .arg("--data")
        .arg(folder.path())
        .env("YIBU_OTLP_ENDPOINT", endpoint)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let first = lines.next_line().await.unwrap().expect("it says where it listens");
    let address = first.split("http://").nth(1).unwrap().split('/').next().unwrap();

    let client = yibu_tests::client::Client::new(address.parse().unwrap());
    client.request_code("secret.person@example.org").await;
    let mails = reqwest::get(format!("http://{address}/dev/mail/1")).await.unwrap();
    let mail = mails.text().await.unwrap();
    let mut digits = mail.split(|c: char| !c.is_ascii_digit());
    let code = digits.find(|word| word.len() == 6).expect("a code").to_owned();
    client.register("secret.person@example.org", &code, "南山").await;
    client.data("{ viewer { player { id } } }", &json!({})).await;
    let session = client.cookie("yibu_session").expect("a session");

    let id = server.id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let ended = server.wait_with_output().await.unwrap();
    let log = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success(), "{log}");
    for line in log.lines() {
        let object = serde_json::from_str::<serde_json::Map<String, Value>>(line);
        assert!(object.is_ok(), "no object: {line}");
    }
    assert!(log.contains("stopping: commands under way"), "{log}");

    let bodies = received.lock().unwrap().clone();
    let batches = bodies.iter().map(|body| Batch::decode(body.clone()).expect("a batch of spans"));
    let spans: Vec<Span> = batches
        .flat_map(|batch| batch.of_resources)
        .flat_map(|resource| resource.of_scopes)
        .flat_map(|scope| scope.spans)
        .collect();
    let named = |name: &str| spans.iter().filter(|span| span.name == name).count();
    assert!(named("request") >= 4, "{spans:?}");
    assert!(named("command") >= 1, "{spans:?}");
    let command = spans.iter().rfind(|span| span.name == "command").unwrap();
    let same = |span: &&Span| span.name == "request" && span.trace == command.trace;
    assert!(spans.iter().any(|span| same(&span)), "a command belongs to its request");
    let told: Vec<u8> = bodies.iter().flat_map(|body| body.to_vec()).chain(log.bytes()).collect();
    for secret in ["secret.person", &code, &session, "南山", yibu_tests::client::PASSWORD] {
        let hidden = !told.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(hidden, "{secret} was told");
    }
}
