//! A site that has lost a part of itself: no server starts on the rest, and every tool says what is missing.

use super::audit::copy;
use super::binary::{binary, text, yibu};
use std::path::Path;
use std::process::{Command, Output};
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;
use yibu_tests::postgres::Cluster;

const SERVE: [&str; 4] = ["serve", "--dev", "--listen", "127.0.0.1:0"];

fn says(done: &Output, words: &str) {
    let said = text(&done.stdout) + &text(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{words}: {said}");
    assert!(said.contains(words), "{words}: {said}");
}

fn on_database(url: &str, data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).env("YIBU_DATA", data).env("DATABASE_URL", url);
    command.env_remove("YIBU_DEV").output().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_are_gone_are_missed() {
    let clock = ManualClock::at(SystemClock::new().now() - Span::hours(1));
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), LogStore::Sqlite, clock).await;
    server.player("lost").await;
    server.stop().await;

    let people = copy(server.folder.path());
    let people = people.path();
    std::fs::remove_file(people.join("accounts.db")).unwrap();
    says(&yibu(people, &SERVE), "accounts.db is missing, though the log knows players");
    assert!(!people.join("accounts.db").exists(), "nobody made an empty one");
    says(&yibu(people, &["doctor"]), "accounts.db is missing");

    // With the mark of what was acknowledged, and without it.
    let log = copy(server.folder.path());
    let log = log.path();
    std::fs::remove_file(log.join("log.db")).unwrap();
    for left in ["log.head", "accounts.db"] {
        let gone = format!("log.db is missing, though {left} is there");
        for arguments in [&["doctor"][..], &["audit"], &["migrate"], &["rebuild"], &["backup", "x"]]
        {
            says(&yibu(log, arguments), &gone);
        }
        let _ = std::fs::remove_file(log.join("log.head"));
    }
    says(&yibu(log, &SERVE), "the log is empty, though there are accounts");
    says(&yibu(log, &["doctor"]), "the log is empty, though there are accounts");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_without_its_accounts_is_not_served_from() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let store = LogStore::Postgres { url: url.clone(), archive: None };
    let clock = ManualClock::at(SystemClock::new().now() - Span::hours(1));
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), store, clock).await;
    server.player("gone").await;
    server.stop().await;
    let data = server.folder.path();
    let database = url.split(['/', '?']).nth(3).unwrap();
    cluster.psql(database, "TRUNCATE players CASCADE");
    says(&on_database(&url, data, &SERVE), "the database holds no accounts, though the log knows");
    says(&on_database(&url, data, &["doctor"]), "the database holds no accounts");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_on_the_folder_of_one_on_a_database_is_refused() {
    let url = Cluster::shared().database();
    let store = LogStore::Postgres { url: url.clone(), archive: None };
    let clock = ManualClock::at(SystemClock::new().now());
    let server = TestApp::over(tempfile::tempdir().unwrap(), store, clock).await;
    let person = server.player("first").await;
    let data = server.folder.path();
    // On another database, on the same one, and on files: a folder has one server.
    let other = Cluster::shared().database();
    for second in
        [on_database(&other, data, &SERVE), on_database(&url, data, &SERVE), yibu(data, &SERVE)]
    {
        says(&second, "in use by another process");
    }
    assert!(!data.join("accounts.db").exists(), "the second made nothing");
    let me = person.data("{ viewer { player { nickname } } }", &serde_json::json!({})).await;
    assert_eq!(me["viewer"]["player"]["nickname"], "first");
    server.player("after").await;
}
