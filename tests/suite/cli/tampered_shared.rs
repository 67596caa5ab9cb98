//! Rows and parts of tables that no writer of this program makes, on a shared database: each is named by an audit with
//! a place, everything else is judged, and once it is taken back the audit is clean.

use super::binary::text;
use super::postgres::Shared;
use super::simulate::played;
use super::tampered::named;
use serde_json::Value;
use yibu_api::app::LogStore;
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_projections::models;
use yibu_tests::app::TestApp;
use yibu_tests::postgres::Cluster;

/// The statement, what takes it back, and what must be named.
type Shift = (&'static str, &'static str, &'static str, &'static str);

const SHARED: &[Shift] = &[
    (
        "INSERT INTO events SELECT 'siguo', 'evil', 1, event_type, event_version, payload, metadata, -1, \
         written_at, salt, hash FROM events WHERE position = 1",
        "DELETE FROM events WHERE position < 1",
        "siguo-evil",
        "at position -1, before",
    ),
    (
        "INSERT INTO events SELECT 'siguo', 'evil', 1, event_type, event_version, payload, metadata, 0, \
         written_at, salt, hash FROM events WHERE position = 1",
        "DELETE FROM events WHERE position < 1",
        "siguo-evil",
        "at position 0, before",
    ),
    (
        "INSERT INTO events SELECT 'siguo', 'evil', 1, event_type, event_version, payload, metadata, \
         (SELECT position + 1 FROM log_head), written_at, salt, hash FROM events WHERE position = 1",
        "DELETE FROM events WHERE aggregate_type = 'siguo'",
        "siguo-evil",
        "behind the log's head",
    ),
    (
        "INSERT INTO log_limits VALUES ('xx', 3)",
        "DELETE FROM log_limits WHERE counter = 'xx'",
        "log_limits",
        "there is no counter xx",
    ),
    (
        "INSERT INTO log_claims_counted VALUES ('xx', gen_random_uuid(), 0)",
        "DELETE FROM log_claims_counted WHERE counter = 'xx'",
        "log_claims_counted",
        "there is no counter xx",
    ),
    (
        "INSERT INTO log_memos SELECT account, gen_random_uuid(), input, result, stream, version, \
         position, 1 FROM log_memos LIMIT 1",
        "DELETE FROM log_memos WHERE recorded = 1",
        "",
        "a command is remembered that no event",
    ),
    (
        "INSERT INTO log_schema VALUES (0)",
        "DELETE FROM log_schema WHERE step = 0",
        "log_schema",
        "[0, 1]",
    ),
    (
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; \
         CREATE TRIGGER quiet BEFORE INSERT ON log_memos FOR EACH ROW EXECUTE FUNCTION nothing()",
        "DROP TRIGGER quiet ON log_memos",
        "log_memos",
        "there is a trigger quiet",
    ),
    (
        "CREATE RULE quiet AS ON INSERT TO log_claims_unique DO INSTEAD NOTHING",
        "DROP RULE quiet ON log_claims_unique",
        "log_claims_unique",
        "there is a rule quiet",
    ),
    (
        "DROP INDEX events_by_position",
        "CREATE UNIQUE INDEX events_by_position ON events (position)",
        "events",
        "the index events_by_position is missing",
    ),
    (
        "ALTER TABLE log_memos DROP CONSTRAINT log_memos_pkey",
        "ALTER TABLE log_memos ADD PRIMARY KEY (account, id)",
        "log_memos",
        "the constraint log_memos_pkey is missing",
    ),
    (
        "ALTER TABLE log_memos ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE log_memos DISABLE ROW LEVEL SECURITY",
        "log_memos",
        "the table log_memos is not as",
    ),
    (
        "CREATE RULE quiet AS ON UPDATE TO projections DO INSTEAD NOTHING",
        "DROP RULE quiet ON projections",
        "projections",
        "there is a rule quiet",
    ),
    (
        "CREATE TRIGGER quiet BEFORE INSERT ON deadlines_g1 FOR EACH ROW EXECUTE FUNCTION nothing()",
        "DROP TRIGGER quiet ON deadlines_g1",
        "deadlines",
        "there is a trigger quiet",
    ),
    (
        "UPDATE projections SET state = 'building'",
        "UPDATE projections SET state = 'active'",
        "lobby",
        "no generation of it is active",
    ),
    (
        "UPDATE projections SET shape = shape + 1",
        "UPDATE projections SET shape = shape - 1",
        "lobby",
        "a newer shape",
    ),
    (
        "ALTER TABLE deadlines_g1 RENAME TO gone",
        "ALTER TABLE gone RENAME TO deadlines_g1",
        "deadlines",
        "is missing",
    ),
    (
        "ALTER TABLE log_memos RENAME TO gone",
        "ALTER TABLE gone RENAME TO log_memos",
        "log_memos",
        "cannot be read",
    ),
    (
        "ALTER TABLE log_head RENAME TO gone",
        "ALTER TABLE gone RENAME TO log_head",
        "head",
        "cannot be read",
    ),
    (
        "CREATE TABLE kept AS SELECT * FROM log_head; DELETE FROM log_head",
        "INSERT INTO log_head SELECT * FROM kept; DROP TABLE kept",
        "head",
        "cannot be read",
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shared_database_hides_nothing_either() {
    let url = Cluster::shared().database();
    let clock = ManualClock::at(SystemClock::new().now());
    let store = LogStore::Postgres { url: url.clone(), archive: None };
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), store, clock).await;
    played(&server, 1).await;
    server.stop().await;
    let (archive, data) = (server.folder.path().join("none"), server.folder.path().to_owned());
    let shared = Shared { url, archive, data };
    let clean = shared.clean();
    assert_eq!(clean["read_models"].as_array().map(Vec::len), Some(models::all().len()));
    for (damage, back, place, words) in SHARED {
        shared.sql(damage);
        for arguments in [&["audit", "--json"][..], &["audit", "--independent", "--json"]] {
            let done = shared.run(arguments);
            assert_eq!(done.status.code(), Some(1), "{damage}: {}", text(&done.stdout));
            let found: Value = serde_json::from_slice(&done.stdout)
                .unwrap_or_else(|_| panic!("{damage}: {}", text(&done.stderr)));
            named(&found, place, words);
            assert!(found["events"].as_u64() >= clean["events"].as_u64(), "{damage}");
            assert_eq!(found["decisions"], clean["decisions"], "{damage}");
        }
        let mut command = shared.command(&["doctor", "--deep"]);
        let deep = command.env("YIBU_DEV", "true").output().unwrap();
        if !damage.contains("projections") && !damage.contains("_g1") {
            assert_eq!(deep.status.code(), Some(1), "{damage}: {}", text(&deep.stdout));
        }
        shared.sql(back);
    }
    shared.clean();
}
