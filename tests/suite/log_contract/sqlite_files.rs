//! What the embedded store promises about its files: everything is there after a reopening, one process
//! writes, a failing disk stops nothing but the commits that it fails.

use super::fixture::{Fixture, memo, player, sqlite};
use std::sync::Arc;
use yibu_domain::kernel::{Claim, Counter, Span, Time};
use yibu_infrastructure::log::port::{AppendError, Commit, EventLog, Expected, Receipt};
use yibu_infrastructure::log::{OpenError, SqliteLog, StoreConfig, open_to_read};

fn reopened(fixture: &Fixture) -> Result<SqliteLog, OpenError> {
    let clock = Arc::new(fixture.clock.clone());
    SqliteLog::open(fixture.folder.path(), clock, fixture.entropy.clone())
}

#[tokio::test]
async fn everything_is_there_after_a_reopening() {
    let fixture = sqlite().await;
    let claims = vec![
        Claim::Take { counter: Counter::Full, player: player(1) },
        Claim::Unique { key: "k".to_owned() },
        Claim::Limit { counter: Counter::Takeover, most: 9 },
    ];
    let commit = Commit { memo: Some(memo(1, 1)), ..fixture.claiming("match-a", claims) };
    fixture.append(commit).await.unwrap();
    for n in 0..30 {
        fixture.append(fixture.commit(&format!("match-{n}"), Expected::None)).await.unwrap();
    }
    fixture.log.beat("node-a", fixture.clock.advance(Span(7))).await.unwrap();
    let (events, head) = (fixture.everything().await, fixture.log.head().await.unwrap());
    let (held, beat) =
        (fixture.log.claims().await.unwrap(), fixture.log.last_beat().await.unwrap());
    let remembered = fixture.log.find_command(player(1), memo(1, 1).id).await.unwrap();
    assert!(remembered.is_some() && beat.is_some());
    fixture.log.close().await;
    assert!(!fixture.folder.path().join("log.db-wal").exists(), "closing tidies up");

    let log = reopened(&fixture).unwrap();
    assert_eq!(log.read_all(0, usize::MAX).await.unwrap(), events);
    assert_eq!(log.head().await.unwrap(), head);
    assert_eq!(*log.changes().borrow(), head.position);
    assert_eq!(log.claims().await.unwrap(), held);
    assert_eq!(log.last_beat().await.unwrap(), beat);
    assert_eq!(log.find_command(player(1), memo(1, 1).id).await.unwrap(), remembered);
    let next = log.append(fixture.commit("match-a", Expected::Exact(1))).await;
    assert_eq!(next, Ok(Receipt { position: head.position + 1, version: 2 }));
}

#[tokio::test]
async fn one_writer_and_any_reader() {
    let fixture = sqlite().await;
    fixture.append(fixture.commit("match-a", Expected::None)).await.unwrap();
    let second = reopened(&fixture).map(drop).unwrap_err();
    assert!(matches!(second, OpenError::InUse(_)));
    assert!(second.to_string().contains("in use by another process"));

    let folder = fixture.folder.path().to_owned();
    let store = StoreConfig::Sqlite { folder };
    let read = async || {
        let clock = Arc::new(fixture.clock.clone());
        let log = open_to_read(store.clone(), clock, fixture.entropy.clone()).await.unwrap();
        let events = log.read_all(0, 9).await.unwrap();
        let refused = log.append(fixture.commit("match-a", Expected::Any)).await;
        assert!(matches!(refused, Err(AppendError::Fault(_))));
        assert!(log.beat("node-a", Time(1)).await.is_err());
        log.close().await;
        events.len()
    };
    assert_eq!(read().await, 1);
    fixture.append(fixture.commit("match-a", Expected::Any)).await.unwrap();
    assert_eq!(read().await, 2);
    fixture.log.close().await;
    assert_eq!(read().await, 2);
    reopened(&fixture).unwrap().close().await;
}

#[tokio::test]
async fn other_files_are_refused_in_words() {
    let fixture = sqlite().await;
    fixture.log.close().await;
    let file = fixture.folder.path().join("log.db");
    let edit = |sql: &str| {
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    let known: u32 = rusqlite::Connection::open(&file)
        .and_then(|on| on.pragma_query_value(None, "user_version", |row| row.get(0)))
        .unwrap();
    edit("PRAGMA user_version = 99");
    let newer = reopened(&fixture).map(drop).unwrap_err();
    assert!(matches!(newer, OpenError::TooNew { found: 99, .. }));
    edit(&format!("PRAGMA user_version = {known}; PRAGMA application_id = 5"));
    assert!(matches!(reopened(&fixture), Err(OpenError::Foreign(_))));
    edit("PRAGMA application_id = 2036949621; UPDATE head SET position = 3");
    assert!(matches!(reopened(&fixture), Err(OpenError::Damaged(_))));
    edit("UPDATE head SET position = 0");
    reopened(&fixture).unwrap().close().await;
    std::fs::write(&file, "no database, whatever else it may be").unwrap();
    assert!(matches!(reopened(&fixture), Err(OpenError::Database(_))));
}

#[tokio::test]
async fn who_only_reads_makes_nothing_and_brings_nothing_up_to_date() {
    let fixture = sqlite().await;
    fixture.log.close().await;
    let file = fixture.folder.path().join("log.db");
    let read = async || {
        let store = StoreConfig::Sqlite { folder: fixture.folder.path().to_owned() };
        let clock = Arc::new(fixture.clock.clone());
        open_to_read(store, clock, fixture.entropy.clone()).await.map(drop)
    };
    let version = || -> u32 {
        let on = rusqlite::Connection::open(&file).unwrap();
        on.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    };
    let (known, good) = (version(), std::fs::read(&file).unwrap());
    read().await.unwrap();
    for (found, older) in [(known - 1, true), (known + 1, false)] {
        let on = rusqlite::Connection::open(&file).unwrap();
        on.pragma_update(None, "user_version", found).unwrap();
        drop(on);
        let refused = read().await.unwrap_err();
        assert_eq!(matches!(refused, OpenError::TooOld { .. }), older, "{refused}");
        assert_eq!(matches!(refused, OpenError::TooNew { .. }), !older, "{refused}");
        assert_eq!(version(), found, "it was left as it is");
    }
    std::fs::write(&file, "").unwrap();
    assert!(matches!(read().await, Err(OpenError::Empty(_))));
    assert_eq!(std::fs::read(&file).unwrap(), b"");
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(read().await, Err(OpenError::Io(_))), "the system's own words");
    assert!(!file.exists());
    std::fs::write(&file, good).unwrap();
    read().await.unwrap();
}

#[tokio::test]
async fn a_fault_fails_its_commits_and_no_others() {
    let fixture = sqlite().await;
    let stranger = rusqlite::Connection::open(fixture.folder.path().join("log.db")).unwrap();
    let commit = |n: u128, expected| {
        let claims = vec![Claim::Take { counter: Counter::Full, player: player(1) }];
        Commit {
            memo: Some(memo(1, n)),
            ..Commit { expected, ..fixture.claiming("match-a", claims) }
        }
    };
    fixture.append(commit(1, Expected::None)).await.unwrap();
    for round in 2..=4 {
        stranger.execute_batch("BEGIN IMMEDIATE").unwrap();
        let failed = fixture.append(commit(round, Expected::Exact(1))).await;
        assert!(matches!(failed, Err(AppendError::Unreachable(_))), "{failed:?}");
        assert!(fixture.log.beat("node-a", fixture.clock.advance(Span(1))).await.is_err());
        stranger.execute_batch("ROLLBACK").unwrap();
        // Nothing of it stayed, neither in the file nor in the writer's mind.
        assert_eq!(fixture.log.head().await.unwrap().position, 1);
        assert_eq!(fixture.log.count(Counter::Full, player(1)).await.unwrap().0, 1);
    }
    assert_eq!(
        fixture.append(commit(2, Expected::Exact(1))).await,
        Ok(Receipt { position: 2, version: 2 })
    );
    assert_eq!(fixture.log.last_beat().await.unwrap(), None);
}

#[tokio::test]
async fn old_memos_are_pruned() {
    let fixture = sqlite().await;
    let memos = || -> u32 {
        let connection = rusqlite::Connection::open(fixture.folder.path().join("log.db")).unwrap();
        connection.query_row("SELECT count(*) FROM memos", [], |row| row.get(0)).unwrap()
    };
    let send = async |n: u128| {
        let commit = Commit { memo: Some(memo(1, n)), ..fixture.commit("match-a", Expected::Any) };
        fixture.append(commit).await.unwrap();
    };
    for n in 0..300 {
        send(n).await;
    }
    assert_eq!(memos(), 300);
    fixture.clock.advance(Span::hours(24 * 8));
    for n in 1000..1300 {
        send(n).await;
    }
    assert_eq!(memos(), 300);
}
