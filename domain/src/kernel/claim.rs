//! Rules that span streams, stated as claims. A deciding stream derives them from its events; the log
//! checks and changes them inside the commit that stores those events. Must not hold anything that the
//! log could not rebuild from the events.

use super::ids::PlayerId;
use serde::{Deserialize, Serialize};

/// What is counted per player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counter {
    /// Active seats in matches joined before their start.
    Full,
    /// Active seats taken over.
    Takeover,
}

impl Counter {
    /// The stored name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Takeover => "takeover",
        }
    }
}

/// One cross-stream condition or change of a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// One more of `counter` for the player; refused when that would pass the limit of now.
    Take {
        /// What is counted.
        counter: Counter,
        /// Whose.
        player: PlayerId,
    },
    /// One less of `counter` for the player. Always granted.
    Release {
        /// What is counted.
        counter: Counter,
        /// Whose.
        player: PlayerId,
    },
    /// Only asks whether one more would be granted now; changes nothing.
    Room {
        /// What is counted.
        counter: Counter,
        /// Whose.
        player: PlayerId,
    },
    /// This key may be claimed once, ever.
    Unique {
        /// The key, for instance `chance/{match}/{player}`.
        key: String,
    },
    /// Sets the limit of a counter for everybody from now on.
    Limit {
        /// Which counter.
        counter: Counter,
        /// The most that a player may hold.
        most: u32,
    },
}

/// The limit of either counter until a `site` event sets another (seed: 默认各 5 局).
pub const DEFAULT_LIMIT: u32 = 5;
