//! A backup that is broken off, or refused: nothing of it is left, or the next try takes it away; and what a restore
//! says of a backup that it cannot use.

use crate::cli::binary::{binary, interrupted};
use crate::cli::{text, yibu};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use yibu_api::app::LogStore;
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

async fn folder() -> TestApp {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    drop(Table::seated(&server, "half").await);
    server.stop().await;
    server
}

fn refusal(data: &Path, arguments: &[&str]) -> String {
    let done = yibu(data, arguments);
    assert_eq!(done.status.code(), Some(1), "{arguments:?}: {}", text(&done.stdout));
    text(&done.stderr)
}

/// Lets a backup of `data` begin that waits for a segment, and ends it by a signal.
async fn broken_off(data: &Path, to: &Path, signal: &str) -> std::process::Output {
    let mut command = tokio::process::Command::new(binary());
    command.args(["backup", to.to_str().unwrap()]).env("YIBU_DATA", data).kill_on_drop(true);
    command.env_remove("DATABASE_URL").env_remove("YIBU_DEV");
    let backup = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let half = to.with_file_name("bk.making").join("accounts.db");
    let begun = async {
        while !half.is_file() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), begun).await.expect("it begins");
    // Beside it nobody makes the same.
    let (data, other) = (data.to_owned(), to.to_str().unwrap().to_owned());
    let beside = tokio::task::spawn_blocking(move || refusal(&data, &["backup", &other]));
    let beside = beside.await.unwrap();
    assert!(beside.contains("bk is being made by another command"), "{beside}");
    let id = backup.id().unwrap().to_string();
    let sent = std::process::Command::new("kill").args([signal, &id]).status().unwrap();
    assert!(sent.success());
    backup.wait_with_output().await.unwrap()
}

/// A thread that copies goes on for a moment after the signal.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_it_was_copying_nothing_is_left() {
    let server = folder().await;
    let data = server.folder.path();
    let (place, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (to, making) = (place.path().join("bk"), place.path().join("bk.making"));
    for file in ["log.db", "accounts.db"].repeat(40) {
        let arguments = ["backup", to.to_str().unwrap()];
        let begun = || making.join(file).is_file();
        let done = interrupted([data, elsewhere.path()], &arguments, "-TERM", begun).await;
        if done.status.success() {
            // It was faster than the signal.
            fs::remove_dir_all(&to).unwrap();
        } else {
            assert_eq!(done.status.code(), Some(143), "{}", text(&done.stderr));
        }
        let left: Vec<_> = fs::read_dir(place.path()).unwrap().collect();
        assert!(left.is_empty(), "{left:?} while {file} was copied");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_broken_off_is_in_nobodys_way() {
    let server = folder().await;
    let data = server.folder.path();
    let log = rusqlite::Connection::open(data.join("log.db")).unwrap();
    let payload: String = log
        .query_row("SELECT payload FROM events WHERE position = 1", [], |row| row.get(0))
        .unwrap();
    log.execute("UPDATE events SET payload = '\"archive/1/0\"' WHERE position = 1", []).unwrap();
    fs::create_dir(data.join("archive")).unwrap();
    // Whoever opens it waits for a writer that never comes.
    let segment = data.join("archive/000001.segment");
    assert!(std::process::Command::new("mkfifo").arg(&segment).status().unwrap().success());
    let place = tempfile::tempdir().unwrap();
    let to = place.path().join("bk");
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let done = broken_off(data, &to, signal).await;
        assert_eq!(done.status.code(), Some(code));
        assert!(text(&done.stderr).contains("broken off"), "{}", text(&done.stderr));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing is left");
    }
    let done = broken_off(data, &to, "-KILL").await;
    assert_eq!(done.status.code(), None);
    assert!(!to.exists() && place.path().join("bk.making").is_dir());

    fs::remove_file(&segment).unwrap();
    log.execute("UPDATE events SET payload = ?1 WHERE position = 1", [payload]).unwrap();
    drop(log);
    let taken = yibu(data, &["backup", to.to_str().unwrap()]);
    assert!(taken.status.success(), "{}", text(&taken.stderr));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "the half folder is gone");

    // Into folders that are there, which may be disks of their own.
    let (there, new) = (place.path().join("there"), place.path().join("new"));
    for folder in [&there, &new] {
        fs::create_dir(folder).unwrap();
        fs::create_dir(folder.join(".making")).unwrap();
    }
    let (there, new) = (there.to_str().unwrap(), new.to_str().unwrap());
    let taken = yibu(data, &["backup", there]);
    assert!(taken.status.success(), "{}", text(&taken.stderr));
    let restored = yibu(data, &["restore", there, "--data", new]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    assert!(yibu(Path::new(new), &["audit"]).status.success());
    for folder in [there, new] {
        assert!(!Path::new(folder).join(".making").exists());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_backed_up_or_restored_is_said_in_its_own_words() {
    let server = folder().await;
    let data = server.folder.path();
    let inside = data.join("deep/bk");
    let said = refusal(data, &["backup", inside.to_str().unwrap()]);
    assert!(said.contains("is inside the data folder"), "{said}");
    assert!(!data.join("deep").exists());

    let place = tempfile::tempdir().unwrap();
    let (to, new) = (place.path().join("bk"), place.path().join("new"));
    let (to, new) = (to.to_str().unwrap(), new.to_str().unwrap());
    assert!(yibu(data, &["backup", to]).status.success());
    let list = Path::new(to).join("backup.json");
    let good = fs::read_to_string(&list).unwrap();
    let newer = good.replace("\"version\": 1,", "\"version\": 9, \"more\": true,");
    assert_ne!(newer, good);
    fs::write(&list, newer).unwrap();
    let said = refusal(data, &["restore", to, "--data", new]);
    assert!(said.contains("of a newer form (9)"), "{said}");
    fs::write(&list, good).unwrap();
    fs::remove_file(Path::new(to).join("accounts.db")).unwrap();
    let said = refusal(data, &["restore", to, "--data", new]);
    assert!(said.contains("the backup is damaged: accounts.db is missing"), "{said}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}
