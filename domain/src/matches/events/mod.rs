//! The events of a match. They are for ever: names carry game and version, and every result (dice, time,
//! who fell, points) is in the event. No rule may be needed to read one. A stored shape never changes, not
//! even by a new optional field: unknown fields are refused on reading, so that an older program stops at
//! what it does not know; a changed shape is a new name, and old ones are upcast on reading.

mod action;
mod parts;
mod private;
mod public;
mod words;

pub use action::Action;
pub use parts::{Nothing, Parts, PerSeat, PerSide, Secret};
pub use private::*;
pub use public::*;
pub use words::*;

use super::commands::MatchCommand;
use crate::games::siguo::seat::{Seat, Side};
use crate::kernel;
use std::fmt;

macro_rules! events {
    ($($(#[$doc:meta])* $variant:ident = $name:literal { $public:ty, $side:ty, $seat:ty, $secret:ty })*) => {
        /// One event of a match: a payload split by who may see it.
        #[derive(Clone, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "the largest, a seat taken, is rare; moves stay unboxed")]
        pub enum MatchEvent {
            $($(#[$doc])* $variant(Parts<$public, $side, $seat, $secret>),)*
        }

        impl MatchEvent {
            /// Every stored name, in the order of a match's life.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Whether anybody but persons with a part of their own learns of the event at all.
            pub fn is_public(&self) -> bool {
                match self { $(Self::$variant(parts) => parts.public.is_some(),)* }
            }

            /// Whether the person in `seat` has a part of the event.
            pub fn concerns_seat(&self, seat: Seat) -> bool {
                match self { $(Self::$variant(parts) => parts.seat.get(seat).is_some(),)* }
            }

            /// Whether the persons of `side` have a part of the event.
            pub fn concerns_side(&self, side: Side) -> bool {
                match self { $(Self::$variant(parts) => parts.side.get(side).is_some(),)* }
            }

            /// The command that caused this decision, on the decision's first event. For audits.
            pub fn input(&self) -> Option<&MatchCommand> {
                match self { $(Self::$variant(parts) => parts.secret.input.as_deref(),)* }
            }

            /// Notes the command on the decision's first event.
            pub(super) fn set_input(&mut self, input: MatchCommand) {
                match self { $(Self::$variant(parts) => parts.secret.input = Some(Box::new(input)),)* }
            }
        }

        impl kernel::Event for MatchEvent {
            fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }

            fn encode<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$variant(parts) => serde::Serialize::serialize(parts, serializer),)* }
            }

            fn decode<'de, D: serde::Deserializer<'de>>(
                name: &str,
                deserializer: D,
            ) -> Option<Result<Self, D::Error>> {
                match name {
                    $($name => Some(serde::Deserialize::deserialize(deserializer).map(Self::$variant)),)*
                    _ => None,
                }
            }
        }
    };
}

events! {
    /// A table was opened.
    Opened = "siguo.opened.v1" { Opened, Nothing, Nothing, OpenedSecret }
    /// A person took a seat before the start.
    SeatTaken = "siguo.seat_taken.v1" { SeatTaken, Nothing, SeatTakenSeat, SeatTakenSecret }
    /// A seat was rearranged.
    FormationArranged = "siguo.formation_arranged.v1" { Nothing, Nothing, FormationArrangedSeat, Nothing }
    /// A seat is ready.
    Ready = "siguo.ready.v1" { ReadyCount, Nothing, ReadySeat, ReadySecret }
    /// A seat is not ready after all.
    ReadyTakenBack = "siguo.ready_taken_back.v1" { ReadyCount, Nothing, ReadySeat, Nothing }
    /// A seat was freed before the start.
    SeatReleased = "siguo.seat_released.v1" { SeatReleased, Nothing, SeatReleasedSeat, SeatReleasedSecret }
    /// The match started.
    Started = "siguo.started.v1" { Started, Nothing, Nothing, StartedSecret }
    /// A seat's clock started.
    TurnStarted = "siguo.turn_started.v1" { TurnStarted, Nothing, Nothing, Nothing }
    /// A piece moved.
    Moved = "siguo.moved.v1" { Moved, Nothing, Nothing, MovedSecret }
    /// A turn was passed on.
    Skipped = "siguo.skipped.v1" { Skipped, Nothing, Nothing, Nothing }
    /// A draw was offered.
    DrawOffered = "siguo.draw_offered.v1" { DrawOffered, Nothing, Nothing, Nothing }
    /// An offer was answered.
    DrawVoted = "siguo.draw_voted.v1" { DrawVoted, Nothing, Nothing, Nothing }
    /// An offer ended without a draw.
    DrawLapsed = "siguo.draw_lapsed.v1" { DrawLapsed, Nothing, Nothing, Nothing }
    /// An offer was accepted by all.
    DrawAgreed = "siguo.draw_agreed.v1" { DrawAgreed, Nothing, Nothing, Nothing }
    /// A person gave up the own seat.
    Surrendered = "siguo.surrendered.v1" { Surrendered, Nothing, Nothing, Nothing }
    /// A person proposed to the team-mate to give up.
    TeamSurrenderProposed = "siguo.team_surrender_proposed.v1" { Nothing, ProposedSide, Nothing, Nothing }
    /// A proposal ended unconfirmed.
    TeamSurrenderEnded = "siguo.team_surrender_ended.v1" { Nothing, ProposalEndedSide, Nothing, Nothing }
    /// A side gave up.
    TeamSurrenderConfirmed = "siguo.team_surrender_confirmed.v1" { TeamSurrenderConfirmed, ProposalConfirmedSide, Nothing, Nothing }
    /// A person left after the start.
    Left = "siguo.left.v1" { Departed, Nothing, Nothing, DepartedSecret }
    /// A person's time ran out.
    TimedOut = "siguo.timed_out.v1" { Departed, Nothing, Nothing, DepartedSecret }
    /// A seat lost its person.
    SeatVacated = "siguo.seat_vacated.v1" { SeatVacated, Nothing, Nothing, Nothing }
    /// The takeover wait began.
    TakeoverWaitOpened = "siguo.takeover_wait_opened.v1" { TakeoverWaitOpened, Nothing, Nothing, Nothing }
    /// The takeover wait ran out.
    TakeoverWaitExpired = "siguo.takeover_wait_expired.v1" { TakeoverWaitExpired, Nothing, Nothing, Nothing }
    /// Somebody became a candidate.
    CandidateMatched = "siguo.candidate_matched.v1" { Nothing, Nothing, Nothing, CandidateMatchedSecret }
    /// A candidate gave up.
    CandidateWithdrew = "siguo.candidate_withdrew.v1" { Nothing, Nothing, Nothing, CandidateWithdrewSecret }
    /// Another candidate was first.
    CandidateLost = "siguo.candidate_lost.v1" { Nothing, Nothing, Nothing, CandidateLostSecret }
    /// A candidate took the seat over.
    SeatTakenOver = "siguo.seat_taken_over.v1" { SeatTakenOver, Nothing, MenSeat, Nothing }
    /// A seat fell.
    SeatEliminated = "siguo.seat_eliminated.v1" { SeatEliminated, Nothing, Nothing, Nothing }
    /// An outage moved the open deadline.
    DeadlineMoved = "siguo.deadline_moved.v1" { DeadlineMoved, Nothing, Nothing, Nothing }
    /// An outage moved the release of seats that are not ready.
    ReleaseMoved = "siguo.release_moved.v1" { ReleaseMoved, Nothing, Nothing, Nothing }
    /// An administrator ended the match.
    Voided = "siguo.voided.v1" { Voided, Nothing, Nothing, Nothing }
    /// The match ended.
    Ended = "siguo.ended.v1" { Ended, Nothing, Nothing, EndedSecret }
    /// The players' retention is over.
    RecordExpired = "siguo.record_expired.v1" { RecordExpired, Nothing, Nothing, Nothing }
    /// A test or puzzle put a position in place.
    PositionPlaced = "siguo.position_placed.v1" { PositionPlaced, Nothing, MenSeat, Nothing }
}

/// Prints the name and the public part, nothing else.
impl fmt::Debug for MatchEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", kernel::Event::name(self), self.action())
    }
}

impl MatchEvent {
    /// The public event, if there is one: all that a viewer without a seat learns.
    pub fn action(&self) -> Option<Action> {
        match self {
            Self::Opened(p) => p.public.clone().map(|part| Action::Opened(Box::new(part))),
            Self::SeatTaken(p) => p.public.clone().map(Action::SeatTaken),
            Self::Ready(p) => p.public.clone().map(Action::Ready),
            Self::ReadyTakenBack(p) => p.public.clone().map(Action::ReadyTakenBack),
            Self::SeatReleased(p) => p.public.clone().map(Action::SeatReleased),
            Self::Started(p) => p.public.clone().map(Action::Started),
            Self::TurnStarted(p) => p.public.clone().map(Action::TurnStarted),
            Self::Moved(p) => p.public.clone().map(Action::Moved),
            Self::Skipped(p) => p.public.clone().map(Action::Skipped),
            Self::DrawOffered(p) => p.public.clone().map(Action::DrawOffered),
            Self::DrawVoted(p) => p.public.clone().map(Action::DrawVoted),
            Self::DrawLapsed(p) => p.public.clone().map(Action::DrawLapsed),
            Self::DrawAgreed(p) => p.public.clone().map(Action::DrawAgreed),
            Self::Surrendered(p) => p.public.clone().map(Action::Surrendered),
            Self::TeamSurrenderConfirmed(p) => p.public.clone().map(Action::TeamSurrenderConfirmed),
            Self::Left(p) => p.public.clone().map(Action::Left),
            Self::TimedOut(p) => p.public.clone().map(Action::TimedOut),
            Self::SeatVacated(p) => p.public.clone().map(Action::SeatVacated),
            Self::TakeoverWaitOpened(p) => p.public.clone().map(Action::TakeoverWaitOpened),
            Self::TakeoverWaitExpired(p) => p.public.clone().map(Action::TakeoverWaitExpired),
            Self::SeatTakenOver(p) => p.public.clone().map(Action::SeatTakenOver),
            Self::SeatEliminated(p) => p.public.clone().map(Action::SeatEliminated),
            Self::DeadlineMoved(p) => p.public.clone().map(Action::DeadlineMoved),
            Self::ReleaseMoved(p) => p.public.clone().map(Action::ReleaseMoved),
            Self::Voided(p) => p.public.clone().map(Action::Voided),
            Self::Ended(p) => p.public.clone().map(Action::Ended),
            Self::RecordExpired(p) => p.public.clone().map(Action::RecordExpired),
            Self::PositionPlaced(p) => p.public.clone().map(Action::PositionPlaced),
            Self::FormationArranged(_)
            | Self::TeamSurrenderProposed(_)
            | Self::TeamSurrenderEnded(_)
            | Self::CandidateMatched(_)
            | Self::CandidateWithdrew(_)
            | Self::CandidateLost(_) => None,
        }
    }
}
