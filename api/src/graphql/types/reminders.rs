//! The viewer's turn mails: settings, and what to expect. Must not decide when a mail goes.

use super::enums::{ReminderKind, ReminderMode};
use crate::graphql::ids::Global;
use crate::graphql::scalars::DateTime;
use async_graphql::{Enum, ID, SimpleObject};
use yibu_domain::reminders::{Mail, Settings, TurnRef, Upcoming};

/// What the viewer has set about turn mails (走棋邮件). Codes and security mails go whatever is set.
#[derive(SimpleObject)]
pub struct ReminderSettings {
    /// Which mails.
    pub mode: ReminderMode,
    /// The first minute of the receiving window on the viewer's wall clock, `HH:MM`.
    pub from: String,
    /// The first minute after it, `HH:MM`. The same as `from`: all day. Earlier than `from`: over midnight.
    pub to: String,
    /// The time zone of that wall clock, by its IANA name.
    pub zone: String,
}

impl From<Settings> for ReminderSettings {
    fn from(settings: Settings) -> Self {
        Self {
            mode: settings.mode.into(),
            from: settings.window.from.to_string(),
            to: settings.window.to.to_string(),
            zone: settings.zone.to_string(),
        }
    }
}

/// A mail that will go if nothing else happens.
#[derive(SimpleObject)]
pub struct UpcomingReminder {
    /// When.
    pub at: DateTime,
    /// What it is about above all.
    pub kind: ReminderKind,
    /// The turns that it will list.
    pub matches: Vec<ReminderTurn>,
}

/// A turn that a mail lists.
#[derive(SimpleObject)]
pub struct ReminderTurn {
    /// The match.
    pub match_id: ID,
    /// The ordinal of the turn's clock in the match.
    pub turn: u32,
    /// Why it is listed.
    pub reason: ReminderReason,
}

/// Why a mail lists a turn.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReminderReason {
    /// It waits, and the viewer has not seen it.
    Waiting,
    /// Less than an hour is left.
    LastHour,
    /// It ran out of time.
    TimedOut,
}

impl From<Upcoming> for UpcomingReminder {
    fn from(Upcoming { at, mail }: Upcoming) -> Self {
        let Mail { kind, deadline, waiting, timed_out } = mail;
        let listed = |turns: Vec<TurnRef>, reason| {
            turns.into_iter().map(move |turn| ReminderTurn {
                match_id: Global::Match(turn.match_id).id(),
                turn: turn.turn,
                reason,
            })
        };
        let matches = listed(deadline, ReminderReason::LastHour)
            .chain(listed(waiting, ReminderReason::Waiting))
            .chain(listed(timed_out, ReminderReason::TimedOut));
        Self { at: DateTime(at), kind: kind.into(), matches: matches.collect() }
    }
}
