//! The clock on the wall: windows, days, and the first instant at which it shows something wanted. Local
//! durations are never added up: where a zone's offset changes, the search goes minute by minute.

use super::settings::{Window, Zone};
use crate::kernel::{Span, Time};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// No zone changes its offset there and back within so long.
const PROBE: Span = Span(30 * MINUTE);

/// What the wall clock of a zone shows: milliseconds since it would have shown 1970-01-01 00:00.
#[derive(Clone, Copy)]
pub(super) struct Wall(i64);

impl Wall {
    /// What the clock shows at an instant.
    pub(super) fn at(zone: Zone, at: Time) -> Self {
        Self((at + zone.offset(at)).0)
    }

    /// The day, counted from 1970-01-01.
    pub(super) fn date(self) -> i64 {
        self.0.div_euclid(DAY)
    }

    /// How far the hands have to go to the next day.
    pub(super) fn until_tomorrow(self) -> Span {
        Span(DAY - self.0.rem_euclid(DAY))
    }

    /// How far the hands have to go until the window is open; nothing inside it.
    pub(super) fn until_open(self, window: Window) -> Span {
        let (from, to) = (window.from.after_midnight().0, window.to.after_midnight().0);
        let ahead = (from - self.0).rem_euclid(DAY);
        let length = (to - from).rem_euclid(DAY);
        // The last opening was `DAY - ahead` ago.
        let inside = length == 0 || (DAY - ahead) % DAY < length;
        Span(if inside { 0 } else { ahead })
    }
}

/// The first instant in `[from, before)` at which `hands` have nowhere to go. `hands` says how far a steady
/// clock is from what is wanted, and never leads past the first instant at which it would show that.
pub(super) fn first(
    zone: Zone,
    from: Time,
    before: Time,
    hands: impl Fn(Wall) -> Span,
) -> Option<Time> {
    let mut at = from;
    while at < before {
        let way = hands(Wall::at(zone, at));
        if way == Span(0) {
            return Some(at);
        }
        let (goal, offset) = ((at + way).min(before), zone.offset(at));
        let mut steady = at;
        while steady < goal {
            let probe = (steady + PROBE).min(goal);
            if zone.offset(probe) != offset {
                break;
            }
            steady = probe;
        }
        // Offsets change on whole minutes.
        at = if steady < goal { Time((steady.0.div_euclid(MINUTE) + 1) * MINUTE) } else { goal };
    }
    None
}
