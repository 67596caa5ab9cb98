//! Settings: one tree, read from defaults, then a TOML file, then the environment, then the command line, and
//! checked as a whole. Must not read the environment or files itself: the command line hands them in.

mod example;
mod file;
pub mod key;
pub mod kinds;
mod mailing;
mod near;
mod serving;
mod show;
pub mod tree;
mod values;

pub use example::example;
pub use show::{Shown, shown};
pub use values::{Source, Values};

use key::{Key, Section};
use std::fmt;

/// Every setting.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The server as a whole.
    pub base: tree::Base,
    /// The door for players.
    pub http: tree::Http,
    /// The door for operators.
    pub ops: tree::Ops,
    /// The event log.
    pub log: tree::Log,
    /// Executing commands.
    pub execution: tree::Execution,
    /// Rate limits.
    pub limits: tree::Limits,
    /// Sending mail.
    pub mail: tree::Mail,
    /// The program's own log.
    pub tracing: tree::Tracing,
    /// Spans for a collector.
    pub otlp: tree::Otlp,
    /// Stopping.
    pub stop: tree::Stop,
    /// When the server is not ready.
    pub health: tree::Health,
}

/// The table, in the order of the file.
pub static SECTIONS: &[Section] = &[
    tree::Base::SECTION,
    tree::Http::SECTION,
    tree::Ops::SECTION,
    tree::Log::SECTION,
    tree::Execution::SECTION,
    tree::Limits::SECTION,
    tree::Mail::SECTION,
    tree::Tracing::SECTION,
    tree::Otlp::SECTION,
    tree::Stop::SECTION,
    tree::Health::SECTION,
];

/// Every key of the table.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    SECTIONS.iter().flat_map(|section| section.keys)
}

/// Where settings come from; later fields override earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The TOML file: its name for messages, and its text.
    pub file: Option<(String, String)>,
    /// The environment.
    pub variables: Vec<(String, String)>,
    /// The command line, as whole names and values.
    pub flags: Vec<(String, String)>,
}

/// Settings that were read, and where each comes from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// What was given.
    pub values: Values,
}

/// Everything that is wrong with the settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problems(pub Vec<String>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the settings cannot be used:")?;
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl std::error::Error for Problems {}

/// Reads and checks everything.
///
/// # Errors
/// All that is wrong, each with key, value, source and what is allowed.
pub fn load(sources: &Sources) -> Result<Loaded, Problems> {
    let keys: Vec<&Key> = keys().collect();
    let (mut values, mut problems) = (Values::default(), Vec::new());
    if let Some((name, text)) = &sources.file {
        values.take_file(text, &keys, &mut problems);
        problems.iter_mut().for_each(|problem| problem.insert_str(0, &format!("{name}, ")));
    }
    values.take_variables(&sources.variables, &keys, &mut problems);
    values.take_flags(&sources.flags, &keys, &mut problems);
    let settings = Settings::read(&values, &mut problems);
    problems.extend(contradictions(&values, &keys));
    match settings {
        Some(settings) if problems.is_empty() => Ok(Loaded { settings, values }),
        // Where a section cannot be read, it has said what is wrong.
        _ => Err(Problems(problems)),
    }
}

impl Settings {
    /// All sections are read, so that all that is wrong is said at once.
    fn read(values: &Values, problems: &mut Vec<String>) -> Option<Self> {
        let base = tree::Base::read(values, problems);
        let http = tree::Http::read(values, problems);
        let ops = tree::Ops::read(values, problems);
        let log = tree::Log::read(values, problems);
        let execution = tree::Execution::read(values, problems);
        let limits = tree::Limits::read(values, problems);
        let mail = tree::Mail::read(values, problems);
        let tracing = tree::Tracing::read(values, problems);
        let otlp = tree::Otlp::read(values, problems);
        let stop = tree::Stop::read(values, problems);
        let health = tree::Health::read(values, problems);
        Some(Self {
            base: base?,
            http: http?,
            ops: ops?,
            log: log?,
            execution: execution?,
            limits: limits?,
            mail: mail?,
            tracing: tracing?,
            otlp: otlp?,
            stop: stop?,
            health: health?,
        })
    }
}

/// What each may be and together they may not, as far as each can be read: one that cannot hides nothing about the
/// others.
fn contradictions(values: &Values, keys: &[&Key]) -> Vec<String> {
    use kinds::{Address, EventStoreUrl, PostgresUrl, Sender, SmtpUrl, Store};
    let mut found = Vec::new();
    let database =
        values.quietly::<Option<PostgresUrl>>(keys, "database_url").map(|it| it.is_some());
    let store = values.quietly::<Store>(keys, "log.store");
    if matches!(store, Some(Store::Postgres | Store::EventStore)) && database == Some(false) {
        found.push("log.store needs database_url (DATABASE_URL) as well".to_owned());
    }
    let eventstore = values.quietly::<Option<EventStoreUrl>>(keys, "log.eventstore_url");
    if store == Some(Store::EventStore) && eventstore == Some(None) {
        found.push("log.store = \"eventstoredb\" needs log.eventstore_url as well".to_owned());
    }
    if store == Some(Store::Sqlite) && database == Some(true) {
        let text = "log.store = \"sqlite\" and database_url: with a Postgres the log is there too";
        found.push(text.to_owned());
    }
    let smtp = values.quietly::<Option<SmtpUrl>>(keys, "mail.smtp_url");
    let from = values.quietly::<Option<Sender>>(keys, "mail.from");
    if let (Some(smtp), Some(from)) = (&smtp, &from)
        && smtp.is_some() != from.is_some()
    {
        found.push("mail.smtp_url and mail.from need each other".to_owned());
    }
    if let Some(Some(url)) = &smtp
        && let Err(fault) = yibu_infrastructure::mail::Smtp::check_url(url.0.reveal())
    {
        found.push(format!("mail.smtp_url: {fault}"));
    }
    let ops = values.quietly::<Option<Address>>(keys, "ops.listen").flatten();
    let http = values.quietly::<Address>(keys, "http.listen");
    if ops.is_some() && ops == http && http.is_some_and(|listen| !listen.0.ends_with(":0")) {
        let text = "ops.listen and http.listen are the same: figures are not for players";
        found.push(text.to_owned());
    }
    found
}
