//! What the doctor finds in a folder in which something is wrong.

use super::audit::copy;
use super::binary::{text, yibu};
use rusqlite::Connection;
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
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
    let (good, said) = findings(newer.path(), &[]);
    assert!(good, "only a deep look reads every payload: {said}");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rights_that_let_no_server_start_or_let_others_in_are_found() {
    let clock = ManualClock::at(SystemClock::new().now());
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), LogStore::Sqlite, clock).await;
    Table::seated(&server, "rights").await;
    server.stop().await;
    let data = server.folder.path();
    let allow = |name: &str, mode: u32| {
        std::fs::set_permissions(data.join(name), Permissions::from_mode(mode)).unwrap();
    };
    let databases = ["log.db", "accounts.db", "views.db"];
    assert!(findings(data, &[]).0);
    // Others read what is hidden, through a folder that lets them
    databases.into_iter().for_each(|name| allow(name, 0o644));
    assert!(findings(data, &[]).0, "nobody else gets there");
    allow("", 0o755);
    let (good, said) = findings(data, &[]);
    for name in databases {
        let found = format!("BAD   files        {name} (644): other users may read it");
        assert!(!good && said.contains(&found), "{name}: {said}");
    }
    allow("", 0o700);
    // Its own user may not write
    databases.into_iter().for_each(|name| allow(name, 0o444));
    let (good, said) = findings(data, &[]);
    assert!(!good && said.contains("BAD   files        log.db (444)"), "{said}");
    // Nobody may read
    databases.into_iter().for_each(|name| allow(name, 0o600));
    allow("log.db", 0o000);
    let (good, said) = findings(data, &[]);
    assert!(!good && said.contains("BAD   files        log.db (000)"), "{said}");
    // The superuser may all of that, so that the rest says nothing there.
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        assert!(said.contains("BAD   log") && said.contains("Permission denied"), "{said}");
        allow("log.db", 0o600);
        allow("", 0o000);
        let (good, said) = findings(data, &[]);
        allow("", 0o700);
        assert!(!good && said.contains("BAD   folder"), "{said}");
        assert!(!said.contains("no log yet"), "{said}");
    }
    allow("log.db", 0o600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beside_a_server_at_work_no_read_model_is_ahead_of_the_log() {
    const LOOKS: usize = 3;
    /// A random match is longer.
    const MOST: usize = 100;
    let clock = ManualClock::at(SystemClock::new().now());
    let server = TestApp::over(tempfile::tempdir().unwrap(), LogStore::Sqlite, clock).await;
    let mut table = Table::started(&server, "busy").await;
    let data = server.folder.path().to_owned();
    let mut looks = tokio::task::spawn_blocking(move || {
        let looks = (0..LOOKS).map(|_| findings(&data, &["--json"]).1);
        looks.collect::<Vec<_>>()
    });
    let mut plies = 0;
    let looks = loop {
        tokio::select! {
            done = &mut looks => break done.unwrap(),
            () = async { table.ply().await; }, if plies < MOST => plies += 1,
        }
    };
    assert!(plies > 0, "the log grew meanwhile");
    for look in looks {
        // Between the two looks the log went on: never the other way round.
        assert!(look.contains("read models") && !look.contains("ahead of the log"), "{look}");
    }
}
