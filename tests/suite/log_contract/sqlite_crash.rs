//! The embedded store's files as a crash or a bad disk may leave them: the write-ahead log cut or damaged
//! anywhere. What opens is a whole number of commits; what was acknowledged and is gone is refused in words.

use super::fixture::{Fixture, memo, player, sqlite};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use yibu_domain::kernel::{Claim, Counter};
use yibu_infrastructure::log::chain::{Roller, START, verify_stream};
use yibu_infrastructure::log::port::{Commit, EventLog, Expected};
use yibu_infrastructure::log::{ClaimTable, OpenError, SqliteLog};

/// Everything claimed after so many commits, by the log's last position.
type Ends = HashMap<u64, (u128, ClaimTable)>;

/// Writes commits of one to three events, each with a memo and a claim.
async fn written(fixture: &Fixture, commits: u128) -> Ends {
    let mut table = ClaimTable::default();
    let mut ends = HashMap::from([(0, (0, table.clone()))]);
    for n in 1..=commits {
        let take = Claim::Take { counter: Counter::Full, player: player(n / 4) };
        let key = Claim::Unique { key: format!("key/{n}") };
        let size = 1 + n as usize % 3;
        let mut commit = fixture.commit_of(&format!("match-{}", n % 5), Expected::Any, size);
        commit.claims = vec![take, key];
        table.apply(&commit.claims).unwrap();
        let receipt = fixture.append(Commit { memo: Some(memo(1, n)), ..commit }).await.unwrap();
        ends.insert(receipt.position, (n, table.clone()));
    }
    ends
}

/// The files of a running store, as a crash leaves them, with a changed write-ahead log.
fn crashed(from: &Path, with_mark: bool, change: impl FnOnce(&mut Vec<u8>)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(from.join("log.db"), folder.path().join("log.db")).unwrap();
    let mut tail = std::fs::read(from.join("log.db-wal")).unwrap();
    change(&mut tail);
    std::fs::write(folder.path().join("log.db-wal"), tail).unwrap();
    if with_mark {
        std::fs::copy(from.join("log.head"), folder.path().join("log.head")).unwrap();
    }
    folder
}

fn reopened(fixture: &Fixture, folder: &Path) -> Result<SqliteLog, OpenError> {
    SqliteLog::open(folder, Arc::new(fixture.clock.clone()), fixture.entropy.clone())
}

/// Checks that the log is whole and ends with a commit; returns its last position.
async fn checked(log: &SqliteLog, ends: &Ends) -> u64 {
    let head = log.head().await.unwrap();
    let (commits, claims) = ends.get(&head.position).expect("the log ends with a commit");
    let events = log.read_all(0, usize::MAX).await.unwrap();
    let mut roller = Roller::new();
    let mut streams: HashMap<String, Vec<_>> = HashMap::new();
    for event in events {
        roller.push(&event).unwrap();
        streams.entry(event.stream.clone()).or_default().push(event);
    }
    assert_eq!(roller.head(), head);
    for (name, events) in streams {
        verify_stream(START, 0, &events).unwrap();
        assert_eq!(log.read_stream(&name, 0, usize::MAX).await.unwrap(), events);
    }
    assert_eq!(log.claims().await.unwrap(), *claims);
    for n in 1..=ends.len() as u128 {
        let found = log.find_command(player(1), memo(1, n).id).await.unwrap();
        assert_eq!(found.is_some(), n <= *commits, "memo {n} after {commits} commits");
    }
    head.position
}

#[tokio::test]
async fn a_crash_loses_nothing_that_was_acknowledged() {
    let fixture = sqlite().await;
    let ends = written(&fixture, 30).await;
    let all = *ends.keys().max().unwrap();
    for with_mark in [true, false] {
        let folder = crashed(fixture.folder.path(), with_mark, |_| {});
        let log = reopened(&fixture, folder.path()).unwrap();
        assert_eq!(checked(&log, &ends).await, all);
        // And it goes on from there.
        let next = log.append(fixture.commit("match-0", Expected::Any)).await.unwrap();
        assert_eq!(next.position, all + 1);
        log.close().await;
    }
}

#[tokio::test]
async fn a_cut_tail_gives_whole_commits_and_is_noticed() {
    let fixture = sqlite().await;
    let ends = written(&fixture, 24).await;
    let all = *ends.keys().max().unwrap();
    let size = std::fs::metadata(fixture.folder.path().join("log.db-wal")).unwrap().len() as usize;
    let mut seen = Vec::new();
    // All over the file, and around the borders of its last frames (a page and 24 bytes).
    let frame = 4096 + 24;
    let spread = (0..40).map(|n| n * size / 40);
    let borders = (0..8).flat_map(|n| [0, 1, 24, 25].map(|more| size - n * frame - more));
    for cut in spread.chain(borders) {
        let folder = crashed(fixture.folder.path(), false, |tail| tail.truncate(cut));
        let log = reopened(&fixture, folder.path()).unwrap();
        let end = checked(&log, &ends).await;
        log.close().await;
        seen.push(end);

        let folder = crashed(fixture.folder.path(), true, |tail| tail.truncate(cut));
        match reopened(&fixture, folder.path()) {
            Ok(log) => {
                assert_eq!(end, all);
                log.close().await;
            }
            Err(OpenError::Lost { found, acknowledged, .. }) => {
                assert!(end < all);
                assert_eq!((found, acknowledged), (end, all));
            }
            Err(other) => panic!("{other}"),
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 10 && seen.contains(&0) && seen.contains(&all), "{seen:?}");
}

#[tokio::test]
async fn a_damaged_tail_gives_whole_commits_and_is_noticed() {
    let fixture = sqlite().await;
    let ends = written(&fixture, 24).await;
    let all = *ends.keys().max().unwrap();
    let size = std::fs::metadata(fixture.folder.path().join("log.db-wal")).unwrap().len() as usize;
    for at in (0..40).map(|n| n * (size - 1) / 39) {
        let folder = crashed(fixture.folder.path(), false, |tail| tail[at] ^= 0x40);
        let log = reopened(&fixture, folder.path()).unwrap();
        let end = checked(&log, &ends).await;
        log.close().await;
        assert!(end < all, "byte {at} of {size}");

        let folder = crashed(fixture.folder.path(), true, |tail| tail[at] ^= 0x40);
        assert!(matches!(
            reopened(&fixture, folder.path()),
            Err(OpenError::Lost { acknowledged, .. }) if acknowledged == all
        ));
    }
}

#[tokio::test]
async fn a_torn_mark_is_no_fault() {
    let fixture = sqlite().await;
    let ends = written(&fixture, 9).await;
    for (at, length) in [(0, 1), (20, 1), (512, 1), (560, 1), (0, 72), (512, 72)] {
        let folder = crashed(fixture.folder.path(), true, |_| {});
        let mark = folder.path().join("log.head");
        let mut bytes = std::fs::read(&mark).unwrap();
        bytes[at..at + length].iter_mut().for_each(|byte| *byte ^= 0xff);
        std::fs::write(&mark, bytes).unwrap();
        let log = reopened(&fixture, folder.path()).unwrap();
        checked(&log, &ends).await;
        log.close().await;
    }
}
