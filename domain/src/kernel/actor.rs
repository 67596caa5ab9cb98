//! Who causes an event. Carries an opaque id at most.

use super::ids::PlayerId;
use serde::{Deserialize, Serialize};

/// The cause behind a command, as stored with each event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum Actor {
    /// A person with an account.
    Player(PlayerId),
    /// A house player of development mode.
    House(PlayerId),
    /// A person acting as administrator.
    Admin(PlayerId),
    /// A deadline that ran out.
    Timer,
    /// The server itself (outages, retention, set-up).
    System,
}

impl Actor {
    /// The player behind the actor, where there is one.
    pub fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Player(id) | Self::House(id) | Self::Admin(id) => Some(*id),
            Self::Timer | Self::System => None,
        }
    }
}
