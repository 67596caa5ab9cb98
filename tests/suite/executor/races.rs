//! Many at once, callers that go away, and two nodes on one log.

use super::fixture::{
    Answer, World, a_move, ask, executor, guest, key, live, memory, on_turn, player, skip, sqlite,
};
use yibu_domain::kernel::{Actor, MatchId, Span};
use yibu_domain::matches::{MatchCommand, MatchRefusal};
use yibu_infrastructure::executor::{Rejected, Request};

impl World {
    /// So many commands in tasks of their own.
    pub(crate) async fn together(
        &self,
        count: u128,
        make: impl Fn(u128) -> Request<MatchCommand>,
    ) -> Vec<Answer> {
        let tasks: Vec<_> = (0..count)
            .map(|n| {
                let (matches, request) = (self.matches.clone(), make(n));
                tokio::spawn(async move { matches.execute(request).await })
            })
            .collect();
        let mut answers = Vec::new();
        for task in tasks {
            answers.push(task.await.unwrap());
        }
        answers
    }
}

/// A match whose seat on turn is vacant.
async fn vacant(world: &World, first: u128) -> MatchId {
    let id = world.playing(first).await;
    world.send(id, first, MatchCommand::Leave).await.unwrap();
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_fifty_confirmations_one_wins() {
    for world in [memory().await, sqlite().await] {
        let id = vacant(&world, 1).await;
        for n in 100..150 {
            let actor = Actor::Player(player(n));
            let found = world.maker.match_takeover(guest(n), None, actor, uuid::Uuid::nil());
            let found = found.await.unwrap();
            assert_eq!((found.match_id, found.choices), (id, vec![id]));
        }
        let answers = world
            .together(50, |n| ask(id, 100 + n, MatchCommand::ConfirmTakeover).keyed(key(n)))
            .await;
        let taken =
            |answer: &&Answer| matches!(answer, Err(Rejected::Refused(MatchRefusal::VacancyTaken)));
        assert_eq!(answers.iter().filter(taken).count(), 49);
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
        assert_eq!(world.count(id, "seat_taken_over").await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_caller_that_goes_away_splits_nothing() {
    for world in [memory().await, sqlite().await] {
        let id = world.playing(1).await;
        for round in 0..40_u128 {
            let state = world.state(id).await;
            let request = ask(id, on_turn(&state), a_move(&state)).keyed(key(round));
            let matches = world.matches.clone();
            let again = request.clone();
            let task = tokio::spawn(async move { matches.execute(request).await });
            for _ in 0..round % 7 {
                tokio::task::yield_now().await;
            }
            task.abort();
            let _ = task.await;
            // Whether it was done or not, its key brings it to the same end.
            world.matches.execute(again).await.unwrap();
            let fresh = executor(&world.log, &world.clock, &world.entropy, 0);
            let folded = fresh.state(id).await.unwrap().unwrap();
            assert!(*folded == *world.state(id).await, "cache and log disagree");
            if live(&folded).turn().is_none() {
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_on_one_log_agree() {
    for world in [memory().await, sqlite().await] {
        let id = world.playing(1).await;
        let other = executor(&world.log, &world.clock, &world.entropy, 10);
        other.state(id).await.unwrap();
        for round in 0..12 {
            let (here, there) = match round % 2 {
                0 => (&world.matches, &other),
                _ => (&other, &world.matches),
            };
            let state = here.state(id).await.unwrap().unwrap();
            let n = on_turn(&state);
            here.execute(ask(id, n, a_move(&state))).await.unwrap();
            // The other node has not looked yet: it finds out by itself that the turn has passed on.
            let next = world.state(id).await;
            let late = ask(id, n, MatchCommand::Skip { expected: None });
            let late = there.execute(late).await.unwrap_err();
            assert_eq!(late, Rejected::Refused(MatchRefusal::NotYourTurn));
            there.execute(ask(id, on_turn(&next), a_move(&next))).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_drained_executor_finishes_and_takes_nothing() {
    let world = sqlite().await;
    let id = world.playing(1).await;
    let state = world.state(id).await;
    // One is under way: it waits out the grace.
    let deadline = world.due(id).await;
    world.clock.set(deadline + Span(1));
    let (matches, request) = (world.matches.clone(), ask(id, 2, MatchCommand::Surrender));
    let under_way = tokio::spawn(async move { matches.execute(request).await });
    world.until_waiting(1).await;
    let matches = world.matches.clone();
    let drained = tokio::spawn(async move { matches.drain().await });
    // Looks at deadlines are let in until draining begins.
    let expired = loop {
        match world.matches.expire_due(id).await {
            Ok(expired) => assert_eq!(expired.count, 0),
            Err(rejected) => break rejected,
        }
    };
    assert_eq!(expired, Rejected::Unavailable);
    assert!(!drained.is_finished());
    world.clock.advance(Span::seconds(1));
    under_way.await.unwrap().unwrap();
    drained.await.unwrap();
    let late = world.send(id, 1, skip(&state)).await.unwrap_err();
    assert_eq!(late, Rejected::Unavailable);
}
