//! The timer: exact, never early, everything once, calm when its read model lags or fails.

use crate::executor::fixture::{DAWN, GRACE, TURN, World, executor, guest, memory, player, sqlite};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::{Actor, Bytes32, MatchId, Span, Time};
use yibu_domain::matches::events::{Joined, TurnKind};
use yibu_domain::matches::{MatchCommand, Placement, RuleSet};
use yibu_infrastructure::executor::{MatchExecutor, Request};
use yibu_infrastructure::workers::Timer;

struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

fn run(world: &World) -> Running {
    run_with(world, world.matches.clone())
}

fn run_with(world: &World, matches: MatchExecutor) -> Running {
    let timer = Timer::new(matches, world.model.clone());
    let stop = CancellationToken::new();
    let token = stop.clone();
    let task = tokio::spawn(async move { timer.run(token).await });
    Running { stop, task }
}

impl Running {
    async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

async fn until(mut holds: impl AsyncFnMut() -> bool) {
    while !holds().await {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn never_early_and_not_late() {
    for world in [memory().await, sqlite().await] {
        let id = world.playing(1).await;
        let running = run(&world);
        world.until_waiting(1).await;
        for early in [DAWN + Span::hours(15), DAWN + TURN, DAWN + TURN + GRACE - Span(1)] {
            world.clock.set(early);
            tokio::task::yield_now().await;
            assert_eq!(world.count(id, "timed_out").await, 0);
        }
        world.clock.set(DAWN + TURN + GRACE);
        until(async || world.count(id, "timed_out").await == 1).await;
        let events = world.events(id).await;
        let expiry = events.iter().find(|event| event.name.contains("timed_out"));
        let expiry = expiry.unwrap();
        assert_eq!(expiry.stamp.at, DAWN + TURN);
        assert_eq!(expiry.recorded, DAWN + TURN + GRACE);
        // And the wait that it opened, without being told.
        world.model.catch_up().await;
        world.until_waiting(1).await;
        world.clock.set(DAWN + TURN + Span::hours(8) + GRACE);
        until(async || world.count(id, "takeover_wait_expired").await == 1).await;
        running.stop().await;
    }
}

#[tokio::test]
async fn a_new_clock_is_heard_of() {
    let world = memory().await;
    let running = run(&world);
    tokio::task::yield_now().await;
    let id = world.playing(1).await;
    world.model.catch_up().await;
    world.until_waiting(1).await;
    world.clock.set(DAWN + TURN + GRACE);
    until(async || world.count(id, "timed_out").await == 1).await;
    running.stop().await;
}

#[tokio::test]
async fn a_read_model_that_lags_is_not_asked_in_circles() {
    let world = memory().await;
    let id = world.playing(1).await;
    world.model.catch_up().await;
    world.model.lags.store(true, Ordering::Relaxed);
    world.clock.set(DAWN + TURN + GRACE);
    let running = run(&world);
    until(async || world.count(id, "timed_out").await == 1).await;
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    assert!(world.model.asked.load(Ordering::Relaxed) <= 2);
    assert_eq!(world.count(id, "timed_out").await, 1);
    // It catches up: the timer goes on with the next deadline.
    world.model.catch_up().await;
    world.until_waiting(1).await;
    world.clock.set(DAWN + TURN + Span::hours(8) + GRACE);
    until(async || world.count(id, "takeover_wait_expired").await == 1).await;
    running.stop().await;
}

#[tokio::test]
async fn faults_are_tried_again_after_a_while() {
    let world = memory().await;
    let id = world.playing(1).await;
    world.model.faults.store(3, Ordering::Relaxed);
    world.clock.set(DAWN + TURN + GRACE);
    let running = run(&world);
    for wait in [500, 1000, 2000] {
        world.until_waiting(1).await;
        assert_eq!(world.count(id, "timed_out").await, 0);
        let asked = world.model.asked.load(Ordering::Relaxed);
        world.clock.advance(Span(wait - 1));
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        assert_eq!(world.model.asked.load(Ordering::Relaxed), asked);
        world.clock.advance(Span(1));
        until(async || world.model.asked.load(Ordering::Relaxed) > asked).await;
    }
    until(async || world.count(id, "timed_out").await == 1).await;
    running.stop().await;
}

/// So many running matches without men, with deadlines a millisecond apart.
async fn many(world: &World, count: u32) -> Vec<MatchId> {
    let mut ids = Vec::new();
    for n in 0..count {
        let match_id = world.entropy.match_id();
        let people = BySeat::from_fn(|seat| {
            let person = guest(u128::from(n) * 4 + seat.index() as u128 + 1);
            Some(person.seated(Joined::Full))
        });
        let placement = Placement {
            match_id,
            rules: RuleSet::formal(Span(0)),
            seed: Bytes32([1; 32]),
            seats: people,
            eliminated: Vec::new(),
            men: Vec::new(),
            turn: Seat::ALL[0],
            turn_kind: TurnKind::Normal,
        };
        let command = MatchCommand::Place(Box::new(placement));
        let request = Request::new(match_id.0, command, Actor::Player(player(1)), Uuid::nil());
        world.matches.execute(request).await.unwrap();
        world.clock.advance(Span(1));
        ids.push(match_id);
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_at_once_are_all_acted_upon_in_order() {
    let world = memory().await;
    let ids = many(&world, 10_000).await;
    let before = world.log.head().await.unwrap().position;
    world.clock.set(DAWN + TURN + Span::seconds(60));
    let running = run(&world);
    let mut acted: Vec<(Uuid, Time)> = Vec::new();
    let mut grown = world.log.changes();
    let mut last = before;
    while acted.len() < ids.len() {
        grown.wait_for(|position| *position > last).await.unwrap();
        for event in world.log.read_all(last, usize::MAX).await.unwrap() {
            last = event.position;
            if event.name.contains("timed_out") {
                let id = event.stream["match-".len()..].parse().unwrap();
                acted.push((id, event.stamp.at));
            }
        }
    }
    running.stop().await;
    assert_eq!(acted.len(), ids.len());
    let due: HashMap<_, _> = (0..).map(|n| DAWN + TURN + Span(n)).zip(&ids).collect();
    for (index, (id, at)) in acted.iter().enumerate() {
        assert_eq!(due[at].0, *id);
        // The earliest first, but for those that are acted upon at the same time.
        let rank = usize::try_from((*at - (DAWN + TURN)).0).unwrap();
        assert!(rank.abs_diff(index) < 1024, "{rank} came as number {index}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_act_once() {
    let world = sqlite().await;
    let ids = many(&world, 300).await;
    let before = world.log.head().await.unwrap().position;
    world.clock.set(DAWN + TURN + Span::seconds(60));
    let other = executor(&world.log, &world.clock, &world.entropy, 10);
    let (one, two) = (run(&world), run_with(&world, other));
    let mut grown = world.log.changes();
    let mut acted = 0;
    let mut last = before;
    while acted < ids.len() {
        grown.wait_for(|position| *position > last).await.unwrap();
        for event in world.log.read_all(last, usize::MAX).await.unwrap() {
            last = event.position;
            acted += usize::from(event.name.contains("timed_out"));
        }
    }
    one.stop().await;
    two.stop().await;
    for id in ids {
        assert_eq!(world.count(id, "timed_out").await, 1);
    }
}
