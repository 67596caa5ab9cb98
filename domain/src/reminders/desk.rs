//! What a person's reminders depend on, and how what happens changes it. Judges nothing: see the planner.

use super::clock::Clock;
use super::history::History;
use super::mail::{Mail, TurnRef};
use super::settings::{Mode, Settings};
use crate::kernel::{MatchId, Time};
use crate::matches::events::TurnKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What concerns one person's reminders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A turn of the person's own begins, or the takeover wait ([`TurnKind::Vacant`]) of a match in which
    /// the person sits or is a candidate. Whatever ran in that match is over.
    Started {
        /// The match.
        match_id: MatchId,
        /// The number of its turn.
        turn: u32,
        /// Which clock runs.
        kind: TurnKind,
        /// When it runs out.
        deadline: Time,
    },
    /// It is over, or no longer concerns the person: moved, skipped, left, taken over, match ended …
    Ended {
        /// The match.
        match_id: MatchId,
    },
    /// The person's own turn ran out of time.
    TimedOut {
        /// The match.
        match_id: MatchId,
    },
    /// The person really had this turn before the eyes. Of another turn than the open one: no effect.
    Seen(TurnRef),
    /// An outage moved the deadline of what runs.
    DeadlineMoved {
        /// The match.
        match_id: MatchId,
        /// The new deadline.
        deadline: Time,
    },
    /// The person's settings from now on.
    SettingsChanged(Settings),
}

/// All that one person's reminders depend on, beside the administrator's wait; stored as it is. Holds
/// nothing personal but the settings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Desk {
    pub(super) settings: Settings,
    /// What runs: at most one clock of a match.
    pub(super) clocks: BTreeMap<MatchId, Clock>,
    /// Turns that ran out and were not told, by match.
    pub(super) time_outs: BTreeMap<MatchId, u32>,
    pub(super) history: History,
}

impl Desk {
    /// The desk of somebody who has these settings and sits nowhere.
    pub fn new(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// The settings of now.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The clocks that run, by what was noted so far: own turns and takeover waits.
    pub fn running(&self) -> impl Iterator<Item = TurnRef> {
        self.clocks.iter().map(|(&match_id, clock)| clock.name(match_id))
    }

    /// Whether this very clock runs, by what was noted so far.
    pub fn runs(&self, turn: TurnRef) -> bool {
        self.clocks.get(&turn.match_id).is_some_and(|clock| clock.turn == turn.turn)
    }

    /// Notes what happened at `at`. Everything of an instant is noted, in its order, before anybody looks
    /// at that instant; and looks that were due before it come first.
    pub fn note(&mut self, at: Time, happening: Happening) {
        match happening {
            Happening::Started { match_id, turn, kind, deadline } => {
                self.clocks.insert(match_id, Clock::new(turn, kind, at, deadline));
            }
            Happening::Ended { match_id } => {
                self.clocks.remove(&match_id);
            }
            Happening::TimedOut { match_id } => {
                if let Some(clock) = self.clocks.remove(&match_id)
                    && clock.is_turn()
                    && self.settings.mode != Mode::Off
                {
                    self.time_outs.insert(match_id, clock.turn);
                }
            }
            Happening::Seen(turn) => {
                let open = self.clocks.get_mut(&turn.match_id);
                if let Some(clock) = open.filter(|clock| clock.turn == turn.turn) {
                    clock.seen = true;
                }
            }
            Happening::DeadlineMoved { match_id, deadline } => {
                if let Some(clock) = self.clocks.get_mut(&match_id) {
                    clock.move_deadline(deadline, at);
                }
            }
            Happening::SettingsChanged(settings) => {
                self.settings = settings;
                if settings.mode == Mode::Off {
                    self.time_outs.clear();
                }
            }
        }
    }

    /// What a mail lists is told.
    pub(super) fn tell(&mut self, mail: &Mail) {
        for &listed in mail.deadline.iter().chain(&mail.waiting) {
            if let Some(clock) = self.clocks.get_mut(&listed.match_id) {
                clock.told = true;
                clock.told_last_hour |= mail.deadline.contains(&listed);
            }
        }
        for listed in &mail.timed_out {
            self.time_outs.remove(&listed.match_id);
        }
    }

    /// The person's own turns.
    pub(super) fn turns(&self) -> impl Iterator<Item = (MatchId, &Clock)> {
        self.clocks.iter().filter(|(_, clock)| clock.is_turn()).map(|(&id, clock)| (id, clock))
    }
}
