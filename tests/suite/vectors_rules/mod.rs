//! The rules against the contract vectors: board, formations, full games, hand-made and random positions.
//! What was decided and why stands in the vectors' own DECISIONS.md; nothing is decided here.

mod board;
mod formations;
mod games;
mod positions;
mod random_positions;

use serde::Deserialize;
use std::collections::BTreeMap;
use yibu_domain::games::siguo::battle::Outcome;
use yibu_domain::games::siguo::moves;
use yibu_domain::games::siguo::notation::move_text;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::position::Position;
use yibu_domain::games::siguo::rules::{
    Aftermath, BoardEnd, BothStuck, Cause, Ground, MoveResult, Options, Order, WinBy, aftermath,
    judge_move,
};
use yibu_domain::games::siguo::seat::{BySeat, Seat, Side};
use yibu_tests::vectors::h16;

/// The options as the vectors write them.
#[derive(Deserialize)]
struct OptionsText {
    order: Order,
    seats: String,
    both_stuck: BothStuck,
    no_loss_draw: Option<u32>,
}

impl OptionsText {
    fn options(&self) -> Options {
        Options {
            order: self.order,
            seats: BySeat::from_fn(|seat| self.seats.contains(seat.letter())),
            both_stuck: self.both_stuck,
            no_loss_draw: self.no_loss_draw,
        }
    }
}

/// How a game ends, as the vectors write it.
#[derive(Deserialize, PartialEq, Eq, Debug, Clone, Copy)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Final {
    Win { side: Side, by: WinBy },
    NoResult { by: NoResultBy },
    Draw { by: DrawBy },
    Cap,
}

#[derive(Deserialize, PartialEq, Eq, Debug, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum NoResultBy {
    BothStuck,
}

#[derive(Deserialize, PartialEq, Eq, Debug, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum DrawBy {
    NoLoss,
}

impl From<BoardEnd> for Final {
    fn from(end: BoardEnd) -> Self {
        match end {
            BoardEnd::Win { side, by } => Self::Win { side, by },
            BoardEnd::NoResult => Self::NoResult { by: NoResultBy::BothStuck },
            BoardEnd::Draw => Self::Draw { by: DrawBy::NoLoss },
        }
    }
}

/// What the vectors say of the acting seat: one of three kinds of action.
#[derive(Clone, Copy)]
enum Act {
    Move(Pos, Pos),
    Skip,
    Surrender,
}

/// A game that is being played through.
#[derive(Clone)]
struct Table {
    position: Position,
    active: BySeat<bool>,
    options: Options,
    revealed: BySeat<bool>,
    quiet: u32,
}

impl Table {
    fn new(options: Options) -> Self {
        Self {
            position: Position::default(),
            active: options.seats,
            options,
            revealed: BySeat::default(),
            quiet: 0,
        }
    }

    fn ground(&self) -> Ground<'_> {
        Ground {
            position: &self.position,
            active: self.active,
            options: &self.options,
            revealed: self.revealed,
            quiet: self.quiet,
        }
    }

    /// Plays one action of the seat on turn; `None` when the move is illegal.
    fn act(&mut self, seat: Seat, act: Act) -> Option<(Option<MoveResult>, Aftermath)> {
        let (result, first) = match act {
            Act::Skip => (None, None),
            Act::Surrender => (None, Some((seat, Cause::Surrender))),
            Act::Move(from, to) => {
                let result = judge_move(&self.ground(), seat, from, to)?;
                self.position.apply_move(from, to, result.outcome);
                for &(owner, _) in &result.revealed {
                    self.revealed[owner] = true;
                }
                self.quiet = if result.outcome == Outcome::None { self.quiet + 1 } else { 0 };
                let first = result.captured.map(|seat| (seat, Cause::FlagCaptured));
                (Some(result), first)
            }
        };
        let after = aftermath(&self.ground(), seat, true, first);
        for &(fallen, _) in &after.eliminated {
            self.position.remove_seat(fallen);
            self.active[fallen] = false;
            self.quiet = 0;
        }
        Some((result, after))
    }

    fn each(&self) -> impl Iterator<Item = (Pos, Seat, Piece)> {
        let of = |seat| self.position.pieces(seat).map(move |(at, _, piece)| (at, seat, piece));
        Seat::ALL.into_iter().flat_map(of)
    }

    fn pieces(&self) -> BTreeMap<Pos, String> {
        self.each().map(|(at, seat, piece)| (at, format!("{seat}:{piece}"))).collect()
    }

    fn hash(&self) -> String {
        h16(self.each().map(|(at, seat, piece)| format!("{at}:{seat}:{piece}")).collect())
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        let legal = moves::legal_moves(&self.position.sight(seat));
        assert_eq!(legal.is_empty(), !moves::any_move(&self.position.sight(seat)));
        let texts: Vec<String> = legal.iter().map(|(from, to)| move_text(from, to)).collect();
        assert_eq!(legal.len(), texts.len());
        texts
    }
}

/// Puts pieces written as `seat:piece` on the board.
fn placed(pieces: &BTreeMap<Pos, String>) -> Position {
    let mut position = Position::default();
    for (&at, text) in pieces {
        let (seat, piece) =
            text.split_once(':').unwrap_or_else(|| panic!("{text} is no seat:piece"));
        let seat: Seat = seat.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let piece: Piece = piece.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        position.place(at, seat, piece);
    }
    position
}

/// Strings in the order of the vectors' lists.
fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    texts
}
