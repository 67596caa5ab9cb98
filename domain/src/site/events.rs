//! What happened to the site: its events with their payloads and stored names. Decides nothing; stored names
//! and shapes are for ever.

use super::Outage;
use crate::kernel::{Event, MatchId, OutageId, PlayerId, Reason, Time};
use serde::{Deserialize, Serialize};

/// What happened to the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SiteEvent {
    /// The site began, with its first settings.
    Founded(Founded),
    /// Limits were set.
    LimitsSet(Limits),
    /// The release of unready seats was set.
    ReleaseSet(Release),
    /// An outage ended.
    OutageEnded(Outage),
    /// An outage was declared by hand.
    OutageDeclared(Declared),
    /// A running match was opened.
    Unsealed(Unsealing),
    /// A player became an administrator.
    AdminGranted(Administrator),
    /// A player is an administrator no longer.
    AdminRevoked(Administrator),
    /// The wait before normal turn mails was set.
    NormalMailWaitSet(NormalMailWait),
    /// The announcement was set, or taken away.
    AnnouncementSet(AnnouncementChange),
}

/// The first settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Founded {
    /// Full matches per player.
    pub full: u32,
    /// Takeovers per player.
    pub takeover: u32,
    /// Hours until unready seats are released; 0 = never.
    pub release_hours: u32,
}

/// Limits of concurrent matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Full matches per player.
    pub full: u32,
    /// Takeovers per player.
    pub takeover: u32,
    /// Why.
    pub reason: Reason,
}

/// The release of unready seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Hours; 0 = never.
    pub hours: u32,
    /// Why.
    pub reason: Reason,
}

/// An outage that an operator declared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declared {
    /// Names it in every deadline that it moves.
    pub outage: OutageId,
    /// When it began.
    pub from: Time,
    /// When it ended.
    pub to: Time,
    /// Why.
    pub reason: Reason,
}

/// A match opened while it runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsealing {
    /// Which match.
    pub match_id: MatchId,
    /// By whom, where it was a person with an account.
    pub by: Option<PlayerId>,
    /// Why.
    pub reason: Reason,
}

/// The wait before a normal turn mail.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NormalMailWait {
    /// For so many minutes a turn is on before a normal mail tells of it.
    pub minutes: u32,
    /// Why.
    pub reason: Reason,
}

/// A change of what the banner says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnouncementChange {
    /// The text, for everybody; absent = none.
    pub text: Option<String>,
    /// Why.
    pub reason: Reason,
}

/// Who is or was an administrator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Administrator {
    /// The player.
    pub player: PlayerId,
}

const FOUNDED: &str = "site.founded.v1";
const LIMITS_SET: &str = "site.limits_set.v1";
const RELEASE_SET: &str = "site.release_set.v1";
const OUTAGE_ENDED: &str = "site.outage_ended.v1";
const OUTAGE_DECLARED: &str = "site.outage_declared.v1";
const UNSEALED: &str = "site.unsealed.v1";
const ADMIN_GRANTED: &str = "site.admin_granted.v1";
const ADMIN_REVOKED: &str = "site.admin_revoked.v1";
const NORMAL_MAIL_WAIT_SET: &str = "site.normal_mail_wait_set.v1";
const ANNOUNCEMENT_SET: &str = "site.announcement_set.v1";

impl SiteEvent {
    /// Every stored name.
    pub const NAMES: &'static [&'static str] = &[
        FOUNDED,
        LIMITS_SET,
        RELEASE_SET,
        OUTAGE_ENDED,
        OUTAGE_DECLARED,
        UNSEALED,
        ADMIN_GRANTED,
        ADMIN_REVOKED,
        NORMAL_MAIL_WAIT_SET,
        ANNOUNCEMENT_SET,
    ];

    /// Why it was done, where a person or an operator said so.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::LimitsSet(part) => Some(&part.reason),
            Self::ReleaseSet(part) => Some(&part.reason),
            Self::OutageDeclared(part) => Some(&part.reason),
            Self::Unsealed(part) => Some(&part.reason),
            Self::NormalMailWaitSet(part) => Some(&part.reason),
            Self::AnnouncementSet(part) => Some(&part.reason),
            Self::Founded(_)
            | Self::OutageEnded(_)
            | Self::AdminGranted(_)
            | Self::AdminRevoked(_) => None,
        }
    }
}

impl Event for SiteEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Founded(_) => FOUNDED,
            Self::LimitsSet(_) => LIMITS_SET,
            Self::ReleaseSet(_) => RELEASE_SET,
            Self::OutageEnded(_) => OUTAGE_ENDED,
            Self::OutageDeclared(_) => OUTAGE_DECLARED,
            Self::Unsealed(_) => UNSEALED,
            Self::AdminGranted(_) => ADMIN_GRANTED,
            Self::AdminRevoked(_) => ADMIN_REVOKED,
            Self::NormalMailWaitSet(_) => NORMAL_MAIL_WAIT_SET,
            Self::AnnouncementSet(_) => ANNOUNCEMENT_SET,
        }
    }

    fn encode<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Founded(part) => part.serialize(serializer),
            Self::LimitsSet(part) => part.serialize(serializer),
            Self::ReleaseSet(part) => part.serialize(serializer),
            Self::OutageEnded(part) => part.serialize(serializer),
            Self::OutageDeclared(part) => part.serialize(serializer),
            Self::Unsealed(part) => part.serialize(serializer),
            Self::AdminGranted(part) | Self::AdminRevoked(part) => part.serialize(serializer),
            Self::NormalMailWaitSet(part) => part.serialize(serializer),
            Self::AnnouncementSet(part) => part.serialize(serializer),
        }
    }

    fn decode<'de, D: serde::Deserializer<'de>>(
        name: &str,
        deserializer: D,
    ) -> Option<Result<Self, D::Error>> {
        Some(match name {
            FOUNDED => Founded::deserialize(deserializer).map(Self::Founded),
            LIMITS_SET => Limits::deserialize(deserializer).map(Self::LimitsSet),
            RELEASE_SET => Release::deserialize(deserializer).map(Self::ReleaseSet),
            OUTAGE_ENDED => Outage::deserialize(deserializer).map(Self::OutageEnded),
            OUTAGE_DECLARED => Declared::deserialize(deserializer).map(Self::OutageDeclared),
            UNSEALED => Unsealing::deserialize(deserializer).map(Self::Unsealed),
            ADMIN_GRANTED => Administrator::deserialize(deserializer).map(Self::AdminGranted),
            ADMIN_REVOKED => Administrator::deserialize(deserializer).map(Self::AdminRevoked),
            NORMAL_MAIL_WAIT_SET => {
                NormalMailWait::deserialize(deserializer).map(Self::NormalMailWaitSet)
            }
            ANNOUNCEMENT_SET => {
                AnnouncementChange::deserialize(deserializer).map(Self::AnnouncementSet)
            }
            _ => return None,
        })
    }
}
