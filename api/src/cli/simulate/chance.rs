//! What random players decide by: the same for the same seed and number. Must not be used for anything secret.

use uuid::Uuid;
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId};

/// One player's chance.
pub(super) struct Chance(FairDraw);

impl Chance {
    /// The chance of the player with this number.
    pub(super) fn new(seed: u64, number: u32) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..12].copy_from_slice(&number.to_le_bytes());
        Self(FairDraw::new("simulate", MatchId(Uuid::nil()), &Bytes32(bytes), &[]))
    }

    /// A number in `0..bound`; 0 for 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0.below(u32::try_from(bound).unwrap_or(u32::MAX)) as usize
    }

    /// True once in so many times; never for 0.
    pub(super) fn one_in(&mut self, many: u32) -> bool {
        many > 0 && self.0.below(many) == 0
    }

    /// One of them.
    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// 256 bits as hexadecimal digits.
    pub(super) fn hex(&mut self) -> String {
        (0..8).map(|_| format!("{:08x}", self.0.below(u32::MAX))).collect()
    }
}
