//! Rows and parts of tables that no writer of this program makes, on SQLite: an audit names each, with a place, and
//! judges everything else; what copies the log does not take it along.

use super::audit::{audited, copy};
use super::audit_beside::{folder, sql};
use super::binary::{text, yibu};
use rusqlite::Connection;
use serde_json::Value;
use std::path::Path;
use yibu_api::cli::{backup, restore};
use yibu_infrastructure::system::{Clock, SystemClock};

/// A damage: the statement, the place that must be named, and words of the problem.
type Damage = (&'static str, &'static str, &'static str);

/// What the copy of the last event's row needs besides its position.
const REST: &str = "id, name, payload, at, actor, command, command_id, correlation, causation, node, build, \
     recorded, salt, hash FROM events WHERE position = (SELECT max(position) FROM events)";

/// A hidden part of the log itself, on SQLite.
const LOG: &[Damage] = &[
    (
        "INSERT INTO stream_index SELECT max(id) + 1, 1, 3000 FROM streams",
        "stream_index",
        "there is no such stream",
    ),
    ("INSERT INTO stream_index VALUES (9999, 1, 1)", "stream_index", "there is no such stream"),
    (
        "INSERT INTO stream_index SELECT stream, 900, position FROM stream_index
         WHERE stream = (SELECT min(id) FROM streams) AND version = 1",
        "",
        "where another event stands",
    ),
    (
        "INSERT INTO streams (name) VALUES ('match-00000000-0000-4000-8000-000000000001')",
        "streams",
        "match-00000000-0000-4000-8000-000000000001",
    ),
    ("INSERT INTO events SELECT 0, stream, version + 1, {rest}", "", "at position 0, before"),
    ("INSERT INTO events SELECT -7, stream, version + 1, {rest}", "", "at position -7, before"),
    (
        "INSERT INTO events SELECT position + 9, 9999, version + 1, {rest}",
        "streams",
        "behind the log's head",
    ),
    ("UPDATE head SET indexed = position + 3", "head", "is said to reach"),
    ("DROP INDEX memos_by_command", "memos", "the index memos_by_command is missing"),
    (
        "INSERT INTO memos SELECT -1, randomblob(16), randomblob(16), input, result, stream, 1, 1
         FROM memos LIMIT 1",
        "",
        "a command is remembered that no event",
    ),
    (
        "CREATE TRIGGER later AFTER INSERT ON events BEGIN UPDATE head SET hash = hash; END",
        "events",
        "there is a trigger later",
    ),
    (
        "CREATE TRIGGER more AFTER DELETE ON claims_unique BEGIN DELETE FROM memos; END",
        "claims_unique",
        "there is a trigger more",
    ),
    ("CREATE TABLE extra (a)", "extra", "there is a table extra"),
    ("CREATE UNIQUE INDEX narrow ON events (hash)", "events", "there is an index narrow"),
];

/// What an audit once gave up on.
const UNREADABLE: &[Damage] = &[
    ("INSERT INTO limits VALUES ('extra', 3)", "limits", "there is no counter extra"),
    ("UPDATE limits SET most = -3 WHERE counter = 'takeover'", "limits", "a row of it is not"),
    (
        "INSERT INTO claims_counted VALUES ('xx', x'00112233445566778899aabbccddeeff', 1)",
        "claims_counted",
        "there is no counter xx",
    ),
    (
        "INSERT INTO claims_counted VALUES ('full', x'00', 1)",
        "claims_counted",
        "a row of it is not",
    ),
    ("UPDATE memos SET account = x'00'", "memos", "a row of it is not"),
    ("DELETE FROM head", "head", "cannot be read"),
    ("DROP TABLE memos", "memos", "cannot be read"),
    ("DROP TABLE claims_unique", "claims_unique", "cannot be read"),
    ("DROP TABLE claims_counted", "claims_counted", "the table claims_counted is missing"),
    ("DROP TABLE heartbeats", "heartbeats", "no such table"),
    ("DROP TABLE head", "head", "the table head is missing"),
];

fn report(folder: &Path, arguments: &[&str]) -> Value {
    let done = yibu(folder, &[&["audit", "--json"], arguments].concat());
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stdout));
    serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{}", text(&done.stderr)))
}

/// The problem of a place, or of any, in which words stand.
pub(super) fn named<'a>(report: &'a Value, place: &str, words: &str) -> &'a Value {
    let problems = report["problems"].as_array().unwrap();
    let is_it = |it: &&Value| {
        it["problem"].as_str().unwrap().contains(words)
            && (place.is_empty() || it["place"] == place)
    };
    problems.iter().find(is_it).unwrap_or_else(|| panic!("{place}, {words}: {report:#}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_no_honest_writer_makes_is_named_wherever_the_log_is_looked_at() {
    let whole = folder().await;
    let matches = report_of(whole.path()).await;
    for (damage, place, words) in LOG {
        let damage = format!("PRAGMA foreign_keys = OFF; {}", damage.replace("{rest}", REST));
        let folder = copy(whole.path());
        sql(folder.path(), "log.db", &damage);
        let found = report(folder.path(), &[]);
        let found = (named(&found, place, words), &found["decisions"]);
        assert_eq!(found.1, &matches, "{damage}: everything else is judged");

        let deep = yibu(folder.path(), &["doctor", "--deep"]);
        assert_eq!(deep.status.code(), Some(1), "{damage}");
        assert!(text(&deep.stdout).contains(words), "{damage}: {}", text(&deep.stdout));

        let place = tempfile::tempdir().unwrap();
        let to = place.path().join("backup");
        let now = SystemClock::new().now();
        let refused = backup::take(folder.path(), &to, now, |_, _| {}).await.unwrap_err();
        let refused = refused.to_string();
        let head = "the head does not stand at the last event";
        assert!(refused.contains(words) || refused.contains(head), "{damage}: {refused}");
        assert!(!to.exists(), "{damage}");
        forged(whole.path(), &damage, words).await;
    }
}

/// How many decisions a clean audit decides again.
async fn report_of(folder: &Path) -> Value {
    audited(folder).await.decisions.into()
}

/// A backup into which it was brought later, with a list that fits, is not restored.
async fn forged(whole: &Path, damage: &str, words: &str) {
    let place = tempfile::tempdir().unwrap();
    let (to, data) = (place.path().join("backup"), place.path().join("data"));
    let now = SystemClock::new().now();
    backup::take(whole, &to, now, |_, _| {}).await.unwrap();
    sql(&to, "log.db", damage);
    let list = to.join("backup.json");
    let mut manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(&list).unwrap()).unwrap();
    let bytes = std::fs::read(to.join("log.db")).unwrap();
    let part = manifest["files"].as_array_mut().unwrap().iter_mut();
    let part = part.into_iter().find(|part| part["name"] == "log.db").unwrap();
    part["bytes"] = bytes.len().into();
    part["hash"] = blake3::hash(&bytes).to_hex().to_string().into();
    std::fs::write(&list, manifest.to_string()).unwrap();
    let refused = restore::restore_quietly(&to, &data).await.unwrap_err().to_string();
    let head = "the head does not stand at the last event";
    assert!(refused.contains(words) || refused.contains(head), "{damage}: {refused}");
    assert!(!data.exists(), "{damage}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_read_is_named_and_everything_else_is_judged() {
    let whole = folder().await;
    let decisions = report_of(whole.path()).await;
    for (damage, place, words) in UNREADABLE {
        let folder = copy(whole.path());
        // Something else that must still be found.
        let also = "INSERT OR IGNORE INTO claims_unique VALUES ('chance/x/y');";
        sql(folder.path(), "log.db", &format!("{also}{damage}"));
        let found = report(folder.path(), &[]);
        named(&found, place, words);
        if !damage.contains("claims_unique") && !damage.contains("head") {
            named(&found, "claims", "chance/x/y is not in the log");
        }
        if !damage.contains("TABLE head") && !damage.contains("FROM head") {
            assert_eq!(found["decisions"], decisions, "{damage}");
        }
        assert!(found["events"].as_u64() > Some(0), "{damage}: {found}");
    }
    let folder = copy(whole.path());
    sql(folder.path(), "log.db", "UPDATE memos SET recorded = recorded + 1");
    let found = report(folder.path(), &[]);
    let memo = named(&found, "", "another time");
    assert!(memo["position"].as_u64() > Some(0) && memo["version"].is_u64(), "{memo}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_read_model_can_be_taken_out_of_an_audit() {
    let whole = folder().await;
    let (building, newer) = ("UPDATE projections SET state = 'building'", "a newer shape");
    let rows = [
        (building, "lobby", "no generation of it is active"),
        ("DELETE FROM projections", "deadlines", "no generation of it is active"),
        ("UPDATE projections SET shape = shape + 1", "lobby", newer),
        ("UPDATE projections SET shape = shape - 1", "lobby", "an older shape"),
        (
            "INSERT INTO projections (name, generation, shape, state, checkpoint, token)
             SELECT name, 7, shape, state, checkpoint, 1 FROM projections WHERE name = 'deadlines'",
            "deadlines",
            "no such table",
        ),
        (
            "CREATE TRIGGER quiet AFTER UPDATE ON projections BEGIN DELETE FROM deadlines_g1; END",
            "projections",
            "there is a trigger quiet",
        ),
        (
            "CREATE TRIGGER lost AFTER INSERT ON lobby_tables_g1 BEGIN DELETE FROM deadlines_g1; END",
            "lobby_tables",
            "there is a trigger lost",
        ),
        ("DROP INDEX deadlines_due_g1", "deadlines", "the index deadlines_due is missing"),
    ];
    for (damage, place, words) in rows {
        let folder = copy(whole.path());
        sql(folder.path(), "views.db", damage);
        named(&report(folder.path(), &[]), place, words);
    }
    let folder = copy(whole.path());
    sql(folder.path(), "views.db", building);
    let log = Connection::open(folder.path().join("log.db")).unwrap();
    let id = "SELECT substr(name, 7) FROM streams WHERE name LIKE 'match-%'";
    let id: String = log.query_row(id, [], |row| row.get(0)).unwrap();
    drop(log);
    named(&report(folder.path(), &[&id]), "match_views", "no generation of it is active");

    let folder = copy(whole.path());
    sql(folder.path(), "views.db", "UPDATE audit_trail_g1 SET happened = 1 WHERE position = 3");
    let found = report(folder.path(), &[]);
    let row = named(&found, "audit_trail", "another row than the log gives");
    assert_eq!((&row["position"], row["version"].is_u64()), (&3.into(), true), "{row}");

    // Read models that were never built are none.
    let folder = copy(whole.path());
    std::fs::remove_file(folder.path().join("views.db")).unwrap();
    let none = audited(folder.path()).await;
    assert!(none.is_clean() && none.read_models.is_empty(), "{none:?}");
}
