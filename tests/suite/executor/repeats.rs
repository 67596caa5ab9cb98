//! The same key again: recognised before anything else, answered with today's state.

use super::fixture::{
    Answer, a_move, ask, guest, key, live, memory, player, skip, sqlite, version,
};
use yibu_domain::kernel::{Actor, Span};
use yibu_domain::matches::{MatchCommand, MatchRefusal};
use yibu_infrastructure::executor::Rejected;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_times_the_same_move_under_one_key_is_one_move() {
    for world in [memory().await, sqlite().await] {
        let id = world.playing(1).await;
        let state = world.state(id).await;
        let command = a_move(&state);
        let answers = world.together(50, |_| ask(id, 1, command.clone()).keyed(key(9))).await;
        let done: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
        let first = done.iter().filter(|done| done.repeated.is_none());
        assert_eq!(first.count(), 1);
        assert!(done.iter().all(|done| version(&done.state) > version(&state)));
        assert_eq!(world.count(id, "moved").await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_times_the_same_move_under_other_keys_is_one_move_and_49_refusals() {
    for world in [memory().await, sqlite().await] {
        let id = world.playing(1).await;
        let command = a_move(&*world.state(id).await);
        let answers = world.together(50, |n| ask(id, 1, command.clone()).keyed(key(n))).await;
        let stale =
            |answer: &&Answer| matches!(answer, Err(Rejected::Refused(MatchRefusal::StaleVersion)));
        assert_eq!(answers.iter().filter(stale).count(), 49);
        assert_eq!(world.count(id, "moved").await, 1);
    }
}

#[tokio::test]
async fn a_repeat_goes_before_every_refusal_and_shows_today() {
    let world = sqlite().await;
    let id = world.playing(1).await;
    let state = world.state(id).await;
    let first = ask(id, 1, skip(&state)).keyed(key(1));
    let done = world.matches.execute(first.clone()).await.unwrap();
    let receipt = done.receipt.unwrap();
    // The turn is long past, the person out, the match over.
    world.clock.advance(Span::hours(100));
    let left = world.send(id, 1, MatchCommand::Leave).await.unwrap_err();
    assert_eq!(left, Rejected::Refused(MatchRefusal::MatchEnded));
    let again = world.matches.execute(first.clone()).await.unwrap();
    let found = again.repeated.unwrap();
    assert_eq!((found.version, found.position), (receipt.version, receipt.position));
    assert!(again.events.is_empty() && again.receipt.is_none());
    assert!(live(&again.state).sheet.public.ended.is_some());

    // The same key for something else, and for the same command to another match.
    let other = ask(id, 1, MatchCommand::Leave).keyed(key(1));
    let other = world.matches.execute(other).await.unwrap_err();
    assert_eq!(other, Rejected::IdempotencyConflict);
    let elsewhere = world.playing(11).await;
    let mut moved = first.clone();
    moved.id = elsewhere.0;
    let moved = world.matches.execute(moved).await.unwrap_err();
    assert_eq!(moved, Rejected::IdempotencyConflict);
    // Keys are per account, and fade after seven days.
    let state = world.state(elsewhere).await;
    let theirs = ask(elsewhere, 11, skip(&state)).keyed(key(1));
    assert!(world.matches.execute(theirs).await.unwrap().repeated.is_none());
    world.clock.advance(Span::hours(24 * 7));
    let faded = world.matches.execute(first).await.unwrap_err();
    assert_eq!(faded, Rejected::Refused(MatchRefusal::MatchEnded));
}

#[tokio::test]
async fn a_refused_command_leaves_nothing_and_is_judged_anew() {
    let world = memory().await;
    let id = world.playing(1).await;
    let state = world.state(id).await;
    let early = ask(id, 2, MatchCommand::Skip { expected: None }).keyed(key(1));
    let refused = world.matches.execute(early.clone()).await.unwrap_err();
    assert_eq!(refused, Rejected::Refused(MatchRefusal::NotYourTurn));
    world.send(id, 1, skip(&state)).await.unwrap();
    let next = super::fixture::on_turn(&*world.state(id).await);
    let request = ask(id, next, MatchCommand::Skip { expected: None }).keyed(key(1));
    assert!(world.matches.execute(request).await.unwrap().repeated.is_none());
}

#[tokio::test]
async fn matchmaking_repeats_find_their_match_again() {
    let world = sqlite().await;
    let ask = |n: u128, k: u128| {
        let (maker, actor) = (world.maker.clone(), Actor::Player(player(n)));
        async move {
            let nil = uuid::Uuid::nil();
            maker.match_new(guest(n), None, Some(key(k)), actor, nil).await
        }
    };
    let first = ask(1, 1).await.unwrap();
    let again = ask(1, 1).await.unwrap();
    assert_eq!(again.match_id, first.match_id);
    assert!(again.done.repeated.is_some());
    let other = ask(1, 2).await.unwrap();
    assert_ne!(other.match_id, first.match_id);
    // The same key for the other kind of wish.
    let actor = Actor::Player(player(1));
    let takeover = world.maker.match_takeover(guest(1), Some(key(1)), actor, uuid::Uuid::nil());
    assert_eq!(takeover.await.unwrap_err(), Rejected::IdempotencyConflict);
}
