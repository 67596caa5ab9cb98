//! The events of a player. They are for ever: a changed shape is a new name. Must not hold personal data:
//! who a player is stands in erasable tables.

use crate::kernel::{Event, Reason};
use serde::{Deserialize, Serialize};

/// What happened to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerEvent {
    /// The account was made.
    Registered(Registered),
    /// The player may not play for now.
    Suspended(StandingChange),
    /// The player may play again.
    Reinstated(StandingChange),
    /// An administrator gave or took points.
    PointsAdjusted(Adjustment),
    /// The account is gone; the id stays where it stands.
    Deleted(Deletion),
}

/// A new account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registered {
    /// A house player of development mode; never counted.
    pub house: bool,
}

/// A change of a player's standing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingChange {
    /// Why.
    pub reason: Reason,
}

/// Points given or taken by an administrator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjustment {
    /// How many; never 0.
    pub points: i32,
    /// Why.
    pub reason: Reason,
}

/// The end of an account. Says nothing more: there is nothing to remember.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deletion {}

const REGISTERED: &str = "player.registered.v1";
const SUSPENDED: &str = "player.suspended.v1";
const REINSTATED: &str = "player.reinstated.v1";
const POINTS_ADJUSTED: &str = "player.points_adjusted.v1";
const DELETED: &str = "player.deleted.v1";

impl PlayerEvent {
    /// Every stored name.
    pub const NAMES: &'static [&'static str] =
        &[REGISTERED, SUSPENDED, REINSTATED, POINTS_ADJUSTED, DELETED];

    /// Why it was done, where an administrator said so.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Suspended(part) | Self::Reinstated(part) => Some(&part.reason),
            Self::PointsAdjusted(part) => Some(&part.reason),
            Self::Registered(_) | Self::Deleted(_) => None,
        }
    }
}

impl Event for PlayerEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Registered(_) => REGISTERED,
            Self::Suspended(_) => SUSPENDED,
            Self::Reinstated(_) => REINSTATED,
            Self::PointsAdjusted(_) => POINTS_ADJUSTED,
            Self::Deleted(_) => DELETED,
        }
    }

    fn encode<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Registered(part) => part.serialize(serializer),
            Self::Suspended(part) | Self::Reinstated(part) => part.serialize(serializer),
            Self::PointsAdjusted(part) => part.serialize(serializer),
            Self::Deleted(part) => part.serialize(serializer),
        }
    }

    fn decode<'de, D: serde::Deserializer<'de>>(
        name: &str,
        deserializer: D,
    ) -> Option<Result<Self, D::Error>> {
        Some(match name {
            REGISTERED => Registered::deserialize(deserializer).map(Self::Registered),
            SUSPENDED => StandingChange::deserialize(deserializer).map(Self::Suspended),
            REINSTATED => StandingChange::deserialize(deserializer).map(Self::Reinstated),
            POINTS_ADJUSTED => Adjustment::deserialize(deserializer).map(Self::PointsAdjusted),
            DELETED => Deletion::deserialize(deserializer).map(Self::Deleted),
            _ => return None,
        })
    }
}
