//! The cache: bounded, never wrong, and without it everything is the same.

use super::fixture::{a_move, ask, executor, live, memory, on_turn, sqlite};
use uuid::Uuid;
use yibu_domain::kernel::{Actor, MatchId};
use yibu_domain::matches::{MatchCommand, MatchRefusal};
use yibu_domain::players::{Player, PlayerCommand};
use yibu_domain::site::{SITE, SiteCommand};
use yibu_infrastructure::executor::{Executor, Rejected, Request};

#[tokio::test]
async fn evicted_states_come_back_from_the_log() {
    for world in [memory().await, sqlite().await] {
        let mut ids = Vec::new();
        for n in 0..6 {
            ids.push(world.playing(10 * n + 1).await);
        }
        for most in [0, 1, 2, 100] {
            let small = executor(&world.log, &world.clock, &world.entropy, most);
            for _ in 0..3 {
                for id in &ids {
                    let state = small.state(*id).await.unwrap().unwrap();
                    let request = ask(*id, on_turn(&state), a_move(&state));
                    let done = small.execute(request).await.unwrap();
                    assert!(*done.state == *small.state(*id).await.unwrap().unwrap());
                    assert!(*done.state == *world.state(*id).await);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_match_that_never_was() {
    let world = memory().await;
    let id = MatchId(Uuid::from_u128(5));
    assert!(world.matches.state(id).await.unwrap().is_none());
    let answer = world.send(id, 1, MatchCommand::Leave).await.unwrap_err();
    assert_eq!(answer, Rejected::Refused(MatchRefusal::MatchNotFound));
    let expired = world.matches.expire_due(id).await.unwrap();
    assert_eq!((expired.count, expired.next), (0, None));
}

#[tokio::test]
async fn who_may_not_give_a_command_is_told_so() {
    let world = memory().await;
    let id = world.playing(1).await;
    let answer = world.send(id, 1, MatchCommand::Expire).await.unwrap_err();
    assert_eq!(answer, Rejected::Refused(MatchRefusal::NotAllowed));
    let by_nobody = Request::new(id.0, MatchCommand::Leave, Actor::System, Uuid::nil());
    let answer = world.matches.execute(by_nobody).await.unwrap_err();
    assert_eq!(answer, Rejected::Refused(MatchRefusal::NotAllowed));
}

#[tokio::test]
async fn other_aggregates_go_the_same_way() {
    let world = sqlite().await;
    let command = SiteCommand::SetLimits { full: 7, takeover: 3, reason: "more".parse().unwrap() };
    let request = Request::new(SITE, command, Actor::System, Uuid::nil());
    let done = world.site.execute(request).await.unwrap();
    assert_eq!((done.state.full, done.events.len()), (7, 1));
    assert_eq!(world.log.read_stream("site", 0, 9).await.unwrap().len(), 1);

    let clock = std::sync::Arc::new(world.clock.clone());
    let log = std::sync::Arc::clone(&world.log);
    let players = Executor::<Player>::new(log, clock, world.entropy.clone(), "n", "b", 10);
    let one = super::fixture::player(1);
    let register = Request::new(one.0, PlayerCommand::Register, Actor::Player(one), Uuid::nil());
    let done = players.execute(register.clone()).await.unwrap();
    assert!(done.state.registered);
    let again = players.execute(register).await.unwrap();
    assert!(again.events.is_empty() && again.receipt.is_none() && again.repeated.is_none());
}

#[tokio::test]
async fn what_is_done_shows_at_once() {
    let world = sqlite().await;
    let id = world.playing(1).await;
    let state = world.state(id).await;
    let done = world.send(id, 1, a_move(&state)).await.unwrap();
    let version = world.events(id).await.len();
    assert_eq!(done.receipt.unwrap().version, version as u64);
    assert_eq!(live(&done.state).last, done.events[0].at);
    let debug = format!("{done:?}");
    assert!(debug.contains("siguo.moved.v1") && !debug.contains("identity"));
}
