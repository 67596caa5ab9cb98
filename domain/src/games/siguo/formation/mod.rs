//! The formation (布阵): how a seat places its 25 pieces before the start. A value of the type is always
//! legal. Its ranks leave only through `iter`, `codes` and the stored form; never through `Debug`.

mod check;
mod draw;

pub use check::{Fault, FormationRule};

use super::piece::Piece;
use super::pos::{Pos, PosKind};
use super::seat::Seat;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
use std::fmt;

/// The number of pieces, and of positions that are no camps, of a seat.
const SIZE: usize = 25;

/// A legal formation of one seat. Stored as a map from position to piece.
#[derive(Clone, PartialEq, Eq)]
pub struct Formation {
    seat: Seat,
    /// One piece for each position of [`slots`], in that order.
    pieces: [Piece; SIZE],
}

/// Why two pieces cannot change places.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SwapFault {
    /// One of the two holds no own piece, or they are the same.
    #[error("one of the two positions holds no own piece")]
    NotOwnPiece,
    /// The result would break these rules.
    #[error("the formation would break {} rule(s)", .0.len())]
    Illegal(Vec<Fault>),
}

/// The 25 positions that a formation fills, in index order.
pub fn slots(seat: Seat) -> impl Iterator<Item = Pos> {
    Pos::all().skip(seat.index() * 30).take(30).filter(|pos| pos.kind() != PosKind::Camp)
}

impl Formation {
    /// Judges a formation given in values. Of two pieces on one position the later counts.
    ///
    /// # Errors
    /// As [`Formation::check`].
    pub fn from_pieces(seat: Seat, pieces: &[(Pos, Piece)]) -> Result<Self, Vec<Fault>> {
        let named = pieces.iter().map(|(pos, piece)| (pos.to_string(), piece.to_string()));
        Self::check(seat, &named.collect())
    }

    /// Each position with its piece, in index order.
    pub fn iter(&self) -> impl Iterator<Item = (Pos, Piece)> {
        slots(self.seat).zip(self.pieces)
    }

    /// Whose formation it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The piece on a position, if it is one of the 25.
    pub fn piece(&self, at: Pos) -> Option<Piece> {
        self.iter().find(|(pos, _)| *pos == at).map(|(_, piece)| piece)
    }

    /// The formation with two pieces exchanged.
    ///
    /// # Errors
    /// [`SwapFault`]; this formation stays as it is either way.
    pub fn swapped(&self, a: Pos, b: Pos) -> Result<Self, SwapFault> {
        let slot = |wanted| slots(self.seat).position(|pos| pos == wanted);
        let (Some(first), Some(second)) = (slot(a), slot(b)) else {
            return Err(SwapFault::NotOwnPiece);
        };
        if first == second {
            return Err(SwapFault::NotOwnPiece);
        }
        let mut pieces = self.pieces;
        pieces.swap(first, second);
        let placed: Vec<_> = slots(self.seat).zip(pieces).collect();
        Self::from_pieces(self.seat, &placed).map_err(SwapFault::Illegal)
    }

    /// The index of each piece, in the order of [`slots`].
    pub fn codes(&self) -> [u8; SIZE] {
        self.pieces.map(|piece| piece as u8)
    }

    /// The formation with these codes; none when they are no legal formation.
    pub fn from_codes(seat: Seat, codes: &[u8]) -> Option<Self> {
        if codes.len() != SIZE {
            return None;
        }
        let pieces: Option<Vec<Piece>> =
            codes.iter().map(|&code| Piece::ALL.get(usize::from(code)).copied()).collect();
        let placed: Vec<_> = slots(seat).zip(pieces?).collect();
        Self::from_pieces(seat, &placed).ok()
    }
}

/// Tells the seat only.
impl fmt::Debug for Formation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Formation({} …)", self.seat)
    }
}

impl Serialize for Formation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Formation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let placed = BTreeMap::<Pos, Piece>::deserialize(deserializer)?;
        let seat = placed.keys().next().and_then(|pos| pos.seat());
        let seat =
            seat.ok_or_else(|| de::Error::custom("a formation needs positions of a seat"))?;
        let placed: Vec<_> = placed.into_iter().collect();
        // The broken rules would name ranks; who reads a stored formation needs to know only that it is broken.
        Self::from_pieces(seat, &placed)
            .map_err(|_| de::Error::custom("the formation is not legal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Bytes32, FairDraw, MatchId};

    fn formation() -> Formation {
        Formation::random(
            Seat::W,
            &mut FairDraw::new("test", MatchId(uuid::Uuid::nil()), &Bytes32([1; 32]), &[]),
        )
    }

    fn pos(name: &str) -> Pos {
        name.parse().unwrap()
    }

    #[test]
    fn a_swap_exchanges_two_own_pieces_or_says_why_not() {
        let before = formation();
        let (a, b) = (pos("w12"), pos("w13"));
        let after = before.swapped(a, b).unwrap();
        assert_eq!((after.piece(a), after.piece(b)), (before.piece(b), before.piece(a)));
        assert!(after.swapped(b, a).unwrap() == before);
        for wrong in ["w22", "e13", "c22", "w12"] {
            assert_eq!(before.swapped(a, pos(wrong)), Err(SwapFault::NotOwnPiece));
        }
        let (flag, _) = before.iter().find(|(_, piece)| *piece == Piece::Flag).unwrap();
        let rule = FormationRule::FlagNotInHeadquarters;
        let refused = SwapFault::Illegal(vec![Fault { rule, at: "w12".to_owned() }]);
        assert_eq!(before.swapped(a, flag), Err(refused));
    }

    #[test]
    fn debug_and_stored_faults_tell_no_rank() {
        assert_eq!(format!("{:?}", formation()), "Formation(w …)");
        for stored in ["{}", r#"{"c22":"flag"}"#, r#"{"w11":"flag"}"#] {
            let told = serde_json::from_str::<Formation>(stored).unwrap_err().to_string();
            assert!(!told.contains("flag"), "{told}");
        }
    }

    #[test]
    fn codes_of_no_legal_formation_are_refused() {
        let mut codes = formation().codes();
        assert!(Formation::from_codes(Seat::W, &codes[1..]).is_none());
        codes[0] = 12;
        assert!(Formation::from_codes(Seat::W, &codes).is_none());
        assert!(Formation::from_codes(Seat::W, &[0; 25]).is_none());
    }
}
