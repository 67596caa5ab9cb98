//! When turn mails went, as far as limits ask. Changed settings forget nothing of it.

use super::settings::Zone;
use super::wall::Wall;
use crate::kernel::{Span, Time};
use serde::{Deserialize, Serialize};

/// Between any two turn mails.
const GAP: Span = Span::seconds(15 * 60);

/// Between two normal mails.
const NORMAL_GAP: Span = Span::hours(2);

/// Normal mails on one day of the person's wall clock.
const MOST_A_DAY: usize = 3;

/// Longer than any local day, one that a zone lives through twice included.
const KEPT: Span = Span::hours(72);

/// The sent history of one person.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct History {
    last: Option<Time>,
    /// Normal mails in order, the older ones forgotten.
    normals: Vec<Time>,
}

impl History {
    /// Notes a mail.
    pub(super) fn note(&mut self, at: Time, normal: bool) {
        self.last = Some(at);
        if normal {
            self.normals.retain(|&old| at - old < KEPT);
            self.normals.push(at);
        }
    }

    /// The first instant from `now` on that is far enough from the last mail.
    pub(super) fn any_from(&self, now: Time) -> Time {
        self.last.map_or(now, |last| now.at_least(last + GAP))
    }

    /// The first instant from `now` on that is far enough from the last mails for a normal one.
    pub(super) fn normal_from(&self, now: Time) -> Time {
        let any = self.any_from(now);
        self.normals.last().map_or(any, |&last| any.at_least(last + NORMAL_GAP))
    }

    /// The days of the zone that can take no further normal mail. The zone is that of now: who moves
    /// takes the history along.
    pub(super) fn full_days(&self, zone: Zone) -> Vec<i64> {
        let days: Vec<i64> = self.normals.iter().map(|&at| Wall::at(zone, at).date()).collect();
        let count = |day: i64| days.iter().filter(|&&other| other == day).count();
        days.iter().copied().filter(|&day| count(day) >= MOST_A_DAY).collect()
    }
}
