//! Sets of positions as bit sets: small, copied freely, always iterated in index order. Knows no board.

use super::pos::Pos;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Nodes([u64; 3]);

impl Nodes {
    /// The empty set.
    pub const NONE: Self = Self([0; 3]);

    /// Adds a position.
    pub fn insert(&mut self, pos: Pos) {
        self.0[pos.index() / 64] |= 1 << (pos.index() % 64);
    }

    /// Takes a position out.
    pub fn remove(&mut self, pos: Pos) {
        self.0[pos.index() / 64] &= !(1 << (pos.index() % 64));
    }

    /// Whether the position is in the set.
    pub fn contains(&self, pos: Pos) -> bool {
        self.0[pos.index() / 64] >> (pos.index() % 64) & 1 == 1
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// How many positions are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The positions in index order.
    pub fn iter(&self) -> Iter {
        Iter { words: self.0, at: 0 }
    }
}

impl BitOr for Nodes {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitOrAssign for Nodes {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for Nodes {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

/// The complement; it may hold bits beyond the board, so it only ever meets `&`.
impl Not for Nodes {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl FromIterator<Pos> for Nodes {
    fn from_iter<I: IntoIterator<Item = Pos>>(positions: I) -> Self {
        let mut set = Self::NONE;
        for pos in positions {
            set.insert(pos);
        }
        set
    }
}

impl IntoIterator for Nodes {
    type Item = Pos;
    type IntoIter = Iter;
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl std::fmt::Debug for Nodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Walks a set in index order.
#[derive(Clone)]
pub struct Iter {
    words: [u64; 3],
    at: usize,
}

impl Iterator for Iter {
    type Item = Pos;
    fn next(&mut self) -> Option<Pos> {
        while self.at < 3 {
            let word = &mut self.words[self.at];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Pos::from_index(self.at * 64 + bit);
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let mut set: Nodes = Pos::all().step_by(3).collect();
        assert_eq!(set.len(), 43);
        assert!(set.iter().eq(Pos::all().step_by(3)));
        for pos in Pos::all() {
            assert_eq!(set.contains(pos), pos.index() % 3 == 0);
            set.remove(pos);
        }
        assert!(set.is_empty());
    }
}
