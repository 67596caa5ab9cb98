//! The public part of each event. No identity of a hidden piece may enter this file.

use super::words::{Joined, LapseReason, MatchResult, Occupant, Outcome, TurnKind};
use crate::games::siguo::battle::Outcome as Battle;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::rules::Cause;
use crate::games::siguo::seat::{BySeat, Seat, Side};
use crate::kernel::{Bytes32, MatchId, OutageId, PlayerId, Reason, Time};
use crate::matches::ruleset::RuleSet;
use serde::{Deserialize, Serialize};

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })*) => {
        $($(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type),* })*
    };
}

parts! {
    /// A person in a seat, by opaque id and the revision of the nickname then.
    Person {
        /// Opaque id.
        player: PlayerId,
        /// Player or house.
        occupant: Occupant,
        /// Joined before the start or by takeover.
        joined: Joined,
        /// Revision number of the nickname at the time of seating.
        nickname: u32,
    }
    /// A table was opened.
    Opened {
        /// The match.
        match_id: MatchId,
        /// The rules that hold for its whole life.
        rules: RuleSet,
        /// The algorithm of all its fair draws, named before the first of them.
        draws: String,
        /// The promise of the seed of its fair draws.
        commitment: Bytes32,
    }
    /// Somebody took a seat; who and where stays hidden until the start.
    SeatTaken {
        /// Seats taken now.
        taken: u8,
        /// When seats that are not ready will be released; set when the fourth seat is taken, unless never.
        release: Option<Time>,
    }
    /// A seat was freed before the start.
    SeatReleased {
        /// Seats taken now.
        taken: u8,
        /// Seats ready now.
        ready: u8,
    }
    /// One more, or one less, is ready.
    ReadyCount {
        /// Seats ready now.
        ready: u8,
    }
    /// The match started.
    Started {
        /// The first seat to move.
        first: Seat,
        /// Who sits where; `None` for a seat that does not play (casual duel).
        seats: BySeat<Option<Person>>,
    }
    /// A seat's clock started.
    TurnStarted {
        /// Ordinal of this clock in the match, from 1.
        turn: u32,
        /// Whose.
        seat: Seat,
        /// Normal or the first after a takeover.
        turn_kind: TurnKind,
        /// When it runs out.
        deadline: Time,
    }
    /// A face-down piece that met another.
    Met {
        /// Whose.
        seat: Seat,
        /// Its handle: the position where it started.
        piece: Pos,
    }
    /// A flag that became public.
    Revealed {
        /// Whose.
        seat: Seat,
        /// Where it stands.
        at: Pos,
    }
    /// A piece moved.
    Moved {
        /// The turn's ordinal.
        turn: u32,
        /// Whose.
        seat: Seat,
        /// The moving piece's handle: the position where it started.
        piece: Pos,
        /// From.
        from: Pos,
        /// To.
        to: Pos,
        /// Every position walked, both ends included.
        route: Vec<Pos>,
        /// Who stays.
        outcome: Battle,
        /// The piece met, where there was one.
        met: Option<Met>,
        /// Flags that this made public.
        revealed: Vec<Revealed>,
        /// The seat whose flag was captured.
        captured: Option<Seat>,
        /// Moves since a piece last left the board, this one included.
        quiet: u32,
    }
    /// The turn was passed on.
    Skipped {
        /// The turn's ordinal.
        turn: u32,
        /// Whose.
        seat: Seat,
        /// Skips that the person has used in this match.
        used: u8,
    }
    /// A draw was offered.
    DrawOffered {
        /// Ordinal of the offer in the match, from 1.
        offer: u32,
        /// By.
        seat: Seat,
    }
    /// A draw offer was answered.
    DrawVoted {
        /// Which offer.
        offer: u32,
        /// By.
        seat: Seat,
        /// Accepted or declined.
        accept: bool,
    }
    /// A draw offer ended without a draw.
    DrawLapsed {
        /// Which offer.
        offer: u32,
        /// Whose offer.
        seat: Seat,
        /// Why.
        reason: LapseReason,
    }
    /// A draw was agreed.
    DrawAgreed {
        /// Which offer.
        offer: u32,
        /// Whose offer.
        seat: Seat,
    }
    /// A person gave up the own seat.
    Surrendered {
        /// Which.
        seat: Seat,
        /// Who.
        person: Person,
    }
    /// A side gave up.
    TeamSurrenderConfirmed {
        /// Which. Who proposed and who confirmed is the side's own affair.
        side: Side,
    }
    /// A person left after the start, or timed out.
    Departed {
        /// From which seat.
        seat: Seat,
        /// The tenure that ends.
        tenure: u32,
        /// Who.
        person: Person,
        /// Points for it (negative).
        points: i32,
        /// The turn's ordinal at that time.
        turn: u32,
    }
    /// A seat lost its person.
    SeatVacated {
        /// Which.
        seat: Seat,
        /// The tenure that ended.
        tenure: u32,
        /// Who sat there.
        person: Person,
    }
    /// The takeover wait began.
    TakeoverWaitOpened {
        /// Ordinal of this clock in the match.
        turn: u32,
        /// For which seat.
        seat: Seat,
        /// When it runs out.
        deadline: Time,
    }
    /// Nobody took the seat over in time.
    TakeoverWaitExpired {
        /// The clock's ordinal.
        turn: u32,
        /// Which seat.
        seat: Seat,
    }
    /// A new person sits.
    SeatTakenOver {
        /// Where.
        seat: Seat,
        /// Who.
        person: Person,
        /// Ordinal of the tenure of that seat; 1 was the first after the start.
        tenure: u32,
        /// Ordinal of the takeover wait that this ended.
        turn: u32,
    }
    /// A seat fell; its pieces left the board.
    SeatEliminated {
        /// Which.
        seat: Seat,
        /// Why.
        cause: Cause,
        /// Who sat there and holds no active seat any more.
        person: Option<Person>,
    }
    /// An outage moved the open deadline.
    DeadlineMoved {
        /// The clock's ordinal.
        turn: u32,
        /// Whose clock.
        seat: Seat,
        /// Deadline before.
        from: Time,
        /// Deadline now.
        to: Time,
        /// The outage; each moves a match's deadline once.
        outage: OutageId,
    }
    /// An outage moved the deadline of a table that assembles.
    ReleaseMoved {
        /// Release before.
        from: Time,
        /// Release now.
        to: Time,
        /// The outage.
        outage: OutageId,
    }
    /// An administrator ended the match.
    Voided {
        /// Why.
        reason: Reason,
    }
    /// One person's settlement.
    Line {
        /// Who.
        person: Person,
        /// Where.
        seat: Seat,
        /// Points of this settlement.
        points: i32,
        /// What it was for the person.
        result: MatchResult,
    }
    /// The match ended.
    Ended {
        /// How.
        outcome: Outcome,
        /// Everybody who sits there, in seat order, zero lines included; nobody before the start.
        lines: Vec<Line>,
    }
    /// The players' retention of the finished match is over.
    RecordExpired {
        /// When the match was settled.
        settled: Time,
    }
    /// A man placed on the board by a test or a puzzle: owner and position only.
    Placed {
        /// Whose.
        seat: Seat,
        /// Where; also the handle from now on.
        at: Pos,
    }
    /// An arbitrary position was put in place (never by a command of the product).
    PositionPlaced {
        /// Who sits where.
        seats: BySeat<Option<Person>>,
        /// Seats that are out already.
        eliminated: Vec<Seat>,
        /// The men, without identities.
        men: Vec<Placed>,
    }
}
