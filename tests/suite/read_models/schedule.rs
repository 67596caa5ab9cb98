//! The schedule's marks against the clocks that run in the folded truth.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{PlayerId, Span, Time};
use yibu_domain::matches::Live;
use yibu_domain::matches::events::{Occupant, Person, TurnKind};
use yibu_projections::Fact;
use yibu_projections::models::NotificationSchedule;
use yibu_projections::models::notification_schedule::{Mark, MarkKind, Running};

/// Everybody in these places who is no house player.
fn players<'p>(persons: impl Iterator<Item = &'p Person>) -> Vec<PlayerId> {
    let players = persons.filter(|person| person.occupant == Occupant::Player);
    players.map(|person| person.player).collect()
}

fn marks(live: &Live) -> Vec<Mark> {
    let Some(turn) = live.turn() else { return Vec::new() };
    let (start, four, one) =
        (turn.since, turn.deadline - Span::hours(4), turn.deadline - Span::hours(1));
    let own = players(live.person(turn.seat).into_iter());
    let all = players(
        Seat::ALL
            .into_iter()
            .filter_map(|seat| live.person(seat))
            .chain(&live.sheet.people.candidates),
    );
    let (whom, when) = match turn.kind {
        TurnKind::Normal => (
            own,
            vec![
                (MarkKind::Started, start),
                (MarkKind::FourHours, four),
                (MarkKind::OneHour, one),
                (MarkKind::Deadline, turn.deadline),
            ],
        ),
        TurnKind::TakeoverFirst => (
            own,
            vec![
                (MarkKind::Started, start),
                (MarkKind::OneHour, one),
                (MarkKind::Deadline, turn.deadline),
            ],
        ),
        TurnKind::Vacant => (all, vec![(MarkKind::FourHours, four), (MarkKind::OneHour, one)]),
    };
    let mut marks = Vec::new();
    for player in whom {
        for (kind, due) in &when {
            marks.push(Mark {
                due: *due,
                kind: *kind,
                match_id: live.sheet.public.match_id,
                player,
                turn: turn.number,
                turn_kind: turn.kind,
                deadline: turn.deadline,
            });
        }
    }
    marks
}

/// Whether a decision is complete at this position of the log.
fn complete(world: &World, position: u64) -> bool {
    match world.log.get(position as usize).map(|fed| &fed.fact) {
        Some(Ok(Fact::Match(_, event))) => event.event.input().is_some(),
        _ => true,
    }
}

pub(super) async fn the_marks_are_those_of_the_clocks_that_run(store: Store) {
    let mut world = World::new(71, 16, 9);
    world.grow(6_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let schedule = NotificationSchedule::new(&rig.views);
    let (mut waits, mut firsts, mut moved) = (0, 0, 0);
    let positions = (150..=feed.len()).step_by(150);
    for position in positions.filter_map(|from| (from..).find(|at| complete(&world, *at))) {
        feed.show(position);
        rig.catch_up("notification_schedule", &feed, 41).await;
        let mut wanted = Vec::new();
        for (id, _) in &world.matches {
            let state = world.at(*id, position);
            let Some(live) = state.live() else { continue };
            wanted.extend(marks(live));
            let clock = live.turn().map(|turn| Running {
                turn: turn.number,
                seat: turn.seat,
                kind: turn.kind,
                started: turn.since,
                deadline: turn.deadline,
            });
            assert_eq!(schedule.running(*id).await.unwrap(), clock);
            let hours = clock.map(|clock| (clock.kind, clock.deadline - clock.started));
            waits += usize::from(hours.is_some_and(|(kind, _)| kind == TurnKind::Vacant));
            firsts += usize::from(hours.is_some_and(|(kind, _)| kind == TurnKind::TakeoverFirst));
            let usual = [Span::hours(16), Span::hours(3), Span::hours(8)];
            moved += usize::from(hours.is_some_and(|(_, span)| !usual.contains(&span)));
        }
        wanted.sort_by_key(|mark| (mark.due, mark.match_id, mark.kind, mark.player));
        let (first, last) = (Time(i64::MIN), Time(i64::MAX));
        assert_eq!(schedule.between(first, last, u32::MAX).await.unwrap(), wanted);
        for player in &world.players {
            let mine = wanted.iter().filter(|mark| mark.player == *player);
            assert!(schedule.of(*player).await.unwrap().iter().eq(mine));
        }
        if let [early, .., late] = &wanted[..] {
            // After the one instant, up to the other.
            let got = schedule.between(early.due, late.due, 7).await.unwrap();
            assert!(got.iter().eq(wanted.iter().filter(|mark| mark.due > early.due).take(7)));
            assert_eq!(schedule.between(late.due, last, 7).await.unwrap(), []);
            assert_eq!(schedule.next(Time(early.due.0 - 1)).await.unwrap(), Some(early.due));
            assert_eq!(schedule.next(late.due).await.unwrap(), None);
        }
    }
    assert!(waits > 0 && firsts > 0 && moved > 0, "{waits} {firsts} {moved}");
}
