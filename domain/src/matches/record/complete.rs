//! The document of a finished match, version 2, as files hold it. Shapes only: how it comes about is in `telling`,
//! whether it can be so in `referee`. The shape never changes; another one is another version.

use super::deeds::Told;
use super::utc::Utc;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::rules::{BothStuck, Options, Order};
use crate::games::siguo::seat::{BySeat, Seat, Side};
use crate::kernel::{Bytes32, MatchId, PlayerId, Span};
use crate::matches::events::{Joined, MatchResult, NonceBy, Outcome};
use crate::matches::ruleset::{Points, RuleSet};
use serde::{Deserialize, Serialize};

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })*) => {
        $($(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type),* })*
    };
}

/// A whole finished match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Complete {
    /// Always [`FORMAT`](super::FORMAT).
    pub format: String,
    /// Always [`VERSION`](super::VERSION).
    pub version: u32,
    /// Which match, and when.
    #[serde(rename = "match")]
    pub kept: Kept,
    /// The rules that held.
    pub rules: Rules,
    /// The four seats as the match started.
    pub seats: Sides,
    /// Who sat there after the start: by seat in the order s, e, n, w, and in each in the order of time.
    pub participants: Vec<Participant>,
    /// Every public event in order, each with what was hidden then.
    pub events: Vec<Told>,
    /// How it ended.
    pub outcome: Outcome,
    /// The settlement, in seat order.
    pub settlement: Vec<Settled>,
    /// What its fair draws rest on.
    pub draws: Chances,
    /// Where it stands in the log.
    pub log: Chain,
}

/// The four seats; a map with each of them.
pub type Sides = BySeat<Setup>;

shapes! {
    /// Which match, and when.
    Kept {
        /// The match.
        id: MatchId,
        /// When it started.
        started_at: Utc,
        /// When it was settled.
        ended_at: Utc,
    }
    /// The rule set.
    Rules {
        /// Name and version.
        name: String,
        /// The direction of play.
        order: Order,
        /// Who plays.
        seats: Vec<Seat>,
        /// What it means that no active seat has a legal move.
        both_stuck: BothStuck,
        /// Draw after so many moves without a loss; null: never.
        no_loss_draw: Option<u32>,
        /// Skips per person and match.
        skips: u8,
        /// All durations, in milliseconds.
        durations: Durations,
        /// What ends are worth.
        points: Worth,
    }
    /// Durations of the rule set, in milliseconds.
    Durations {
        /// A normal turn.
        turn: i64,
        /// The first move after a takeover.
        takeover_first: i64,
        /// The takeover wait of a vacant seat.
        takeover_wait: i64,
        /// The shortest gap in service that stops the clocks.
        outage_minimum: i64,
        /// How long players keep the finished match.
        retention: i64,
        /// Seats that are not ready are released so long after the fourth was taken; 0: never.
        release_unready: i64,
    }
    /// Points per end.
    Worth {
        /// Win on the board.
        win: i32,
        /// The same after joining by takeover.
        win_takeover: i32,
        /// Loss on the board.
        loss: i32,
        /// The same after joining by takeover.
        loss_takeover: i32,
        /// Leaving or timing out.
        departure: i32,
        /// Each one still seated when the other side is gone.
        side_gone: i32,
        /// Each of two who surrender as a team.
        team_surrender: i32,
    }
    /// A seat as the match started.
    Setup {
        /// Its side.
        side: Side,
        /// Its 25 pieces, by position in index order.
        pieces: Vec<Stood>,
    }
    /// A piece of the initial position.
    Stood {
        /// Where; from then on the piece's name.
        at: Pos,
        /// What.
        piece: Piece,
    }
    /// Somebody who sat in a seat after the start.
    Participant {
        /// Which seat.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// The nickname at the time of seating; null where the account was deleted (已注销).
        nickname: Option<String>,
        /// A house player (陪练).
        house: bool,
        /// By the match or by takeover.
        joined: Joined,
        /// From when.
        joined_at: Utc,
        /// Until when; null: to the end.
        left_at: Option<Utc>,
        /// Why no longer than that.
        left_why: Option<Left>,
    }
    /// A line of the settlement.
    Settled {
        /// Which seat.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// As at the participant.
        nickname: Option<String>,
        /// By the match or by takeover.
        joined: Joined,
        /// What it was.
        result: MatchResult,
        /// Points for it.
        points: i32,
    }
    /// Everything that the match's fair draws rest on.
    Chances {
        /// The algorithm that the opening named.
        algorithm: String,
        /// The promise of the seed that the opening gave.
        commitment: Bytes32,
        /// The seed.
        seed: Bytes32,
        /// The draws in their order.
        draws: Vec<Roll>,
    }
    /// One draw.
    Roll {
        /// Its name, part of its key.
        purpose: String,
        /// Its algorithm; `forced` where a test said how it shall come out.
        algorithm: String,
        /// What went in, in order.
        nonces: Vec<Sent>,
        /// What could have come out; empty for a formation.
        choices: Vec<String>,
        /// The seat that came out, or whose formation it is.
        seat: Seat,
        /// The formation that came out, by position in index order; empty otherwise. It could be changed until the
        /// start.
        formation: Vec<Piece>,
    }
    /// One player's contribution to a draw.
    Sent {
        /// 256 bits.
        value: Bytes32,
        /// Whose choice they were.
        by: NonceBy,
    }
    /// Where the match stands in the log.
    Chain {
        /// Events of its stream up to the end, those included that are not public.
        events: u64,
        /// The head of its stream's hash chain at the end.
        hash: Bytes32,
    }
}

/// Why somebody no longer sat there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Left {
    /// Left.
    Left,
    /// Ran out of time.
    TimedOut,
}

impl From<&RuleSet> for Rules {
    fn from(rules: &RuleSet) -> Self {
        let points = &rules.points;
        Self {
            name: rules.name.clone(),
            order: rules.options.order,
            seats: Seat::ALL.into_iter().filter(|&seat| rules.options.seats[seat]).collect(),
            both_stuck: rules.options.both_stuck,
            no_loss_draw: rules.options.no_loss_draw,
            skips: rules.skips,
            durations: Durations {
                turn: rules.turn.0,
                takeover_first: rules.takeover_first.0,
                takeover_wait: rules.takeover_wait.0,
                outage_minimum: rules.outage_minimum.0,
                retention: rules.retention.0,
                release_unready: rules.release_unready.0,
            },
            points: Worth {
                win: points.win,
                win_takeover: points.win_takeover,
                loss: points.loss,
                loss_takeover: points.loss_takeover,
                departure: points.departure,
                side_gone: points.side_gone,
                team_surrender: points.team_surrender,
            },
        }
    }
}

impl Rules {
    /// The rule set as matches have it.
    pub fn rule_set(&self) -> RuleSet {
        let (durations, points) = (&self.durations, &self.points);
        RuleSet {
            name: self.name.clone(),
            options: Options {
                order: self.order,
                seats: BySeat::from_fn(|seat| self.seats.contains(&seat)),
                both_stuck: self.both_stuck,
                no_loss_draw: self.no_loss_draw,
            },
            turn: Span(durations.turn),
            takeover_first: Span(durations.takeover_first),
            takeover_wait: Span(durations.takeover_wait),
            outage_minimum: Span(durations.outage_minimum),
            retention: Span(durations.retention),
            skips: self.skips,
            release_unready: Span(durations.release_unready),
            points: Points {
                win: points.win,
                win_takeover: points.win_takeover,
                loss: points.loss,
                loss_takeover: points.loss_takeover,
                departure: points.departure,
                side_gone: points.side_gone,
                team_surrender: points.team_surrender,
            },
        }
    }
}

impl Complete {
    /// Who sat in a seat, in the order of time.
    pub fn sat(&self, seat: Seat) -> impl Iterator<Item = &Participant> {
        self.participants.iter().filter(move |one| one.seat == seat)
    }
}
