//! What one seat sees on the board: whose pieces stand where, and what its own ones are. Legal moves are
//! computed from this alone, so that they cannot tell more. Must never hold another seat's identity.

use super::nodes::Nodes;
use super::piece::Piece;
use super::pos::Pos;
use super::seat::{BySeat, Seat};

/// The board in the eyes of one seat; a client can build the same from its view.
#[derive(Clone, PartialEq, Eq)]
pub struct Sight {
    seat: Seat,
    held: BySeat<Nodes>,
    own: [Option<Piece>; Pos::COUNT],
}

impl Sight {
    /// The empty board in the eyes of a seat.
    pub fn new(seat: Seat) -> Self {
        Self { seat, held: BySeat::default(), own: [None; Pos::COUNT] }
    }

    /// Puts a piece on the board, in the place of what stood there. An identity is kept for own pieces
    /// only; an own piece without one counts as a piece that cannot move.
    pub fn put(&mut self, at: Pos, seat: Seat, identity: Option<Piece>) {
        for other in Seat::ALL {
            self.held[other].remove(at);
        }
        self.held[seat].insert(at);
        self.own[at.index()] = identity.filter(|_| seat == self.seat);
    }

    /// Whose eyes these are.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Whose piece stands there.
    pub fn owner(&self, at: Pos) -> Option<Seat> {
        Seat::ALL.into_iter().find(|&seat| self.held[seat].contains(at))
    }

    /// What the own piece there is.
    pub fn identity(&self, at: Pos) -> Option<Piece> {
        self.own[at.index()]
    }

    /// Where a seat's pieces stand.
    pub fn held(&self, seat: Seat) -> Nodes {
        self.held[seat]
    }

    pub(super) fn of(
        seat: Seat,
        held: BySeat<Nodes>,
        own: impl Iterator<Item = (Pos, Piece)>,
    ) -> Self {
        let mut sight = Self { seat, held, own: [None; Pos::COUNT] };
        for (at, piece) in own {
            sight.own[at.index()] = Some(piece);
        }
        sight
    }
}

/// Tells whose eyes and how many pieces, no rank.
impl std::fmt::Debug for Sight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pieces: usize = self.held.iter().map(|(_, held)| held.len()).sum();
        write!(f, "Sight({}, {pieces} pieces)", self.seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_identities_are_not_kept() {
        let (s11, e11): (Pos, Pos) = ("s11".parse().unwrap(), "e11".parse().unwrap());
        let mut sight = Sight::new(Seat::S);
        sight.put(e11, Seat::E, Some(Piece::Flag));
        sight.put(s11, Seat::S, Some(Piece::Flag));
        assert_eq!((sight.identity(e11), sight.identity(s11)), (None, Some(Piece::Flag)));
        sight.put(s11, Seat::W, None);
        assert_eq!((sight.owner(s11), sight.identity(s11)), (Some(Seat::W), None));
        assert_eq!(format!("{sight:?}"), "Sight(s, 2 pieces)");
    }
}
