//! What a move does, and what follows from it on the board: battle, revealed flags, eliminations, the end.
//! Pure judgement over the truth. Knows no people, no clocks, no points, and changes nothing itself.

use super::battle::{Outcome, clash};
use super::moves::{any_move, route};
use super::piece::Piece;
use super::pos::Pos;
use super::position::Position;
use super::seat::{BySeat, Seat, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

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

/// What a legal move does by itself.
#[derive(Clone, PartialEq, Eq)]
pub struct MoveResult {
    /// The way taken, both ends included.
    pub route: Vec<Pos>,
    /// Who stays.
    pub outcome: Outcome,
    /// What moved. Secret.
    pub attacker: Piece,
    /// What was attacked. Secret, a captured flag excepted.
    pub defender: Option<Piece>,
    /// Where the piece that moved started.
    pub attacker_handle: Pos,
    /// Whose piece was attacked.
    pub defender_seat: Option<Seat>,
    /// Where the attacked piece started.
    pub defender_handle: Option<Pos>,
    /// Flags that become public now, each with its position; in the order s, e, n, w.
    pub revealed: Vec<(Seat, Pos)>,
    /// The seat whose flag was captured.
    pub captured: Option<Seat>,
}

/// Tells no identities.
impl fmt::Debug for MoveResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveResult")
            .field("route", &self.route)
            .field("outcome", &self.outcome)
            .field("revealed", &self.revealed)
            .field("captured", &self.captured)
            .finish_non_exhaustive()
    }
}

/// Why a seat is eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Its flag was captured.
    FlagCaptured,
    /// Its player surrendered for himself.
    Surrender,
    /// It had no legal move when its turn came.
    NoMoves,
}

/// What a win on the board rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WinBy {
    /// All seats of the other side are eliminated.
    Board,
    /// Nobody can move, and the option says that the side to move loses.
    BothStuck,
}

/// How the board ends a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardEnd {
    /// A side has won.
    Win {
        /// Which.
        side: Side,
        /// On what ground.
        by: WinBy,
    },
    /// No active seat has a legal move.
    NoResult,
    /// Too many moves without a loss.
    Draw,
}

/// What follows on the board from an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Aftermath {
    /// Who falls, in order. All pieces of an eliminated seat leave the board at once.
    pub eliminated: Vec<(Seat, Cause)>,
    /// The end, if this is it.
    pub end: Option<BoardEnd>,
    /// Whose turn it is next; none at the end.
    pub next: Option<Seat>,
}

/// Judges a move. Whether it is the seat's turn is not asked here.
///
/// `None`: the move is illegal, for whatever reason.
pub fn judge_move(ground: &Ground<'_>, seat: Seat, from: Pos, to: Pos) -> Option<MoveResult> {
    let position = ground.position;
    let route = route(&position.sight(seat), from, to)?;
    let attacker = position.piece(from)?;
    let defender = position.piece(to);
    let defender_seat = position.owner(to);
    let outcome = defender.map_or(Outcome::None, |defender| clash(attacker, defender));
    let lost = |owner: Seat| {
        (outcome.takes_attacker() && owner == seat && attacker == Piece::Commander)
            || (outcome.takes_defender()
                && defender_seat == Some(owner)
                && defender == Some(Piece::Commander))
    };
    let revealed = Seat::ALL
        .into_iter()
        .filter(|&owner| !ground.revealed[owner] && lost(owner))
        .filter_map(|owner| position.flag(owner).map(|flag| (owner, flag)))
        .collect();
    Some(MoveResult {
        route,
        outcome,
        attacker,
        defender,
        attacker_handle: position.handle(from)?,
        defender_seat,
        defender_handle: position.handle(to),
        revealed,
        captured: defender_seat.filter(|_| defender == Some(Piece::Flag)),
    })
}

/// What follows on the board after an action whose own result is already in `ground` (the pieces moved and
/// lost, and `quiet` counted). `first` is the elimination that the action itself causes (a captured flag, a
/// surrender); it is applied first. `turn_of` has the turn; `passes` says whether it goes on now: after a
/// surrender off turn it stays, and nobody is eliminated for want of a move.
///
/// In order: a side without seats loses; nobody can move; too many moves without a loss; the turn passes
/// and eliminates every active seat on its way that cannot move.
pub fn aftermath(
    ground: &Ground<'_>,
    turn_of: Seat,
    passes: bool,
    first: Option<(Seat, Cause)>,
) -> Aftermath {
    let mut field = Field { position: ground.position.clone(), active: ground.active };
    let mut eliminated = Vec::new();
    let mut quiet = ground.quiet;
    if let Some((seat, cause)) = first {
        field.eliminate(seat);
        eliminated.push((seat, cause));
        quiet = 0;
    }
    let order = ground.options.order;
    let next = if passes { next_active(order, field.active, turn_of) } else { Some(turn_of) };
    let end = field
        .winner()
        .or_else(|| field.stuck(ground.options.both_stuck, next.unwrap_or(turn_of)))
        .or_else(|| ground.options.no_loss_draw.filter(|&most| quiet >= most).map(|_| BoardEnd::Draw));
    if end.is_some() || !passes {
        return Aftermath { eliminated, end, next: next.filter(|_| end.is_none()) };
    }
    let mut next = next;
    while let Some(seat) = next.filter(|&seat| !field.can_move(seat)) {
        field.eliminate(seat);
        eliminated.push((seat, Cause::NoMoves));
        if let Some(end) = field.winner() {
            return Aftermath { eliminated, end: Some(end), next: None };
        }
        next = next_active(order, field.active, seat);
    }
    Aftermath { eliminated, end: None, next }
}

/// The active seat that follows in the order of play; the same seat when it is the only one left.
pub fn next_active(order: Order, active: BySeat<bool>, after: Seat) -> Option<Seat> {
    let step = match order {
        Order::Ccw => 1,
        Order::Cw => 3,
    };
    (1..=4).map(|n| Seat::ALL[(after.index() + n * step) % 4]).find(|&seat| active[seat])
}

/// The board while its consequences are worked out.
struct Field {
    position: Position,
    active: BySeat<bool>,
}

impl Field {
    fn eliminate(&mut self, seat: Seat) {
        self.active[seat] = false;
        self.position.remove_seat(seat);
    }

    fn can_move(&self, seat: Seat) -> bool {
        any_move(&self.position.sight(seat))
    }

    fn winner(&self) -> Option<BoardEnd> {
        let gone = |side: &Side| side.seats().iter().all(|&seat| !self.active[seat]);
        let loser = Side::ALL.into_iter().find(gone)?;
        Some(BoardEnd::Win { side: loser.other(), by: WinBy::Board })
    }

    fn stuck(&self, meaning: BothStuck, to_move: Seat) -> Option<BoardEnd> {
        if Seat::ALL.into_iter().any(|seat| self.active[seat] && self.can_move(seat)) {
            return None;
        }
        Some(match meaning {
            BothStuck::NoResult => BoardEnd::NoResult,
            BothStuck::MoverLoses => {
                BoardEnd::Win { side: to_move.side().other(), by: WinBy::BothStuck }
            }
        })
    }
}
