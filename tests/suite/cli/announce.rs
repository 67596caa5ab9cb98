//! `yibu admin announce` and `yibu admin wait`: through the server that runs or without one.

use super::binary::{text, yibu};
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use yibu_api::app::LogStore;
use yibu_api::local::listen;
use yibu_domain::site::SITE;
use yibu_tests::app::TestApp;

async fn run(data: &Path, arguments: &'static [&'static str]) -> Output {
    let data = data.to_owned();
    tokio::task::spawn_blocking(move || yibu(&data, arguments)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_sets_the_banner_and_the_wait() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    let data = server.folder.path().to_owned();
    let listening = listen(&data, Arc::clone(server.app()), server.addr).unwrap();
    let said = run(&data, &["admin", "announce", " 今晚维护 ", "--reason", "news", "--json"]).await;
    let shown: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(shown["announcement"], "今晚维护", "{}", text(&said.stderr));
    let wait = run(&data, &["admin", "wait", "30", "--reason", "fewer_mails"]).await;
    assert!(text(&wait.stdout).contains("30 minutes"), "{}", text(&wait.stderr));
    let state = server.app().site().state(SITE).await.unwrap();
    assert_eq!(state.announcement.as_ref().map(|said| said.text.as_str()), Some("今晚维护"));
    assert_eq!(state.normal_mail_wait_minutes, 30);
    for (wrong, code, word) in [
        (&["admin", "wait", "0", "--reason", "x"][..], 2, "1 to 1440"),
        (&["admin", "wait", "1441", "--reason", "x"], 2, "1 to 1440"),
        (&["admin", "announce", "two\nlines", "--reason", "x"], 1, "one line"),
    ] {
        let refused = run(&data, wrong).await;
        assert_eq!(refused.status.code(), Some(code));
        assert!(text(&refused.stderr).contains(word), "{}", text(&refused.stderr));
    }
    listening.stop().await;
    server.stop().await;

    let gone = yibu(&data, &["admin", "announce", "--reason", "over"]);
    assert!(text(&gone.stdout).contains("gone"), "{}", text(&gone.stderr));
    let wait = yibu(&data, &["admin", "wait", "1440", "--reason", "quiet", "--json"]);
    let shown: serde_json::Value = serde_json::from_slice(&wait.stdout).unwrap();
    assert_eq!(shown["normalMailWaitMinutes"], 1440);
    server.restart().await;
    let state = server.app().site().state(SITE).await.unwrap();
    assert_eq!((state.normal_mail_wait_minutes, &state.announcement), (1440, &None));
}
