//! What a move does and what follows from it on the board. Pure judgement over the truth: it knows no people,
//! no clocks, no points, and changes nothing itself.

mod aftermath;
mod judge;

pub use aftermath::{Aftermath, BoardEnd, Cause, WinBy, aftermath, next_active};
pub use judge::{MoveResult, judge_move};

use super::position::Position;
use super::seat::BySeat;
use serde::{Deserialize, Serialize};

/// The direction of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Counter-clockwise seen from above: s, e, n, w.
    #[default]
    Ccw,
    /// Clockwise: s, w, n, e.
    Cw,
}

/// What it means that no active seat has a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BothStuck {
    /// 无胜负.
    #[default]
    NoResult,
    /// The side of the seat to which the turn would pass loses.
    MoverLoses,
}

/// The rules' options. The formal match has [`Options::FORMAL`]; casual tables may choose others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Options {
    /// The direction of play.
    pub order: Order,
    /// Who plays: all four, or two of different sides (单挑).
    pub seats: BySeat<bool>,
    /// What it means that no active seat has a legal move.
    pub both_stuck: BothStuck,
    /// Draw after so many moves of any seat without a loss; none: never.
    pub no_loss_draw: Option<u32>,
}

impl Options {
    /// The formal match: four seats, counter-clockwise, no draw by counting.
    pub const FORMAL: Self = Self {
        order: Order::Ccw,
        seats: BySeat { s: true, e: true, n: true, w: true },
        both_stuck: BothStuck::NoResult,
        no_loss_draw: None,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::FORMAL
    }
}

/// What the rules judge upon.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The truth of the board.
    pub position: &'a Position,
    /// Seats not eliminated; a vacant seat is active, an absent seat of a duel is not.
    pub active: BySeat<bool>,
    /// The options of the match.
    pub options: &'a Options,
    /// Seats whose flag's position is public already.
    pub revealed: BySeat<bool>,
    /// Moves of any seat since a piece last left the board; skips do not count.
    pub quiet: u32,
}
