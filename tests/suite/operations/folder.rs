//! What the server keeps is nobody else's business, wherever it lies and however it got there.

use crate::cli::{text, yibu};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use yibu_api::app::LogStore;
use yibu_api::cli::{backup, restore};
use yibu_infrastructure::system::Clock;
use yibu_tests::app::TestApp;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn allow(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Everything in a folder, itself first.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    let mut next = 0;
    while next < all.len() {
        if all[next].is_dir() {
            let inside = std::fs::read_dir(&all[next]).unwrap();
            all.extend(inside.map(|entry| entry.unwrap().path()));
        }
        next += 1;
    }
    all
}

/// Nobody but the owner reaches any of it.
fn closed(folder: &Path) -> Vec<PathBuf> {
    let all = everything(folder);
    for path in &all {
        assert_eq!(mode(path) & 0o077, 0, "{} ({:o})", path.display(), mode(path));
    }
    all
}

fn has(all: &[PathBuf], name: &str) {
    assert!(all.iter().any(|path| path.ends_with(name)), "{name}: {all:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_was_open_is_closed_with_everything_in_it() {
    // Given a folder that its owner made as folders are made
    let outer = tempfile::tempdir().unwrap();
    let data = outer.path().join("data");
    std::fs::create_dir(&data).unwrap();
    allow(&data, 0o755);
    let mut server = TestApp::with(|config| {
        config.data.clone_from(&data);
        config.log = LogStore::Sqlite;
    })
    .await;
    server.player("closed").await;
    // When a server serves from it, then whatever it made there is its own, also what SQLite made
    let all = closed(&data);
    for name in ["log.db", "log.db-wal", "log.db-shm", "log.head", "log.lock", "views.db-wal"] {
        has(&all, name);
    }
    for name in ["accounts.db", "accounts.db-wal", "accounts.lock", "views.db", "mail"] {
        has(&all, name);
    }
    assert!(all.iter().any(|path| path.extension().is_some_and(|ending| ending == "eml")));
    server.stop().await;

    // What an older version left open is closed at the next start
    for path in closed(&data) {
        allow(&path, if path.is_dir() { 0o755 } else { 0o644 });
    }
    server.restart().await;
    closed(&data);
    server.stop().await;

    // A folder that holds other things may be one that others need: it stays, and what is ours is closed
    std::fs::write(data.join("notes.txt"), "").unwrap();
    allow(&data, 0o755);
    server.restart().await;
    assert_eq!((mode(&data), mode(&data.join("log.db"))), (0o755, 0o600));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_exports_and_keys_are_closed_as_well() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    server.player("copied").await;
    let (data, place) = (server.folder.path().to_owned(), tempfile::tempdir().unwrap());
    let outer = place.path();
    let now = server.clock.now();
    server.stop().await;
    // Given sources and a target that are open
    for path in everything(&data) {
        allow(&path, if path.is_dir() { 0o755 } else { 0o644 });
    }
    let copy = outer.join("backup");
    std::fs::create_dir(&copy).unwrap();
    allow(&copy, 0o755);
    backup::take(&data, &copy, now, |_, _| {}).await.unwrap();
    let all = closed(&copy);
    for name in ["log.db", "accounts.db", "backup.json"] {
        has(&all, name);
    }
    let restored = outer.join("restored");
    restore::restore_quietly(&copy, &restored).await.unwrap();
    has(&closed(&restored), "accounts.db");

    let named = |folder: &Path| format!("sqlite:{}", folder.display());
    let (carried, export, key) =
        (outer.join("carried"), outer.join("log.jsonl"), outer.join("key"));
    let (from, to) = (named(&data), named(&carried));
    for arguments in [
        &["import-log", "--from", &from, "--to", &to][..],
        &["import-accounts", "--from", &from, "--to", &to],
        &["export", "--to", &export.display().to_string()],
        &["audit", "--new-key", &key.display().to_string()],
    ] {
        let done = yibu(&data, arguments);
        assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
    }
    has(&closed(&carried), "accounts.db");
    assert_eq!((mode(&export), mode(&key)), (0o600, 0o600));
    // A key is not written over, and why is said in a sentence
    let again = yibu(&data, &["audit", "--new-key", &key.display().to_string()]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));

    // Commands that write close what they find, and say so
    let said = text(&yibu(&data, &["migrate"]).stderr);
    assert!(said.contains("other users could reach these") && said.contains("log.db"), "{said}");
    closed(&data);
}
