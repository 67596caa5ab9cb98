//! Players, as far as the log knows them: opaque ids, what administrators did about them, and what they have
//! earned. No personal data: names and addresses live in erasable tables.

mod events;
pub mod nickname;
mod record;

pub use events::{Adjustment, Deletion, PlayerEvent, Registered, StandingChange};
pub use record::{Record, tally};

use crate::kernel::{Actor, Claim, Ctx, Dated, Decider, Reason};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

/// The most points that one adjustment gives or takes.
const MOST_POINTS: i64 = 1_000;

/// The aggregate of one player.
pub struct Player;

/// What decisions about a player read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerState {
    /// The player exists.
    pub registered: bool,
    /// A house player of development mode; never counted.
    pub house: bool,
    /// May not play for now.
    pub suspended: bool,
    /// The account is gone for ever.
    pub deleted: bool,
}

/// What may be asked of a player's stream.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlayerCommand {
    /// Notes a new account. A repeat changes nothing.
    Register,
    /// Bars the player from playing. A repeat changes nothing. The seats are left by commands of their own.
    Suspend {
        /// Why.
        reason: Reason,
    },
    /// Lets the player play again. Who is not suspended stays as before.
    Reinstate {
        /// Why.
        reason: Reason,
    },
    /// Gives or takes points.
    AdjustPoints {
        /// How many: −1000 to 1000, not 0.
        points: i64,
        /// Why.
        reason: Reason,
    },
    /// Notes that the account is deleted. A repeat changes nothing.
    Delete,
}

/// Why a player's stream refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayerRefusal {
    /// Not an administrator's or the server's own command, or an administrator's about oneself.
    #[error("this command is not yours to give")]
    NotAllowed,
    /// Nobody was ever registered under this id, or the account is deleted.
    #[error("there is no such player")]
    PlayerNotFound,
    /// Points outside −1000…1000, or none at all.
    #[error("an adjustment is -1000 to 1000 points, and not 0")]
    InvalidPoints,
    /// House players are never counted, and there is nobody to bar.
    #[error("a house player has no points and cannot be suspended")]
    HousePlayer,
}

impl PlayerRefusal {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotAllowed => "NOT_ALLOWED",
            Self::PlayerNotFound => "PLAYER_NOT_FOUND",
            Self::InvalidPoints => "INVALID_POINTS",
            Self::HousePlayer => "HOUSE_PLAYER",
        }
    }
}

impl Decider for Player {
    const CATEGORY: &'static str = "player";
    type State = PlayerState;
    type Command = PlayerCommand;
    type Event = PlayerEvent;
    type Refusal = PlayerRefusal;

    /// Nobody sits in judgement over oneself.
    fn admit(id: Uuid, command: &PlayerCommand, actor: Actor) -> Result<(), PlayerRefusal> {
        match (command, actor) {
            (
                PlayerCommand::Suspend { .. } | PlayerCommand::AdjustPoints { .. },
                Actor::Admin(admin),
            ) if admin.0 == id => Err(PlayerRefusal::NotAllowed),
            _ => Ok(()),
        }
    }

    fn decide(
        state: &PlayerState,
        command: &PlayerCommand,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<PlayerEvent>, PlayerRefusal> {
        if let PlayerCommand::Register = command {
            let house = match ctx.actor {
                Actor::Player(_) => false,
                Actor::House(_) => true,
                Actor::Admin(_) | Actor::Timer | Actor::System => {
                    return Err(PlayerRefusal::NotAllowed);
                }
            };
            let event = PlayerEvent::Registered(Registered { house });
            return Ok(if state.registered { Vec::new() } else { vec![event] });
        }
        if !matches!(ctx.actor, Actor::Admin(_) | Actor::System) {
            return Err(PlayerRefusal::NotAllowed);
        }
        let deletes = matches!(command, PlayerCommand::Delete);
        if !state.registered || state.deleted && !deletes {
            return Err(PlayerRefusal::PlayerNotFound);
        }
        let event = match command {
            PlayerCommand::Suspend { .. } | PlayerCommand::AdjustPoints { .. } if state.house => {
                return Err(PlayerRefusal::HousePlayer);
            }
            PlayerCommand::Suspend { reason } => (!state.suspended)
                .then(|| PlayerEvent::Suspended(StandingChange { reason: reason.clone() })),
            PlayerCommand::Reinstate { reason } => state
                .suspended
                .then(|| PlayerEvent::Reinstated(StandingChange { reason: reason.clone() })),
            PlayerCommand::AdjustPoints { points, reason } => {
                let valid = (-MOST_POINTS..=MOST_POINTS).contains(points) && *points != 0;
                let points = i32::try_from(*points).ok().filter(|_| valid);
                let points = points.ok_or(PlayerRefusal::InvalidPoints)?;
                Some(PlayerEvent::PointsAdjusted(Adjustment { points, reason: reason.clone() }))
            }
            PlayerCommand::Delete => (!state.deleted).then_some(PlayerEvent::Deleted(Deletion {})),
            PlayerCommand::Register => None,
        };
        Ok(event.into_iter().collect())
    }

    fn evolve(state: &mut PlayerState, event: &Dated<PlayerEvent>) {
        match &event.event {
            PlayerEvent::Registered(part) => {
                state.registered = true;
                state.house = part.house;
            }
            PlayerEvent::Suspended(_) => state.suspended = true,
            PlayerEvent::Reinstated(_) => state.suspended = false,
            PlayerEvent::PointsAdjusted(_) => {}
            PlayerEvent::Deleted(_) => state.deleted = true,
        }
    }

    fn claims(_event: &PlayerEvent) -> Vec<Claim> {
        Vec::new()
    }
}
