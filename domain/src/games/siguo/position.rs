//! The truth of a board: every piece with its identity. It must not get out: no serialised form, no
//! `Debug` that prints ranks. Clients get a [`Sight`] or something made from it.

use super::battle::Outcome;
use super::formation::Formation;
use super::nodes::Nodes;
use super::piece::Piece;
use super::pos::Pos;
use super::seat::{BySeat, Seat};
use super::view::Sight;
use std::fmt;

/// One piece on the board.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Man {
    piece: Piece,
    /// Where it started: its public name.
    handle: Pos,
}

/// All pieces on the board. Small, cheap to clone, and total: it copies results and knows no rule.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    men: [Option<Man>; Pos::COUNT],
    /// Whose pieces stand where; always says the same as `men`.
    held: BySeat<Nodes>,
}

impl Default for Position {
    /// The empty board.
    fn default() -> Self {
        Self { men: [None; Pos::COUNT], held: BySeat::default() }
    }
}

impl Position {
    /// Puts a piece on the board, in the place of what stood there. Its handle is this position.
    pub fn place(&mut self, at: Pos, seat: Seat, piece: Piece) {
        self.put(at, seat, Man { piece, handle: at });
    }

    /// Gives a seat exactly the pieces of its formation.
    pub fn set_formation(&mut self, formation: &Formation) {
        self.remove_seat(formation.seat());
        for (at, piece) in formation.iter() {
            self.place(at, formation.seat(), piece);
        }
    }

    /// Whose piece stands there.
    pub fn owner(&self, at: Pos) -> Option<Seat> {
        Seat::ALL.into_iter().find(|&seat| self.held[seat].contains(at))
    }

    /// What stands there.
    pub fn piece(&self, at: Pos) -> Option<Piece> {
        self.men[at.index()].map(|man| man.piece)
    }

    /// Where the piece that stands there started.
    pub fn handle(&self, at: Pos) -> Option<Pos> {
        self.men[at.index()].map(|man| man.handle)
    }

    /// A seat's pieces as (position, handle, piece), by position in index order.
    pub fn pieces(&self, seat: Seat) -> impl Iterator<Item = (Pos, Pos, Piece)> {
        self.held[seat]
            .iter()
            .filter_map(|at| self.men[at.index()].map(|man| (at, man.handle, man.piece)))
    }

    /// Where the seat's flag stands, if it is on the board.
    pub fn flag(&self, seat: Seat) -> Option<Pos> {
        self.pieces(seat).find(|(_, _, piece)| *piece == Piece::Flag).map(|(at, _, _)| at)
    }

    /// Takes the result of a move in: the piece on `from` goes to `to`, and whoever loses leaves the board.
    pub fn apply_move(&mut self, from: Pos, to: Pos, outcome: Outcome) {
        let mover = self.owner(from).zip(self.take(from));
        if outcome.takes_defender() {
            self.take(to);
        }
        if let Some((seat, man)) = mover
            && !outcome.takes_attacker()
        {
            self.put(to, seat, man);
        }
    }

    /// Takes all pieces of a seat off the board.
    pub fn remove_seat(&mut self, seat: Seat) {
        for at in self.held[seat] {
            self.men[at.index()] = None;
        }
        self.held[seat] = Nodes::NONE;
    }

    /// What the seat sees of the board.
    pub fn sight(&self, seat: Seat) -> Sight {
        let own = self.pieces(seat).map(|(at, _, piece)| (at, piece));
        Sight::of(seat, self.held, own)
    }

    fn put(&mut self, at: Pos, seat: Seat, man: Man) {
        self.take(at);
        self.men[at.index()] = Some(man);
        self.held[seat].insert(at);
    }

    fn take(&mut self, at: Pos) -> Option<Man> {
        for seat in Seat::ALL {
            self.held[seat].remove(at);
        }
        self.men[at.index()].take()
    }
}

/// Tells the number of pieces only.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({} pieces)", self.men.iter().flatten().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pos(name: &str) -> Pos {
        name.parse().unwrap()
    }

    #[test]
    fn moves_carry_handles_and_losers_go() {
        let mut position = Position::default();
        position.place(pos("s13"), Seat::S, Piece::Major);
        position.place(pos("e11"), Seat::E, Piece::Captain);
        position.apply_move(pos("s13"), pos("c32"), Outcome::None);
        assert_eq!(position.handle(pos("c32")), Some(pos("s13")));
        position.apply_move(pos("c32"), pos("e11"), Outcome::Attacker);
        assert_eq!(position.owner(pos("e11")), Some(Seat::S));
        assert_eq!(position.piece(pos("e11")), Some(Piece::Major));
        assert_eq!(position.pieces(Seat::E).count(), 0);
        position.place(pos("e12"), Seat::E, Piece::Bomb);
        position.apply_move(pos("e12"), pos("e11"), Outcome::Both);
        assert_eq!(position, Position::default());
        position.apply_move(pos("e12"), pos("e11"), Outcome::None);
        assert_eq!(position, Position::default());
    }

    #[test]
    fn debug_tells_no_rank() {
        let mut position = Position::default();
        position.place(pos("s13"), Seat::S, Piece::Major);
        assert_eq!(format!("{position:?}"), "Position(1 pieces)");
    }
}
