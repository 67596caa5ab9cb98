//! The end of a match: everybody who sits there is settled once, by the points of the match's rule set.

use super::decide::{MatchDraft, by_takeover};
use super::events::{
    Ended, EndedSecret, Freed, Line, MatchEvent, MatchResult, Outcome, Parts, Person, WinBy,
};
use super::ruleset::Points;
use super::state::Live;
use crate::games::siguo::seat::{Seat, Side};

/// Ends the match: lines for everybody seated, eliminated ones included, zero lines too.
pub(super) fn end(draft: &mut MatchDraft, outcome: Outcome) {
    let Some(live) = draft.state().live() else { return };
    let points = &live.sheet.public.rules.points;
    let seated = || Seat::ALL.into_iter().filter_map(|seat| Some((seat, live.person(seat)?)));
    let lines = seated()
        .map(|(seat, person)| {
            let (points, result) = settle(outcome, seat.side(), person, points);
            Line { person: person.clone(), seat, points, result }
        })
        .collect();
    let freed = seated()
        .filter(|(seat, _)| live.active(*seat))
        .map(|(seat, person)| Freed { seat, person: person.clone() })
        .collect();
    let lines = lines_of(live, lines);
    draft.push(MatchEvent::Ended(
        Parts::public(Ended { outcome, lines }).with_secret(EndedSecret { freed }),
    ));
}

/// Before the start nobody took part yet: a voided table settles nobody.
fn lines_of(live: &Live, lines: Vec<Line>) -> Vec<Line> {
    if live.sheet.public.started.is_some() { lines } else { Vec::new() }
}

fn settle(outcome: Outcome, side: Side, person: &Person, points: &Points) -> (i32, MatchResult) {
    let takeover = by_takeover(person.joined);
    match outcome {
        Outcome::Draw { .. } => (0, MatchResult::Draw),
        Outcome::NoResult { .. } => (0, MatchResult::NoResult),
        Outcome::Win { side: winner, by } => {
            let won = winner == side;
            let value = match (by, won) {
                (WinBy::Board | WinBy::BothStuck, true) if takeover => points.win_takeover,
                (WinBy::Board | WinBy::BothStuck, true) => points.win,
                (WinBy::Board | WinBy::BothStuck, false) if takeover => points.loss_takeover,
                (WinBy::Board | WinBy::BothStuck, false) => points.loss,
                (WinBy::SideGone, true) => points.side_gone,
                (WinBy::TeamSurrender, false) => points.team_surrender,
                (WinBy::SideGone, false) | (WinBy::TeamSurrender, true) => 0,
            };
            (value, if won { MatchResult::Win } else { MatchResult::Loss })
        }
    }
}
