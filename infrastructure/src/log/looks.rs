//! What stands in a store and that no writer of this program puts there: rows that neither order of the log shows,
//! rows beside the events that cannot be read, tables that are not as they were made. Must not judge what events say.

use super::claims::ClaimTable;
use super::custody::KeptMemo;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use yibu_domain::kernel::{Counter, PlayerId};

/// So many rows of one kind are named.
pub(super) const NAMED: usize = 5;

/// Something that no writer of this program puts there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Oddity {
    /// The stream or the table.
    pub place: String,
    /// The event of the stream, where it is one.
    pub version: Option<u64>,
    /// Where that stands in the log.
    pub position: Option<u64>,
    /// What is odd.
    pub problem: String,
}

impl Oddity {
    /// Of a table as a whole.
    pub fn of(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), version: None, position: None, problem: problem.into() }
    }

    /// Of a part of a table that no version of this program makes, by its kind and its name.
    pub fn more(table: impl Into<String>, what: &str) -> Self {
        let one = if what.starts_with("index") { "an" } else { "a" };
        Self::of(table, format!("there is {one} {what}, which this program does not make"))
    }

    /// Of what stands, or should, at a place in a stream. Numbers that nothing can have are left to the words.
    pub(super) fn at(
        stream: impl Into<String>,
        version: i64,
        position: i64,
        problem: impl Into<String>,
    ) -> Self {
        let (version, position) = (u64::try_from(version).ok(), u64::try_from(position).ok());
        Self { version, position, ..Self::of(stream, problem) }
    }

    /// Of an event that is not between the log's beginning and its end.
    pub(super) fn outside(stream: impl Into<String>, version: i64, position: i64) -> Self {
        let problem = if position < 1 {
            format!("an event stands at position {position}, before the log begins")
        } else {
            format!("an event stands at position {position}, behind the log's head")
        };
        Self::at(stream, version, position, problem)
    }

    /// Of a memo whose days are over, and that was never written with an event.
    pub(super) fn memo(stream: impl Into<String>, version: i64, position: i64) -> Self {
        let problem = "a command is remembered that no event there was written with";
        Self::at(stream, version, position, problem)
    }
}

/// In one line.
impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, version, position, problem } = self;
        f.write_str(place)?;
        if let Some(version) = version {
            write!(f, ", version {version}")?;
        }
        if let Some(position) = position {
            write!(f, " (position {position})")?;
        }
        write!(f, ": {problem}")
    }
}

/// What stands beside the events, as far as it can be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Seats held; `None` where the table cannot be read.
    pub counted: Option<BTreeMap<(Counter, PlayerId), u32>>,
    /// Keys that were claimed; `None` where the table cannot be read.
    pub unique: Option<BTreeSet<String>>,
    /// Limits that were set; `None` where the table cannot be read.
    pub limits: Option<BTreeMap<Counter, u32>>,
    /// The commands that still count; `None` where the table cannot be read.
    pub memos: Option<Vec<KeptMemo>>,
    /// What cannot be read.
    pub odd: Vec<Oddity>,
}

impl Seen {
    /// What is claimed.
    pub fn claimed(claims: ClaimTable) -> Self {
        let ClaimTable { counted, unique, limits } = claims;
        let (counted, unique, limits) = (Some(counted), Some(unique), Some(limits));
        Self { counted, unique, limits, ..Self::default() }
    }
}

/// A part of a schema: a table, a column, an index, a trigger.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Part {
    /// The table that it belongs to.
    pub table: String,
    /// Its kind and its name, for instance `index memos_by_command`.
    pub what: String,
    /// How it was made, in words of the database.
    pub made: String,
}

/// Names where a schema is otherwise than it was made.
pub fn otherwise(wanted: &[Part], found: &[Part]) -> Vec<Oddity> {
    let key = |part: &Part| (part.table.clone(), part.what.clone());
    let by_key = |parts: &[Part]| -> BTreeMap<_, _> {
        parts.iter().map(|part| (key(part), part.made.clone())).collect()
    };
    let (wanted, mut found) = (by_key(wanted), by_key(found));
    let mut odd = Vec::new();
    for ((table, what), made) in wanted {
        let problem = match found.remove(&(table.clone(), what.clone())) {
            Some(there) if there == made => continue,
            Some(_) => format!("the {what} is not as this program makes it"),
            None => format!("the {what} is missing"),
        };
        odd.push(Oddity::of(table, problem));
    }
    // An index that holds nobody to anything answers faster and not otherwise: whoever runs the database may have it.
    let plain = |what: &str, made: &str| {
        what.starts_with("index ") && !made.to_ascii_lowercase().contains("unique")
    };
    let more = found.into_iter().filter(|((_, what), made)| !plain(what, made));
    odd.extend(more.map(|((table, what), _)| Oddity::more(table, &what)));
    odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_of_a_schema_is_named() {
        let part = |what: &str, made: &str| Part {
            table: "events".to_owned(),
            what: what.to_owned(),
            made: made.to_owned(),
        };
        let wanted = [part("column a", "text"), part("index i", "(a)"), part("column b", "text")];
        assert_eq!(otherwise(&wanted, &wanted), []);
        let found = [
            part("column a", "json"),
            part("trigger t", ""),
            part("column b", "text"),
            part("index own", "(b)"),
            part("index only", "unique (b)"),
        ];
        let odd: Vec<_> = otherwise(&wanted, &found).iter().map(ToString::to_string).collect();
        assert_eq!(
            odd,
            [
                "events: the column a is not as this program makes it",
                "events: the index i is missing",
                "events: there is an index only, which this program does not make",
                "events: there is a trigger t, which this program does not make",
            ]
        );
    }

    #[test]
    fn numbers_that_nothing_can_have_stand_in_the_words() {
        let odd = Oddity::outside("match-1", 3, -7);
        assert_eq!((odd.version, odd.position), (Some(3), None));
        assert!(odd.to_string().contains("position -7, before the log begins"), "{odd}");
        let odd = Oddity::outside("match-1", 3, 9).to_string();
        assert_eq!(
            odd,
            "match-1, version 3 (position 9): an event stands at position 9, behind the log's head"
        );
    }
}
