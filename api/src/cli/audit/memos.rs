//! The commands that a store remembers, against the events that they caused: each of the last days must be there, and
//! fit its event. Must not print what was asked.

use super::Report;
use super::claims::id_of;
use std::collections::HashMap;
use yibu_domain::kernel::{CommandId, PlayerId, Span, Time};
use yibu_domain::matches::{Match, MatchEvent};
use yibu_infrastructure::executor::{RESULT, recorded_inputs};
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::custody::KeptMemo;
use yibu_infrastructure::log::port::{EventLog, MEMO_DAYS, ReadError, Remembered, Stored};
use yibu_infrastructure::system::{Clock, SystemClock};

/// An account's own name for a command.
type Key = (PlayerId, CommandId);

/// What a command caused.
struct Caused {
    stream: String,
    version: u64,
    position: u64,
    recorded: Time,
    /// What the hash of its input may be, where its events tell.
    inputs: Option<Vec<[u8; 32]>>,
}

/// The commands of the last days, as the events tell of them.
pub(super) struct Commands {
    /// What was recorded up to here is remembered no longer.
    since: Time,
    /// The latest instant that the log knows.
    latest: Time,
    caused: HashMap<Key, Caused>,
}

impl Commands {
    /// None yet.
    pub(super) fn new() -> Self {
        let since = forgotten(SystemClock::new().now());
        Self { since, latest: since, caused: HashMap::new() }
    }

    /// Takes an event in, in the log's order. `whole`: its payload is there.
    pub(super) fn take(&mut self, event: &Stored, whole: bool) {
        self.latest = self.latest.at_least(event.recorded);
        let stamp = &event.stamp;
        let Some(key) = stamp.actor.player().zip(stamp.command_id) else { return };
        if event.recorded <= self.since {
            return;
        }
        let (stream, recorded) = (&event.stream, event.recorded);
        if let Some(caused) = self.caused.get_mut(&key)
            && (&caused.stream, caused.recorded) == (stream, recorded)
            && caused.version + 1 == event.version
        {
            (caused.version, caused.position) = (event.version, event.position);
            return;
        }
        let inputs = if whole { inputs(event) } else { None };
        let (stream, version, position) = (stream.clone(), event.version, event.position);
        self.caused.insert(key, Caused { stream, version, position, recorded, inputs });
    }

    /// Holds what the store remembers against it. To be asked while the log stands still.
    pub(super) async fn check(
        &self,
        log: &dyn EventLog,
        memos: Vec<KeptMemo>,
        report: &mut Report,
    ) -> Result<(), ReadError> {
        let mut remembered: HashMap<Key, KeptMemo> = HashMap::new();
        for memo in memos {
            let key = (memo.remembered.memo.account, memo.remembered.memo.id);
            if let Some(KeptMemo { remembered, .. }) = remembered.insert(key, memo) {
                say(&remembered, key, "is remembered more than once", report);
            }
        }
        // By the latest clock of all: whoever forgets a command goes by his own.
        let beat = match log.last_beat().await {
            Err(error @ ReadError::Failed(_)) => {
                report.problem("heartbeats", None, error);
                None
            }
            beat => beat?,
        };
        let beat = beat.unwrap_or(self.since);
        let now = SystemClock::new().now().at_least(self.latest).at_least(beat);
        let since = forgotten(now);
        let mut caused: Vec<_> = self.caused.iter().collect();
        caused.sort_by_key(|(_, caused)| caused.position);
        for (key, caused) in caused {
            match remembered.remove(key) {
                Some(memo) => {
                    report.commands += 1;
                    if let Some(problem) = caused.differs(&memo) {
                        caused.say(*key, problem, report);
                    }
                }
                None if caused.recorded > since => {
                    let problem = "is not remembered, though it is less than 7 days old";
                    caused.say(*key, problem, report);
                }
                None => {}
            }
        }
        let mut left: Vec<_> = remembered.into_iter().collect();
        left.retain(|(_, memo)| memo.recorded > since);
        left.sort_by_key(|(_, memo)| memo.remembered.position);
        for (key, KeptMemo { remembered, .. }) in left {
            let problem = "is remembered, but no event of the log tells of it";
            say(&remembered, key, problem, report);
        }
        Ok(())
    }
}

impl Caused {
    fn say(&self, key: Key, problem: &str, report: &mut Report) {
        let Self { stream, version, position, .. } = self;
        report.row(stream, *version, *position, words(key, problem));
    }

    /// What of a memo does not fit.
    fn differs(&self, KeptMemo { remembered, recorded }: &KeptMemo) -> Option<&'static str> {
        let place = (&remembered.stream, remembered.version, remembered.position);
        let inputs = self.inputs.as_ref();
        if place != (&self.stream, self.version, self.position) {
            Some("is remembered at another place than its events have")
        } else if *recorded != self.recorded {
            Some("is remembered with another time than its events have")
        } else if remembered.memo.result != RESULT {
            Some("is remembered with another result than its events have")
        } else if inputs.is_some_and(|inputs| !inputs.contains(&remembered.memo.input)) {
            Some("is remembered with the hash of another input than its events name")
        } else {
            None
        }
    }
}

/// Names a memo where it says that its events are.
fn say(memo: &Remembered, key: Key, problem: &str, report: &mut Report) {
    report.row(&memo.stream, memo.version, memo.position, words(key, problem));
}

fn words((account, id): Key, problem: &str) -> String {
    format!("command {id} of player {account} {problem}")
}

/// Events of matches alone name their commands.
fn inputs(event: &Stored) -> Option<Vec<[u8; 32]>> {
    id_of::<Match>(&event.stream)?;
    // One that cannot be decoded is said where claims are taken from it.
    let decoded = codec::decode::<MatchEvent>(event).ok()?;
    recorded_inputs(&event.stream, decoded.event.input()?).ok()
}

fn forgotten(now: Time) -> Time {
    now - Span::hours(24 * MEMO_DAYS)
}
