//! What the doctor finds in a folder in which something is wrong.

use super::audit::copy;
use super::binary::{text, yibu};
use rusqlite::Connection;
use std::path::Path;
use yibu_api::app::LogStore;
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

fn findings(data: &Path, arguments: &[&str]) -> (bool, String) {
    let done = yibu(data, &[&["doctor"], arguments].concat());
    (done.status.success(), text(&done.stdout))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_or_undecodable_is_found() {
    // The binary looks at the system's clock.
    let clock = ManualClock::at(SystemClock::new().now());
    let folder = tempfile::tempdir().unwrap();
    let mut server = TestApp::over(folder, LogStore::Sqlite, clock).await;
    Table::seated(&server, "ill").await;
    server.stop().await;
    let well = server.folder.path();
    let (good, said) = findings(well, &["--deep"]);
    assert!(good, "{said}");
    for what in ["log.head", "payloads", "accounts", "environment", "lobby: up to date"] {
        assert!(said.contains(what), "{what}: {said}");
    }
    let lost = copy(well);
    std::fs::remove_file(lost.path().join("accounts.db")).unwrap();
    let (good, said) = findings(lost.path(), &[]);
    assert!(!good && said.contains("accounts.db is missing"), "{said}");

    let newer = copy(well);
    let log = Connection::open(newer.path().join("log.db")).unwrap();
    let sql = "UPDATE events SET name = 'siguo.opened.v9' WHERE name = 'siguo.opened.v1'";
    assert_eq!(log.execute(sql, []).unwrap(), 1);
    drop(log);
    assert!(findings(newer.path(), &[]).0, "only a deep look reads every payload");
    let (good, said) = findings(newer.path(), &["--deep"]);
    assert!(!good && said.contains("unknown event siguo.opened.v9"), "{said}");

    let archived = copy(well);
    std::fs::create_dir(archived.path().join("archive")).unwrap();
    std::fs::write(archived.path().join("archive/000002.segment"), "no segment").unwrap();
    let (good, said) = findings(archived.path(), &[]);
    assert!(!good, "{said}");
    assert!(said.contains("000001.segment: it is missing"), "{said}");
    assert!(said.contains("000002.segment: it is not a segment"), "{said}");
}
