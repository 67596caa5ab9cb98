//! `yibu doctor`: is everything there and well? Reads only, and never waits for long.

use super::folder::Folder;
use super::{Outcome, console};
use crate::app::BUILD;
use crate::local::{self, Answer, Ask, Status};
use clap::Args;
use serde::Serialize;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row};
use std::fs::{File, TryLockError};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::system::{Clock, SystemClock};
use yibu_projections::models;

/// Look whether the data folder, the stores and the server are well
///
/// Looks at versions, the folder and its permissions, free space, the clock, the end of the log, the running
/// server, and how far each read model is. Changes nothing. Exit code 1 when something is wrong.
#[derive(Args)]
pub(super) struct Doctor {
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Folder,
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

/// Less free space than this is worth a word, and so little is wrong.
const SPACE_NOTE: u64 = 2 << 30;
const SPACE_WRONG: u64 = 200 << 20;

impl Findings {
    fn say(&mut self, what: &'static str, grade: Grade, text: impl Into<String>) {
        self.findings.push(Finding { what, grade, text: text.into() });
    }

    fn wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.grade == Grade::Wrong)
    }
}

impl Doctor {
    pub(super) async fn run(self) -> Outcome {
        let mut found = Findings::default();
        let data = self.folder.path();
        found.say("version", Grade::Good, format!("yibu {BUILD}"));
        folder(&mut found, data);
        space(&mut found, data);
        let status = server(&mut found, data).await;
        let head = self.log(&mut found).await;
        read_models(&mut found, data, head, status.is_some()).await;
        if self.json {
            console::json(&found)?;
        } else {
            for finding in &found.findings {
                let mark = match finding.grade {
                    Grade::Good => "ok  ",
                    Grade::Note => "note",
                    Grade::Wrong => "BAD ",
                };
                console::line(format!("{mark}  {:12} {}", finding.what, finding.text));
            }
        }
        Ok(if found.wrong() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    async fn log(&self, found: &mut Findings) -> Option<u64> {
        let now = SystemClock::new().now();
        if !self.folder.path().join("log.db").is_file() {
            found.say("log", Grade::Note, "no log yet; `yibu serve --dev` makes it");
            return None;
        }
        let opened = match self.folder.read_log().await {
            Ok(opened) => opened,
            Err(fault) => {
                found.say("log", Grade::Wrong, fault.to_string());
                return None;
            }
        };
        let read = last(opened.log.as_ref()).await;
        opened.log.close().await;
        match read {
            Ok((head, latest)) => {
                found.say("log", Grade::Good, format!("ends at position {head}"));
                match latest {
                    Some(at) if at > now.0 => {
                        let text = format!(
                            "this machine's clock is {} ms behind what the log has seen",
                            at - now.0
                        );
                        found.say("clock", Grade::Wrong, text);
                    }
                    _ => found.say("clock", Grade::Good, "not behind what the log has seen"),
                }
                Some(head)
            }
            Err(problem) => {
                found.say("log", Grade::Wrong, problem);
                None
            }
        }
    }
}

/// The last position, and the latest instant that the log knows.
async fn last(log: &dyn EventLog) -> Result<(u64, Option<i64>), String> {
    let head = log.head().await.map_err(|error| error.to_string())?;
    let after = head.position.saturating_sub(1);
    let event = log.read_all(after, 1).await.map_err(|error| error.to_string())?;
    let recorded = event.first().map(|event| event.recorded.0);
    let beat = log.last_beat().await.map_err(|error| error.to_string())?;
    Ok((head.position, recorded.max(beat.map(|beat| beat.0))))
}

fn folder(found: &mut Findings, data: &Path) {
    let shown = data.display();
    let meta = match std::fs::metadata(data) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            found.say("folder", Grade::Note, format!("{shown} is not there yet"));
            return;
        }
        Err(error) => {
            found.say("folder", Grade::Wrong, format!("{shown}: {error}"));
            return;
        }
    };
    let mode = meta.permissions().mode() & 0o777;
    if !meta.is_dir() {
        found.say("folder", Grade::Wrong, format!("{shown} is no folder"));
    } else if mode & 0o002 != 0 {
        found.say("folder", Grade::Wrong, format!("{shown} ({mode:03o}): anybody may write there"));
    } else if mode & 0o007 != 0 {
        let text = format!("{shown} ({mode:03o}): other users may look; chmod 750 keeps them out");
        found.say("folder", Grade::Note, text);
    } else {
        found.say("folder", Grade::Good, format!("{shown} ({mode:03o})"));
    }
}

/// The standard library cannot ask; the system's own tool can.
fn space(found: &mut Findings, data: &Path) {
    let place = data.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let asked = Command::new("df").arg("-Pk").arg(place).output();
    let text = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let free = text.ok().and_then(|text| free_bytes(&text));
    match free {
        Some(free) => {
            let grade = match free {
                free if free < SPACE_WRONG => Grade::Wrong,
                free if free < SPACE_NOTE => Grade::Note,
                _ => Grade::Good,
            };
            found.say("space", grade, format!("{} MiB free", free >> 20));
        }
        None => found.say("space", Grade::Note, "not known: df does not answer"),
    }
}

/// The free bytes in the portable form of `df`.
fn free_bytes(text: &str) -> Option<u64> {
    let kib: u64 = text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    kib.checked_mul(1024)
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
                let text = "a process holds the folder but does not answer on its socket";
                found.say("server", Grade::Wrong, text);
            } else {
                found.say("server", Grade::Note, "none runs on this folder");
            }
            None
        }
        Ok(_) => {
            found.say("server", Grade::Wrong, "it answers another question");
            None
        }
        Err(fault) => {
            found.say("server", Grade::Wrong, fault.to_string());
            None
        }
    }
}

/// Whether somebody holds the log for writing. Asked only where no server answers: for the moment of asking,
/// a server could not start.
fn is_locked(data: &Path) -> bool {
    let Ok(file) = File::open(data.join("log.lock")) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

async fn read_models(found: &mut Findings, data: &Path, head: Option<u64>, served: bool) {
    let path = data.join("views.db");
    let Some(head) = head.filter(|_| path.is_file()) else {
        found.say("read models", Grade::Note, "none yet");
        return;
    };
    match checkpoints(&path).await {
        Ok(known) => {
            for projection in models::all() {
                let name = projection.name();
                let at = known.iter().find(|(known, _)| known == name).map(|(_, at)| *at);
                let (grade, text) = match at {
                    None => (Grade::Note, format!("{name}: not made yet")),
                    Some(at) if at > head => (
                        Grade::Wrong,
                        format!("{name}: at {at}, ahead of the log, which ends at {head}"),
                    ),
                    Some(at) if at == head => (Grade::Good, format!("{name}: up to date")),
                    Some(at) if served => {
                        (Grade::Note, format!("{name}: {} events behind", head - at))
                    }
                    Some(at) => {
                        let behind = head - at;
                        (
                            Grade::Good,
                            format!("{name}: {behind} events behind, until the next start"),
                        )
                    }
                };
                found.say("read models", grade, text);
            }
        }
        Err(error) => found.say("read models", Grade::Wrong, format!("views.db: {error}")),
    }
}

async fn checkpoints(path: &Path) -> Result<Vec<(String, u64)>, sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut on = options.connect().await?;
    let sql = "SELECT name, checkpoint FROM projections WHERE state = 'active' ORDER BY name";
    let rows = sqlx::query(sql).fetch_all(&mut on).await?;
    let known = rows.iter().map(|row| {
        let at: i64 = row.try_get(1)?;
        Ok((row.try_get(0)?, u64::try_from(at).unwrap_or(0)))
    });
    let known: Result<Vec<_>, sqlx::Error> = known.collect();
    on.close().await?;
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_read_from_df() {
        let text =
            "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/a 100 40 60 40% /\n";
        assert_eq!(free_bytes(text), Some(60 * 1024));
        assert_eq!(free_bytes("nothing"), None);
    }
}
