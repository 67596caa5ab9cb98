//! What an audit found: figures, notes and problems. Must not hold anything of a payload: identities and
//! seeds stay in the log.

use crate::cli::console::many;
use serde::Serialize;
use std::fmt;
use yibu_domain::kernel::visible;
use yibu_infrastructure::log::looks::Oddity;
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

/// In one line: problems may repeat what somebody wrote into the log.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, version, position, problem } = self;
        f.write_str(&visible(place))?;
        if let Some(version) = version {
            write!(f, ", version {version}")?;
        }
        if let Some(position) = position {
            write!(f, " (position {position})")?;
        }
        write!(f, ": {}", visible(problem))
    }
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
    /// Remembered commands that were compared with their events.
    pub commands: u64,
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
    /// Not every event of the log could be read.
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

    /// Whether some events could not be read.
    pub(super) fn is_broken_off(&self) -> bool {
        self.broken_off
    }

    /// Some events cannot be read.
    pub(super) fn breaks_off(&mut self) {
        self.broken_off = true;
    }

    /// The log cannot be read beyond `last`, the last position before it that is good.
    #[expect(clippy::needless_pass_by_value, reason = "errors and words are handed over alike")]
    pub(super) fn gap(&mut self, last: u64, problem: impl ToString) {
        self.breaks_off();
        let text = format!("the last position that can be read is {last}: {}", problem.to_string());
        self.enter("log", None, Some(last + 1), text);
    }

    /// Takes in what was found elsewhere.
    pub(super) fn take(&mut self, other: Self) {
        self.commands += other.commands;
        self.notes.extend(other.notes);
        self.problem_count += other.problem_count - other.problems.len() as u64;
        for Problem { place, version, position, problem } in other.problems {
            self.enter(&place, version, position, problem);
        }
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

    /// Something that is wrong with the row of an event.
    pub(super) fn row(&mut self, stream: &str, version: u64, position: u64, problem: String) {
        self.enter(stream, Some(version), Some(position), problem);
    }

    /// Something that no writer of this program puts there.
    pub(super) fn odd(&mut self, odd: Oddity) {
        let Oddity { place, version, position, problem } = odd;
        self.enter(&place, version, position, problem);
    }

    fn enter(&mut self, place: &str, version: Option<u64>, position: Option<u64>, problem: String) {
        let problem = without_place(problem, place, version, position);
        let problem = Problem { place: place.to_owned(), version, position, problem };
        // Two passes may meet the same.
        if self.problems.contains(&problem) {
            return;
        }
        self.problem_count += 1;
        if self.problems.len() < MOST {
            self.problems.push(problem);
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
        if self.commands > 0 {
            lines.push(format!("commands     {} remembered as the events say", self.commands));
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
        lines.extend(self.problems.iter().map(|problem| format!("PROBLEM      {problem}")));
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

/// Errors may begin with the place that the report names already.
fn without_place(
    problem: String,
    place: &str,
    version: Option<u64>,
    position: Option<u64>,
) -> String {
    let one = version.zip(position).map(|(version, position)| {
        format!("stream {place}, version {version} (position {position}): ")
    });
    for named in one.into_iter().chain([format!("stream {place}: ")]) {
        if problem.contains(&named) {
            return problem.replacen(&named, "", 1);
        }
    }
    problem
}
