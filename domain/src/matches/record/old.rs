//! Records of version 1: a board and moves, as far as they were written down. People and times are missing, and
//! identities and results may be; nothing is made up. Knows no turns, since nothing told them.

use super::verdict::{Contradiction, Why};
use crate::games::siguo::battle::{Outcome as Battle, clash};
use crate::games::siguo::moves::route;
use crate::games::siguo::notation::move_text;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::Seat;
use crate::games::siguo::view::Sight;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An older record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Old {
    /// The initial position.
    pub pieces: Vec<OldPiece>,
    /// The moves in order.
    pub moves: Vec<OldMove>,
}

/// A piece of the initial position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OldPiece {
    /// Where.
    pub at: Pos,
    /// Whose.
    pub seat: Seat,
    /// What, where it is told.
    pub piece: Option<Piece>,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OldMove {
    /// From.
    pub from: Pos,
    /// To.
    pub to: Pos,
    /// Who stays, where it is told.
    #[serde(default)]
    pub result: Option<Battle>,
}

impl Old {
    /// How many pieces have no identity.
    pub fn unknown(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.piece.is_none()).count()
    }
}

/// An older record as it is played through, move by move.
pub struct OldPlayback<'a> {
    record: &'a Old,
    board: BTreeMap<Pos, (Seat, Option<Piece>)>,
    done: usize,
}

impl<'a> OldPlayback<'a> {
    /// At the initial position.
    pub fn new(record: &'a Old) -> Self {
        let board = record.pieces.iter().map(|one| (one.at, (one.seat, one.piece))).collect();
        Self { record, board, done: 0 }
    }

    /// How many moves are played.
    pub fn done(&self) -> usize {
        self.done
    }

    /// What stands on a position now.
    pub fn look(&self, at: Pos) -> Option<(Seat, Option<Piece>)> {
        self.board.get(&at).copied()
    }

    /// Plays the next move. `false`: there is none left.
    ///
    /// # Errors
    /// The first contradiction, or a result that is told nowhere; the board stays as it was.
    pub fn step(&mut self) -> Result<bool, Contradiction> {
        let Some(told) = self.record.moves.get(self.done) else { return Ok(false) };
        self.judge(told).map_err(|why| Contradiction {
            event: self.done + 1,
            at: move_text(told.from, told.to),
            why,
        })?;
        self.done += 1;
        Ok(true)
    }

    fn judge(&mut self, told: &OldMove) -> Result<(), Why> {
        let (seat, piece) = self.look(told.from).ok_or(Why::NotAPiece)?;
        if !self.may_go(seat, piece, told) {
            return Err(Why::Illegal);
        }
        let met = self.look(told.to);
        let ruled = match met {
            None => Some(Battle::None),
            Some((_, defender)) => piece.zip(defender).map(|(piece, met)| clash(piece, met)),
        };
        let outcome = match (ruled, told.result) {
            (Some(ruled), Some(told)) if ruled != told => return Err(Why::WrongOutcome),
            (Some(ruled), _) => ruled,
            (None, Some(Battle::None) | None) => return Err(Why::UnknownResult),
            (None, Some(told)) => told,
        };
        self.board.remove(&told.from);
        if outcome.takes_defender() {
            self.board.remove(&told.to);
        }
        if !outcome.takes_attacker() {
            self.board.insert(told.to, (seat, piece));
        }
        if let Some((fallen, Some(Piece::Flag))) = met {
            self.board.retain(|_, (owner, _)| *owner != fallen);
        }
        Ok(())
    }

    /// Whether the move is legal; a piece without identity may be whatever makes it so.
    fn may_go(&self, seat: Seat, piece: Option<Piece>, told: &OldMove) -> bool {
        let mut sight = Sight::new(seat);
        for (at, (owner, _)) in &self.board {
            sight.put(*at, *owner, None);
        }
        let guesses = [Piece::Commander, Piece::Engineer];
        let candidates = piece.as_ref().map_or(&guesses[..], std::slice::from_ref);
        candidates.iter().any(|piece| {
            sight.put(told.from, seat, Some(*piece));
            route(&sight, told.from, told.to).is_some()
        })
    }
}
