//! The drill: a backup is taken while people play, restored elsewhere, and everything holds there: the audit,
//! the limits, the keys of commands, sessions; and people go on.

mod broken_off;

use crate::cli::{audited, yibu};
use serde_json::json;
use std::fs;
use std::path::Path;
use tokio::sync::mpsc::unbounded_channel;
use yibu_api::app::LogStore;
use yibu_api::cli::backup;
use yibu_api::cli::restore::{self, RestoreFault, Restored};
use yibu_api::cli::simulate::{Options, run};
use yibu_domain::site::SITE;
use yibu_infrastructure::system::Clock;
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

async fn restored(from: &Path, data: &Path) -> Result<Restored, RestoreFault> {
    restore::restore_quietly(from, data).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_is_restored_and_everything_holds() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    let mut table = Table::started(&server, "drill").await;
    for _ in 0..6 {
        table.ply().await;
    }
    // A command whose key must still be known after the restore.
    let seen = table.glance(&table.people[0], "version turn { seat }").await;
    let mover = table.people[table.on_turn(&seen)].clone();
    let key = mover.key();
    let skip = json!({ "idempotencyKey": key, "expectedVersion": seen["version"] });
    let skipped = table.command(&mover, "skip", "SkipInput", &skip).await;
    assert_eq!(skipped["userErrors"], json!([]));
    let held = table.view(&table.people[0]).await;

    let (acks, mut acknowledged) = unbounded_channel();
    let url = format!("http://{}", server.addr);
    let options = Options { acks: Some(acks), surrender_one_in: 0, ..Options::new(url, 1_000) };
    let load = tokio::spawn(run(options, |_| {}));
    for _ in 0..60 {
        acknowledged.recv().await.expect("people play");
    }
    let place = tempfile::tempdir().unwrap();
    let (to, data) = (place.path().join("backup"), place.path().join("data"));
    let now = server.clock.now();
    let manifest = backup::take(server.folder.path(), &to, now, |_, _| {}).await.unwrap();
    for _ in 0..20 {
        acknowledged.recv().await.expect("people go on meanwhile");
    }
    load.abort();
    let _ = load.await;
    let (site, head) =
        (server.app().site().state(SITE).await.unwrap(), server.app().log().head().await.unwrap());
    assert!(manifest.position < head.position);
    server.stop().await;

    let done = restored(&to, &data).await.unwrap();
    assert_eq!((done.position, done.missing), (manifest.position, 0));
    let again = restored(&to, &data).await.unwrap_err();
    assert!(again.to_string().contains("not empty"), "{again}");
    let report = audited(&data).await;
    assert!(report.is_clean(), "{report:?}");

    // Another machine: the address is new, everything else is as it was.
    let folder = tempfile::tempdir().unwrap();
    fs::remove_dir(folder.path()).unwrap();
    fs::rename(&data, folder.path()).unwrap();
    let mut server = TestApp::over(folder, LogStore::Sqlite, server.clock.clone()).await;
    assert_eq!(*server.app().site().state(SITE).await.unwrap(), *site);
    for person in &mut table.people {
        *person = person.moved_to(server.addr);
    }
    assert_eq!(table.view(&table.people[0]).await["board"], held["board"], "the session holds");
    let mover = mover.moved_to(server.addr);
    let version = server.app().log().head().await.unwrap().position;
    let repeated = table.command(&mover, "skip", "SkipInput", &skip).await;
    assert_eq!(repeated["userErrors"], json!([]));
    assert_eq!(repeated["version"], skipped["version"]);
    assert_eq!(
        server.app().log().head().await.unwrap().position,
        version,
        "nothing happened twice"
    );
    for _ in 0..4 {
        table.ply().await;
    }
    server.stop().await;
    let report = audited(server.folder.path()).await;
    assert!(report.is_clean(), "{report:?}");
}

#[tokio::test]
async fn a_damaged_backup_is_refused_and_leaves_nothing() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    let table = Table::seated(&server, "safe").await;
    drop(table);
    server.stop().await;
    let place = tempfile::tempdir().unwrap();
    let (to, data) = (place.path().join("backup"), place.path().join("data"));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let taken = yibu(server.folder.path(), &["backup", "--json", &text(&to)]);
    assert!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr));
    let manifest: serde_json::Value = serde_json::from_slice(&taken.stdout).unwrap();
    assert_eq!(manifest["files"][0]["name"], "log.db");
    let full = yibu(server.folder.path(), &["backup", &text(&to)]);
    assert!(String::from_utf8_lossy(&full.stderr).contains("not empty"));

    for name in ["log.db", "accounts.db"] {
        let good = fs::read(to.join(name)).unwrap();
        let mut bad = good.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        fs::write(to.join(name), bad).unwrap();
        let refused = restored(&to, &data).await.unwrap_err();
        assert!(matches!(&refused, RestoreFault::Damaged(odd) if odd == name), "{refused}");
        fs::write(to.join(name), good).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing but the backup");
    }
    let list = fs::read_to_string(to.join("backup.json")).unwrap();
    fs::write(to.join("backup.json"), list.replace("log.db", "../log.db")).unwrap();
    assert!(matches!(restored(&to, &data).await, Err(RestoreFault::NoBackup(..))));
    fs::remove_file(to.join("backup.json")).unwrap();
    assert!(matches!(restored(&to, &data).await, Err(RestoreFault::NoBackup(..))));
    fs::write(to.join("backup.json"), list).unwrap();
    let done = yibu(&data, &["restore", &text(&to), "--data", &text(&data)]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(audited(&data).await.is_clean());

    let elsewhere = ["backup", "x", "--database", "postgres://somebody:secret@host/db"];
    let refused = yibu(&data, &elsewhere);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("pg_basebackup") && !said.contains("secret"), "{said}");
}
