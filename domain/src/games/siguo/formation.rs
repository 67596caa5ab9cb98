//! The formation (布阵): how a seat places its 25 pieces before the start. A value of the type is always
//! legal. Its ranks leave only through `iter`, `codes` and the stored form; never through `Debug`.

use super::piece::Piece;
use super::pos::{Pos, PosKind};
use super::seat::Seat;
use crate::kernel::FairDraw;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::{BTreeMap, BTreeSet};
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

/// A rule of formations, as named in refusals; in the order of the names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FormationRule {
    /// Bombs never start in row 1.
    BombInFrontRow,
    /// The flag stands in one of its two headquarters.
    FlagNotInHeadquarters,
    /// Mines lie in rows 5 and 6.
    MineNotInLastTwoRows,
    /// Every own position that is no camp holds a piece.
    PositionEmpty,
    /// No piece starts in a camp.
    PositionInCamp,
    /// No piece starts outside the own area.
    PositionNotOwn,
    /// The code names no piece.
    UnknownPiece,
    /// Too many or too few of a kind.
    WrongCount,
}

/// One broken rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Which rule.
    pub rule: FormationRule,
    /// Where: the position as given, or for counts and unknown pieces the piece's code.
    pub at: String,
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
    /// Judges a formation as somebody sent it.
    ///
    /// # Errors
    /// Every broken rule, sorted by rule and place. A position outside the area breaks that one rule
    /// alone, but its piece still counts.
    pub fn check(seat: Seat, pieces: &BTreeMap<String, String>) -> Result<Self, Vec<Fault>> {
        let mut faults = BTreeSet::new();
        let mut fault = |rule, at: &str| {
            faults.insert(Fault { rule, at: at.to_owned() });
        };
        let mut counts = [0; 12];
        let mut placed = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (place, code) in pieces {
            let piece = code.parse::<Piece>().ok();
            if let Some(piece) = piece {
                counts[piece.index()] += 1;
            }
            let Some(pos) = place.parse::<Pos>().ok().filter(|pos| pos.seat() == Some(seat)) else {
                fault(FormationRule::PositionNotOwn, place);
                continue;
            };
            taken.insert(pos);
            if pos.kind() == PosKind::Camp {
                fault(FormationRule::PositionInCamp, place);
            }
            let Some(piece) = piece else {
                fault(FormationRule::UnknownPiece, code);
                continue;
            };
            if let Some(rule) = misplaced(piece, pos) {
                fault(rule, place);
            }
            placed.insert(pos, piece);
        }
        for pos in slots(seat).filter(|pos| !taken.contains(pos)) {
            fault(FormationRule::PositionEmpty, &pos.to_string());
        }
        for piece in Piece::ALL {
            if counts[piece.index()] != piece.count_per_seat() {
                fault(FormationRule::WrongCount, piece.code());
            }
        }
        // Without a fault the places are exactly the slots, in index order.
        let mut filled = [Piece::Flag; SIZE];
        for (slot, piece) in filled.iter_mut().zip(placed.into_values()) {
            *slot = piece;
        }
        if faults.is_empty() {
            Ok(Self { seat, pieces: filled })
        } else {
            Err(faults.into_iter().collect())
        }
    }

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

    /// A random legal formation, each as likely as any other. Part of `yibu-draw/1`: it can never change.
    ///
    /// 1. One number below 2 puts the flag on (6,2) or (6,4).
    /// 2. The nine free positions of rows 5 and 6, in index order, are shuffled; the first three hold mines.
    /// 3. The sixteen free positions of rows 2 to 6, in index order, are shuffled; the first two hold bombs.
    /// 4. The nineteen ranked pieces, from strong to weak, are shuffled and fill the rest in index order.
    pub fn random(seat: Seat, draw: &mut FairDraw) -> Self {
        let rows: [u8; SIZE] = std::array::from_fn(|slot| slots(seat).nth(slot).map_or(0, Pos::row));
        let mut filled: [Option<Piece>; SIZE] = [None; SIZE];
        // Slots 21 and 23 are the headquarters (6,2) and (6,4).
        filled[if draw.below(2) == 0 { 21 } else { 23 }] = Some(Piece::Flag);
        for (piece, first_row) in [(Piece::Mine, 5), (Piece::Bomb, 2)] {
            let mut free: Vec<usize> =
                (0..SIZE).filter(|&slot| filled[slot].is_none() && rows[slot] >= first_row).collect();
            draw.shuffle(&mut free);
            for &slot in free.iter().take(piece.count_per_seat()) {
                filled[slot] = Some(piece);
            }
        }
        let mut ranked: Vec<Piece> = Piece::ALL[..=Piece::Engineer.index()]
            .iter()
            .flat_map(|&piece| std::iter::repeat_n(piece, piece.count_per_seat()))
            .collect();
        draw.shuffle(&mut ranked);
        let mut rest = ranked.into_iter();
        // 19 ranked pieces meet 19 free slots, so the last resort is never taken.
        let pieces = filled.map(|piece| piece.or_else(|| rest.next()).unwrap_or(Piece::Lieutenant));
        Self { seat, pieces }
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

/// The rule that this piece breaks on this position of its own area, camps and counts apart.
fn misplaced(piece: Piece, pos: Pos) -> Option<FormationRule> {
    match piece {
        Piece::Flag if pos.kind() != PosKind::Headquarters => {
            Some(FormationRule::FlagNotInHeadquarters)
        }
        Piece::Mine if pos.row() < 5 => Some(FormationRule::MineNotInLastTwoRows),
        Piece::Bomb if pos.row() == 1 => Some(FormationRule::BombInFrontRow),
        _ => None,
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
        let seat = seat.ok_or_else(|| de::Error::custom("a formation needs positions of a seat"))?;
        let placed: Vec<_> = placed.into_iter().collect();
        // The broken rules would name ranks; who reads a stored formation needs to know only that it is broken.
        Self::from_pieces(seat, &placed).map_err(|_| de::Error::custom("the formation is not legal"))
    }
}
