//! What the keeper of a store may do: carrying a log over, and shelving payloads.

use super::fixture::{DAWN, Fixture, memo, player};
use std::sync::Arc;
use yibu_domain::kernel::{Claim, Counter, Span, Time};
use yibu_infrastructure::log::archive::{self, Making, Pointer};
use yibu_infrastructure::log::carry::{CarryFault, carry};
use yibu_infrastructure::log::chain::START;
use yibu_infrastructure::log::custody::{CustodyError, Shelf};
use yibu_infrastructure::log::port::{AppendError, Commit, EventLog, Expected, Receipt};
use yibu_infrastructure::log::{ArchivedLog, MemoryLog};

fn memory(fixture: &Fixture) -> MemoryLog {
    MemoryLog::new(Arc::new(fixture.clock.clone()), fixture.entropy.clone())
}

/// Some streams with claims, memos and heartbeats.
async fn fill(fixture: &Fixture, log: &dyn EventLog) {
    for n in 0..40_u128 {
        let claims = vec![
            Claim::Take { counter: Counter::Full, player: player(n) },
            Claim::Unique { key: format!("chance/{n}") },
            Claim::Limit { counter: Counter::Takeover, most: 9 },
        ];
        let stream = format!("match-{}", n % 7);
        let commit = Commit {
            memo: Some(memo(n, n)),
            claims,
            ..fixture.commit_of(&stream, Expected::Any, 1 + (n % 3) as usize)
        };
        log.append(commit).await.unwrap();
        fixture.clock.advance(Span(1));
    }
    log.beat("node-a", DAWN).await.unwrap();
    log.beat("node-b", DAWN + Span(5)).await.unwrap();
}

async fn same(one: &dyn EventLog, other: &dyn EventLog) {
    assert_eq!(one.head().await.unwrap(), other.head().await.unwrap());
    let all = async |log: &dyn EventLog| log.read_all(0, usize::MAX).await.unwrap();
    assert!(all(one).await == all(other).await, "every column is as it was");
    let beside = async |log: &dyn EventLog| log.custody().unwrap().beside().await.unwrap();
    assert_eq!(beside(one).await, beside(other).await);
}

pub(super) async fn a_log_arrives_as_it_was_and_goes_on(fixture: Fixture) {
    let (source, back) = (memory(&fixture), memory(&fixture));
    fill(&fixture, &source).await;
    let log = fixture.log.as_ref();
    let carried = carry(&source, log, false, |_| {}).await.unwrap();
    assert_eq!((carried.head, carried.streams), (source.head().await.unwrap(), 7));
    assert_eq!((carried.memos, carried.found), (40, 0));
    same(&source, log).await;
    carry(log, &back, false, |_| {}).await.unwrap();
    same(&source, &back).await;

    // It is the log now: what was claimed, remembered and written holds.
    assert_eq!(*log.changes().borrow(), carried.head.position);
    assert_eq!(log.last_beat().await.unwrap(), Some(DAWN + Span(5)));
    let repeated = Commit { memo: Some(memo(3, 3)), ..fixture.commit("match-3", Expected::Any) };
    assert!(matches!(log.append(repeated).await, Err(AppendError::Repeated(_))));
    let taken = vec![Claim::Unique { key: "chance/5".to_owned() }];
    let taken = log.append(fixture.claiming("match-9", taken)).await;
    assert!(matches!(taken, Err(AppendError::Taken { .. })));
    let version = log.read_stream("match-0", 0, 99).await.unwrap().len() as u64;
    let next = log.append(fixture.commit("match-0", Expected::Exact(version))).await;
    let position = carried.head.position + 1;
    assert_eq!(next, Ok(Receipt { position, version: version + 1 }));
    // Memos fade by the instant at which they were first written.
    fixture.clock.set(DAWN + Span::hours(24 * 7) + Span(20));
    let found = async |n| log.find_command(player(n), memo(n, n).id).await.unwrap().is_some();
    assert!(!found(3).await && found(30).await);
}

pub(super) async fn an_interrupted_import_goes_on_and_another_log_is_refused(fixture: Fixture) {
    let (source, other) = (memory(&fixture), memory(&fixture));
    fill(&fixture, &source).await;
    other.append(fixture.commit("match-0", Expected::None)).await.unwrap();
    let log = fixture.log.as_ref();
    let some = source.read_all(0, 11).await.unwrap();
    let head = log.custody().unwrap().import(some).await.unwrap();
    assert_eq!(head.position, 11);
    let refused = carry(&source, log, false, |_| {}).await;
    assert_eq!(refused, Err(CarryFault::NotEmpty(11)));
    let refused = carry(&other, log, true, |_| {}).await;
    assert!(refused.is_err(), "a shorter log is not the beginning of this one");
    other.append(fixture.commit_of("match-1", Expected::None, 20)).await.unwrap();
    assert_eq!(carry(&other, log, true, |_| {}).await, Err(CarryFault::Another(11)));
    assert_eq!(log.head().await.unwrap().position, 11);
    let carried = carry(&source, log, true, |_| {}).await.unwrap();
    assert_eq!(carried.found, 11);
    same(&source, log).await;
}

pub(super) async fn what_does_not_continue_the_log_leaves_nothing(fixture: Fixture) {
    let source = memory(&fixture);
    fill(&fixture, &source).await;
    let keeper = fixture.log.custody().unwrap();
    let events = source.read_all(0, usize::MAX).await.unwrap();
    let mut changed = events.clone();
    changed[9].payload.push(' ');
    let mut missing = events.clone();
    missing.remove(4);
    let mut salted = events.clone();
    salted[20].salt[0] ^= 1;
    for odd in [changed, missing, salted, events[1..].to_vec()] {
        let refused = keeper.import(odd).await;
        assert!(matches!(refused, Err(CustodyError::Chain(_))), "{refused:?}");
        assert_eq!(fixture.log.head().await.unwrap().position, 0);
        assert!(fixture.everything().await.is_empty());
    }
    let mut beside = source.custody().unwrap().beside().await.unwrap();
    let refused = keeper.finish(beside.clone()).await;
    assert!(matches!(refused, Err(CustodyError::OtherHistory { .. })), "{refused:?}");
    assert_eq!(fixture.log.claims().await.unwrap(), Default::default());
    keeper.import(events).await.unwrap();
    keeper.finish(beside.clone()).await.unwrap();
    beside.memos.clear();
    keeper.finish(beside).await.unwrap();
    same(&source, fixture.log.as_ref()).await;
    fixture.log.close().await;
    let closed = keeper.import(Vec::new()).await;
    assert!(matches!(closed, Err(CustodyError::Fault(_))), "{closed:?}");
}

pub(super) async fn shelved_payloads_are_read_from_their_segment(fixture: Fixture) {
    for n in 0..3 {
        for stream in ["match-a", "match-b"] {
            let commit = fixture.commit_of(stream, Expected::Any, 100 + n);
            fixture.append(commit).await.unwrap();
        }
    }
    let before = fixture.everything().await;
    let keeper = fixture.log.custody().unwrap();
    let folder = fixture.folder.path().join(archive::FOLDER);
    std::fs::create_dir_all(&folder).unwrap();
    let events = keeper.read_stream("match-a", 0, 999).await.unwrap();
    let last = events.last().unwrap().clone();
    let header = archive::write(&folder, 1, vec![Making { before: START, events }]).unwrap();
    assert_eq!((header.events, header.frames.len()), (303, 3));
    let shelves = |hash| -> Vec<Shelf> {
        let frames = header.frames.iter().zip(0..);
        frames
            .map(|(frame, number)| Shelf {
                stream: frame.stream.clone(),
                from: frame.from,
                to: frame.to,
                hash,
                pointer: Pointer { segment: 1, frame: number }.text(),
            })
            .collect()
    };
    // Whoever read another history shelves nothing, not even the frames before.
    let refused = keeper.shelve(shelves([9; 32])).await;
    let wanted = CustodyError::OtherHistory { stream: "match-a".to_owned(), version: 128 };
    assert_eq!(refused, Err(wanted));
    let mut good = shelves(last.hash);
    for shelf in &mut good {
        shelf.hash = keeper.read_stream("match-a", shelf.to - 1, 1).await.unwrap()[0].hash;
    }
    let mut mixed = good.clone();
    mixed[2].to += 1;
    assert!(keeper.shelve(mixed).await.is_err());
    assert!(keeper.read_all(0, usize::MAX).await.unwrap() == before, "nothing was shelved");

    assert_eq!(keeper.shelve(good.clone()).await, Ok(303));
    assert_eq!(keeper.shelve(good).await, Ok(0));
    let raw = keeper.read_stream("match-a", 0, 1).await.unwrap();
    assert_eq!(Pointer::read(&raw[0].payload), Some(Pointer { segment: 1, frame: 0 }));

    // A segment that is gone is named, and what is not in it is read all the same.
    let log = ArchivedLog::new(Arc::clone(&fixture.log), Some(folder.clone()));
    let elsewhere = folder.join("elsewhere");
    std::fs::rename(archive::file(&folder, 1), &elsewhere).unwrap();
    let missing = log.read_all(0, 9).await.unwrap_err().to_string();
    assert!(missing.contains("000001.segment") && missing.contains("missing"), "{missing}");
    assert_eq!(log.read_stream("match-b", 0, 999).await.unwrap().len(), 303);
    std::fs::rename(elsewhere, archive::file(&folder, 1)).unwrap();
    assert!(log.read_all(0, usize::MAX).await.unwrap() == before);
    let part = log.read_stream("match-a", 120, 20).await.unwrap();
    assert_eq!(
        part.iter().map(|event| event.version).collect::<Vec<_>>(),
        (121..=140).collect::<Vec<_>>()
    );
    // The stream goes on as any other, and claims nothing of the archive.
    let next = log.append(fixture.commit("match-a", Expected::Exact(303))).await.unwrap();
    assert_eq!((next.version, log.read_stream("match-a", 302, 9).await.unwrap().len()), (304, 2));
    assert_eq!(log.head().await.unwrap().position, before.len() as u64 + 1);
    assert!(log.last_beat().await.unwrap() < Some(Time(1)));
}

#[tokio::test]
async fn where_no_folder_is_named_pointers_pass_neither_for_payloads_nor_for_damage() {
    let fixture = super::fixture::memory().await;
    for (stream, events) in [("match-a", 3), ("match-b", 5)] {
        let commit = fixture.commit_of(stream, Expected::Any, events);
        fixture.append(commit).await.unwrap();
    }
    let log = ArchivedLog::new(Arc::clone(&fixture.log), None);
    let hash = log.read_stream("match-a", 2, 1).await.unwrap()[0].hash;
    assert!(!archive::points_anywhere(&log).await.unwrap());
    let (stream, pointer) = ("match-a".to_owned(), Pointer { segment: 1, frame: 0 }.text());
    let shelf = Shelf { stream, from: 1, to: 3, hash, pointer };
    assert_eq!(log.custody().unwrap().shelve(vec![shelf]).await, Ok(3));
    assert!(archive::points_anywhere(&log).await.unwrap());
    for read in [log.read_all(0, 9).await, log.read_stream("match-a", 0, 1).await] {
        let refused = read.unwrap_err().to_string();
        assert!(refused.contains(archive::UNNAMED), "{refused}");
    }
    assert_eq!(log.read_stream("match-b", 0, 9).await.unwrap().len(), 5);
}
