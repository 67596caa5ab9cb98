//! How a payload is split by who may see it. Redaction is structural: what feeds a viewer is built from
//! the parts that the viewer may have, and from nothing else.

use crate::games::siguo::seat::{Seat, Side};
use crate::matches::commands::MatchCommand;
use serde::{Deserialize, Serialize};

/// The part that an event does not have. Cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Nothing {}

/// A payload: `{public, side: {red, blue}, seat: {s, e, n, w}, secret}`, absent parts left out.
/// The type says which parts an event can have: public, one side's, one seat's, secret.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(
        serialize = "P: Serialize, D: Serialize, S: Serialize, X: Serialize",
        deserialize = "P: Deserialize<'de>, D: Deserialize<'de>, S: Deserialize<'de>, X: Deserialize<'de>"
    )
)]
pub struct Parts<P, D, S, X> {
    /// For every viewer of the match.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub public: Option<P>,
    /// For the persons of one side.
    #[serde(skip_serializing_if = "PerSide::is_empty", default)]
    pub side: PerSide<D>,
    /// For the person in one seat, in this tenure.
    #[serde(skip_serializing_if = "PerSeat::is_empty", default)]
    pub seat: PerSeat<S>,
    /// For audits, and for the complete replay after the end.
    #[serde(skip_serializing_if = "Secret::is_empty", default)]
    pub secret: Secret<X>,
}

fn none<T>() -> Option<T> {
    None
}

/// What only the log holds.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "X: Serialize", deserialize = "X: Deserialize<'de>")
)]
pub struct Secret<X> {
    /// The command as judged, chance filled in; on the first event of each decision. An audit decides it again.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub input: Option<Box<MatchCommand>>,
    /// The hidden facts.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub facts: Option<X>,
}

impl<X> Secret<X> {
    fn is_empty(&self) -> bool {
        self.input.is_none() && self.facts.is_none()
    }
}

impl<X> Default for Secret<X> {
    fn default() -> Self {
        Self { input: None, facts: None }
    }
}

/// At most one value per seat; absent ones are not written.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>")
)]
pub struct PerSeat<T> {
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    s: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    e: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    n: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    w: Option<T>,
}

impl<T> PerSeat<T> {
    /// The seat's part.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        match seat {
            Seat::S => self.s.as_ref(),
            Seat::E => self.e.as_ref(),
            Seat::N => self.n.as_ref(),
            Seat::W => self.w.as_ref(),
        }
    }

    /// Every part that is there.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::ALL.into_iter().filter_map(|seat| Some((seat, self.get(seat)?)))
    }

    /// Sets one seat's part.
    pub fn set(&mut self, seat: Seat, part: T) {
        let place = match seat {
            Seat::S => &mut self.s,
            Seat::E => &mut self.e,
            Seat::N => &mut self.n,
            Seat::W => &mut self.w,
        };
        *place = Some(part);
    }

    fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl<T> Default for PerSeat<T> {
    fn default() -> Self {
        Self { s: None, e: None, n: None, w: None }
    }
}

/// At most one value per side; absent ones are not written.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>")
)]
pub struct PerSide<T> {
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    red: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    blue: Option<T>,
}

impl<T> PerSide<T> {
    /// The side's part.
    pub fn get(&self, side: Side) -> Option<&T> {
        match side {
            Side::Red => self.red.as_ref(),
            Side::Blue => self.blue.as_ref(),
        }
    }

    fn is_empty(&self) -> bool {
        self.red.is_none() && self.blue.is_none()
    }
}

impl<T> Default for PerSide<T> {
    fn default() -> Self {
        Self { red: None, blue: None }
    }
}

impl<P, D, S, X> Default for Parts<P, D, S, X> {
    fn default() -> Self {
        Self {
            public: None,
            side: PerSide::default(),
            seat: PerSeat::default(),
            secret: Secret::default(),
        }
    }
}

/// Starting a payload from one part; the others are added with the `with_…` functions.
impl<P, D, S, X> Parts<P, D, S, X> {
    /// A payload that everybody may see.
    pub fn public(public: P) -> Self {
        Self { public: Some(public), ..Self::default() }
    }

    /// A payload for the persons of one side.
    pub fn of_side(side: Side, part: D) -> Self {
        Self::default().with_side(side, part)
    }

    /// A payload for the person in one seat.
    pub fn of_seat(seat: Seat, part: S) -> Self {
        Self::default().with_seat(seat, part)
    }

    /// A payload for nobody but the log.
    pub fn secret(facts: X) -> Self {
        Self::default().with_secret(facts)
    }

    /// Adds one side's part.
    #[must_use]
    pub fn with_side(mut self, side: Side, part: D) -> Self {
        match side {
            Side::Red => self.side.red = Some(part),
            Side::Blue => self.side.blue = Some(part),
        }
        self
    }

    /// Adds one seat's part.
    #[must_use]
    pub fn with_seat(mut self, seat: Seat, part: S) -> Self {
        self.seat.set(seat, part);
        self
    }

    /// Adds the hidden facts.
    #[must_use]
    pub fn with_secret(mut self, facts: X) -> Self {
        self.secret.facts = Some(facts);
        self
    }
}
