//! Carrying the accounts from one store to another by the command line: everybody comes along, whole and once.

use super::binary::{text, yibu};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::postgres::Cluster;

const ME: &str = "{ viewer { player { nickname } } }";

/// One of the two tools.
fn import(tool: &str, from: &str, to: &str) -> Output {
    yibu(Path::new("nowhere"), &[tool, "--from", from, "--to", to, "--json"])
}

fn report(done: &Output) -> Value {
    assert!(done.status.success(), "{}", text(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

fn refused(done: &Output, why: &str) {
    assert_eq!(done.status.code(), Some(1), "{why}");
    assert!(text(&done.stderr).contains(why), "{why}: {}", text(&done.stderr));
}

fn rows(report: &Value, table: &str) -> Option<u64> {
    let tables = report["tables"].as_array().unwrap();
    tables.iter().find(|one| one["name"] == table)?["rows"].as_u64()
}

fn named(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

/// The binary looks at the system's clock: by it, no server gave a sign for an hour.
fn an_hour_ago() -> ManualClock {
    ManualClock::at(SystemClock::new().now() - Span::hours(1))
}

async fn nickname(person: &Client) -> Value {
    person.data(ME, &json!({})).await["viewer"]["player"]["nickname"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_moves_to_a_database_and_back() {
    let clock = an_hour_ago();
    let mut old = TestApp::over(tempfile::tempdir().unwrap(), LogStore::Sqlite, clock).await;
    let people = [old.player("mover").await, old.player("south").await];
    old.stop().await;
    let url = Cluster::shared().database();
    let folder = named(old.folder.path());
    report(&import("import-log", &folder, &url));
    let out = report(&import("import-accounts", &folder, &url));
    assert_eq!((&out["from"], &out["to"]), (&json!("sqlite"), &json!("postgres")));
    for table in ["players", "accounts", "nicknames", "sessions", "mailbox"] {
        assert_eq!(rows(&out, table), Some(2), "{table}: {out}");
    }
    assert!(rows(&out, "keys") > Some(0), "positions that were given stay good");
    refused(&import("import-accounts", &folder, &url), "the target is not empty");

    let place = tempfile::tempdir().unwrap();
    let back = place.path().join("back");
    let again = report(&import("import-accounts", &url, &named(&back)));
    assert_eq!(again["tables"], out["tables"], "every row the same, table for table");

    // Sessions hold, and PostgreSQL numbers new rows after those that came.
    let store = LogStore::Postgres { url: url.clone(), archive: None };
    let clock = an_hour_ago();
    let mut new = TestApp::over(tempfile::tempdir().unwrap(), store, clock).await;
    assert_eq!(nickname(&people[0].moved_to(new.addr)).await, "mover");
    assert_eq!(nickname(&people[1].moved_to(new.addr)).await, "south");
    new.player("newcomer").await;
    new.stop().await;
    let other = Cluster::shared().database();
    let more = report(&import("import-accounts", &url, &other));
    assert_eq!((rows(&more, "players"), rows(&more, "mailbox")), (Some(3), Some(3)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_of_service_that_came_with_the_log_is_not_the_targets_own() {
    // Given a server that stopped a moment ago
    let clock = ManualClock::at(SystemClock::new().now());
    let mut old = TestApp::over(tempfile::tempdir().unwrap(), LogStore::Sqlite, clock).await;
    old.player("hasty").await;
    old.stop().await;
    // When its log moves to a database, and its accounts right after
    let url = Cluster::shared().database();
    let folder = named(old.folder.path());
    report(&import("import-log", &folder, &url));
    let out = report(&import("import-accounts", &folder, &url));
    assert_eq!(rows(&out, "players"), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_full_or_in_use_is_refused_and_nothing_is_left() {
    let place = tempfile::tempdir().unwrap();
    let (nobody, target) = (place.path().join("nobody"), place.path().join("target"));
    let none = import("import-accounts", &named(&nobody), &named(&target));
    refused(&none, "the source holds no accounts");
    let itself = import("import-accounts", &named(&nobody), &named(&nobody));
    refused(&itself, "the same store");
    refused(&import("import-accounts", "mysql://a:secret@b/c", "x"), "begin with mysql");

    // A server on files holds them; one on a database has just given a sign.
    let mut files = TestApp::with_log(LogStore::Sqlite).await;
    files.player("held").await;
    let folder = named(files.folder.path());
    refused(&import("import-accounts", &folder, &named(&target)), "in use by another process");
    files.stop().await;
    let url = Cluster::shared().database();
    let store = LogStore::Postgres { url: url.clone(), archive: None };
    let clock = ManualClock::at(SystemClock::new().now());
    let mut nodes = TestApp::over(tempfile::tempdir().unwrap(), store, clock).await;
    nodes.player("beats").await;
    nodes.stop().await;
    let served = import("import-accounts", &url, &named(&target));
    refused(&served, "a server serves from the source");
    refused(&import("import-accounts", &folder, &url), "a server serves from the target");
    refused(&import("import-log", &url, &named(&target)), "a server serves from the source");
    assert!(!nobody.exists() && !target.exists(), "nothing was made, or it was taken away");

    // What was there before a failure stays.
    std::fs::create_dir(&target).unwrap();
    std::fs::write(target.join("note"), "mine").unwrap();
    refused(&import("import-accounts", &url, &named(&target)), "a server serves");
    assert_eq!(std::fs::read_dir(&target).unwrap().count(), 1);
}
