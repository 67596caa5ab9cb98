//! Each player's entries: they add up to the points, keep their numbers, and are worth what the table of points says.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use std::collections::BTreeMap;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{MatchId, PlayerId, Span};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Joined, MatchResult, Occupant, Outcome, WinBy};
use yibu_projections::Fact;
use yibu_projections::models::Leaderboard;
use yibu_projections::models::leaderboard::{Booked, EntryCause, Period};

fn history(seed: u64) -> World {
    let mut world = World::new(seed, 14, 6);
    for round in 1..=8 {
        world.grow(round * 800);
        world.pass(Span::hours(17));
    }
    world
}

async fn board(store: Store, world: &World) -> (Rig, Leaderboard) {
    let rig = Rig::new(store).await;
    rig.catch_up("leaderboard", &MemoryFeed::new(world.log.clone()), 500).await;
    let board = Leaderboard::new(&rig.views);
    (rig, board)
}

pub(super) async fn entries_add_up_and_have_lasting_numbers(store: Store) {
    let world = history(61);
    let (_rig, board) = board(store, &world).await;
    let (mut adjusted, mut settled) = (0, 0);
    for player in &world.players {
        let ledger = board.ledger(*player, None, 10_000).await.unwrap();
        let record = board.statistics(*player, Period::AllTime).await.unwrap().record;
        assert_eq!(ledger.first().map_or(0, |newest| newest.balance), record.points);
        let mut balance = 0;
        for (number, booked) in (1..).zip(ledger.iter().rev()) {
            balance += booked.entry.points;
            assert_eq!((booked.number, booked.balance), (number, balance));
            assert_ne!(booked.entry.points, 0);
            adjusted += usize::from(booked.entry.cause.match_id().is_none());
        }
        let results = board.results(*player, None, 10_000).await.unwrap();
        let over = record.wins + record.losses + record.draws + record.no_results;
        assert_eq!(results.len() as u32, over + record.leaves + record.timeouts);
        assert!(results.iter().rev().map(|booked| booked.number).eq(1..=results.len() as u64));
        settled += results.len();
        let mut paged: Vec<Booked> = Vec::new();
        loop {
            let before = paged.last().map(|booked| booked.number);
            let page = board.results(*player, before, 2).await.unwrap();
            if page.is_empty() {
                break;
            }
            paged.extend(page);
        }
        assert_eq!(paged, results);
    }
    assert!(adjusted > 5 && settled > 30, "{adjusted} {settled}");
}

/// What the table of points says: the person was in the seat at the end, and the match ended so.
fn worth(outcome: Outcome, seat: Seat, joined: Joined) -> (i64, MatchResult) {
    match outcome {
        Outcome::Draw { .. } => (0, MatchResult::Draw),
        Outcome::NoResult { .. } => (0, MatchResult::NoResult),
        Outcome::Win { side, by } => match (seat.side() == side, by, joined) {
            (true, WinBy::Board, Joined::Full) => (3, MatchResult::Win),
            (true, WinBy::Board, Joined::Takeover) => (4, MatchResult::Win),
            (false, WinBy::Board, Joined::Full) => (-3, MatchResult::Loss),
            (false, WinBy::Board, Joined::Takeover) => (-2, MatchResult::Loss),
            (true, WinBy::SideGone, _) => (3, MatchResult::Win),
            (true, WinBy::TeamSurrender, _) => (0, MatchResult::Win),
            (false, WinBy::TeamSurrender, _) => (-3, MatchResult::Loss),
            other => panic!("a formal match does not end like that: {other:?}"),
        },
    }
}

pub(super) async fn points_of_every_match_are_those_of_the_table(store: Store) {
    let world = history(62);
    let (_rig, board) = board(store, &world).await;
    // Who has something to get from which match, by the events.
    let mut wanted: BTreeMap<(MatchId, PlayerId), (i64, Option<MatchResult>)> = BTreeMap::new();
    for fed in &world.log {
        let Ok(Fact::Match(id, event)) = &fed.fact else { continue };
        match &event.event {
            MatchEvent::Left(parts) | MatchEvent::TimedOut(parts) => {
                let person = &parts.public.as_ref().unwrap().person;
                if person.occupant == Occupant::Player {
                    assert_eq!(wanted.insert((*id, person.player), (-9, None)), None);
                }
            }
            MatchEvent::Ended(parts) => {
                let part = parts.public.as_ref().unwrap();
                for line in &part.lines {
                    let (points, result) = worth(part.outcome, line.seat, line.person.joined);
                    if line.person.occupant == Occupant::Player {
                        let whose = (*id, line.person.player);
                        assert_eq!(wanted.insert(whose, (points, Some(result))), None);
                    }
                }
            }
            _ => {}
        }
    }
    let mut got = BTreeMap::new();
    for player in &world.players {
        for booked in board.results(*player, None, 10_000).await.unwrap() {
            let (id, result) = match booked.entry.cause {
                EntryCause::Settled { match_id, seat, joined, outcome, result } => {
                    let paid = (booked.entry.points, result);
                    assert_eq!(paid, worth(outcome, seat, joined));
                    (match_id, Some(result))
                }
                EntryCause::Left { match_id, .. } | EntryCause::TimedOut { match_id, .. } => {
                    (match_id, None)
                }
                EntryCause::Adjusted { .. } => panic!("no result of a match"),
            };
            got.insert((id, *player), (booked.entry.points, result));
        }
    }
    assert_eq!(got, wanted);
    assert!(got.values().any(|(points, _)| *points == 3), "somebody won");
}
