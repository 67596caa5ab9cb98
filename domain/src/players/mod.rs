//! Players, as far as the log knows them: opaque ids, and what they have earned. No personal data: names
//! and addresses live in erasable tables.

pub mod nickname;
mod record;

pub use record::{Record, tally};

use crate::kernel::{Actor, Claim, Ctx, Dated, Decider, Event};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The aggregate of one player.
pub struct Player;

/// What decisions about a player read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerState {
    /// The player exists.
    pub registered: bool,
}

/// What may be asked of a player's stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerCommand {
    /// Notes a new account. A repeat changes nothing.
    Register,
}

/// What happened to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerEvent {
    /// The account was made.
    Registered(Registered),
}

/// A new account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registered {
    /// A house player of development mode; never counted.
    pub house: bool,
}

/// Why a player's stream refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayerRefusal {
    /// Only the server registers players.
    #[error("this command is not yours to give")]
    NotAllowed,
}

const REGISTERED: &str = "player.registered.v1";

impl PlayerEvent {
    /// Every stored name.
    pub const NAMES: &'static [&'static str] = &[REGISTERED];
}

impl Event for PlayerEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Registered(_) => REGISTERED,
        }
    }

    fn encode<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Registered(part) => part.serialize(serializer),
        }
    }

    fn decode<'de, D: serde::Deserializer<'de>>(
        name: &str,
        deserializer: D,
    ) -> Option<Result<Self, D::Error>> {
        match name {
            REGISTERED => Some(Registered::deserialize(deserializer).map(Self::Registered)),
            _ => None,
        }
    }
}

impl Decider for Player {
    const CATEGORY: &'static str = "player";
    type State = PlayerState;
    type Command = PlayerCommand;
    type Event = PlayerEvent;
    type Refusal = PlayerRefusal;

    fn decide(
        state: &PlayerState,
        command: &PlayerCommand,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<PlayerEvent>, PlayerRefusal> {
        match (command, ctx.actor) {
            (PlayerCommand::Register, Actor::Player(_) | Actor::House(_)) if state.registered => {
                Ok(Vec::new())
            }
            (PlayerCommand::Register, Actor::Player(_)) => {
                Ok(vec![PlayerEvent::Registered(Registered { house: false })])
            }
            (PlayerCommand::Register, Actor::House(_)) => {
                Ok(vec![PlayerEvent::Registered(Registered { house: true })])
            }
            (PlayerCommand::Register, _) => Err(PlayerRefusal::NotAllowed),
        }
    }

    fn evolve(state: &mut PlayerState, event: &Dated<PlayerEvent>) {
        match &event.event {
            PlayerEvent::Registered(_) => state.registered = true,
        }
    }

    fn claims(_event: &PlayerEvent) -> Vec<Claim> {
        Vec::new()
    }
}
