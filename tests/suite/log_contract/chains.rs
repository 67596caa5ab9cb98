//! The hash chains hold, and show whatever is changed.

use super::fixture::Fixture;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, CommandId, EventId, Span};
use yibu_infrastructure::log::chain::{ChainError, Roller, START, verify_stream};
use yibu_infrastructure::log::port::{Expected, Stored};

/// Does something to an event that must show.
type Change = fn(&mut Stored);

async fn written(fixture: &Fixture) -> Vec<Stored> {
    for n in 0..6 {
        let stream = ["match-a", "match-b"][n % 2];
        fixture.append(fixture.commit_of(stream, Expected::Any, 1 + n % 3)).await.unwrap();
    }
    fixture.log.read_stream("match-a", 0, usize::MAX).await.unwrap()
}

pub(super) async fn chains_verify_and_roll_to_the_head(fixture: Fixture) {
    assert_eq!(fixture.log.head().await.unwrap(), Roller::new().head());
    let events = written(&fixture).await;
    assert_eq!(verify_stream(START, 0, &events), Ok(events.last().unwrap().hash));
    // In parts as well.
    let (early, late) = events.split_at(2);
    let middle = verify_stream(START, 0, early).unwrap();
    assert_eq!(verify_stream(middle, 2, late), Ok(events.last().unwrap().hash));

    let mut roller = Roller::new();
    for event in fixture.everything().await {
        roller.push(&event).unwrap();
    }
    assert_eq!(roller.head(), fixture.log.head().await.unwrap());
}

/// Whoever reads between two commits finds the head of exactly those before.
pub(super) async fn the_head_moves_with_the_commit(fixture: Fixture) {
    let mut roller = Roller::new();
    for n in 1..=9 {
        let commit = fixture.commit_of("match-a", Expected::Any, 1 + n % 2);
        let receipt = fixture.append(commit).await.unwrap();
        let (head, after) = (fixture.log.head().await.unwrap(), roller.head().position);
        assert_eq!(head.position, receipt.position);
        for event in fixture.log.read_all(after, 9).await.unwrap() {
            roller.push(&event).unwrap();
        }
        assert_eq!(roller.head(), head);
        assert_eq!(*fixture.log.changes().borrow(), receipt.position);
    }
}

pub(super) async fn every_changed_field_shows(fixture: Fixture) {
    let events = written(&fixture).await;
    let changes: &[(&str, Change)] = &[
        ("id", |e| e.id = EventId(Uuid::nil())),
        ("name", |e| e.name.push('1')),
        ("payload", |e| e.payload.push(' ')),
        ("at", |e| e.stamp.at = e.stamp.at + Span(1)),
        ("actor", |e| e.stamp.actor = Actor::System),
        ("actor's kind", |e| e.stamp.actor = Actor::Admin(e.stamp.actor.player().unwrap())),
        ("command", |e| e.stamp.command.clear()),
        ("command id", |e| e.stamp.command_id = None),
        ("other command id", |e| e.stamp.command_id = Some(CommandId(Uuid::nil()))),
        ("correlation", |e| e.stamp.correlation = Uuid::nil()),
        ("causation", |e| e.stamp.causation = None),
        ("node", |e| e.stamp.node.push('b')),
        ("build", |e| e.stamp.build.push('1')),
        ("recorded", |e| e.recorded = e.recorded + Span(1)),
        ("salt", |e| e.salt[15] ^= 1),
        ("hash", |e| e.hash[0] ^= 1),
        // A byte that moves from one field to the next.
        ("border", |e| {
            let last = e.stamp.node.pop().unwrap();
            e.stamp.build.insert(0, last);
        }),
    ];
    for (what, change) in changes {
        for at in 0..events.len() {
            let mut changed = events.clone();
            change(&mut changed[at]);
            let told = verify_stream(START, 0, &changed);
            assert!(
                matches!(told, Err(ChainError::WrongHash { version, .. }) if version == at as u64 + 1),
                "{what} of event {at}"
            );
        }
    }
}

pub(super) async fn a_missing_or_moved_event_shows(fixture: Fixture) {
    let events = written(&fixture).await;
    for at in 0..events.len() - 1 {
        let mut missing = events.clone();
        missing.remove(at);
        assert!(matches!(verify_stream(START, 0, &missing), Err(ChainError::WrongVersion { .. })));
        // Renumbered as well.
        for (event, version) in missing.iter_mut().zip(1..) {
            event.version = version;
        }
        assert!(matches!(verify_stream(START, 0, &missing), Err(ChainError::WrongHash { .. })));
    }
    let mut moved = events.clone();
    moved[1].stream = "match-b".to_owned();
    assert!(matches!(verify_stream(START, 0, &moved), Err(ChainError::WrongStream { .. })));

    let all = fixture.everything().await;
    let head = fixture.log.head().await.unwrap();
    let roll = |events: &[Stored]| {
        let mut roller = Roller::new();
        events.iter().try_for_each(|event| roller.push(event)).map(|()| roller.head())
    };
    for at in 0..all.len() {
        let mut missing = all.clone();
        missing.remove(at);
        assert_ne!(roll(&missing), Ok(head));
    }
    let mut swapped = all.clone();
    swapped.swap(1, 2);
    let (second, third) = (all[1].position, all[2].position);
    assert_eq!(roll(&swapped), Err(ChainError::WrongPosition { last: third, found: second }));
    let mut renumbered = swapped;
    (renumbered[1].position, renumbered[2].position) = (second, third);
    assert_ne!(roll(&renumbered), Ok(head));
}
