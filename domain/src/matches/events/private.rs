//! The parts that not everybody may see: one seat's, one side's, and what only the log holds.
//! Nothing here prints its content.

use super::public::Person;
use crate::games::siguo::formation::Formation;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::Seat;
use crate::kernel::{Bytes32, MatchId};
use serde::{Deserialize, Serialize};

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident : $type:ty),* $(,)? })*) => {
        $($(#[$doc])*
        #[derive(Clone, PartialEq, Serialize, Deserialize)]
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
    /// Seat part of `seat taken`: a new tenure begins.
    SeatTakenSeat {
        /// Who.
        person: Person,
        /// Ordinal of this tenure of the seat, from 1.
        tenure: u32,
        /// The random legal formation that the seat starts with.
        formation: Formation,
    }
    /// Secret of `seat taken`.
    SeatTakenSecret {
        /// Where.
        seat: Seat,
        /// How the seat was drawn; `None` for the first person at an empty table of no choice.
        seat_draw: Draw,
        /// How the formation was drawn.
        formation_draw: Draw,
        /// The tables that the system drew this one from; empty when it was opened for the player.
        tables: Vec<MatchId>,
    }
    /// Seat part of `formation arranged`.
    FormationArrangedSeat {
        /// The formation now.
        formation: Formation,
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
    /// Seat part of `seat released`: the tenure ends.
    SeatReleasedSeat {
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
        /// The matches that the system drew this one from.
        choices: Vec<MatchId>,
    }
    /// Secret of `candidate withdrew` and `candidate lost`.
    CandidateSecret {
        /// Who.
        person: Person,
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
