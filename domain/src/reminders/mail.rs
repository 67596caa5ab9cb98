//! What a turn mail says: its kind and three lists. Words, addresses and sending are elsewhere.

use crate::kernel::{MatchId, Time};
use serde::{Deserialize, Serialize};

/// A turn by its number, which counts on through all clocks of a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRef {
    /// The match.
    pub match_id: MatchId,
    /// The number of its turn.
    pub turn: u32,
}

/// What a mail is about above all. Only normal ones count for the two hours and the three a day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailKind {
    /// Turns wait.
    Normal,
    /// A turn is in its last hour, and no mail has said so.
    Deadline,
    /// A turn ran out of time.
    TimedOut,
}

/// A turn mail, true at the instant of planning. Each list is in the order of match ids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// What it is about.
    pub kind: MailKind,
    /// Own turns in their last hour, seen or not.
    pub deadline: Vec<TurnRef>,
    /// Other own turns that the person has not seen.
    pub waiting: Vec<TurnRef>,
    /// Time-outs that no mail has told.
    pub timed_out: Vec<TurnRef>,
}

/// What becomes of a mail that could not be delivered when it was planned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Retry {
    /// This goes instead: what is true now.
    Send(Mail),
    /// Not before this instant; then ask again.
    Hold(Time),
    /// Nothing that it told is so any more.
    Drop,
}
