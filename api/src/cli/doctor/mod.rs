//! `yibu doctor`: is everything there and well? Reads only, and waits for long only when asked to look deep.

mod database;
mod logs;
mod mail;
mod models;
mod places;
mod rights;
mod streams;

use super::folder::{Folder, Named};
use super::given::Unusable;
use super::{Outcome, console, serve};
use crate::app::BUILD;
use crate::local::{self, Answer, Ask, Status};
use clap::Args;
use serde::Serialize;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::process::ExitCode;
use yibu_infrastructure::system::LOCK;

/// Look whether the data folder, the stores and the server are well
///
/// Looks at versions, the settings (as `serve --check` does), what the environment sets, the folder and the permissions of its files, free space, the
/// clock (and a database's), the end of the log and the mark of what was acknowledged last, the archive's segments, the accounts, the
/// running server, the mail server's settings, and how far each read model is. Changes nothing. Exit code 1 when something is wrong.
#[derive(Args)]
pub(super) struct Doctor {
    /// Read every event and every segment: whether each payload can be decoded, chains hold, and each stream reads
    /// as the log holds it; and try the mail server
    #[arg(long)]
    deep: bool,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

/// How grave a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Grade {
    Good,
    Note,
    Wrong,
}

#[derive(Serialize)]
struct Finding {
    what: &'static str,
    grade: Grade,
    text: String,
}

#[derive(Default, Serialize)]
struct Findings {
    findings: Vec<Finding>,
}

impl Findings {
    fn say(&mut self, what: &'static str, grade: Grade, text: impl Into<String>) {
        self.findings.push(Finding { what, grade, text: text.into() });
    }

    fn good(&mut self, what: &'static str, text: impl Into<String>) {
        self.say(what, Grade::Good, text);
    }

    fn note(&mut self, what: &'static str, text: impl Into<String>) {
        self.say(what, Grade::Note, text);
    }

    #[expect(clippy::needless_pass_by_value, reason = "errors and words are handed over alike")]
    fn wrong(&mut self, what: &'static str, text: impl ToString) {
        self.say(what, Grade::Wrong, text.to_string());
    }

    fn any_wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.grade == Grade::Wrong)
    }
}

impl Doctor {
    pub(super) async fn run(self) -> Outcome {
        let mut found = Findings::default();
        found.good("version", format!("yibu {BUILD}"));
        places::environment(&mut found);
        if let Some((folder, dev)) = self.settings(&mut found).await {
            self.look(&mut found, &folder, dev).await;
        }
        if self.json {
            console::json(&found)?;
        } else {
            for finding in &found.findings {
                let mark = match finding.grade {
                    Grade::Good => "ok  ",
                    Grade::Note => "note",
                    Grade::Wrong => "BAD ",
                };
                // No text of several lines passes for a finding of its own.
                let text = finding.text.replace('\n', "\n                   ");
                console::line(format!("{mark}  {:12} {text}", finding.what));
            }
        }
        Ok(if found.any_wrong() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Judges the settings as `serve` would, and finds the folder by them. Where they cannot be read, nobody knows
    /// what to look at. Says whether it is a developer's site, too.
    async fn settings(&self, found: &mut Findings) -> Option<(Folder, bool)> {
        const WHAT: &str = "settings";
        let loaded = match self.folder.load() {
            Ok(loaded) => loaded,
            Err(Unusable::Wrong(problems)) => {
                problems.0.iter().for_each(|problem| found.wrong(WHAT, problem));
                return None;
            }
            Err(fault) => {
                found.wrong(WHAT, fault);
                return None;
            }
        };
        match serve::servable(&loaded.settings) {
            Ok(_) => found.good(WHAT, "a server can be started with them"),
            // On the command line of `serve` it may be told something else.
            Err(refusal) => found.note(WHAT, format!("as they stand, `serve` refuses: {refusal}")),
        }
        mail::mail(found, &loaded.settings, self.deep).await;
        Some((Folder::of(&loaded), loaded.settings.base.dev))
    }

    async fn look(&self, found: &mut Findings, folder: &Folder, dev: bool) {
        let data = folder.path();
        if !rights::folder(found, data) {
            return;
        }
        rights::files(found, data);
        places::space(found, data);
        let status = server(found, data).await;
        // Before the log's end: on a site that serves, whatever is read later is further on.
        let served = models::served(&folder.views()).await;
        let head = logs::log(found, folder, self.deep, dev).await;
        models::read_models(found, served, head, status.is_some());
    }
}

async fn server(found: &mut Findings, data: &Path) -> Option<Status> {
    match local::ask(data, &Ask::Status, |_| {}).await {
        Ok(Answer::Status(status)) => {
            let Status { build, process, address, ready, .. } = &status;
            let grade = match (ready, build == BUILD) {
                (true, true) => Grade::Good,
                _ => Grade::Note,
            };
            let state = if *ready { "ready" } else { "not ready" };
            let text = format!("yibu {build} (process {process}) at http://{address}/, {state}");
            found.say("server", grade, text);
            Some(status)
        }
        Err(local::AskFault::NoServer) => {
            if is_locked(data) {
                found.wrong(
                    "server",
                    "a process holds the folder but does not answer on its socket",
                );
            } else {
                found.note("server", "none runs on this folder");
            }
            None
        }
        Ok(_) => {
            found.wrong("server", "it answers another question");
            None
        }
        Err(fault) => {
            found.wrong("server", fault);
            None
        }
    }
}

/// Whether somebody holds the folder for writing. Asked only where no server answers: for the moment of asking,
/// a server could not start.
fn is_locked(data: &Path) -> bool {
    let Ok(file) = File::open(data.join(LOCK)) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}
