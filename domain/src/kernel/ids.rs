//! Opaque identities. They are made elsewhere (no generator in this crate) and say nothing: no time,
//! no order, no seat. Must not grow conversions between each other.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

id! {
    /// One match (棋局), for its whole life.
    MatchId
}
id! {
    /// One player account or house player; the only trace of a person in the log.
    PlayerId
}
id! {
    /// One recorded event; drawn anew for each decided attempt.
    EventId
}
id! {
    /// One command as its sender named it (the idempotency key); unique per account.
    CommandId
}
id! {
    /// One stretch of time in which no node could serve.
    OutageId
}
