//! In-app notices that a clock causes by running: at four hours and at one hour left. They ask for no mode,
//! no window and no limit. Notices of what players do are made where that is recorded.

use super::clock::{Clock, LAST_HOUR};
use super::mail::TurnRef;
use crate::kernel::{Span, Time};
use crate::matches::events::TurnKind;
use serde::{Deserialize, Serialize};

const FOUR_HOURS: Span = Span::hours(4);

/// Which clock has how much left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoticeKind {
    /// The own turn, four hours.
    #[serde(rename = "turn_4h")]
    Turn4h,
    /// The own turn, one hour.
    #[serde(rename = "turn_1h")]
    Turn1h,
    /// The own first move after a takeover, one hour.
    #[serde(rename = "takeover_first_1h")]
    TakeoverFirst1h,
    /// The takeover wait, four hours.
    #[serde(rename = "takeover_wait_4h")]
    TakeoverWait4h,
    /// The takeover wait, one hour.
    #[serde(rename = "takeover_wait_1h")]
    TakeoverWait1h,
}

/// A notice to the person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// The clock that it speaks of.
    pub turn: TurnRef,
    /// What it says.
    pub kind: NoticeKind,
    /// When that clock runs out.
    pub deadline: Time,
}

/// How long before the deadline a clock gives notice, and which.
fn marks(kind: TurnKind) -> &'static [(Span, NoticeKind)] {
    match kind {
        TurnKind::Normal => &[(FOUR_HOURS, NoticeKind::Turn4h), (LAST_HOUR, NoticeKind::Turn1h)],
        TurnKind::TakeoverFirst => &[(LAST_HOUR, NoticeKind::TakeoverFirst1h)],
        TurnKind::Vacant => {
            &[(FOUR_HOURS, NoticeKind::TakeoverWait4h), (LAST_HOUR, NoticeKind::TakeoverWait1h)]
        }
    }
}

impl Clock {
    /// The notice that is due, noting it as given. Who looks late finds the latest one, as long as the
    /// clock runs.
    pub(super) fn notice(&mut self, now: Time) -> Option<NoticeKind> {
        let passed = |&&(left, _): &&(Span, NoticeKind)| {
            let mark = self.deadline - left;
            self.noticed < mark && mark <= now && now < self.deadline
        };
        let due = marks(self.kind).iter().rfind(passed).map(|&(_, kind)| kind);
        self.noticed = self.noticed.at_least(now);
        due
    }

    /// The next instant at which a notice is due.
    pub(super) fn next_notice(&self) -> Option<Time> {
        let ahead = marks(self.kind).iter().map(|&(left, _)| self.deadline - left);
        ahead.filter(|&mark| mark > self.noticed).min()
    }
}
