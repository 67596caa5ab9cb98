//! One running clock of a match that concerns the person, and what was said about it. It ends with the
//! turn, and everything known of it with it.

use super::mail::TurnRef;
use crate::kernel::{MatchId, Span, Time};
use crate::matches::events::TurnKind;
use serde::{Deserialize, Serialize};

/// The time before a deadline that deadline mails speak of.
pub(super) const LAST_HOUR: Span = Span::hours(1);

/// A turn of the person's own, or the takeover wait of a match ([`TurnKind::Vacant`]).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Clock {
    pub(super) turn: u32,
    pub(super) kind: TurnKind,
    pub(super) since: Time,
    pub(super) deadline: Time,
    /// The person had this very turn open before the eyes.
    pub(super) seen: bool,
    /// A mail has listed it.
    pub(super) told: bool,
    /// A mail has listed it as in its last hour.
    pub(super) told_last_hour: bool,
    /// Marks of notices up to here are dealt with.
    pub(super) noticed: Time,
}

impl Clock {
    /// A clock that starts. A mark at the start itself still counts, hence the millisecond.
    pub(super) fn new(turn: u32, kind: TurnKind, since: Time, deadline: Time) -> Self {
        let noticed = since - Span(1);
        Self {
            turn,
            kind,
            since,
            deadline,
            seen: false,
            told: false,
            told_last_hour: false,
            noticed,
        }
    }

    /// The turn's name in mails and notices.
    pub(super) fn name(&self, match_id: MatchId) -> TurnRef {
        TurnRef { match_id, turn: self.turn }
    }

    /// The person is on turn; a takeover wait is nobody's turn.
    pub(super) fn is_turn(&self) -> bool {
        self.kind != TurnKind::Vacant
    }

    /// The first instant of the last hour.
    pub(super) fn last_hour(&self) -> Time {
        self.deadline - LAST_HOUR
    }

    /// `at` lies in the last hour. From the deadline on there is nothing left to remind of, even when the
    /// time-out comes a little later.
    pub(super) fn in_last_hour(&self, at: Time) -> bool {
        self.last_hour() <= at && at < self.deadline
    }

    /// The deadline moves: what lies ahead again is armed again.
    pub(super) fn move_deadline(&mut self, deadline: Time, at: Time) {
        self.deadline = deadline;
        if at < self.last_hour() {
            self.told_last_hour = false;
        }
        self.noticed = self.noticed.at_least(at - Span(1));
    }
}
