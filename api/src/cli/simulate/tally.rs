//! Counts and times of a simulation.

use super::api::View;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// More leaks than these are only counted.
const MOST_LEAKS: usize = 20;

/// The running count.
pub(super) struct Tally {
    begun: Instant,
    counts: Mutex<Counts>,
    ended: watch::Sender<u64>,
}

#[derive(Default)]
struct Counts {
    ended: HashSet<String>,
    moves: Vec<Duration>,
    commands: BTreeMap<&'static str, u64>,
    refusals: BTreeMap<String, u64>,
    outcomes: BTreeMap<String, u64>,
    views: u64,
    retries: u64,
    leaks: Vec<String>,
}

/// What a simulation came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// What decided the players' choices.
    pub seed: u64,
    /// Matches that were settled.
    pub matches: u64,
    /// Moves that were acknowledged.
    pub moves: u64,
    /// Commands that were acknowledged, by kind.
    pub commands: BTreeMap<&'static str, u64>,
    /// Refusals by code.
    pub refusals: BTreeMap<String, u64>,
    /// Requests that were sent again because their answer did not come.
    pub retries: u64,
    /// How the matches ended.
    pub outcomes: BTreeMap<String, u64>,
    /// How long it took.
    pub seconds: f64,
    /// Acknowledged moves a second.
    pub moves_per_second: f64,
    /// Half of the moves were acknowledged within so many milliseconds.
    pub p50_ms: f64,
    /// 95 of 100 were.
    pub p95_ms: f64,
    /// Views that were searched for hidden pieces.
    pub views: u64,
    /// The first pieces that were shown and must not be; empty in a good server.
    pub leaks: Vec<String>,
    /// Why it ended before every match did, where it did.
    pub stopped: Option<String>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { begun: Instant::now(), counts: Mutex::default(), ended: watch::Sender::new(0) }
    }
}

impl Tally {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many matches have ended, now and from now on.
    pub(super) fn count(&self) -> watch::Receiver<u64> {
        self.ended.subscribe()
    }

    /// A command was acknowledged after `took`.
    pub(super) fn acknowledged(&self, kind: &'static str, took: Duration) {
        let mut counts = self.counts();
        *counts.commands.entry(kind).or_default() += 1;
        if kind == "move" {
            counts.moves.push(took);
        }
    }

    pub(super) fn refused(&self, code: &str) {
        *self.counts().refusals.entry(code.to_owned()).or_default() += 1;
    }

    pub(super) fn retried(&self, retries: u64) {
        self.counts().retries += retries;
    }

    /// A view was searched.
    pub(super) fn looked(&self, leaks: Vec<String>) {
        let mut counts = self.counts();
        counts.views += 1;
        let room = MOST_LEAKS.saturating_sub(counts.leaks.len());
        counts.leaks.extend(leaks.into_iter().take(room));
    }

    /// A match has ended; each is counted once.
    pub(super) fn ended(&self, view: &View) {
        let mut counts = self.counts();
        if !counts.ended.insert(view.id.clone()) {
            return;
        }
        let outcome = view.outcome.iter().flat_map(BTreeMap::values).flatten();
        let mut words: Vec<&str> = outcome.map(String::as_str).collect();
        words.sort_unstable();
        *counts.outcomes.entry(words.join(" ")).or_default() += 1;
        self.ended.send_replace(counts.ended.len() as u64);
    }

    pub(super) fn summary(&self, seed: u64, stopped: Option<String>) -> Summary {
        let mut counts = self.counts();
        counts.moves.sort_unstable();
        let seconds = self.begun.elapsed().as_secs_f64();
        let moves = counts.moves.len();
        let at = |share: usize| {
            let index = (moves * share / 100).min(moves.saturating_sub(1));
            counts.moves.get(index).map_or(0.0, |took| took.as_secs_f64() * 1e3)
        };
        let (p50_ms, p95_ms) = (at(50), at(95));
        Summary {
            seed,
            matches: counts.ended.len() as u64,
            moves: moves as u64,
            commands: counts.commands.clone(),
            refusals: counts.refusals.clone(),
            retries: counts.retries,
            outcomes: counts.outcomes.clone(),
            seconds,
            moves_per_second: moves as f64 / seconds.max(f64::MIN_POSITIVE),
            p50_ms,
            p95_ms,
            views: counts.views,
            leaks: counts.leaks.clone(),
            stopped,
        }
    }
}

impl Summary {
    /// As lines for a person.
    pub fn lines(&self) -> Vec<String> {
        let list = |counts: Vec<(String, u64)>| {
            let words = counts.iter().map(|(what, count)| format!("{what} {count}"));
            words.collect::<Vec<_>>().join(", ")
        };
        let commands = self.commands.iter().map(|(kind, count)| ((*kind).to_owned(), *count));
        let mut lines = vec![
            format!("matches    {} in {:.1} s, seed {}", self.matches, self.seconds, self.seed),
            format!(
                "moves      {} ({:.0} a second; p50 {:.1} ms, p95 {:.1} ms)",
                self.moves, self.moves_per_second, self.p50_ms, self.p95_ms
            ),
            format!("commands   {}", list(commands.collect())),
            format!("refusals   {}", list(self.refusals.clone().into_iter().collect())),
            format!("outcomes   {}", list(self.outcomes.clone().into_iter().collect())),
            format!("views      {} searched, {} hidden pieces shown", self.views, self.leaks.len()),
        ];
        if self.retries > 0 {
            lines.push(format!("retries    {}", self.retries));
        }
        lines.extend(self.stopped.iter().map(|why| format!("STOPPED    {why}")));
        lines.extend(self.leaks.iter().map(|leak| format!("LEAK       {leak}")));
        lines
    }
}
