//! Deadlines and commands around them: never early, what came before goes first, and the answer does not
//! depend on whether the timer had run.

use super::fixture::{
    DAWN, GRACE, TURN, World, a_move, ask, guest, live, memory, on_turn, phase, player, skip,
    sqlite,
};
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;
use yibu_domain::kernel::{Actor, Span, Time};
use yibu_domain::matches::view::Phase;
use yibu_domain::matches::{MatchCommand, MatchRefusal};
use yibu_infrastructure::executor::{Expired, Gate, Rejected};

#[tokio::test]
async fn a_millisecond_decides() {
    for world in [memory().await, sqlite().await] {
        let id = world.playing(1).await;
        let deadline = DAWN + TURN;
        assert_eq!(world.due(id).await, deadline);
        world.clock.set(deadline - Span(1));
        let state = world.state(id).await;
        let done = world.send(id, 1, a_move(&state)).await.unwrap();
        assert_eq!(done.events[0].at, deadline - Span(1));

        let next = on_turn(&done.state);
        world.clock.set(world.due(id).await);
        let late = late(&world, id, next).await;
        assert_eq!(late, Err(Rejected::Refused(MatchRefusal::TurnExpired)));
        assert_eq!(world.count(id, "timed_out").await, 1);
    }
}

/// A command at or after the deadline, and the clock turned to the end of the grace.
async fn late(
    world: &World,
    id: yibu_domain::kernel::MatchId,
    n: u128,
) -> Result<usize, Rejected<MatchRefusal>> {
    let state = world.state(id).await;
    let matches = world.matches.clone();
    let request = ask(id, n, skip(&state));
    let task = tokio::spawn(async move { matches.execute(request).await });
    world.until_waiting(1).await;
    // Nothing happens before the grace is over.
    world.clock.set(world.due(id).await + GRACE - Span(1));
    tokio::task::yield_now().await;
    assert!(!task.is_finished());
    assert_eq!(world.count(id, "timed_out").await, 0);
    world.clock.advance(Span(1));
    task.await.unwrap().map(|done| done.events.len())
}

#[tokio::test]
async fn within_the_grace_others_are_judged_after_the_timeout() {
    let world = memory().await;
    let id = world.playing(1).await;
    let deadline = world.due(id).await;
    world.clock.set(deadline + Span(1));
    let matches = world.matches.clone();
    let request = ask(id, 2, MatchCommand::Surrender);
    let task = tokio::spawn(async move { matches.execute(request).await });
    world.until_waiting(1).await;
    world.clock.set(deadline + GRACE);
    let done = task.await.unwrap().unwrap();
    assert_eq!(done.events[0].at, deadline + Span(1));
    let events = world.events(id).await;
    let expiry = events.iter().position(|event| event.name.contains("timed_out"));
    let surrender = events.iter().position(|event| event.name.contains("surrendered"));
    assert!(expiry < surrender);
    let expiry = &events[expiry.unwrap()];
    assert_eq!((expiry.stamp.at, expiry.stamp.actor), (deadline, Actor::Timer));
    assert_eq!((expiry.stamp.causation, expiry.stamp.command_id), (None, None));
    // The takeover wait runs from the deadline, whoever noticed it when.
    assert_eq!(world.due(id).await, deadline + Span::hours(8));
}

/// A gate that holds whoever comes until it is told to let go.
#[derive(Default)]
struct Held {
    open: AtomicBool,
    let_go: Notify,
}

#[async_trait]
impl Gate for Held {
    fn is_open(&self, _: Time) -> bool {
        self.open.load(Ordering::Acquire)
    }

    async fn open(&self) -> Result<(), String> {
        self.let_go.notified().await;
        self.open.store(true, Ordering::Release);
        Ok(())
    }
}

#[tokio::test]
async fn what_was_received_before_the_deadline_goes_first() {
    let world = memory().await;
    let id = world.playing(1).await;
    let deadline = world.due(id).await;
    let state = world.state(id).await;
    // Received just in time, but held up on its way to the queue.
    world.clock.set(deadline - Span(1));
    let gate = Arc::new(Held::default());
    let held = world.matches.clone().gated(Arc::clone(&gate) as Arc<dyn Gate>);
    let request = ask(id, 1, skip(&state));
    let in_time = tokio::spawn(async move { held.execute(request).await });
    tokio::task::yield_now().await;
    // One that came just after waits out the grace, and keeps nobody out of the queue meanwhile.
    world.clock.set(deadline + Span(1));
    let (matches, request) = (world.matches.clone(), ask(id, 2, MatchCommand::Leave));
    let after = tokio::spawn(async move { matches.execute(request).await });
    world.until_waiting(1).await;
    let expired = world.matches.expire_due(id).await.unwrap();
    assert_eq!(expired, Expired { count: 0, next: Some(deadline) });

    gate.let_go.notify_one();
    let done = in_time.await.unwrap().unwrap();
    assert_eq!(done.events[0].at, deadline - Span(1));
    world.clock.set(deadline + GRACE);
    let left = after.await.unwrap().unwrap();
    assert_eq!(left.events[0].at, deadline + Span(1));
    assert_eq!(world.count(id, "timed_out").await, 0);
}

#[tokio::test]
async fn too_late_is_too_late_whether_or_not_the_timer_ran() {
    for timer_first in [false, true] {
        let world = sqlite().await;
        let id = world.playing(1).await;
        let state = world.state(id).await;
        let deadline = world.due(id).await;
        world.clock.set(deadline + Span::seconds(5));
        if timer_first {
            let next = Some(deadline + Span::hours(8));
            let expired = world.matches.expire_due(id).await.unwrap();
            assert_eq!(expired, Expired { count: 1, next });
            let expired = world.matches.expire_due(id).await.unwrap();
            assert_eq!(expired, Expired { count: 0, next });
        }
        for command in [skip(&state), a_move(&state), MatchCommand::Leave] {
            let answer = world.send(id, 1, command).await.unwrap_err();
            assert_eq!(answer, Rejected::Refused(MatchRefusal::TurnExpired));
        }
        assert_eq!(world.count(id, "timed_out").await, 1);
        assert_eq!(live(&*world.state(id).await).last, deadline);
    }
}

#[tokio::test]
async fn deadlines_run_out_in_chains_each_at_its_own_instant() {
    let world = memory().await;
    let id = world.playing(1).await;
    let deadline = world.due(id).await;
    world.clock.set(deadline + Span::hours(9));
    let answer = world.send(id, 2, MatchCommand::Leave).await.unwrap_err();
    assert_eq!(answer, Rejected::Refused(MatchRefusal::MatchEnded));
    let state = world.state(id).await;
    assert_eq!(phase(&state), Phase::Ended);
    assert_eq!(live(&state).last, deadline + Span::hours(8));
    let at = |events: &[yibu_infrastructure::log::port::Stored], name: &str| -> Vec<Time> {
        let named = events.iter().filter(|event| event.name.contains(name));
        named.map(|event| event.stamp.at).collect()
    };
    let events = world.events(id).await;
    assert_eq!(at(&events, "timed_out"), [deadline]);
    assert_eq!(at(&events, "takeover_wait_expired"), [deadline + Span::hours(8)]);
}

#[tokio::test]
async fn unready_seats_are_released_when_due() {
    let world = memory().await;
    for n in 1..=4 {
        let found = world.maker.match_new(guest(n), None, None, Actor::Player(player(n)), uuid());
        found.await.unwrap();
    }
    let tables = yibu_infrastructure::executor::Tables::vacancies(&*world.model).await;
    assert_eq!(tables, Ok(Vec::new()));
    let clocks = yibu_infrastructure::workers::OpenClocks::open(&*world.model).await.unwrap();
    let [(id, due)] = clocks[..] else { panic!("one table") };
    assert_eq!(due, DAWN + Span::hours(48));
    world.clock.set(due + GRACE);
    let expired = world.matches.expire_due(id).await.unwrap();
    assert_eq!(expired, Expired { count: 1, next: None });
    assert_eq!(world.count(id, "seat_released").await, 4);
}

fn uuid() -> uuid::Uuid {
    uuid::Uuid::nil()
}

#[tokio::test]
async fn a_clock_that_lags_behind_the_log_sets_nothing_back() {
    let world = memory().await;
    let id = world.playing(1).await;
    world.clock.advance(Span::hours(1));
    let state = world.state(id).await;
    let done = world.send(id, 1, skip(&state)).await.unwrap();
    // Another node, whose clock is an hour behind.
    let behind = yibu_infrastructure::system::ManualClock::at(DAWN);
    let other = super::fixture::executor(&world.log, &behind, &world.entropy, 10);
    let request = ask(id, on_turn(&done.state), skip(&done.state));
    let next = other.execute(request).await.unwrap();
    assert_eq!(next.events[0].at, DAWN + Span::hours(1));
}
