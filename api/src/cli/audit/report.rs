//! What an audit found: figures, notes and problems. Must not hold anything of a payload: identities and
//! seeds stay in the log.

use crate::cli::console::many;
use serde::Serialize;
use yibu_domain::kernel::visible;
use yibu_infrastructure::log::port::{Head, Stored};

/// More problems than these are only counted: the first are what matters.
const MOST: usize = 20;

/// Something that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The stream, or the table that is wrong.
    pub place: String,
    /// The event of the stream, where it is one event.
    pub version: Option<u64>,
    /// Where that event stands in the log.
    pub position: Option<u64>,
    /// What is wrong.
    pub problem: String,
}

/// The result of an audit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Events read.
    pub events: u64,
    /// Streams read.
    pub streams: u64,
    /// Matches among them.
    pub matches: u64,
    /// Decisions of matches that were decided again.
    pub decisions: u64,
    /// Fair draws that were checked.
    pub draws: u64,
    /// Draws whose result a test had ordered: not fair by design.
    pub ordered_draws: u64,
    /// Stored documents of matches that were compared with a fold of the log.
    pub documents: u64,
    /// Events that came out the same through the independent reader.
    pub independent: u64,
    /// Signed anchors that the log still holds.
    pub anchors: u64,
    /// Read models that were compared row for row with a fresh build.
    pub read_models: Vec<String>,
    /// What could not be looked at, and why that is no fault.
    pub notes: Vec<String>,
    /// The first problems, in the order in which they were found.
    pub problems: Vec<Problem>,
    /// How many there are in all.
    pub problem_count: u64,
    /// Where the log ended, when all of it was read.
    #[serde(skip)]
    end: Option<Head>,
    /// The log could not be read to its end.
    #[serde(skip)]
    broken_off: bool,
}

impl Report {
    /// Whether everything holds.
    pub fn is_clean(&self) -> bool {
        self.problem_count == 0
    }

    /// Where the log ended, when all of it was read.
    pub fn end(&self) -> Option<Head> {
        self.end
    }

    /// Whether the log could not be read to its end.
    pub(super) fn is_broken_off(&self) -> bool {
        self.broken_off
    }

    /// The log cannot be read beyond `last`, the last position that is good.
    #[expect(clippy::needless_pass_by_value, reason = "errors and words are handed over alike")]
    pub(super) fn breaks_off(&mut self, last: u64, problem: impl ToString) {
        self.broken_off = true;
        let text = format!("the last position that can be read is {last}: {}", problem.to_string());
        self.enter("log", None, Some(last + 1), text);
    }

    pub(super) fn ends(&mut self, head: Head) {
        self.end = Some(head);
    }

    /// Something that is wrong with a place as a whole, or as of a version.
    #[expect(clippy::needless_pass_by_value, reason = "errors and words are handed over alike")]
    pub(super) fn problem(&mut self, place: &str, version: Option<u64>, problem: impl ToString) {
        self.enter(place, version, None, problem.to_string());
    }

    /// Something that is wrong with one event.
    #[expect(clippy::needless_pass_by_value, reason = "errors and words are handed over alike")]
    pub(super) fn event(&mut self, event: &Stored, problem: impl ToString) {
        let (version, position) = (Some(event.version), Some(event.position));
        self.enter(&event.stream, version, position, problem.to_string());
    }

    fn enter(&mut self, place: &str, version: Option<u64>, position: Option<u64>, problem: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST {
            self.problems.push(Problem { place: place.to_owned(), version, position, problem });
        }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// As lines for a person.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("events       {} in {}", self.events, many(self.streams, "stream", "streams")),
            format!(
                "matches      {}, {} decided again",
                self.matches,
                many(self.decisions, "decision", "decisions")
            ),
            format!("draws        {} checked against their seeds", self.draws),
        ];
        if self.ordered_draws > 0 {
            let text = "came out by order of a test; their fairness is not checked";
            lines.push(format!("             {} {text}", self.ordered_draws));
        }
        lines.push(format!("documents    {} compared with the log", self.documents));
        if self.independent > 0 {
            let events = many(self.independent, "event", "events");
            lines.push(format!("independent  {events} read a second way"));
        }
        if self.anchors > 0 {
            lines.push(format!("anchors      {} held", self.anchors));
        }
        if !self.read_models.is_empty() {
            lines.push(format!(
                "read models  equal to a fresh build: {}",
                self.read_models.join(", ")
            ));
        }
        lines.extend(self.notes.iter().map(|note| format!("note         {note}")));
        for Problem { place, version, position, problem } in &self.problems {
            let version = version.map(|version| format!(", version {version}")).unwrap_or_default();
            let at = position.map(|position| format!(" (position {position})")).unwrap_or_default();
            // They may repeat what somebody wrote into the log: in one line, whatever it is.
            let (place, problem) = (visible(place), visible(problem));
            lines.push(format!("PROBLEM      {place}{version}{at}: {problem}"));
        }
        let more = self.problem_count.saturating_sub(self.problems.len() as u64);
        if more > 0 {
            lines.push(format!(
                "             … and {}",
                many(more, "more problem", "more problems")
            ));
        }
        lines.push(if self.is_clean() {
            "clean".to_owned()
        } else {
            format!("NOT CLEAN: {}", many(self.problem_count, "problem", "problems"))
        });
        lines
    }
}
