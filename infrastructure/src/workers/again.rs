//! When to try again after faults: soon at first, then after twice as long, and so on up to the most.

use yibu_domain::kernel::Span;

/// Waits that double.
#[derive(Clone, Copy, Debug)]
pub(super) struct Again {
    first: Span,
    most: Span,
}

impl Again {
    /// For what this process does beside the commands.
    pub(super) const WORK: Self = Self::new(Span(500), Span::seconds(30));

    /// The wait after the first fault, and the longest.
    pub(super) const fn new(first: Span, most: Span) -> Self {
        Self { first, most }
    }

    /// The wait after a fault that so many others came before.
    pub(super) fn after(self, faults: u32) -> Span {
        let factor = 1_i64.checked_shl(faults.min(40)).unwrap_or(i64::MAX);
        Span(self.first.0.saturating_mul(factor)).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_the_most() {
        let waits: Vec<i64> = (0..8).map(|faults| Again::WORK.after(faults).0).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
        assert_eq!(Again::WORK.after(u32::MAX), Span::seconds(30));
    }
}
