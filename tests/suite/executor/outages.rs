//! Outages: clocks stand still while nobody serves, with and without a restart, and however often making
//! good is broken off.

use super::fixture::{DAWN, GRACE, TURN, World, ask, executor, live, memory, sqlite};
use super::model::LogModel;
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use yibu_domain::kernel::{MatchId, Span, Time};
use yibu_domain::matches::{MatchCommand, MatchRefusal};
use yibu_domain::site::SITE;
use yibu_infrastructure::executor::{Gate, MatchExecutor, Rejected};
use yibu_infrastructure::system::ManualClock;
use yibu_infrastructure::workers::{OpenClocks, OutageGate};

/// Another start of the server on the same log: nothing in memory.
struct Start {
    gate: Arc<OutageGate>,
    matches: MatchExecutor,
}

impl World {
    fn start(&self, clocks: Arc<dyn OpenClocks>) -> Start {
        self.start_by(&self.clock, clocks)
    }

    fn start_by(&self, clock: &ManualClock, clocks: Arc<dyn OpenClocks>) -> Start {
        let bare = executor(&self.log, clock, &self.entropy, 100);
        let gate = OutageGate::new(bare.clone(), self.site.clone(), clocks, "n");
        let gate = Arc::new(gate);
        let matches = bare.gated(Arc::clone(&gate) as Arc<dyn Gate>);
        Start { gate, matches }
    }

    async fn outages(&self) -> Vec<(Time, Time)> {
        let site = self.site.state(SITE).await.unwrap();
        let outages = site.outages.iter();
        outages.map(|outage| (outage.from, outage.to)).collect()
    }
}

#[tokio::test]
async fn a_declared_outage_that_was_broken_off_is_made_good_at_the_next_start() {
    for world in [memory().await, sqlite().await] {
        let start = world.start(world.model.clone());
        start.gate.open().await.unwrap();
        let id = world.playing(1).await;
        for _ in 0..10 {
            world.clock.advance(Span::seconds(50));
            start.gate.beat().await.unwrap();
        }
        let (from, to) = (DAWN + Span::seconds(203), DAWN + Span::seconds(503));
        let reason = || "provider_down".parse().unwrap();
        let broken = Broken { model: world.model.clone(), good: 0, calls: AtomicUsize::new(0) };
        let other = world.start(Arc::new(broken));
        other.gate.open().await.unwrap();
        world.clock.advance(Span::seconds(3));
        assert!(other.gate.declare(from, None, reason()).await.is_err());
        assert_eq!(world.outages().await, [(from, to)], "it is noted");
        assert_eq!(world.due(id).await, DAWN + TURN, "and not made good");

        // Seconds later: no gap between the marks, and yet there is something to make good.
        let start = world.start(world.model.clone());
        start.gate.open().await.unwrap();
        assert_eq!(world.due(id).await, DAWN + TURN + Span::seconds(300));
        let again = start.gate.declare(from, Some(to), reason()).await.unwrap();
        assert_eq!(again.moved, 0);
        assert_eq!(world.count(id, "deadline_moved").await, 1);
    }
}

#[tokio::test]
async fn without_a_gap_nothing_moves() {
    let world = memory().await;
    let start = world.start(world.model.clone());
    start.gate.beat().await.unwrap();
    let id = world.playing(1).await;
    for _ in 0..20 {
        world.clock.advance(Span(59_999));
        start.gate.beat().await.unwrap();
    }
    assert_eq!(world.due(id).await, DAWN + TURN);
    assert_eq!(world.outages().await, []);
    assert_eq!(world.log.last_beat().await, Ok(Some(DAWN + Span(20 * 59_999))));
}

#[tokio::test]
async fn a_short_restart_is_not_added_to_what_follows() {
    for world in [memory().await, sqlite().await] {
        let start = world.start(world.model.clone());
        start.gate.open().await.unwrap();
        let id = world.playing(1).await;
        for _ in 0..3 {
            world.clock.advance(Span::seconds(40));
            let again = world.start(world.model.clone());
            again.gate.open().await.unwrap();
            // The first mark of its own comes late.
            world.clock.advance(Span::seconds(50));
            again.gate.beat().await.unwrap();
        }
        assert_eq!(world.outages().await, []);
        assert_eq!(world.due(id).await, DAWN + TURN);
    }
}

#[tokio::test]
async fn a_restart_after_an_hour_moves_every_open_clock_once() {
    for world in [memory().await, sqlite().await] {
        let start = world.start(world.model.clone());
        start.gate.beat().await.unwrap();
        let ids = [world.playing(1).await, world.playing(11).await];
        world.clock.advance(Span::hours(1));
        for _ in 0..3 {
            // Started again and again: the first one closes the gap.
            let start = world.start(world.model.clone());
            start.gate.open().await.unwrap();
            for id in ids {
                assert_eq!(world.due(id).await, DAWN + TURN + Span::hours(1));
                assert_eq!(world.count(id, "deadline_moved").await, 1);
            }
        }
        assert_eq!(world.outages().await, [(DAWN, DAWN + Span::hours(1))]);
    }
}

#[tokio::test]
async fn a_frozen_process_makes_good_before_the_first_command() {
    let world = memory().await;
    let start = world.start(world.model.clone());
    start.gate.beat().await.unwrap();
    let id = world.playing(1).await;
    // Not restarted: it just did not run, from before the deadline until after it.
    world.clock.set(DAWN + TURN - Span::seconds(30));
    world.log.beat("n", DAWN + TURN - Span::seconds(30)).await.unwrap();
    world.clock.advance(Span::seconds(90));
    let answers = tokio::join!(
        start.matches.execute(ask(id, 1, MatchCommand::Skip { expected: None })),
        start.matches.execute(ask(id, 2, MatchCommand::OfferDraw)),
        start.matches.expire_due(id),
    );
    assert!(answers.0.is_ok(), "the deadline moved before the command was judged");
    let refused = Rejected::Refused(MatchRefusal::NotYourTurn);
    assert!(answers.1.is_ok() || answers.1.is_err_and(|answer| answer == refused));
    assert_eq!(answers.2.unwrap().count, 0);
    assert_eq!(world.count(id, "timed_out").await, 0);
    assert_eq!(world.outages().await.len(), 1);
}

#[tokio::test]
async fn what_was_due_before_the_outage_happens_and_what_follows_moves() {
    let world = memory().await;
    let start = world.start(world.model.clone());
    let id = world.playing(1).await;
    let deadline = world.due(id).await;
    // The last mark is just after the deadline, within the grace: the timer had not acted yet.
    world.clock.set(deadline + Span(100));
    start.gate.beat().await.unwrap();
    world.clock.advance(Span::hours(10));
    let restarted = world.start(world.model.clone());
    restarted.gate.open().await.unwrap();
    assert_eq!(world.count(id, "timed_out").await, 1);
    let waits = live(&*world.state(id).await).due().unwrap();
    assert_eq!(waits, deadline + Span::hours(18));
    let events = world.events(id).await;
    let expiry = events.iter().find(|event| event.name.contains("timed_out"));
    assert_eq!(expiry.unwrap().stamp.at, deadline);
    // Time in a match never goes back.
    assert!(events.is_sorted_by_key(|event| event.stamp.at));
}

/// Clocks that break off after a while: the first `good` matches are told, then it fails.
struct Broken {
    model: Arc<LogModel>,
    good: usize,
    calls: AtomicUsize,
}

#[async_trait]
impl OpenClocks for Broken {
    async fn open(&self) -> Result<Vec<(MatchId, Time)>, String> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let mut open = self.model.open().await?;
        open.truncate(self.good);
        if self.good == 0 {
            return Err("broken off".to_owned());
        }
        // A match that cannot be read makes the round fail after the others were moved.
        Ok(open)
    }
}

#[tokio::test]
async fn broken_off_after_noting_it_goes_on_where_it_was() {
    for world in [memory().await, sqlite().await] {
        world.start(world.model.clone()).gate.beat().await.unwrap();
        let ids = [world.playing(1).await, world.playing(11).await];
        world.clock.advance(Span::hours(1));
        let noted = DAWN + Span::hours(1);
        // It notes the outage and dies before any deadline moved.
        let broken =
            Arc::new(Broken { model: world.model.clone(), good: 0, calls: AtomicUsize::new(0) });
        let start = world.start(broken.clone());
        assert!(start.gate.open().await.is_err());
        let id = ids[0];
        let answer = start.matches.execute(ask(id, 1, MatchCommand::Leave)).await;
        assert_eq!(answer.unwrap_err(), Rejected::Unavailable);
        assert_eq!(start.matches.expire_due(id).await.unwrap_err(), Rejected::Unavailable);
        assert!(start.gate.beat().await.is_err());
        assert_eq!(world.outages().await, [(DAWN, noted)]);
        assert_eq!(world.log.last_beat().await, Ok(Some(DAWN)), "no mark passes an open gap");

        // Half of the matches moved, and it dies again.
        let outage = world.site.state(SITE).await.unwrap().outages[0].clone();
        let half =
            MatchCommand::MoveDeadline { outage: outage.outage, from: outage.from, to: outage.to };
        let system = yibu_domain::kernel::Actor::System;
        let half = yibu_infrastructure::executor::Request::new(id.0, half, system, id.0);
        world.matches.execute(half).await.unwrap();

        // Half an hour later it comes up for good: the rest of the first outage, then the second.
        world.clock.advance(Span(1_800_000));
        let start = world.start(world.model.clone());
        start.gate.open().await.unwrap();
        let up = noted + Span(1_800_000);
        assert_eq!(world.outages().await, [(DAWN, noted), (noted, up)]);
        for id in ids {
            assert_eq!(world.due(id).await, DAWN + TURN + Span(5_400_000));
            assert_eq!(world.count(id, "deadline_moved").await, 2);
        }
        assert_eq!(world.log.last_beat().await, Ok(Some(up)));
        // And a short while: no outage.
        world.clock.advance(Span(59_999));
        world.start(world.model.clone()).gate.open().await.unwrap();
        assert_eq!(world.outages().await.len(), 2);
        start.matches.execute(ask(ids[0], 1, MatchCommand::Leave)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_that_notice_the_same_gap_note_it_once() {
    let world = sqlite().await;
    world.start(world.model.clone()).gate.beat().await.unwrap();
    let id = world.playing(1).await;
    world.clock.advance(Span::hours(2));
    let (one, two) = (world.start(world.model.clone()), world.start(world.model.clone()));
    let (a, b) = tokio::join!(one.gate.open(), two.gate.beat());
    assert_eq!((a, b), (Ok(()), Ok(())));
    assert_eq!(world.outages().await.len(), 1);
    assert_eq!(world.count(id, "deadline_moved").await, 1);
    assert_eq!(world.due(id).await, DAWN + TURN + Span::hours(2));
}

#[tokio::test]
async fn a_mark_of_another_node_is_enough() {
    let world = memory().await;
    let start = world.start(world.model.clone());
    start.gate.beat().await.unwrap();
    let id = world.playing(1).await;
    let deadline = world.due(id).await;
    world.log.beat("other", deadline).await.unwrap();
    world.clock.set(deadline + GRACE);
    assert_eq!(start.matches.expire_due(id).await.unwrap().count, 1);
    assert_eq!(world.outages().await, []);
}

/// A turn that began after the last sign of service, but before service ended, moves by the whole gap: the
/// rule knows no smaller share (L17).
#[tokio::test]
async fn a_clock_that_began_inside_the_gap_moves_by_all_of_it() {
    let world = memory().await;
    let start = world.start(world.model.clone());
    start.gate.beat().await.unwrap();
    world.clock.advance(Span::seconds(4));
    let id = world.playing(1).await;
    let before = world.due(id).await;
    world.clock.advance(Span::hours(1));
    start.gate.beat().await.unwrap();
    assert_eq!(world.due(id).await, before + Span::hours(1) + Span::seconds(4));
}

#[tokio::test]
async fn a_clock_that_was_set_back_is_served_by_again_when_it_is_reached_again() {
    for world in [memory().await, sqlite().await] {
        let start = world.start(world.model.clone());
        start.gate.beat().await.unwrap();
        let id = world.playing(1).await;
        let draw = |n| start.matches.execute(ask(id, n, MatchCommand::OfferDraw));

        world.clock.set_back(Span(100));
        start.gate.beat().await.unwrap();
        assert!(matches!(draw(1).await, Ok(_) | Err(Rejected::Refused(_))), "a little is harmless");

        world.clock.set_back(Span::hours(2));
        let fault = start.gate.beat().await.unwrap_err();
        assert!(fault.contains("2 h 0 min behind the log"), "{fault}");
        assert!(start.gate.is_off());
        assert!(start.gate.marks(), "that says nothing of the log");
        assert_eq!(start.gate.behind(), Span(7_200_100));
        assert_eq!(draw(1).await.unwrap_err(), Rejected::Unavailable);
        assert_eq!(start.matches.expire_due(id).await.unwrap_err(), Rejected::Unavailable);
        let declared = start.gate.declare(DAWN - Span::hours(1), None, "drill".parse().unwrap());
        assert!(declared.await.unwrap_err().contains("behind"));

        // Nobody has lost time: for the matches none went by.
        world.clock.advance(Span::hours(2));
        start.gate.beat().await.unwrap();
        assert!(!start.gate.is_off());
        assert!(matches!(draw(2).await, Ok(_) | Err(Rejected::Refused(_))));
        assert_eq!(world.due(id).await, DAWN + TURN);
        assert_eq!(world.outages().await, []);
    }
}

/// What an operator saw: 16 hours ahead for some seconds, then right, then a restart.
#[tokio::test]
async fn after_a_restart_the_log_tells_that_the_clock_is_behind() {
    for world in [memory().await, sqlite().await] {
        let start = world.start(world.model.clone());
        start.gate.beat().await.unwrap();
        let id = world.playing(1).await;
        world.clock.advance(Span::hours(16));
        start.gate.beat().await.unwrap();
        assert_eq!(world.due(id).await, DAWN + TURN + Span::hours(16), "as after any gap");
        world.clock.advance(Span::seconds(4));
        // Nothing but this event, after the last mark, stands so late.
        start.matches.execute(ask(id, 1, MatchCommand::Leave)).await.unwrap();
        let due = world.due(id).await;
        let before = world.outages().await;

        let clock = ManualClock::at(DAWN + Span::seconds(8));
        let start = world.start_by(&clock, world.model.clone());
        assert!(start.gate.open().await.unwrap_err().contains("behind the log"));
        assert_eq!(start.gate.behind(), Span::seconds(16 * 3600 - 4));
        let answer = start.matches.execute(ask(id, 2, MatchCommand::Leave)).await;
        assert_eq!(answer.unwrap_err(), Rejected::Unavailable);

        clock.advance(Span::seconds(16 * 3600 - 4));
        start.matches.execute(ask(id, 2, MatchCommand::Leave)).await.unwrap();
        assert_eq!((world.due(id).await, world.outages().await), (due, before));
    }
}

#[tokio::test]
async fn an_operator_may_allow_a_clock_that_stands_still() {
    let world = memory().await;
    let start = world.start(world.model.clone());
    start.gate.beat().await.unwrap();
    let id = world.playing(1).await;
    let clock = ManualClock::at(DAWN - Span::seconds(1800));
    let bare = executor(&world.log, &clock, &world.entropy, 100);
    let gate = OutageGate::new(bare.clone(), world.site.clone(), world.model.clone(), "n");
    let gate = Arc::new(gate.allowing(Span::hours(1)));
    bare.gated(gate.clone()).execute(ask(id, 1, MatchCommand::Leave)).await.unwrap();
    assert!(!gate.is_off());
    let last = world.events(id).await.pop().unwrap();
    assert!(last.stamp.at >= DAWN, "time in a match never goes back");
}
