//! The tools of the command line on a database that nodes share: each does there what it does on a folder.

use super::audit::audited;
use super::binary::{binary, text};
use super::simulate::played;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;
use yibu_tests::postgres::Cluster;
use yibu_tests::table::Table;

/// A database, as the binary is told of it.
pub(super) struct Shared {
    pub(super) url: String,
    pub(super) archive: PathBuf,
    /// Only the socket of a server would be here.
    pub(super) data: PathBuf,
}

impl Shared {
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).env_remove("YIBU_DEV").env("YIBU_DATA", &self.data);
        command.env("DATABASE_URL", &self.url).env("YIBU_ARCHIVE", &self.archive);
        command
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command that must succeed says as JSON.
    fn json(&self, arguments: &[&str]) -> Value {
        let done = self.run(&[arguments, &["--json"]].concat());
        let said = text(&done.stdout);
        assert!(done.status.success(), "{arguments:?}: {said}{}", text(&done.stderr));
        serde_json::from_str(&said).unwrap()
    }

    pub(super) fn sql(&self, sql: &str) -> String {
        let database = self.url.split('/').next_back().unwrap().split('?').next().unwrap();
        Cluster::shared().psql(database, sql)
    }

    /// A clean audit, by both readers.
    pub(super) fn clean(&self) -> Value {
        let report = self.json(&["audit", "--independent"]);
        assert_eq!(report["problem_count"], 0, "{report}");
        assert_eq!(report["independent"], report["events"], "{report}");
        let models = report["read_models"].as_array().unwrap().len();
        assert_eq!(models, yibu_projections::models::all().len(), "{report}");
        report
    }
}

fn carried(from: &str, to: &str) -> Value {
    let mut command = Command::new(binary());
    command.args(["import-log", "--json", "--from", from, "--to", to]).env_remove("DATABASE_URL");
    let done = command.output().unwrap();
    assert!(done.status.success(), "{from} to {to}: {}", text(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

#[test]
fn tools_that_read_leave_a_foreign_database_as_it_is_and_call_it_by_its_name() {
    // Given a database that is not the one that was meant
    let place = tempfile::tempdir().unwrap();
    let (url, archive) = (Cluster::shared().database(), place.path().join("archive"));
    let data = place.path().join("data");
    let shared = Shared { url: url.clone(), archive, data };
    let target = format!("sqlite:{}", place.path().join("target").display());
    let tables = || shared.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'");
    let id = "00000000-0000-4000-8000-000000000000";
    let reading: [&[&str]; 8] = [
        &["audit"],
        &["audit", "--independent"],
        &["replay", id],
        &["export"],
        &["rebuild"],
        &["admin", "list"],
        &["import-log", "--from", &url, "--to", &target],
        &["import-accounts", "--from", &url, "--to", &target],
    ];
    // When it is read, then that is refused, and nothing is left there
    for arguments in reading {
        let done = shared.run(arguments);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("holds no "), "{arguments:?}: {said}");
        assert!(!said.contains(&url), "{arguments:?}: {said}");
        assert_eq!(tables(), "0", "{arguments:?}");
    }
    let doctor = shared.run(&["doctor"]);
    assert!(text(&doctor.stdout).contains("no log yet"), "{}", text(&doctor.stdout));
    assert_eq!(tables(), "0");

    // An older and a newer program's database is left alone as well
    assert!(shared.run(&["migrate"]).status.success());
    for (step, said) in [("0", "of format 0; this program reads"), ("99", "of format 99; this")] {
        shared.sql(&format!("UPDATE log_schema SET step = {step}"));
        for arguments in
            [&["audit"][..], &["doctor"], &["import-log", "--from", &url, "--to", &target]]
        {
            let done = shared.run(arguments);
            let told = text(&[done.stdout, done.stderr].concat());
            assert_eq!(done.status.code(), Some(1), "{arguments:?}: {told}");
            assert!(told.contains(said), "{arguments:?}: {told}");
        }
        assert_eq!(shared.sql("SELECT string_agg(step::text, ',') FROM log_schema"), step);
    }
    assert!(!place.path().join("target").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_works_on_a_shared_database() {
    let place = tempfile::tempdir().unwrap();
    let url = Cluster::shared().database();
    let archive = place.path().join("archive");
    // So long ago by the binary's clock that what ended can be archived.
    let clock = ManualClock::at(SystemClock::new().now() - Span::hours(5 * 24));
    let store = LogStore::Postgres { url: url.clone(), archive: Some(archive.clone()) };
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), store, clock).await;
    played(&server, 1).await;
    let mut table = Table::started(&server, "shared").await;
    for _ in 0..4 {
        table.ply().await;
    }
    let shared = Shared { url, archive, data: server.folder.path().to_owned() };
    let shared = tokio::task::spawn_blocking(move || {
        let beside = shared.clean();
        assert_eq!((&beside["matches"], &beside["documents"]), (&2.into(), &2.into()), "{beside}");
        shared
    });
    let shared = shared.await.unwrap();
    server.stop().await;

    // A node of another version serves a generation of its own shape.
    shared.sql(
        "INSERT INTO projections (name, generation, shape, state, checkpoint, token)
         SELECT name, 99, shape + 1, state, 1, 1 FROM projections",
    );
    shared.clean();
    looked_at(&shared);
    rebuilt(&shared);
    let granted = shared.run(&["admin", "grant", "shared0@example.org"]);
    assert!(granted.status.success(), "{}", text(&granted.stderr));
    let granted = shared.json(&["admin", "list"]);
    assert_eq!(granted[0]["email"], "shared0@example.org");
    let state = shared.clean();
    there_and_back(&shared, place.path(), &state).await;
    archived(&shared);
    damaged(&shared);
}

fn looked_at(shared: &Shared) {
    // The tests' cluster is fast and may forget: no site may be so, but a developer's.
    let done = shared.run(&["doctor"]);
    let said = text(&done.stdout);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("BAD   database     fsync is off"), "{said}");
    let mut command = shared.command(&["doctor", "--deep"]);
    let done = command.env("YIBU_DEV", "true").output().unwrap();
    let said = text(&done.stdout);
    assert!(done.status.success(), "{said}");
    let wanted = [
        "fsync is off",
        "clock        the database's",
        "there, as the log knows",
        "payloads",
        "lobby: up to date",
    ];
    for what in wanted {
        assert!(said.contains(what), "{what}: {said}");
    }
    assert!(!said.contains(&shared.url), "no address is shown");
}

fn rebuilt(shared: &Shared) {
    let rebuilt = shared.json(&["rebuild"]);
    let rebuilt = rebuilt.as_array().unwrap();
    assert_eq!(rebuilt.len(), yibu_projections::models::all().len());
    assert!(rebuilt.iter().all(|model| model["same"] == true), "{rebuilt:?}");
}

/// To a folder and to another database: every head is the same.
async fn there_and_back(shared: &Shared, place: &Path, state: &Value) {
    let folder = place.join("folder");
    let other = Cluster::shared().database();
    let sqlite = format!("sqlite:{}", folder.display());
    let out = carried(&shared.url, &sqlite);
    let back = carried(&sqlite, &other);
    assert_eq!(out["events"], state["events"]);
    assert_eq!((&out["head"], &out["memos"]), (&back["head"], &back["memos"]));
    assert!(out["memos"].as_u64() > Some(0));
    let copy = audited(&folder).await;
    assert!(copy.is_clean(), "{copy:?}");
    assert_eq!(copy.end().map(|end| hex::encode(end.hash)).as_deref(), out["head"].as_str());
    let refused = super::binary::yibu(&folder, &["audit", "--independent"]);
    assert!(text(&refused.stderr).contains("PostgreSQL alone"), "{}", text(&refused.stderr));
}

fn archived(shared: &Shared) {
    let ended = "SELECT aggregate_id FROM events WHERE event_type LIKE 'siguo.ended.%'";
    let ended = shared.sql(ended);
    let replay = || {
        let done = shared.run(&["replay", &ended]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stdout)
    };
    let before = replay();
    let moved = shared.json(&["archive", "--older-than", "3"]);
    assert_eq!((&moved["streams"], &moved["segments"]), (&1.into(), &1.into()), "{moved}");
    assert_eq!(replay(), before);
    let report = shared.clean();
    assert!(report["notes"].to_string().contains("archived events"), "{report}");
    unnamed(shared, &ended);
    // The command line's own event is in no read model yet: the first cannot be compared.
    shared.json(&["rebuild"]);
    rebuilt(shared);
    let one = shared.json(&["audit", "--independent", &ended]);
    assert_eq!((&one["problem_count"], &one["documents"]), (&0.into(), &1.into()), "{one}");
}

/// Without the archive's folder nothing is taken for damage, and nobody serves.
fn unnamed(shared: &Shared, ended: &str) {
    let target = format!("sqlite:{}", shared.archive.with_file_name("unnamed").display());
    let accounts = format!("sqlite:{}", shared.archive.with_file_name("unnamed-too").display());
    for arguments in [
        &["audit"][..],
        &["audit", "--independent", ended],
        &["doctor"],
        &["doctor", "--deep"],
        &["replay", ended],
        &["replay", "--file", ended],
        &["export"],
        &["rebuild"],
        &["migrate"],
        &["import-log", "--from", &shared.url, "--to", &target],
        &["import-accounts", "--from", &shared.url, "--to", &accounts],
        &["admin", "list"],
        &["admin", "outages"],
        &["serve", "--dev", "--listen", "127.0.0.1:0"],
    ] {
        let done = shared.command(arguments).env_remove("YIBU_ARCHIVE").output().unwrap();
        let said = text(&[done.stdout, done.stderr].concat());
        assert_eq!(done.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("events are archived: set YIBU_ARCHIVE"), "{arguments:?}: {said}");
        assert!(!said.contains("hash") && !said.contains("broken"), "{arguments:?}: {said}");
    }
    let archive = ["archive", "--older-than", "3"];
    let done = shared.command(&archive).env_remove("YIBU_ARCHIVE").output().unwrap();
    assert!(text(&done.stderr).contains("set YIBU_ARCHIVE"), "{}", text(&done.stderr));
}

/// Rows that somebody changed are named.
fn damaged(shared: &Shared) {
    let problem = |place: &str, word: &str| {
        let done = shared.run(&["audit", "--independent", "--json"]);
        assert_eq!(done.status.code(), Some(1), "{word}");
        let report: Value = serde_json::from_slice(&done.stdout).unwrap();
        let problems = report["problems"].as_array().unwrap();
        let named = |found: &&Value| {
            found["place"] == place && found["problem"].as_str().unwrap().contains(word)
        };
        problems.iter().find(named).unwrap_or_else(|| panic!("{place}, {word}: {report}")).clone()
    };
    let generation =
        "SELECT max(generation) FROM projections WHERE name = 'deadlines' AND state = 'active'";
    let generation = shared.sql(generation);
    shared.sql(&format!("UPDATE deadlines_g{generation} SET retention = retention + 1"));
    problem("deadlines", "another row than the log gives");

    let row =
        "WHERE position = (SELECT max(position) FROM events WHERE event_type = 'siguo.moved.v1')";
    let at = shared
        .sql(&format!("SELECT 'match-' || aggregate_id || ' ' || sequence FROM events {row}"));
    let (stream, version) = at.split_once(' ').unwrap();
    // What no hash covers, and no reader looks at.
    for (column, changed) in [
        ("event_version", "'7'"),
        ("metadata", "(replace(metadata::text, '{\"id\"', '{\"more\":1,\"id\"'))::json"),
    ] {
        let good = shared.sql(&format!("SELECT {column} FROM events {row}"));
        shared.sql(&format!("UPDATE events SET {column} = {changed} {row}"));
        let found = problem(stream, &format!("its column {column} is not as"));
        assert_eq!(found["version"].to_string(), version);
        shared.sql(&format!("UPDATE events SET {column} = '{good}' {row}"));
    }
    let memo = "(SELECT max(position) FROM log_memos WHERE stream LIKE 'match-%')";
    let of = shared.sql(&format!("SELECT stream FROM log_memos WHERE position = {memo}"));
    shared.sql(&format!("DELETE FROM log_memos WHERE position = {memo}"));
    problem(&of, "is not remembered");

    // The same JSON: only the hash tells.
    shared.sql(&format!("UPDATE events SET payload = (payload::text || ' ')::json {row}"));
    let found = problem(stream, "hash does not match");
    assert_eq!(found["version"].to_string(), version);
    shared.sql(&format!("DELETE FROM events {row}"));
    problem(stream, &format!("version {version} is missing"));
}
