//! Server time as whole milliseconds. Nothing here reads a clock: an instant always comes in from outside.

use serde::{Deserialize, Serialize};
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
