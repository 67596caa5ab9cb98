//! What stands beside the events: an index by which streams are found, the commands that are remembered, the mark of the
//! end. Each lie of it is found and named, though every event is whole.

use super::audit::{audited, copy};
use super::binary::{text, yibu};
use super::simulate::played;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use yibu_api::app::LogStore;
use yibu_api::cli::audit::Report;
use yibu_api::cli::{backup, restore};
use yibu_api::local;
use yibu_domain::kernel::Span;
use yibu_infrastructure::log::{StoreConfig, open};
use yibu_infrastructure::system::{Clock, Entropy, ManualClock, SystemClock};
use yibu_tests::app::TestApp;

/// A folder in which people have played, with its index over all streams written as far as the log goes.
pub(super) async fn folder() -> TempDir {
    // Commands count for seven days by the clock of whoever audits.
    let clock = ManualClock::at(SystemClock::new().now());
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), LogStore::Sqlite, clock).await;
    played(&server, 1).await;
    server.stop().await;
    let folder = copy(server.folder.path());
    sql(
        folder.path(),
        "log.db",
        "INSERT INTO stream_index SELECT stream, version, position FROM events
         WHERE position > (SELECT indexed FROM head);
         UPDATE head SET indexed = position",
    );
    let clean = audited(folder.path()).await;
    assert!(clean.is_clean(), "{clean:?}");
    assert!(clean.commands > 0 && clean.decisions > 0, "{clean:?}");
    folder
}

pub(super) fn sql(folder: &Path, file: &str, sql: &str) {
    Connection::open(folder.join(file)).unwrap().execute_batch(sql).unwrap();
}

fn ask(folder: &Path, sql: &str) -> String {
    let log = Connection::open(folder.join("log.db")).unwrap();
    log.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn named<'a>(report: &'a Report, place: &str, words: &str) -> &'a str {
    let found = report.problems.iter().find(|it| it.place == place && it.problem.contains(words));
    &found.unwrap_or_else(|| panic!("{place}, {words}: {:?}", report.problems)).problem
}

const A_MATCH: &str = "(SELECT id FROM streams WHERE name LIKE 'match-%')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_reads_otherwise_than_the_log_holds_it_is_named() {
    let whole = folder().await;
    let name = |of: &str| ask(whole.path(), &format!("SELECT name FROM streams WHERE id = {of}"));
    let (a_match, a_player) =
        (name(A_MATCH), "(SELECT id FROM streams WHERE name LIKE 'player-%')");
    let cases = [
        (&a_match, format!("DELETE FROM stream_index WHERE stream = {A_MATCH}")),
        (&a_match, format!("DELETE FROM stream_index WHERE stream = {A_MATCH} AND version > 20")),
        (&a_match, format!("DELETE FROM stream_index WHERE stream = {A_MATCH} AND version = 20")),
        (
            &a_match,
            format!(
                "UPDATE stream_index SET position = position + 1
                 WHERE stream = {A_MATCH} AND version = 3"
            ),
        ),
        (
            &a_match,
            format!(
                "UPDATE stream_index SET position = 999999 WHERE stream = {A_MATCH} AND version = 9"
            ),
        ),
        (&a_match, "UPDATE head SET indexed = indexed - 30".to_owned()),
        (&name(a_player), format!("DELETE FROM stream_index WHERE stream = {a_player}")),
    ];
    for (stream, damage) in cases {
        let folder = copy(whole.path());
        sql(folder.path(), "log.db", &damage);
        let report = audited(folder.path()).await;
        assert!(!report.is_clean(), "{damage}");
        assert!(report.problems.iter().any(|it| it.place == *stream), "{damage}: {report:?}");

        // Without read models nothing else could tell.
        std::fs::remove_file(folder.path().join("views.db")).unwrap();
        let report = audited(folder.path()).await;
        let found = report.problems.iter().find(|it| it.place == *stream);
        assert!(found.is_some_and(|it| it.version.is_some()), "{damage}: {report:?}");

        let deep = yibu(folder.path(), &["doctor", "--deep"]);
        assert_eq!(deep.status.code(), Some(1), "{damage}");
        assert!(text(&deep.stdout).contains(stream.as_str()), "{damage}: {}", text(&deep.stdout));
        if stream == &a_match {
            let one = yibu(folder.path(), &["audit", stream.strip_prefix("match-").unwrap()]);
            assert_eq!(one.status.code(), Some(1), "{damage}: {}", text(&one.stdout));
            if !damage.starts_with("UPDATE stream_index SET position = position + 1") {
                let export =
                    yibu(folder.path(), &["export", stream.strip_prefix("match-").unwrap()]);
                assert_eq!(export.status.code(), Some(1), "{damage}");
                assert!(text(&export.stderr).contains(stream.as_str()), "{}", text(&export.stderr));
            }
        }
        let place = tempfile::tempdir().unwrap();
        let (to, data) = (place.path().join("backup"), place.path().join("data"));
        let now = SystemClock::new().now();
        // The first to look closely enough refuses.
        let refused = match backup::take(folder.path(), &to, now, |_, _| {}).await {
            Ok(_) => restore::restore_quietly(&to, &data).await.unwrap_err().to_string(),
            Err(fault) => fault.to_string(),
        };
        assert!(refused.contains(stream.as_str()), "{damage}: {refused}");
        assert!(!data.exists());
    }
    not_archived(&copy(whole.path())).await;
}

/// A match that reads shorter than it is does not leave the table.
async fn not_archived(folder: &TempDir) {
    sql(folder.path(), "log.db", &format!("DELETE FROM stream_index WHERE stream = {A_MATCH}"));
    let store = StoreConfig::Sqlite { folder: folder.path().to_owned() };
    let log = open(store, Arc::new(SystemClock::new()), Entropy::seeded(1)).await.unwrap();
    let later = SystemClock::new().now() + Span::hours(24 * 5);
    let archive = folder.path().join("archive");
    let refused = local::archive(log.as_ref(), &archive, later, 3, |_| {}).await.unwrap_err();
    assert!(refused.contains("reads up to version 0, but the log holds version"), "{refused}");
    log.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_is_remembered_otherwise_than_it_was_is_named() {
    let whole = folder().await;
    let last = "position = (SELECT max(position) FROM memos)";
    let of_match = format!("stream = {A_MATCH}");
    let cases = [
        (format!("DELETE FROM memos WHERE {last}"), "is not remembered"),
        ("DELETE FROM memos".to_owned(), "is not remembered"),
        (format!("UPDATE memos SET recorded = 1 WHERE {last}"), "is not remembered"),
        (format!("UPDATE memos SET input = randomblob(32) WHERE {of_match}"), "another input"),
        (format!("UPDATE memos SET version = version + 1 WHERE {last}"), "another place"),
        (format!("UPDATE memos SET position = position + 1 WHERE {last}"), "another place"),
        (format!("UPDATE memos SET recorded = recorded + 1 WHERE {last}"), "another time"),
        (format!("UPDATE memos SET result = 'NO' WHERE {last}"), "another result"),
        (format!("UPDATE memos SET id = randomblob(16) WHERE {last}"), "no event of the log tells"),
    ];
    for (damage, words) in cases {
        let folder = copy(whole.path());
        sql(folder.path(), "log.db", &damage);
        let report = audited(folder.path()).await;
        let found = report.problems.iter().find(|it| it.problem.contains(words));
        let found = found.unwrap_or_else(|| panic!("{damage}: {report:?}"));
        assert!(found.version.is_some() && found.problem.starts_with("command "), "{found:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_is_said_once_and_in_words_that_hold() {
    let whole = folder().await;
    let middle = "(SELECT max(position) / 2 FROM events)";
    let at = format!(
        "SELECT s.name FROM events e JOIN streams s ON s.id = e.stream WHERE e.position = {middle}"
    );
    let (stream, end) = (ask(whole.path(), &at), "SELECT CAST(max(position) AS TEXT) FROM events");
    let end: u64 = ask(whole.path(), end).parse().unwrap();

    let folder = copy(whole.path());
    sql(
        folder.path(),
        "log.db",
        &format!("UPDATE events SET salt = randomblob(16) WHERE position = {middle}"),
    );
    let report = audited(folder.path()).await;
    assert_eq!(named(&report, &stream, "hash"), "the hash does not match");
    let about = report.problems.iter().filter(|it| it.problem.contains("hash does not match"));
    assert_eq!(about.count(), 1, "{report:?}");

    let folder = copy(whole.path());
    sql(folder.path(), "log.db", &format!("DELETE FROM events WHERE position = {middle}"));
    let report = audited(folder.path()).await;
    let missing = named(&report, &stream, "is missing: version ");
    assert!(missing.starts_with("version ") && missing.ends_with(" follows"), "{missing}");

    let folder = copy(whole.path());
    sql(folder.path(), "log.db", &format!("DELETE FROM events WHERE position > {end} - 5"));
    let report = audited(folder.path()).await;
    let cut = format!("the log ends at position {}, but position {end} was acknowledged", end - 5);
    named(&report, "log.head", &cut);

    let folder = copy(whole.path());
    std::fs::remove_file(folder.path().join("log.head")).unwrap();
    let report = audited(folder.path()).await;
    assert!(report.notes.iter().any(|note| note.contains("there is no log.head")), "{report:?}");

    // Of one match alone no fresh build tells.
    let folder = copy(whole.path());
    sql(folder.path(), "views.db", "UPDATE match_views_g1 SET version = 0");
    let id = ask(whole.path(), "SELECT substr(name, 7) FROM streams WHERE name LIKE 'match-%'");
    let one = yibu(folder.path(), &["audit", &id]);
    assert_eq!(one.status.code(), Some(1), "{}", text(&one.stdout));
    assert!(text(&one.stdout).contains("documents are at version 0, which is none"));

    let folder = copy(whole.path());
    sql(folder.path(), "views.db", "UPDATE projections SET state = 'odd' WHERE name = 'lobby'");
    let report = audited(folder.path()).await;
    named(&report, "lobby", "the state odd");
    assert!(!report.read_models.iter().any(|name| name == "lobby"), "{report:?}");

    let folder = copy(whole.path());
    sql(
        folder.path(),
        "views.db",
        "UPDATE match_actions_g1 SET body = body || ' ' WHERE chunk = 0;
         INSERT INTO match_actions_g1 SELECT match_id, 77, last, body FROM match_actions_g1 WHERE chunk = 0",
    );
    let report = audited(folder.path()).await;
    for (what, chunk) in
        [("a row that the log does not give", 77), ("another row than the log gives", 0)]
    {
        let wanted = format!("{what}: match_id {id}, chunk {chunk}");
        assert_eq!(named(&report, "match_actions", what), wanted);
    }
    assert_eq!(report.problem_count, 2, "{report:?}");
}
