//! What was given, by whom, before it is read: later sources override earlier ones. Must not know what a
//! setting means.

use super::file;
use super::key::{Key, Kind, name_of};
use super::near::suggestion;
use std::collections::BTreeMap;
use std::fmt;

/// Who gave a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Nobody.
    Default,
    /// A line of the file.
    File(usize),
    /// An environment variable.
    Variable(String),
    /// The command line.
    Flag,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(line) => write!(f, "file, line {line}"),
            Self::Variable(name) => f.write_str(name),
            Self::Flag => f.write_str("command line"),
        }
    }
}

/// Values by the whole names of their keys.
#[derive(Clone, Debug, Default)]
pub struct Values(BTreeMap<String, (String, Source)>);

impl Values {
    /// The text of a key and who gave it.
    pub(super) fn of(&self, key: &Key) -> (&str, Source) {
        match self.0.get(&key.name()) {
            Some((text, source)) => (text, source.clone()),
            None => (key.default, Source::Default),
        }
    }

    /// Takes a file's values.
    pub(super) fn take_file(&mut self, text: &str, keys: &[&Key], problems: &mut Vec<String>) {
        let entries = match file::entries(text) {
            Ok(entries) => entries,
            Err(problem) => return problems.push(problem),
        };
        for file::Entry { name, line, value } in entries {
            let Some(key) = keys.iter().find(|key| key.name() == name) else {
                problems.push(format!("line {line}: {}", unknown(keys, &name)));
                continue;
            };
            match value {
                Some((value, Some(form))) if key.form.takes(form) => {
                    self.0.insert(name, (value, Source::File(line)));
                }
                Some(_) => problems.push(format!("line {line}: {name} must be {}", key.form)),
                None => problems.push(format!("line {line}: {name} cannot be a table")),
            }
        }
    }

    /// Takes environment variables. One that could only be a setting's and is none is a problem.
    pub(super) fn take_variables(
        &mut self,
        variables: &[(String, String)],
        keys: &[&Key],
        problems: &mut Vec<String>,
    ) {
        let names: Vec<String> = keys.iter().map(|key| key.variable()).collect();
        for (variable, value) in variables {
            if let Some(place) = names.iter().position(|name| name == variable) {
                let source = Source::Variable(variable.clone());
                self.0.insert(keys[place].name(), (value.clone(), source));
            } else if variable.starts_with("YIBU_") && !others(variable) {
                problems.push(match meant(variable, &names, keys) {
                    Some(meant) => format!("{variable} is no setting; was {meant} meant?"),
                    None => format!(
                        "{variable} is no setting; `yibu settings --example` names them all"
                    ),
                });
            }
        }
    }

    /// Takes what the command line says.
    pub(super) fn take_flags(
        &mut self,
        flags: &[(String, String)],
        keys: &[&Key],
        problems: &mut Vec<String>,
    ) {
        for (name, value) in flags {
            if known(keys, name) {
                self.0.insert(name.clone(), (value.clone(), Source::Flag));
            } else {
                problems.push(format!("command line: {}", unknown(keys, name)));
            }
        }
    }

    /// The value of a key by its whole name, where it is allowed.
    pub(super) fn quietly<T: Kind>(&self, keys: &[&Key], name: &str) -> Option<T> {
        let key = keys.iter().find(|key| key.name() == name)?;
        T::read(self.of(key).0)
    }

    /// Reads a value; one that is not allowed is noted with all that is needed to put it right.
    pub(super) fn read<T: Kind>(
        &self,
        section: &str,
        field: &str,
        default: &str,
        problems: &mut Vec<String>,
    ) -> Option<T> {
        let name = name_of(section, field);
        let given = self.0.get(&name);
        let text = given.map_or(default, |(text, _)| text.as_str());
        let value = T::read(text);
        if value.is_none() {
            let source = given.map_or(Source::Default, |(_, source)| source.clone());
            let shown = if T::SECRET { "(a secret)".to_owned() } else { format!("{text:?}") };
            problems.push(format!("{name} = {shown} ({source}): allowed is {}", T::ALLOWED));
        }
        value
    }
}

/// The variable that somebody may have meant who wrote nearly its name, or its key's own where it has a shorter one.
fn meant<'a>(variable: &str, names: &'a [String], keys: &[&Key]) -> Option<&'a str> {
    let whole = keys.iter().map(|key| key.whole_variable());
    let known: Vec<String> = names.iter().cloned().chain(whole).collect();
    let near = suggestion(variable, &known, 4)?;
    let place = known.iter().position(|name| name == near)?;
    names.get(place % names.len()).map(String::as_str)
}

/// Variables that begin like a setting's and are none.
const OTHERS: &[&str] = &[
    // Of the program: its file of settings, and the server that `simulate` plays on.
    "YIBU_CONFIG",
    "YIBU_URL",
    // Of its tests and benchmarks.
    "YIBU_BENCH_EVENTS",
    "YIBU_BIN",
    "YIBU_BLESS",
    "YIBU_BROWSER_DATA",
    "YIBU_CASES",
    "YIBU_CRASHES",
    "YIBU_EVENTSTORE_URL",
    "YIBU_GOLDEN",
    "YIBU_SEED",
    "YIBU_SERVER",
    "YIBU_TEST_PYTHON",
    "YIBU_VECTORS",
    "YIBU_WORLDS",
    "YIBU_WRITE_EXAMPLE",
    "YIBU_WRITE_SAMPLES",
    "YIBU_WRITE_SCHEMA",
    // Of a cluster that tells each container of a service named yibu; the first is the browser tests', too.
    "YIBU_PORT",
];

/// What such a cluster's other variables begin with.
const CLUSTER: [&str; 2] = ["YIBU_PORT_", "YIBU_SERVICE_"];

/// Whether a variable belongs to somebody else.
fn others(variable: &str) -> bool {
    OTHERS.contains(&variable) || CLUSTER.iter().any(|begin| variable.starts_with(begin))
}

fn known(keys: &[&Key], name: &str) -> bool {
    keys.iter().any(|key| key.name() == name)
}

fn unknown(keys: &[&Key], name: &str) -> String {
    let names: Vec<String> = keys.iter().map(|key| key.name()).collect();
    match suggestion(name, &names, 4) {
        Some(meant) => format!("{name} is no setting; was {meant} meant?"),
        None => format!("{name} is no setting; `yibu settings` lists them all"),
    }
}
