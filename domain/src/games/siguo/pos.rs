//! The 129 positions of the board: names, kinds, places on the grid. Knows no lines, no pieces and no rules.

use super::seat::Seat;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// Positions in one seat's area (6 rows × 5 columns).
const AREA: u8 = 30;
/// Index of `c11`, the first position of the nine palace.
const CENTRE: u8 = 120;

/// One position of the board, written `s11` … `w65` (seat, row, column) or `c11` … `c33`.
///
/// Ordered as the contract's INDEX ORDER: s by row and column, then e, n, w, then the centre.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos(u8);

/// What a position is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PosKind {
    /// 兵站: may be entered, left and attacked.
    Station,
    /// 行营: safe; an occupied one can be neither entered nor attacked.
    Camp,
    /// 大本营: whatever stands there never moves again.
    Headquarters,
}

impl Pos {
    /// The number of positions.
    pub const COUNT: usize = 129;

    /// All positions in index order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=CENTRE + 8).map(Self)
    }

    /// 0 … 128 in index order.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The position with that index, if there is one.
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|_| index < Self::COUNT).map(Self)
    }

    /// A position of a seat's area: row 1 (front) … 6 (back), column 1 (the owner's left) … 5.
    pub fn of(seat: Seat, row: u8, col: u8) -> Option<Self> {
        ((1..=6).contains(&row) && (1..=5).contains(&col))
            .then(|| Self(seat as u8 * AREA + (row - 1) * 5 + col - 1))
    }

    /// A position of the nine palace (九宫): row 1 (north) … 3, column 1 (west) … 3.
    pub fn centre(row: u8, col: u8) -> Option<Self> {
        ((1..=3).contains(&row) && (1..=3).contains(&col))
            .then(|| Self(CENTRE + (row - 1) * 3 + col - 1))
    }

    /// Whose area it lies in; none in the centre.
    pub fn seat(self) -> Option<Seat> {
        Seat::ALL.get(usize::from(self.0 / AREA)).copied()
    }

    /// The row: 1 (front) … 6 in an area, 1 (north) … 3 in the centre.
    pub fn row(self) -> u8 {
        if self.0 < CENTRE { self.0 % AREA / 5 + 1 } else { (self.0 - CENTRE) / 3 + 1 }
    }

    /// The column: 1 (the owner's left) … 5 in an area, 1 (west) … 3 in the centre.
    pub fn col(self) -> u8 {
        if self.0 < CENTRE { self.0 % 5 + 1 } else { (self.0 - CENTRE) % 3 + 1 }
    }

    /// Station, camp or headquarters.
    pub fn kind(self) -> PosKind {
        if self.0 >= CENTRE {
            return PosKind::Station;
        }
        match (self.row(), self.col()) {
            (2 | 4, 2 | 4) | (3, 3) => PosKind::Camp,
            (6, 2 | 4) => PosKind::Headquarters,
            _ => PosKind::Station,
        }
    }

    /// Place on the 17 × 17 grid, x growing east and y growing south.
    pub fn xy(self) -> (u8, u8) {
        let (row, col) = (self.row(), self.col());
        match self.seat() {
            Some(Seat::S) => (5 + col, 10 + row),
            Some(Seat::E) => (10 + row, 11 - col),
            Some(Seat::N) => (11 - col, 6 - row),
            Some(Seat::W) => (6 - row, 5 + col),
            None => (4 + 2 * col, 4 + 2 * row),
        }
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.seat().map_or('c', Seat::letter);
        write!(f, "{letter}{}{}", self.row(), self.col())
    }
}

impl fmt::Debug for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no position of the board (s11 … w65, c11 … c33)")]
pub struct UnknownPosition(pub String);

impl FromStr for Pos {
    type Err = UnknownPosition;
    fn from_str(text: &str) -> Result<Self, UnknownPosition> {
        let found = match *text.as_bytes() {
            [letter, row @ b'1'..=b'9', col @ b'1'..=b'9'] => {
                let (row, col) = (row - b'0', col - b'0');
                match letter {
                    b's' => Self::of(Seat::S, row, col),
                    b'e' => Self::of(Seat::E, row, col),
                    b'n' => Self::of(Seat::N, row, col),
                    b'w' => Self::of(Seat::W, row, col),
                    b'c' => Self::centre(row, col),
                    _ => None,
                }
            }
            _ => None,
        };
        found.ok_or_else(|| UnknownPosition(text.to_owned()))
    }
}

impl Serialize for Pos {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pos {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl de::Visitor<'_> for Name {
            type Value = Pos;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a position")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Pos, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_go_there_and_back() {
        for (index, pos) in Pos::all().enumerate() {
            assert_eq!(pos.index(), index);
            assert_eq!(Pos::from_index(index), Some(pos));
            assert_eq!(pos.to_string().parse(), Ok(pos));
        }
        assert_eq!(Pos::all().count(), Pos::COUNT);
        assert_eq!(Pos::from_index(129), None);
        assert_eq!(Pos::from_index(256), None);
    }

    #[test]
    fn kinds_have_their_numbers() {
        let count = |kind| Pos::all().filter(|pos| pos.kind() == kind).count();
        assert_eq!(count(PosKind::Station), 101);
        assert_eq!(count(PosKind::Camp), 20);
        assert_eq!(count(PosKind::Headquarters), 8);
    }

    #[test]
    fn no_two_positions_share_a_place() {
        let places: std::collections::BTreeSet<_> = Pos::all().map(Pos::xy).collect();
        assert_eq!(places.len(), Pos::COUNT);
        assert!(places.iter().all(|&(x, y)| x < 17 && y < 17));
    }

    #[test]
    fn other_texts_name_nothing() {
        for text in
            ["", "s", "s1", "s111", "s01", "s16", "s71", "c41", "c14", "S11", "x11", "司11", "s1１"]
        {
            assert_eq!(text.parse::<Pos>(), Err(UnknownPosition(text.to_owned())));
        }
    }
}
