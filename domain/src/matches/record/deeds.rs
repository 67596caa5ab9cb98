//! What happened in a finished match, one event after the other, as files tell it. Shapes only.

use super::utc::Utc;
use super::verdict::Why;
use crate::games::siguo::battle::Outcome as Battle;
use crate::games::siguo::notation::move_text;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::rules::Cause;
use crate::games::siguo::seat::{Seat, Side};
use crate::kernel::{PlayerId, Reason};
use crate::matches::events::{LapseReason, TurnKind};
use serde::{Deserialize, Serialize};

/// An event: its number, its instant, and what it was, side by side in one object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Told {
    /// The public version of the match that it made, from 1.
    pub number: u32,
    /// When.
    pub at: Utc,
    /// What.
    #[serde(flatten)]
    pub deed: Deed,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[allow(
    missing_docs,
    reason = "the fields of one word each say the same everywhere: see the schema of the file"
)]
pub enum Deed {
    /// The table was opened.
    Opened {},
    /// Somebody sat down before the start.
    SeatTaken { taken: u8, release: Option<Utc> },
    /// Somebody went away before the start, or was not ready in time.
    SeatReleased { taken: u8, ready: u8 },
    /// One more is ready.
    Ready { ready: u8 },
    /// One is not ready after all.
    ReadyTakenBack { ready: u8 },
    /// An outage moved the release of seats that are not ready.
    ReleaseMoved { old_deadline: Utc, new_deadline: Utc },
    /// It began; the seat is the first to move.
    Started { seat: Seat },
    /// A seat's clock started.
    TurnStarted { turn: u32, seat: Seat, turn_kind: TurnKind, deadline: Utc },
    /// A piece moved.
    Moved(Box<Move>),
    /// A turn was passed on; so many of the person's skips are used.
    Skipped { turn: u32, seat: Seat, used: u8 },
    /// A draw was offered.
    DrawOffered { offer: u32, seat: Seat },
    /// An offer was answered.
    DrawVoted { offer: u32, seat: Seat, accept: bool },
    /// An offer ended without a draw; the seat is whose offer it was.
    DrawLapsed { offer: u32, seat: Seat, reason: LapseReason },
    /// An offer was accepted by all.
    DrawAgreed { offer: u32, seat: Seat },
    /// A person gave up the own seat.
    Surrendered { seat: Seat, player: PlayerId },
    /// A side gave up.
    TeamSurrenderConfirmed { side: Side },
    /// A person left.
    Left { seat: Seat, player: PlayerId, turn: u32, points: i32 },
    /// A person ran out of time.
    TimedOut { seat: Seat, player: PlayerId, turn: u32, points: i32 },
    /// A seat lost its person.
    SeatVacated { seat: Seat, player: PlayerId },
    /// A vacant seat is on turn and waits for somebody.
    TakeoverWaitOpened { turn: u32, seat: Seat, deadline: Utc },
    /// Nobody came in time.
    TakeoverWaitExpired { turn: u32, seat: Seat },
    /// Somebody took the seat over.
    SeatTakenOver { seat: Seat, player: PlayerId, turn: u32, tenure: u32 },
    /// A seat fell, and its pieces left the board.
    SeatEliminated { seat: Seat, cause: Cause, removed: Vec<Gone> },
    /// An outage moved the open deadline.
    DeadlineMoved { turn: u32, seat: Seat, old_deadline: Utc, new_deadline: Utc },
    /// An administrator ended it.
    Voided { reason: Reason },
    /// It was settled: `outcome` and `settlement` of the file say how.
    Ended {},
}

/// A move, with everything that was hidden then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Move {
    /// The clock's ordinal.
    pub turn: u32,
    /// Whose.
    pub seat: Seat,
    /// Where the piece started: its name.
    pub start: Pos,
    /// From.
    pub from: Pos,
    /// To.
    pub to: Pos,
    /// Every position walked, both ends included.
    pub route: Vec<Pos>,
    /// Who stays.
    pub outcome: Battle,
    /// What moved.
    pub attacker: Piece,
    /// What it met.
    pub defender: Option<Piece>,
    /// Pieces that left the board by the move itself.
    pub removed: Vec<Gone>,
    /// Flags that the move made public.
    pub revealed: Vec<Shown>,
    /// The seat whose flag was captured.
    pub captured: Option<Seat>,
}

/// A piece that left the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gone {
    /// Whose.
    pub seat: Seat,
    /// Where it started: its name.
    pub start: Pos,
    /// What.
    pub piece: Piece,
}

/// A flag that became public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// Whose.
    pub seat: Seat,
    /// Where.
    pub at: Pos,
}

impl Deed {
    /// What it is about, for messages: the move, or the stored word of its kind and its seat.
    pub fn place(&self) -> String {
        let seat = match self {
            Self::Moved(part) => return move_text(part.from, part.to),
            Self::Started { seat }
            | Self::TurnStarted { seat, .. }
            | Self::Skipped { seat, .. }
            | Self::DrawOffered { seat, .. }
            | Self::DrawVoted { seat, .. }
            | Self::DrawLapsed { seat, .. }
            | Self::DrawAgreed { seat, .. }
            | Self::Surrendered { seat, .. }
            | Self::Left { seat, .. }
            | Self::TimedOut { seat, .. }
            | Self::SeatVacated { seat, .. }
            | Self::TakeoverWaitOpened { seat, .. }
            | Self::TakeoverWaitExpired { seat, .. }
            | Self::SeatTakenOver { seat, .. }
            | Self::SeatEliminated { seat, .. }
            | Self::DeadlineMoved { seat, .. } => Some(*seat),
            _ => None,
        };
        seat.map_or_else(|| self.kind().to_owned(), |seat| format!("{} {seat}", self.kind()))
    }

    /// The kind as files write it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Opened {} => "opened",
            Self::SeatTaken { .. } => "seat_taken",
            Self::SeatReleased { .. } => "seat_released",
            Self::Ready { .. } => "ready",
            Self::ReadyTakenBack { .. } => "ready_taken_back",
            Self::ReleaseMoved { .. } => "release_moved",
            Self::Started { .. } => "started",
            Self::TurnStarted { .. } => "turn_started",
            Self::Moved(_) => "moved",
            Self::Skipped { .. } => "skipped",
            Self::DrawOffered { .. } => "draw_offered",
            Self::DrawVoted { .. } => "draw_voted",
            Self::DrawLapsed { .. } => "draw_lapsed",
            Self::DrawAgreed { .. } => "draw_agreed",
            Self::Surrendered { .. } => "surrendered",
            Self::TeamSurrenderConfirmed { .. } => "team_surrender_confirmed",
            Self::Left { .. } => "left",
            Self::TimedOut { .. } => "timed_out",
            Self::SeatVacated { .. } => "seat_vacated",
            Self::TakeoverWaitOpened { .. } => "takeover_wait_opened",
            Self::TakeoverWaitExpired { .. } => "takeover_wait_expired",
            Self::SeatTakenOver { .. } => "seat_taken_over",
            Self::SeatEliminated { .. } => "seat_eliminated",
            Self::DeadlineMoved { .. } => "deadline_moved",
            Self::Voided { .. } => "voided",
            Self::Ended {} => "ended",
        }
    }

    /// What is wrong with `told`, where this is what happens by the rules.
    pub(super) fn differs(&self, told: &Self) -> Why {
        match (self, told) {
            (Self::Moved(ruled), Self::Moved(told)) => ruled.differs(told),
            (
                Self::SeatEliminated { seat, cause, .. },
                Self::SeatEliminated { seat: s, cause: c, .. },
            ) if (seat, cause) == (s, c) => Why::WrongRemoval,
            (Self::SeatEliminated { .. }, _) | (_, Self::SeatEliminated { .. }) => {
                Why::WrongElimination
            }
            (Self::Ended {}, _) | (_, Self::Ended {}) => Why::WrongEnd,
            (Self::DrawLapsed { .. } | Self::DrawAgreed { .. } | Self::DrawOffered { .. }, _)
            | (_, Self::DrawLapsed { .. } | Self::DrawAgreed { .. } | Self::DrawOffered { .. }) => {
                Why::WrongVote
            }
            (Self::TurnStarted { .. } | Self::TakeoverWaitOpened { .. }, _) => Why::WrongTurn,
            (
                Self::Left { .. }
                | Self::TimedOut { .. }
                | Self::SeatVacated { .. }
                | Self::Surrendered { .. }
                | Self::SeatTakenOver { .. },
                _,
            ) => Why::WrongPerson,
            _ => Why::OutOfPlace,
        }
    }
}

impl Move {
    fn differs(&self, told: &Self) -> Why {
        if self.route != told.route {
            Why::WrongRoute
        } else if (self.attacker, self.defender, self.start)
            != (told.attacker, told.defender, told.start)
        {
            Why::WrongIdentity
        } else if self.outcome != told.outcome {
            Why::WrongOutcome
        } else if self.removed != told.removed {
            Why::WrongRemoval
        } else if (&self.revealed, self.captured) != (&told.revealed, told.captured) {
            Why::WrongReveal
        } else {
            Why::NotItsTurn
        }
    }
}
