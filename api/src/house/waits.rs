//! Since when something wants a house player, and when it may act. Holds only what the last look saw.

use std::collections::HashMap;
use yibu_domain::kernel::{MatchId, PlayerId, Span, Time};

/// What may want a house player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum What {
    /// A table that lacks people.
    Table(MatchId),
    /// A vacant seat on turn.
    Vacancy(MatchId),
    /// A member's own seat.
    Seat(MatchId, PlayerId),
}

/// When each of them may be acted upon.
#[derive(Default)]
pub(super) struct Waits {
    at: HashMap<What, (Time, u64)>,
    look: u64,
}

impl Waits {
    /// A new look begins.
    pub(super) fn begin(&mut self) {
        self.look += 1;
    }

    /// The look is over: what it did not see does not wait any more.
    pub(super) fn end(&mut self) {
        let look = self.look;
        self.at.retain(|_, (_, seen)| *seen == look);
    }

    /// Whether it has waited `patience` by now; the first sight of it begins the wait.
    pub(super) fn due(&mut self, what: What, now: Time, patience: Span) -> bool {
        let entry = self.at.entry(what).or_insert((now + patience, 0));
        entry.1 = self.look;
        entry.0 <= now
    }

    /// It is done; should it want somebody again, it waits anew.
    pub(super) fn done(&mut self, what: What) {
        self.at.remove(&what);
    }

    /// It did not work: not before `at`.
    pub(super) fn again(&mut self, what: What, at: Time) {
        self.at.insert(what, (at, self.look));
    }

    /// The next instant at which something may be acted upon.
    pub(super) fn next(&self) -> Option<Time> {
        self.at.values().map(|(at, _)| *at).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_runs_from_the_first_sight_and_ends_with_the_last() {
        let what = What::Table(MatchId(uuid::Uuid::from_u128(1)));
        let mut waits = Waits::default();
        waits.begin();
        assert!(!waits.due(what, Time(10), Span(5)));
        waits.end();
        assert_eq!(waits.next(), Some(Time(15)));
        waits.begin();
        assert!(waits.due(what, Time(15), Span(5)));
        waits.again(what, Time(40));
        waits.end();
        assert_eq!(waits.next(), Some(Time(40)));
        waits.begin();
        waits.end();
        assert_eq!(waits.next(), None);
    }
}
