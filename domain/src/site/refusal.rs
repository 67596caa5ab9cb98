//! Why the site refuses a command. One code per reason, for ever.

use crate::kernel::Time;
use thiserror::Error;

/// Why the site refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SiteRefusal {
    /// A limit outside 0…100.
    #[error("a limit is an integer from 0 to 100")]
    InvalidLimit,
    /// Hours outside 0…720.
    #[error("the release of unready seats is 0 (never) to 720 hours")]
    InvalidRelease,
    /// An outage that ends before it begins, or in the future.
    #[error("an outage begins before it ends, and has ended")]
    InvalidOutage,
    /// A part of it was made good before.
    #[error("an outage from {from} to {to} is known already; declare what is not covered yet")]
    OutageOverlaps {
        /// When the known one began.
        from: Time,
        /// When it ended.
        to: Time,
    },
    /// A wait outside 1…1440.
    #[error("the wait before a normal mail is 1 to 1440 minutes")]
    InvalidWait,
    /// A text that is too long, or has characters that show nothing or turn the writing.
    #[error("an announcement has at most 500 characters in one line, none of them invisible")]
    InvalidAnnouncement,
    /// Not an administrator's or the server's own command.
    #[error("this command is not yours to give")]
    NotAllowed,
}

impl SiteRefusal {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidLimit => "INVALID_LIMIT",
            Self::InvalidRelease => "INVALID_RELEASE",
            Self::InvalidOutage => "INVALID_OUTAGE",
            Self::OutageOverlaps { .. } => "OUTAGE_OVERLAPS",
            Self::InvalidWait => "INVALID_WAIT",
            Self::InvalidAnnouncement => "INVALID_ANNOUNCEMENT",
            Self::NotAllowed => "NOT_ALLOWED",
        }
    }
}
