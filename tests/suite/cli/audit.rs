//! Each planted damage is found and named by the audit of an otherwise clean folder.

use super::audit_beside::folder;
use super::binary::interrupted;
use super::simulate::played;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use yibu_api::app::LogStore;
use yibu_api::cli::audit::{self, Report};
use yibu_infrastructure::log::chain::{self, Roller};
use yibu_infrastructure::log::port::{EventLog, Stored};
use yibu_infrastructure::log::{StoreConfig, open_to_read};
use yibu_infrastructure::system::{Entropy, SystemClock};
use yibu_tests::app::TestApp;

async fn reading(folder: &Path) -> Arc<dyn EventLog> {
    let store = StoreConfig::Sqlite { folder: folder.to_owned() };
    open_to_read(store, Arc::new(SystemClock::new()), Entropy::seeded(1)).await.unwrap()
}

pub(crate) async fn audited(folder: &Path) -> Report {
    let log = reading(folder).await;
    let report = audit::all_quietly(Arc::clone(&log), folder).await.unwrap();
    log.close().await;
    report
}

/// A copy of a folder's stores.
pub(crate) fn copy(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
    }
    copy
}

/// A damage: its name, the file, the statement, and a word of the problem that must be named.
type Damage = (&'static str, &'static str, &'static str, &'static str);

const DAMAGES: &[Damage] = &[
    (
        "a payload",
        "log.db",
        "UPDATE events SET payload = replace(payload, '\"quiet\":', '\"quiet\": ') WHERE position =
         (SELECT min(position) FROM events WHERE name = 'siguo.moved.v1')",
        "the hash does not match",
    ),
    (
        "an actor",
        "log.db",
        "UPDATE events SET actor = (SELECT actor FROM events WHERE position = 1) WHERE position =
         (SELECT min(position) FROM events WHERE name = 'siguo.moved.v1')",
        "the hash does not match",
    ),
    (
        "the last event",
        "log.db",
        "DELETE FROM events WHERE position = (SELECT max(position) FROM events)",
        "but its head says",
    ),
    (
        "an event in the middle",
        "log.db",
        "DELETE FROM events WHERE position = (SELECT max(position) / 2 FROM events)",
        "is missing: position",
    ),
    ("the head's hash", "log.db", "UPDATE head SET hash = zeroblob(32)", "rolling hash"),
    (
        "a count",
        "log.db",
        "INSERT INTO claims_counted VALUES ('full', x'00112233445566778899aabbccddeeff', 1)",
        "by the log 0",
    ),
    ("a limit", "log.db", "UPDATE limits SET most = 99 WHERE counter = 'full'", "limit of full"),
    ("a chance", "log.db", "INSERT INTO claims_unique VALUES ('chance/x/y')", "not in the log"),
    (
        "a public document",
        "views.db",
        "UPDATE match_views_g1 SET public = replace(public, '\"turns\":', '\"turns\":1')",
        "public document",
    ),
    (
        "a seat's document",
        "views.db",
        "UPDATE match_views_own_g1 SET own = replace(own, '\"ready\":true', '\"ready\":false') WHERE seat = 2",
        "document of seat n",
    ),
    ("an action", "views.db", "DELETE FROM match_actions_g1", "a missing row"),
    ("a lobby row", "views.db", "DELETE FROM lobby_places_g1", "a missing row"),
    ("a deadline", "views.db", "DELETE FROM deadlines_g1", "a missing row"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_planted_damage_is_found_and_named() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    played(&server, 1).await;
    server.stop().await;
    let clean = audited(server.folder.path()).await;
    assert!(clean.is_clean(), "{clean:?}");
    assert_eq!(clean.read_models.len(), yibu_projections::models::all().len());
    assert_eq!(clean.lines().last().map(String::as_str), Some("clean"));

    for (what, file, damage, word) in DAMAGES {
        let folder = copy(server.folder.path());
        let connection = Connection::open(folder.path().join(file)).unwrap();
        let changed = connection.execute(damage, []).unwrap();
        assert!(changed > 0, "{what} was not damaged");
        drop(connection);
        let report = audited(folder.path()).await;
        assert!(!report.is_clean(), "{what}: nothing found");
        let named = report.problems.iter().any(|found| found.problem.contains(word));
        assert!(named, "{what}: {:?}", report.problems);
    }
    for share in [3, 10] {
        damaged_page(&copy(server.folder.path()), share).await;
    }
    forgery(&copy(server.folder.path())).await;
    cut_tail(&copy(server.folder.path())).await;
}

/// A page that the disk has lost, on which an event stands at so many tenths of the log.
async fn damaged_page(folder: &TempDir, share: u64) {
    const PAGE: usize = 4096;
    let file = folder.path().join("log.db");
    let connection = Connection::open(&file).unwrap();
    let (at, hash): (u64, Vec<u8>) = connection
        .query_row(
            "SELECT position, hash FROM events
             WHERE position = (SELECT max(1, max(position) * ?1 / 10) FROM events)",
            [share],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert_eq!(connection.query_row("PRAGMA page_size", [], |row| row.get(0)), Ok(PAGE));
    // Behind it something else is wrong.
    let behind = "UPDATE events SET salt = randomblob(16) WHERE position = (SELECT max(position) FROM events)";
    assert_eq!(connection.execute(behind, []).unwrap(), 1);
    drop(connection);
    let mut bytes = std::fs::read(&file).unwrap();
    let found = bytes.windows(hash.len()).position(|window| window == hash).unwrap();
    bytes[found / PAGE * PAGE..][..PAGE].fill(0x5a);
    std::fs::write(&file, bytes).unwrap();
    let report = audited(folder.path()).await;
    let first = report.problems.iter().find(|found| found.place == "log");
    let first = first.unwrap_or_else(|| panic!("{report:?}"));
    let named = first.position.expect("the first position that cannot be read");
    assert!(named <= at && named + 100 > at, "{named} for {at}");
    let last = format!("the last position that can be read is {}", named - 1);
    assert!(first.problem.contains(&last), "{first:?}");
    assert!(first.problem.contains("malformed"), "{first:?}");
    if share < 10 {
        assert!(report.events > named - 1, "what stands behind it was read: {report:?}");
        let hash = |found: &&audit::Problem| found.problem.contains("the hash does not match");
        assert!(report.problems.iter().find(hash).is_some(), "{report:?}");
    }
    let binary = super::yibu(folder.path(), &["audit"]);
    assert_eq!(binary.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&binary.stdout).contains(&last));
    let deep = super::yibu(folder.path(), &["doctor", "--deep"]);
    assert!(String::from_utf8_lossy(&deep.stdout).contains("after position"));
}

/// Everything in the log, to be written again with hashes that fit.
async fn whole(folder: &Path) -> Vec<Stored> {
    let log = reading(folder).await;
    let events = log.read_all(0, usize::MAX >> 1).await.unwrap();
    log.close().await;
    events
}

/// Writes payloads, hashes and head as somebody would who owns the file and knows the format.
fn write_again(folder: &Path, events: &[Stored]) {
    let mut tips = std::collections::HashMap::new();
    let mut roller = Roller::new();
    let connection = Connection::open(folder.join("log.db")).unwrap();
    for event in events {
        let tip = tips.entry(event.stream.clone()).or_insert(chain::START);
        let mut event = event.clone();
        event.hash = chain::event_hash(tip, &event);
        *tip = event.hash;
        roller.push(&event).unwrap();
        let sql = "UPDATE events SET payload = ?1, hash = ?2 WHERE position = ?3";
        let values = (&event.payload, event.hash.as_slice(), event.position);
        connection.execute(sql, values).unwrap();
    }
    let head = roller.head();
    let sql = "UPDATE head SET position = ?1, hash = ?2";
    connection.execute(sql, (head.position, head.hash.as_slice())).unwrap();
}

/// A forged result with hashes that fit does not come out when its command is decided again.
async fn forgery(folder: &TempDir) {
    let mut events = whole(folder.path()).await;
    let quiet = |event: &&mut Stored| event.payload.contains("\"quiet\":1");
    let mut moves = events.iter_mut().filter(|event| event.name == "siguo.moved.v1");
    let found = moves.find(quiet).unwrap();
    let (stream, version) = (found.stream.clone(), found.version);
    found.payload = found.payload.replacen("\"quiet\":1", "\"quiet\":7", 1);
    write_again(folder.path(), &events);
    let report = audited(folder.path()).await;
    let first = &report.problems[0];
    assert_eq!((&first.place, first.version), (&stream, Some(version)), "{report:?}");
    assert!(first.problem.contains("comes out otherwise"), "{report:?}");
}

/// A cut tail whose head was put right is betrayed by what the read models know.
async fn cut_tail(folder: &TempDir) {
    let mut events = whole(folder.path()).await;
    let last = events.pop().unwrap();
    let connection = Connection::open(folder.path().join("log.db")).unwrap();
    connection.execute("DELETE FROM events WHERE position = ?1", [last.position]).unwrap();
    drop(connection);
    write_again(folder.path(), &events);
    let report = audited(folder.path()).await;
    let ahead = report.problems.iter().any(|found| found.problem.contains("ahead of the log"));
    assert!(ahead, "{report:?}");
}

/// What an audit builds for itself holds hidden pieces.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_audit_that_is_broken_off_leaves_nothing() {
    let folder = folder().await;
    let place = tempfile::tempdir().unwrap();
    let entries = || std::fs::read_dir(place.path()).unwrap().count();
    for signal in ["-INT", "-TERM"].repeat(8) {
        let folders = [folder.path(), place.path()];
        let code = interrupted(folders, &["audit"], signal, || entries() > 0).await.status.code();
        assert!(matches!(code, Some(0 | 130 | 143)), "{code:?}");
        assert_eq!(entries(), 0, "nothing is left");
    }
}
