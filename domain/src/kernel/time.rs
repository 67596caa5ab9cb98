//! Server time as whole milliseconds. Nothing here reads a clock: an instant always comes in from outside.

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};

/// An instant: milliseconds since 1970-01-01T00:00:00Z.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub i64);

/// A length of time in milliseconds.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Span(pub i64);

impl Span {
    /// So many whole seconds.
    pub const fn seconds(seconds: i64) -> Self {
        Self(seconds * 1000)
    }

    /// So many whole hours.
    pub const fn hours(hours: i64) -> Self {
        Self::seconds(hours * 3600)
    }
}

/// As operators read it: the two largest units, or milliseconds below a second.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let millis = self.0.unsigned_abs();
        let seconds = millis / 1000;
        match seconds {
            0 => write!(f, "{millis} ms"),
            1..60 => write!(f, "{seconds} s"),
            60..3600 => write!(f, "{} min {} s", seconds / 60, seconds % 60),
            _ => write!(f, "{} h {} min", seconds / 3600, seconds / 60 % 60),
        }
    }
}

/// RFC 3339 in UTC, in whole seconds where it is one: as operators read and write it.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::from_timestamp_millis(self.0) {
            Some(at) => f.write_str(&at.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
            None => write!(f, "{} ms", self.0),
        }
    }
}

impl Time {
    /// The later of two instants.
    #[must_use]
    pub fn at_least(self, other: Self) -> Self {
        self.max(other)
    }
}

impl Add<Span> for Time {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, other: Self) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_and_lengths_are_read_by_people() {
        assert_eq!(Time(1_785_434_400_000).to_string(), "2026-07-30T18:00:00Z");
        assert_eq!(Time(1_785_434_400_250).to_string(), "2026-07-30T18:00:00.250Z");
        let lengths =
            [(0, "0 ms"), (-250, "-250 ms"), (59_999, "59 s"), (3_599_000, "59 min 59 s")];
        for (millis, text) in lengths {
            assert_eq!(Span(millis).to_string(), text);
        }
        assert_eq!(Span(16 * 3_600_000 + 68_000).to_string(), "16 h 1 min");
    }
}
