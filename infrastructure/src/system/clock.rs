//! What time it is, and waiting until it is later. The one home of the operating system's clock.

use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use yibu_domain::kernel::{Span, Time};

/// A source of time. Successive readings never go back.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// The instant of now.
    fn now(&self) -> Time;

    /// Returns once `now()` is at `at` or later, never earlier. Safe to drop at any point.
    async fn until(&self, at: Time);

    /// How far what it reads from was set back behind what it has shown: for so long it stands still. Zero while
    /// it goes.
    fn stands_for(&self) -> Span {
        Span(0)
    }

    /// Whether it shows the world's time, so that it may be held against another machine's clock.
    fn is_system(&self) -> bool {
        false
    }
}

/// The longest that a waiter trusts a plan made on an earlier reading: a system clock that is set forward
/// is noticed within this time.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The operating system's clock. Where that one is set back, this one stands still until it is reached
/// again: nobody's time runs out early, and no order of instants turns round.
#[derive(Debug, Default)]
pub struct SystemClock {
    latest: AtomicI64,
}

impl SystemClock {
    /// A clock that has shown nothing yet.
    pub const fn new() -> Self {
        Self { latest: AtomicI64::new(0) }
    }

    /// What the operating system says, whatever was shown before.
    fn read() -> i64 {
        #[expect(clippy::disallowed_methods, reason = "this is the one home of the clock")]
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> Time {
        let read = Self::read();
        Time(self.latest.fetch_max(read, Ordering::AcqRel).max(read))
    }

    fn stands_for(&self) -> Span {
        // In this order: what is shown meanwhile must not look like standing still.
        let latest = self.latest.load(Ordering::Acquire);
        Span(latest.saturating_sub(Self::read()).max(0))
    }

    async fn until(&self, at: Time) {
        loop {
            let left = at - self.now();
            let Some(left) = u64::try_from(left.0).ok().filter(|left| *left > 0) else {
                return;
            };
            tokio::time::sleep(LOOK_AGAIN.min(Duration::from_millis(left))).await;
        }
    }

    fn is_system(&self) -> bool {
        true
    }
}

/// A clock that moves only when it is told to, and stands still like the system's where it is set back. Clones
/// show the same time.
#[derive(Clone, Debug)]
pub struct ManualClock {
    time: Arc<watch::Sender<Reading>>,
}

/// What the clock shows, and what it would show had it never been set back.
#[derive(Clone, Copy, Debug)]
struct Reading {
    shown: Time,
    read: Time,
}

impl Reading {
    fn at(self, read: Time) -> Self {
        Self { shown: self.shown.at_least(read), read }
    }
}

impl ManualClock {
    /// A clock that stands at `at`.
    pub fn at(at: Time) -> Self {
        Self { time: Arc::new(watch::Sender::new(Reading { shown: at, read: at })) }
    }

    /// Moves to `at` and wakes whoever waited for that; an earlier instant changes nothing.
    pub fn set(&self, at: Time) {
        self.time.send_if_modified(|now| {
            let later = at > now.read;
            if later {
                *now = now.at(at);
            }
            later
        });
    }

    /// Moves on by `span` and wakes whoever waited for that. Returns what is shown then.
    pub fn advance(&self, span: Span) -> Time {
        self.time.send_modify(|now| *now = now.at(now.read.at_least(now.read + span)));
        self.now_shown()
    }

    /// Sets back by `span` what it reads from: it stands still until that is made up.
    pub fn set_back(&self, span: Span) {
        self.time.send_modify(|now| now.read = now.read - span);
    }

    /// How many are waiting for a later instant, and hence when it is of use to move on.
    pub fn waiting(&self) -> usize {
        self.time.receiver_count()
    }

    fn now_shown(&self) -> Time {
        self.time.borrow().shown
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> Time {
        self.now_shown()
    }

    fn stands_for(&self) -> Span {
        let now = *self.time.borrow();
        now.shown - now.read
    }

    async fn until(&self, at: Time) {
        // The sender lives as long as `self`, so that waiting cannot fail.
        let _ = self.time.subscribe().wait_for(|now| now.shown >= at).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_never_goes_back() {
        let clock = SystemClock::new();
        let first = clock.now();
        assert!(first > Time(1_700_000_000_000));
        clock.latest.store(first.0 + 60_000, Ordering::Release);
        assert_eq!(clock.now(), first + Span::seconds(60));
        let stands = clock.stands_for();
        assert!(stands > Span(0) && stands <= Span::seconds(60), "{stands}");
        clock.latest.store(first.0, Ordering::Release);
        assert_eq!(clock.stands_for(), Span(0));
    }

    #[test]
    fn a_clock_that_is_set_back_stands_still_until_it_is_reached_again() {
        let clock = ManualClock::at(Time(1000));
        clock.set_back(Span(300));
        assert_eq!((clock.now(), clock.stands_for()), (Time(1000), Span(300)));
        assert_eq!(clock.advance(Span(200)), Time(1000));
        assert_eq!(clock.stands_for(), Span(100));
        assert_eq!(clock.advance(Span(200)), Time(1100));
        assert_eq!(clock.stands_for(), Span(0));
    }

    #[tokio::test]
    async fn a_past_instant_is_not_waited_for() {
        SystemClock::new().until(Time(1)).await;
        ManualClock::at(Time(5)).until(Time(5)).await;
    }

    #[tokio::test]
    async fn the_manual_clock_wakes_in_time_and_not_before() {
        let clock = ManualClock::at(Time(100));
        let waiter = clock.clone();
        let task = tokio::spawn(async move {
            waiter.until(Time(200)).await;
            waiter.now()
        });
        while clock.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        clock.set(Time(199));
        tokio::task::yield_now().await;
        assert!(!task.is_finished());
        clock.set(Time(50));
        assert_eq!(clock.now(), Time(199));
        assert_eq!(clock.advance(Span(1)), Time(200));
        assert_eq!(task.await.unwrap(), Time(200));
    }
}
