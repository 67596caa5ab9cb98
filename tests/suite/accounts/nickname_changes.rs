//! Changing the nickname: how often, to what, and under races.

use super::stage::{Stage, Store, asker, code_of, origin, refused};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{Failure, NicknameChanges, Refusal, Registered};

async fn change(
    stage: &Stage,
    person: &Registered,
    key: u128,
    nickname: &str,
) -> Result<(), Failure> {
    let from = origin(1);
    stage.accounts.change_nickname(asker(&person.session, &from, key), nickname).await
}

async fn name(stage: &Stage, person: &Registered) -> (String, u32) {
    let names = stage.accounts.nickname_of(&[person.player]).await.unwrap();
    let named = &names[&person.player];
    (named.nickname.clone(), named.revision)
}

pub(super) async fn two_in_any_365_days_to_the_millisecond(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let left = async || stage.accounts.nickname_changes(north.player).await.unwrap();
    assert_eq!(left().await, NicknameChanges { left: 2, next: None });
    change(&stage, &north, 1, "pine").await.unwrap();
    stage.pass(Span::hours(24));
    assert_eq!(left().await, NicknameChanges { left: 1, next: None });
    change(&stage, &north, 2, "oak").await.unwrap();
    assert_eq!(name(&stage, &north).await, ("oak".to_owned(), 3));
    let wait = Span::hours(364 * 24);
    let limit = Refusal::NicknameLimitReached { retry_after: wait };
    assert_eq!(refused(change(&stage, &north, 3, "elm").await), limit);
    stage.pass(Span(wait.0 - 1));
    assert_eq!(left().await.left, 0);
    assert_eq!(code_of(change(&stage, &north, 3, "elm").await), "NICKNAME_LIMIT_REACHED");
    stage.pass(Span(1));
    // The window has moved on by one change, no more.
    change(&stage, &north, 3, "elm").await.unwrap();
    assert_eq!(code_of(change(&stage, &north, 4, "ash").await), "NICKNAME_LIMIT_REACHED");
    // What was shown then is known by its revision.
    let asked: Vec<_> = (1..=4).map(|revision| (north.player, revision)).collect();
    let then = stage.accounts.nickname_at(&asked).await.unwrap();
    let then: Vec<_> = asked.iter().map(|key| then[key].as_str()).collect();
    assert_eq!(then, ["north", "pine", "oak", "elm"]);
}

pub(super) async fn what_is_refused_costs_nothing_and_the_same_is_no_change(store: Store) {
    let stage = Stage::new(store).await;
    let (north, west) = (stage.person("north").await, stage.person("west").await);
    for (nickname, code) in [
        ("WEST", "NICKNAME_TAKEN"),
        // With a Cyrillic letter; with a digit and a mark.
        ("w\u{435}st", "NICKNAME_TAKEN"),
        ("Wés7.", "NICKNAME_TAKEN"),
        ("", "NICKNAME_INVALID"),
        ("管理员", "NICKNAME_INVALID"),
        ("a\u{202e}b", "NICKNAME_INVALID"),
    ] {
        assert_eq!(code_of(change(&stage, &north, 1, nickname).await), code, "{nickname}");
    }
    change(&stage, &north, 2, "north").await.unwrap();
    assert_eq!(name(&stage, &north).await, ("north".to_owned(), 1));
    // The same name in another case is a change, and not taken by its owner.
    change(&stage, &north, 3, "NORTH").await.unwrap();
    change(&stage, &north, 4, "pine").await.unwrap();
    assert_eq!(name(&stage, &north).await, ("pine".to_owned(), 3));
    // One that looks like the own is nobody else's.
    change(&stage, &west, 1, "w\u{435}st").await.unwrap();
    assert_eq!(name(&stage, &west).await, ("w\u{435}st".to_owned(), 2));
    // Names without a letter look like no other.
    change(&stage, &west, 2, "🔥").await.unwrap();
    let east = stage.person("east").await;
    change(&stage, &east, 1, "炮🔥").await.unwrap();
    change(&stage, &east, 2, "❤️").await.unwrap();
    // A name that was given up is free.
    let south = stage.person("south").await;
    change(&stage, &south, 1, "north").await.unwrap();
    assert_eq!(stage.accounts.player_by_nickname("North").await.unwrap(), Some(south.player));
    // The key again: the change that was made, or a conflict.
    change(&stage, &north, 4, "pine").await.unwrap();
    assert_eq!(code_of(change(&stage, &north, 4, "oak").await), "IDEMPOTENCY_CONFLICT");
    stage.pass(Span::hours(7 * 24));
    stage.accounts.sweep().await.unwrap();
    assert_eq!(code_of(change(&stage, &north, 4, "oak").await), "NICKNAME_LIMIT_REACHED");
}

pub(super) async fn twenty_changes_at_the_same_instant_are_two(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let race: Vec<_> = (0..20)
        .map(|n| {
            let (accounts, session) = (stage.accounts.clone(), north.session.clone());
            tokio::spawn(async move {
                let from = origin(1);
                accounts.change_nickname(asker(&session, &from, n), &format!("pine{n}")).await
            })
        })
        .collect();
    let mut done = 0;
    for task in race {
        match task.await.unwrap() {
            Ok(()) => done += 1,
            other => assert_eq!(code_of(other), "NICKNAME_LIMIT_REACHED"),
        }
    }
    assert_eq!((done, name(&stage, &north).await.1), (2, 3));
}

pub(super) async fn names_that_are_swapped_do_not_wait_for_each_other(store: Store) {
    let stage = Stage::new(store).await;
    for round in 0..5 {
        let (a, b) = (format!("a{round}"), format!("b{round}"));
        let (one, two) = (stage.person(&a).await, stage.person(&b).await);
        let (first, second) =
            tokio::join!(change(&stage, &one, 1, &b), change(&stage, &two, 1, &a));
        // Whoever comes first finds the other's name taken; nobody waits without end, and nothing breaks.
        let codes: Vec<_> = [first, second].into_iter().map(Result::err).collect();
        for failure in codes.into_iter().flatten() {
            assert_eq!(code_of::<()>(Err(failure)), "NICKNAME_TAKEN");
        }
        stage.pass(Span::hours(2));
    }
}
