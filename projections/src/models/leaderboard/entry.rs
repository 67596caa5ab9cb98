//! One line of a player's ledger and list of results. Must not hold more than the public event told.

use serde::{Deserialize, Serialize};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{MatchId, PlayerId, Reason, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Departed, Joined, MatchResult, Occupant, Outcome, Person};

/// Why an entry was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EntryCause {
    /// The match ended with the player in a seat.
    Settled {
        /// In which match.
        match_id: MatchId,
        /// In which seat.
        seat: Seat,
        /// Joined before the start or by takeover.
        joined: Joined,
        /// How it ended.
        outcome: Outcome,
        /// What that was for the player.
        result: MatchResult,
    },
    /// The player left after the start.
    Left {
        /// Which match.
        match_id: MatchId,
        /// Which seat.
        seat: Seat,
        /// Joined before the start or by takeover.
        joined: Joined,
    },
    /// The player's time ran out.
    TimedOut {
        /// In which match.
        match_id: MatchId,
        /// In which seat.
        seat: Seat,
        /// Joined before the start or by takeover.
        joined: Joined,
    },
    /// An administrator gave or took points.
    Adjusted {
        /// Why, as a code.
        reason: Reason,
    },
}

/// Points that a player got, zero included, and what for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub at: Time,
    /// How many.
    pub points: i64,
    /// Why.
    pub cause: EntryCause,
}

impl EntryCause {
    /// The match that it is about, where it is about one.
    pub fn match_id(&self) -> Option<MatchId> {
        match self {
            Self::Settled { match_id, .. }
            | Self::Left { match_id, .. }
            | Self::TimedOut { match_id, .. } => Some(*match_id),
            Self::Adjusted { .. } => None,
        }
    }
}

/// The entries that an event of a match makes: whose, and what.
pub(super) fn entries(id: MatchId, at: Time, event: &MatchEvent) -> Vec<(PlayerId, Entry)> {
    let of = |person: &Person, points: i32, cause: EntryCause| {
        let entry = Entry { at, points: i64::from(points), cause };
        (person.occupant == Occupant::Player).then_some((person.player, entry))
    };
    let departed = |part: &Departed, left: bool| {
        let (match_id, seat, joined) = (id, part.seat, part.person.joined);
        let cause = if left {
            EntryCause::Left { match_id, seat, joined }
        } else {
            EntryCause::TimedOut { match_id, seat, joined }
        };
        of(&part.person, part.points, cause)
    };
    match event {
        MatchEvent::Left(parts) => {
            parts.public.iter().filter_map(|part| departed(part, true)).collect()
        }
        MatchEvent::TimedOut(parts) => {
            parts.public.iter().filter_map(|part| departed(part, false)).collect()
        }
        MatchEvent::Ended(parts) => {
            let Some(part) = &parts.public else { return Vec::new() };
            let lines = part.lines.iter().filter_map(|line| {
                let cause = EntryCause::Settled {
                    match_id: id,
                    seat: line.seat,
                    joined: line.person.joined,
                    outcome: part.outcome,
                    result: line.result,
                };
                of(&line.person, line.points, cause)
            });
            lines.collect()
        }
        _ => Vec::new(),
    }
}
