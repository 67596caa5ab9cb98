//! Carrying a log from one store to another by the command line.

use super::audit::audited;
use super::binary::{text, yibu};
use super::simulate::played;
use std::path::Path;
use yibu_api::app::LogStore;
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;

fn carried(from: &Path, to: &Path, more: &[&str]) -> std::process::Output {
    let (from, to) = (format!("sqlite:{}", from.display()), format!("sqlite:{}", to.display()));
    let arguments = ["import-log", "--from", &from, "--to", &to, "--json"];
    yibu(Path::new("nowhere"), &[&arguments, more].concat())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_is_carried_over_once_and_verified() {
    // The binary looks at the system's clock.
    let clock = ManualClock::at(SystemClock::new().now());
    let folder = tempfile::tempdir().unwrap();
    let mut server = TestApp::over(folder, LogStore::Sqlite, clock).await;
    played(&server, 1).await;
    let data = server.folder.path().to_owned();
    let place = tempfile::tempdir().unwrap();
    let to = place.path().join("copy");
    let (from, target) = (data.clone(), to.clone());
    let served = tokio::task::spawn_blocking(move || carried(&from, &target, &[])).await.unwrap();
    assert!(text(&served.stderr).contains("in use by another process"), "{}", text(&served.stderr));
    server.stop().await;

    let done = carried(&data, &to, &[]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let whole = audited(&data).await;
    assert_eq!(
        (report["events"].as_u64(), report["found"].as_u64()),
        (Some(whole.events), Some(0))
    );
    assert!(report["memos"].as_u64() > Some(0));
    let copy = audited(&to).await;
    assert!(copy.is_clean(), "{copy:?}");
    assert_eq!((copy.end(), copy.decisions), (whole.end(), whole.decisions));

    let full = carried(&data, &to, &[]);
    assert_eq!(full.status.code(), Some(1));
    assert!(text(&full.stderr).contains("not empty"), "{}", text(&full.stderr));
    assert!(carried(&data, &to, &["--resume"]).status.success(), "the same log, whole");
    let itself = carried(&data, &data, &[]);
    assert!(text(&itself.stderr).contains("the same store"));
    // A source that breaks off halfway leaves no half log, from which a server could be started.
    let broken = super::copy(&data);
    let log = rusqlite::Connection::open(broken.path().join("log.db")).unwrap();
    let middle = "DELETE FROM events WHERE position = (SELECT max(position) / 2 FROM events)";
    assert_eq!(log.execute(middle, []).unwrap(), 1);
    drop(log);
    let half = place.path().join("half");
    let damaged = carried(broken.path(), &half, &[]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(text(&damaged.stderr).contains("the source is damaged"), "{}", text(&damaged.stderr));
    assert!(!half.exists(), "nothing is left");
    let nothing = carried(&place.path().join("nothing"), &place.path().join("other"), &[]);
    assert!(text(&nothing.stderr).contains("there is no data"), "{}", text(&nothing.stderr));
    assert!(!place.path().join("nothing").exists());
}
