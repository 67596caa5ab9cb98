//! The tables in PostgreSQL: nodes that start at the same instant, programs of different age, neighbours in the
//! same database, and nothing secret in what is stored.

use super::stage::{PASSWORD, Stage, Store, database_of};
use std::process::Command;
use yibu_infrastructure::accounts::{AccountsDb, OpenFault, Place};
use yibu_tests::postgres::{Cluster, binary};

/// An empty database.
fn empty() -> Place {
    Place::Postgres(Cluster::shared().database())
}

fn psql(place: &Place, sql: &str) -> String {
    Cluster::shared().psql(database_of(place), sql)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_nodes_start_over_an_empty_database() {
    let place = empty();
    let starts: Vec<_> = (0..10).map(|_| tokio::spawn(AccountsDb::open(place.clone()))).collect();
    for start in starts {
        start.await.unwrap().unwrap().close().await;
    }
    let steps = psql(&place, "SELECT count(*) FROM accounts_migrations");
    let files =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations/postgres/accounts"));
    assert_eq!(steps, files.unwrap().count().to_string(), "each step was done once");
}

#[tokio::test]
async fn a_newer_or_changed_schema_is_refused_and_left_alone() {
    let place = empty();
    AccountsDb::open(place.clone()).await.unwrap().close().await;
    for change in [
        "INSERT INTO accounts_migrations VALUES (9999, '')",
        "DELETE FROM accounts_migrations WHERE number = 9999; \
         UPDATE accounts_migrations SET checksum = 'x' WHERE number = 1",
    ] {
        psql(&place, change);
        let refused = AccountsDb::open(place.clone()).await;
        assert!(matches!(refused, Err(OpenFault::Migration(_))), "{change}");
    }
}

#[tokio::test]
async fn who_only_reads_makes_no_tables_and_brings_none_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let file = Place::Folder(folder.path().to_owned());
    let database = empty();
    for place in [&file, &database] {
        let nothing = AccountsDb::open_to_read(place.clone()).await;
        assert!(matches!(nothing, Err(OpenFault::Nothing)), "{place:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(psql(&database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");

    for place in [&file, &database] {
        AccountsDb::open(place.clone()).await.unwrap().close().await;
        AccountsDb::open_to_read(place.clone()).await.unwrap().close().await;
    }
    psql(&database, "DELETE FROM accounts_migrations WHERE number = 1");
    let on = rusqlite::Connection::open(folder.path().join("accounts.db")).unwrap();
    on.execute("DELETE FROM _sqlx_migrations WHERE version = 1", []).unwrap();
    drop(on);
    for place in [&file, &database] {
        let older = AccountsDb::open_to_read(place.clone()).await;
        assert!(matches!(older, Err(OpenFault::TooOld)), "{place:?}");
    }
}

#[tokio::test]
async fn a_neighbours_migrations_are_not_ours() {
    let place = empty();
    // As another component of the same program would keep them.
    let theirs = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
                  installed_on TIMESTAMPTZ NOT NULL DEFAULT now(), success BOOLEAN NOT NULL, \
                  checksum BYTEA NOT NULL, execution_time BIGINT NOT NULL); \
                  INSERT INTO _sqlx_migrations VALUES (1, 'log', now(), true, 'x', 0)";
    psql(&place, theirs);
    for _ in 0..2 {
        AccountsDb::open(place.clone()).await.unwrap().close().await;
    }
    let left = psql(&place, "SELECT description FROM _sqlx_migrations");
    assert_eq!(left, "log");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_secret_is_in_a_dump() {
    let stage = Stage::new(Store::Postgres).await;
    let north = stage.person("north").await;
    let dump = Command::new(binary("pg_dump"))
        .arg("--host")
        .arg(Cluster::shared().socket())
        .args(["--username=yibu", "--data-only", database_of(&stage.place)])
        .output()
        .unwrap();
    let dump = String::from_utf8(dump.stdout).unwrap();
    assert!(dump.contains("north@example.org"), "the dump shows what is stored");
    for secret in [north.token.expose(), north.mark.as_str(), PASSWORD] {
        assert!(!dump.contains(secret), "{secret}");
    }
}
