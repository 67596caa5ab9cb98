//! The parts that not everybody may see: one seat's, one side's, and what only the log holds.
//! Nothing here prints its content.

use super::public::Person;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::Seat;
use crate::kernel::{Bytes32, MatchId, PlayerId};
use serde::{Deserialize, Serialize};

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })*) => {
        $($(#[$doc])*
        #[derive(Clone, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type),* })*
    };
}

/// Who chose a nonce.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NonceBy {
    /// The player's client.
    Client,
    /// The server, because the client sent none.
    Server,
}

/// Why a seat was freed before the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseReason {
    /// The person left.
    Left,
    /// The person was not ready in time.
    NotReady,
    /// The account was deleted.
    AccountDeleted,
    /// The account was suspended.
    Suspended,
}

/// Why a person's place ended otherwise than by the rules of play. Secret: nobody learns of a suspension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DepartureCause {
    /// The person's own command.
    OwnWill,
    /// The clock ran out.
    Timeout,
    /// The account was deleted.
    AccountDeleted,
    /// The account was suspended.
    Suspended,
}

/// Why a team-surrender proposal ended unconfirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalEnd {
    /// The team-mate declined.
    Declined,
    /// The proposer withdrew it.
    Withdrawn,
    /// One of the two left or timed out.
    Left,
    /// One of the two was eliminated.
    Eliminated,
}

parts! {
    /// Why a draw came out as it did; checked against the seed after the end.
    Draw {
        /// Name and version of the algorithm.
        algorithm: String,
        /// The draw's purpose within the match, part of its key.
        purpose: String,
        /// The nonces that went in, in order.
        nonces: Vec<Nonce>,
        /// What could have come out, in order; empty for a formation.
        choices: Vec<String>,
    }
    /// One player's contribution to a fair draw.
    Nonce {
        /// 256 bits.
        value: Bytes32,
        /// Whose choice they were.
        by: NonceBy,
    }
    /// Secret of `opened`.
    OpenedSecret {
        /// The seed behind the commitment.
        seed: Bytes32,
    }
    /// Seat part of `seat taken`: what the person knows starts here.
    SeatTakenSeat {
        /// Who.
        person: Person,
        /// The random legal formation that the seat starts with.
        men: Vec<Man>,
    }
    /// Secret of `seat taken`.
    SeatTakenSecret {
        /// Where.
        seat: Seat,
        /// Ordinal of this seating in the match, from 1; numbers its draws.
        take: u32,
        /// How the seat was drawn.
        seat_draw: Draw,
        /// How the formation was drawn.
        formation_draw: Draw,
    }
    /// Seat part of `formation arranged`.
    FormationArrangedSeat {
        /// The formation now.
        men: Vec<Man>,
    }
    /// Seat part of `ready` and `ready taken back`.
    ReadySeat {
        /// Ready or not, now.
        ready: bool,
    }
    /// Secret of `ready`.
    ReadySecret {
        /// Where.
        seat: Seat,
        /// The player's contribution to the draw of the first mover.
        nonce: Nonce,
    }
    /// Seat part of `seat released`: what the person knew ends here. Says nothing: nobody sits there to read it.
    SeatReleasedSeat {
    }
    /// Secret of `seat released`.
    SeatReleasedSecret {
        /// Where.
        seat: Seat,
        /// Who.
        person: Person,
        /// Why.
        reason: ReleaseReason,
    }
    /// Secret of `started`.
    StartedSecret {
        /// How the first mover was drawn.
        draw: Draw,
    }
    /// Secret of `left` and `timed out`.
    DepartedSecret {
        /// Why.
        cause: DepartureCause,
    }
    /// Secret of `moved`.
    MovedSecret {
        /// What moved.
        attacker: Piece,
        /// What it met.
        defender: Option<Piece>,
    }
    /// Side part of `team surrender proposed`.
    ProposedSide {
        /// Ordinal of the side's proposals, from 1.
        proposal: u32,
        /// By.
        seat: Seat,
    }
    /// Side part of `team surrender ended`.
    ProposalEndedSide {
        /// Which proposal.
        proposal: u32,
        /// Why.
        reason: ProposalEnd,
    }
    /// Side part of `team surrender confirmed`.
    ProposalConfirmedSide {
        /// Which proposal.
        proposal: u32,
        /// Who confirmed.
        seat: Seat,
    }
    /// Secret of `candidate matched`.
    CandidateMatchedSecret {
        /// The match, so that the chance claimed is told by the event alone.
        match_id: MatchId,
        /// Who; joined is `takeover`.
        person: Person,
        /// The vacant seat.
        seat: Seat,
        /// Ordinal of the takeover wait.
        turn: u32,
    }
    /// Secret of `candidate withdrew`.
    CandidateWithdrewSecret {
        /// Who.
        person: Person,
        /// Why.
        cause: DepartureCause,
    }
    /// Secret of `candidate lost`.
    CandidateLostSecret {
        /// Who.
        person: Person,
        /// To whom.
        to: PlayerId,
    }
    /// A place that the end of the match freed.
    Freed {
        /// Where.
        seat: Seat,
        /// Who held it.
        person: Person,
    }
    /// Secret of `ended`.
    EndedSecret {
        /// Persons whose active seat is theirs no more, so that it counts against no limit.
        freed: Vec<Freed>,
    }
    /// A man with its identity.
    Man {
        /// Its handle: the position where it started.
        piece: Pos,
        /// What it is.
        identity: Piece,
    }
    /// Seat part of `seat taken over` and `position placed`: what the tenure knows of its own men from now on.
    MenSeat {
        /// The men on the board.
        men: Vec<Man>,
    }
}
