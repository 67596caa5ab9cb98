//! The small words of public events: kinds, reasons, results. Nothing here can name a hidden piece.

use crate::games::siguo::seat::Side;
use serde::{Deserialize, Serialize};

/// What sits in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occupant {
    /// A person with an account.
    Player,
    /// A house player; never counted.
    House,
}

/// How a person came to a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Joined {
    /// Before the start (匹配新局).
    Full,
    /// By a formal takeover (正式接手).
    Takeover,
}

/// Which clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// A normal turn.
    Normal,
    /// The first move after a formal takeover.
    TakeoverFirst,
    /// Nobody sits there: the takeover wait.
    Vacant,
}

/// Why an open draw offer ended without a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LapseReason {
    /// Somebody declined.
    Declined,
    /// The offering seat's next turn came.
    NextTurn,
    /// No opponent is left to vote.
    NoOpponent,
    /// The offering person is gone or eliminated.
    OffererGone,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// A side won.
    Win {
        /// The winner.
        side: Side,
        /// How.
        by: WinBy,
    },
    /// Nobody won.
    Draw {
        /// How.
        by: DrawBy,
    },
    /// 无胜负.
    NoResult {
        /// Why.
        by: NoResultBy,
    },
}

/// How a draw came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawBy {
    /// Everybody who still plays agreed.
    Agreed,
    /// Casual option: too many moves without a loss.
    NoLoss,
}

/// How a win came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WinBy {
    /// Both seats of the other side are eliminated.
    Board,
    /// Nobody is left in the other side's seats.
    SideGone,
    /// The other side surrendered as a team.
    TeamSurrender,
    /// Casual option: all are stuck and the side to move loses.
    BothStuck,
}

/// Why a match has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoResultBy {
    /// No active seat can move.
    BothStuck,
    /// Nobody took the vacant seat over in time.
    WaitExpired,
    /// An administrator ended a broken match.
    Voided,
}

/// What a match was for one person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchResult {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Without result.
    NoResult,
}
