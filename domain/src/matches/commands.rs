//! What may be asked of a match. Positions and piece codes come as the client's own text: judging them is
//! the decider's work, in its order of precedence. Commands are stored as the secret `input` of what they
//! caused, under a name with a version (`move.v1`), so their form changes like an event's: never; a changed
//! one is a new name.

use super::events::{Joined, Nonce, Occupant, Person};
use super::ruleset::RuleSet;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::{BySeat, Seat};
use crate::kernel::{Bytes32, MatchId, OutageId, PlayerId, Reason, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Somebody who asks for a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guest {
    /// Opaque id.
    pub player: PlayerId,
    /// Player or house.
    pub occupant: Occupant,
    /// Revision number of the nickname of now.
    pub nickname: u32,
}

impl Guest {
    /// The guest as the person in a seat.
    pub fn seated(&self, joined: Joined) -> Person {
        Person { player: self.player, occupant: self.occupant, joined, nickname: self.nickname }
    }
}

/// A command to one match. The person is `Ctx::actor`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MatchCommand {
    /// Opens a table and seats its first person (匹配新局, no table had room).
    #[serde(rename = "open.v1")]
    Open {
        /// The new match.
        match_id: MatchId,
        /// Its rules.
        rules: RuleSet,
        /// The seed of its fair draws; drawn from the dice when absent.
        seed: Option<Bytes32>,
        /// The first person.
        guest: Guest,
        /// The person's nonce; drawn from the dice when absent.
        nonce: Option<Nonce>,
    },
    /// Takes a random free seat (匹配新局).
    #[serde(rename = "take_seat.v1")]
    TakeSeat {
        /// Who.
        guest: Guest,
        /// The person's nonce; drawn from the dice when absent.
        nonce: Option<Nonce>,
        /// What this table was drawn from.
        tables: Choice,
    },
    /// Replaces the formation (布阵).
    #[serde(rename = "arrange.v1")]
    Arrange {
        /// Position → piece code, as sent.
        formation: BTreeMap<String, String>,
        /// The seat's private version that the sender saw.
        expected: Option<u64>,
    },
    /// Swaps two own pieces.
    #[serde(rename = "swap.v1")]
    Swap {
        /// One position.
        a: String,
        /// The other.
        b: String,
        /// The seat's private version that the sender saw.
        expected: Option<u64>,
    },
    /// Done arranging (完成调度).
    #[serde(rename = "ready.v1")]
    Ready {
        /// Contribution to the draw of the first mover; drawn from the dice when absent.
        nonce: Option<Nonce>,
        /// The seat's private version that the sender saw.
        expected: Option<u64>,
    },
    /// Takes the ready back.
    #[serde(rename = "unready.v1")]
    Unready {
        /// The seat's private version that the sender saw.
        expected: Option<u64>,
    },
    /// Leaves: the seat before the start, the match after it.
    #[serde(rename = "leave.v1")]
    Leave,
    /// Moves a piece.
    #[serde(rename = "move.v1")]
    Move {
        /// From.
        from: String,
        /// To.
        to: String,
        /// The public version that the sender saw.
        expected: Option<u64>,
    },
    /// Passes the turn on (跳过).
    #[serde(rename = "skip.v1")]
    Skip {
        /// The public version that the sender saw.
        expected: Option<u64>,
    },
    /// Offers a draw (求和).
    #[serde(rename = "offer_draw.v1")]
    OfferDraw,
    /// Answers a draw offer.
    #[serde(rename = "vote_draw.v1")]
    VoteDraw {
        /// The offer meant; the open one when absent.
        offer: Option<u32>,
        /// Yes or no.
        accept: bool,
    },
    /// Gives up the own seat (个人投降).
    #[serde(rename = "surrender.v1")]
    Surrender,
    /// Proposes to give up together (团队投降).
    #[serde(rename = "propose_team_surrender.v1")]
    ProposeTeamSurrender,
    /// Confirms the team-mate's proposal.
    #[serde(rename = "confirm_team_surrender.v1")]
    ConfirmTeamSurrender {
        /// The proposal meant; the open one when absent.
        proposal: Option<u32>,
    },
    /// Declines the team-mate's proposal.
    #[serde(rename = "decline_team_surrender.v1")]
    DeclineTeamSurrender {
        /// The proposal meant; the open one when absent.
        proposal: Option<u32>,
    },
    /// Withdraws the own proposal.
    #[serde(rename = "withdraw_team_surrender.v1")]
    WithdrawTeamSurrender {
        /// The proposal meant; the open one when absent.
        proposal: Option<u32>,
    },
    /// Becomes a candidate for the vacant seat on turn (匹配残局).
    #[serde(rename = "match_takeover.v1")]
    MatchTakeover {
        /// Who.
        guest: Guest,
        /// What this match was drawn from.
        choices: Choice,
    },
    /// Takes the seat over (正式接手).
    #[serde(rename = "confirm_takeover.v1")]
    ConfirmTakeover,
    /// Gives the candidacy up.
    #[serde(rename = "withdraw_takeover.v1")]
    WithdrawTakeover,
    /// The timer: what is due at `Ctx::now` happens. Nothing due: nothing happens.
    #[serde(rename = "expire.v1")]
    Expire,
    /// An outage `[from, to]` stopped the clocks.
    #[serde(rename = "move_deadline.v1")]
    MoveDeadline {
        /// Which outage.
        outage: OutageId,
        /// Its start.
        from: Time,
        /// Its end.
        to: Time,
    },
    /// An administrator ends a broken match without result.
    #[serde(rename = "void.v1")]
    Void {
        /// Why.
        reason: Reason,
    },
    /// The server makes a person go who lost the account: as a leave, from a seat or a candidacy.
    #[serde(rename = "remove.v1")]
    Remove {
        /// Who.
        player: PlayerId,
        /// Why.
        cause: Removal,
    },
    /// Puts an arbitrary position in place. For tests and puzzles; no door of the product leads here.
    #[serde(rename = "place.v1")]
    Place(Box<Placement>),
}

/// What the system drew from, as it was then; at most [`Choice::MOST`] are named.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The matches, in the order drawn over.
    pub among: Vec<MatchId>,
    /// How many there were before a larger set was cut down by chance.
    pub of: u32,
}

impl Choice {
    /// The most that an event names.
    pub const MOST: usize = 64;

    /// All of a set that needs no cutting.
    pub fn all(among: Vec<MatchId>) -> Self {
        let of = u32::try_from(among.len()).unwrap_or(u32::MAX);
        Self { among, of }
    }
}

/// Why the server makes a person go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Removal {
    /// The account was deleted.
    AccountDeleted,
    /// The account was suspended.
    Suspended,
}

/// An arbitrary playing match.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The new match.
    pub match_id: MatchId,
    /// Its rules.
    pub rules: RuleSet,
    /// The seed of its fair draws.
    pub seed: Bytes32,
    /// Who sits where.
    pub seats: BySeat<Option<Person>>,
    /// Seats that are out already.
    pub eliminated: Vec<Seat>,
    /// The men.
    pub men: Vec<(Pos, Seat, Piece)>,
    /// Whose turn it is.
    pub turn: Seat,
    /// Normal, or the first after a takeover.
    pub turn_kind: super::events::TurnKind,
}

/// Does not print formations or nonces.
impl std::fmt::Debug for MatchCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind())
    }
}

impl MatchCommand {
    /// The command's kind, as stored in the metadata of its events.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Open { .. } => "open",
            Self::TakeSeat { .. } => "take_seat",
            Self::Arrange { .. } => "arrange",
            Self::Swap { .. } => "swap",
            Self::Ready { .. } => "ready",
            Self::Unready { .. } => "unready",
            Self::Leave => "leave",
            Self::Move { .. } => "move",
            Self::Skip { .. } => "skip",
            Self::OfferDraw => "offer_draw",
            Self::VoteDraw { .. } => "vote_draw",
            Self::Surrender => "surrender",
            Self::ProposeTeamSurrender => "propose_team_surrender",
            Self::ConfirmTeamSurrender { .. } => "confirm_team_surrender",
            Self::DeclineTeamSurrender { .. } => "decline_team_surrender",
            Self::WithdrawTeamSurrender { .. } => "withdraw_team_surrender",
            Self::MatchTakeover { .. } => "match_takeover",
            Self::ConfirmTakeover => "confirm_takeover",
            Self::WithdrawTakeover => "withdraw_takeover",
            Self::Expire => "expire",
            Self::MoveDeadline { .. } => "move_deadline",
            Self::Void { .. } => "void",
            Self::Remove { .. } => "remove",
            Self::Place(_) => "place",
        }
    }
}
