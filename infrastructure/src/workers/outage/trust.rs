//! Whether this node's clock can be trusted: it is held against what it has shown, against what the log has seen,
//! and against the store's own clock. Says once aloud that it cannot, and once that it can again; moves nothing.

use crate::log::port::{EventLog, ReadError};
use crate::system::Clock;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use yibu_domain::kernel::{Span, Time};

/// Why a clock is not trusted, and what an operator does about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum ClockOff {
    #[error(
        "this machine's clock is {by} behind the log, which has seen {seen}: no commands for matches are taken \
         until it gets there, and their clocks stand still, so that nobody loses time. If the clock is wrong now, \
         set it right. If it was ahead before, wait, or see \"Clocks\" in OPERATIONS.md"
    )]
    Behind { by: Span, seen: Time },
    #[error(
        "this machine's clock and the database's are {by} apart: no commands for matches are taken here until \
         they agree. Set both by the same time servers, and restart this node if its clock was ahead: it shows no \
         instant before one that it has shown"
    )]
    Apart { by: Span },
}

/// What is known of the clocks.
pub(super) struct Trust {
    /// The most that this node's may be off.
    most: Span,
    /// The latest instant in the log: a mark of any node, and what the last event had at the start.
    seen: AtomicI64,
    /// The log's last event was looked at.
    started: AtomicBool,
    /// How far the store's own clock was ahead when it was last asked.
    skew: AtomicI64,
    /// It was said that the clock is off.
    told: AtomicBool,
}

impl Trust {
    /// Knows nothing yet, and allows so much.
    pub(super) fn allowing(most: Span) -> Self {
        Self {
            most,
            seen: AtomicI64::new(i64::MIN),
            started: AtomicBool::new(false),
            skew: AtomicI64::new(0),
            told: AtomicBool::new(false),
        }
    }

    /// Looks at what the log and the store say.
    pub(super) async fn look(&self, log: &dyn EventLog) -> Result<(), ReadError> {
        if let Some(mark) = log.last_beat().await? {
            self.seen.fetch_max(mark.0, Ordering::AcqRel);
        }
        if !self.started.load(Ordering::Acquire) {
            let end = log.head().await?.position;
            for last in log.read_all(end.saturating_sub(1), 1).await? {
                let at = last.recorded.at_least(last.stamp.at);
                self.seen.fetch_max(at.0, Ordering::AcqRel);
            }
            self.started.store(true, Ordering::Release);
        }
        self.skew.store(log.skew().await?.0, Ordering::Release);
        Ok(())
    }

    /// How far the clock is behind what it showed, or what the log has seen; zero where it is not.
    pub(super) fn behind(&self, clock: &dyn Clock) -> Span {
        let seen = Time(self.seen.load(Ordering::Acquire)) - clock.now();
        Span(seen.0.max(0).saturating_add(clock.stands_for().0))
    }

    /// How far the clock and the store's own are apart, as of the last look; zero where the store has none.
    pub(super) fn skew(&self) -> Span {
        Span(self.skew.load(Ordering::Acquire).saturating_abs())
    }

    /// Whether the clock may be served by, as far as is known.
    pub(super) fn judge(&self, clock: &dyn Clock) -> Result<(), ClockOff> {
        let by = self.behind(clock);
        let judged = if by > self.most {
            let seen = clock.now().at_least(Time(self.seen.load(Ordering::Acquire)));
            Err(ClockOff::Behind { by, seen })
        } else if self.skew() > self.most {
            Err(ClockOff::Apart { by: self.skew() })
        } else {
            Ok(())
        };
        self.tell(judged);
        judged
    }

    /// Says what has changed.
    fn tell(&self, judged: Result<(), ClockOff>) {
        match judged {
            Err(off) if self.is_news(true) => tracing::error!("{off}"),
            Ok(()) if self.is_news(false) => {
                tracing::warn!("this machine's clock is right again: commands are taken");
            }
            _ => {}
        }
    }

    /// Whether this was not so when it was last asked, which is hardly ever.
    fn is_news(&self, off: bool) -> bool {
        self.told.load(Ordering::Acquire) != off && self.told.swap(off, Ordering::AcqRel) != off
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::ManualClock;

    #[test]
    fn a_clock_that_is_off_is_told_once_and_once_when_it_is_right_again() {
        let trust = Trust::allowing(Span(100));
        let clock = ManualClock::at(Time(1_785_434_400_000));
        assert!(!trust.is_news(false), "it is taken to be right");
        assert_eq!(trust.judge(&clock), Ok(()));
        clock.set_back(Span(100));
        assert_eq!(trust.judge(&clock), Ok(()), "so much is allowed");

        clock.set_back(Span::hours(16));
        let off = trust.judge(&clock).unwrap_err().to_string();
        assert!(off.contains("is 16 h 0 min behind"), "{off}");
        assert!(off.contains("has seen 2026-07-30T18:00:00Z"), "{off}");
        assert!(!trust.is_news(true), "it was said");
        assert!(trust.judge(&clock).is_err());

        clock.advance(Span::hours(17));
        assert_eq!(trust.judge(&clock), Ok(()));
        assert!(!trust.is_news(false), "so was that");
    }
}
