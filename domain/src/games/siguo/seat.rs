//! Seats and sides of the four-nation board, and total maps over them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// One of the four fixed seats (席位); in the order of play, counter-clockwise seen from above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// South 南.
    S,
    /// East 东.
    E,
    /// North 北.
    N,
    /// West 西.
    W,
}

impl Seat {
    /// All seats in the order s, e, n, w.
    pub const ALL: [Self; 4] = [Self::S, Self::E, Self::N, Self::W];

    /// 0 … 3 in the order s, e, n, w.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that the seat belongs to.
    pub const fn side(self) -> Side {
        match self {
            Self::S | Self::N => Side::Red,
            Self::E | Self::W => Side::Blue,
        }
    }

    /// The seat opposite, of the same side.
    #[must_use]
    pub const fn mate(self) -> Self {
        match self {
            Self::S => Self::N,
            Self::E => Self::W,
            Self::N => Self::S,
            Self::W => Self::E,
        }
    }

    /// The letter that names the seat in position ids.
    pub const fn letter(self) -> char {
        match self {
            Self::S => 's',
            Self::E => 'e',
            Self::N => 'n',
            Self::W => 'w',
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Seat {
    type Err = UnknownSeat;
    fn from_str(text: &str) -> Result<Self, UnknownSeat> {
        match text {
            "s" => Ok(Self::S),
            "e" => Ok(Self::E),
            "n" => Ok(Self::N),
            "w" => Ok(Self::W),
            _ => Err(UnknownSeat),
        }
    }
}

/// The text names no seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a seat is one of s, e, n, w")]
pub struct UnknownSeat;

/// One of the two sides (阵营).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// 赤方: South and North.
    Red,
    /// 蓝方: East and West.
    Blue,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::Red, Self::Blue];

    /// The side's two seats.
    pub const fn seats(self) -> [Seat; 2] {
        match self {
            Self::Red => [Seat::S, Seat::N],
            Self::Blue => [Seat::E, Seat::W],
        }
    }

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }
}

/// Something for each of the four seats: a total map, never a missing key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct BySeat<T> {
    /// South's.
    pub s: T,
    /// East's.
    pub e: T,
    /// North's.
    pub n: T,
    /// West's.
    pub w: T,
}

impl<T> BySeat<T> {
    /// Makes each seat's value.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> Self {
        Self { s: make(Seat::S), e: make(Seat::E), n: make(Seat::N), w: make(Seat::W) }
    }

    /// Each seat with its value, in the order s, e, n, w.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::ALL.into_iter().map(|seat| (seat, &self[seat]))
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        match seat {
            Seat::S => &self.s,
            Seat::E => &self.e,
            Seat::N => &self.n,
            Seat::W => &self.w,
        }
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::S => &mut self.s,
            Seat::E => &mut self.e,
            Seat::N => &mut self.n,
            Seat::W => &mut self.w,
        }
    }
}

/// Something for each of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct BySide<T> {
    /// Red's.
    pub red: T,
    /// Blue's.
    pub blue: T,
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Red => &self.red,
            Side::Blue => &self.blue,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Red => &mut self.red,
            Side::Blue => &mut self.blue,
        }
    }
}
