//! Points and statistics of players: a fold of the public events of matches. House players are not counted.

use crate::kernel::PlayerId;
use crate::matches::events::{Action, Joined, MatchResult, Occupant, Person};
use serde::{Deserialize, Serialize};

/// What one player has earned (平台积分 and 战绩).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Points; starts at 0, may go below.
    pub points: i64,
    /// Matches taken part in; candidacies not counted.
    pub matches: u32,
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
    /// Without result.
    pub no_results: u32,
    /// Left after the start.
    pub leaves: u32,
    /// Timed out.
    pub timeouts: u32,
    /// Joined by takeover.
    pub takeovers: u32,
}

/// Adds what a public event means for players' records: `change(player, |record| …)` per player concerned.
pub fn tally(action: &Action, mut change: impl FnMut(PlayerId, &dyn Fn(&mut Record))) {
    let mut of = |person: &Person, edit: &dyn Fn(&mut Record)| {
        if person.occupant == Occupant::Player {
            change(person.player, edit);
        }
    };
    match action {
        Action::Started(part) => {
            for person in part.seats.iter().filter_map(|(_, person)| person.as_ref()) {
                of(person, &|record| record.matches += 1);
            }
        }
        Action::PositionPlaced(part) => {
            for person in part.seats.iter().filter_map(|(_, person)| person.as_ref()) {
                let takeover = u32::from(person.joined == Joined::Takeover);
                of(person, &|record| {
                    record.matches += 1;
                    record.takeovers += takeover;
                });
            }
        }
        Action::SeatTakenOver(part) => of(&part.person, &|record| {
            record.matches += 1;
            record.takeovers += 1;
        }),
        Action::Left(part) => of(&part.person, &|record| {
            record.points += i64::from(part.points);
            record.leaves += 1;
        }),
        Action::TimedOut(part) => of(&part.person, &|record| {
            record.points += i64::from(part.points);
            record.timeouts += 1;
        }),
        Action::Ended(part) => {
            for line in &part.lines {
                of(&line.person, &|record| {
                    record.points += i64::from(line.points);
                    let count = match line.result {
                        MatchResult::Win => &mut record.wins,
                        MatchResult::Loss => &mut record.losses,
                        MatchResult::Draw => &mut record.draws,
                        MatchResult::NoResult => &mut record.no_results,
                    };
                    *count += 1;
                });
            }
        }
        _ => {}
    }
}
