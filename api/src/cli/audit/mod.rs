//! `yibu audit`: checks everything that was ever written, beside a running server or without one. Reads only.
//! Must not repair anything, nor print what is hidden.

mod anchors;
mod copied;
mod documents;
mod draws;
mod fresh;
mod independent;
mod report;
mod scratch;
mod stream;
mod whole;

pub use report::{Problem, Report};

use super::console::many;
use super::export::Exported;
use super::folder::Named;
use super::{Outcome, console};
use clap::Args;
use documents::Documents;
use indicatif::ProgressBar;
use scratch::Scratch;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use whole::Against;
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::Match;
use yibu_infrastructure::executor::{IndependentReader, aggregate_id, stream_name};
use yibu_infrastructure::log::port::{EventLog, Head, ReadError};
use yibu_infrastructure::log::sqlite::{self, MarkState};

/// Check everything that was ever written
///
/// For every stream: the hash chain, the events' shape, and for matches that each recorded command decides to
/// the same events again and that each fair draw follows from its seed and nonces. For the whole log: positions
/// without gaps, the rolling hash, the claims, the mark of what was acknowledged last, and signed anchors. For the
/// read models: their documents and rows against the log. Archived matches are read from their segments. The first
/// differences are named by stream, version and position. Exit code 1 when anything differs. The read models of a
/// shared database are copied to a temporary folder first.
#[derive(Args)]
#[command(
    after_help = "Anchors: `yibu audit --new-key KEY` makes a key once; `yibu audit --anchor KEY --to FILE` \
    signs where a clean log ends; keep KEY and FILE where nobody who can write to the log can. Later, `yibu audit \
    --check-anchor FILE --public HEX` shows whether the log still holds all of that."
)]
pub(super) struct Audit {
    /// One match only, by its id as the API or as the log writes it
    #[arg(value_name = "MATCH", value_parser = super::match_id)]
    match_id: Option<MatchId>,
    /// Check an export instead of a store
    #[arg(long, value_name = "FILE", conflicts_with_all = ["match_id", "anchor"])]
    file: Option<PathBuf>,
    /// Hold the log against a signed anchor; may be given several times
    #[arg(long, value_name = "FILE", conflicts_with = "match_id")]
    check_anchor: Vec<PathBuf>,
    /// The public key that anchors must be signed with, in hexadecimal digits
    #[arg(long, value_name = "HEX", requires = "check_anchor")]
    public: Option<String>,
    /// When the log is clean, sign where it ends with this key
    #[arg(long, value_name = "KEYFILE", requires = "to", conflicts_with = "match_id")]
    anchor: Option<PathBuf>,
    /// Where the signed anchor goes
    #[arg(long, value_name = "FILE", requires = "anchor")]
    to: Option<PathBuf>,
    /// Make a key for anchors, and nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["match_id", "file", "check_anchor", "anchor"])]
    new_key: Option<PathBuf>,
    /// Read every stream a second way as well, by a reader of its own that shares no query with this program's
    /// (PostgreSQL only)
    #[arg(long, conflicts_with = "file")]
    independent: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

impl Audit {
    pub(super) async fn run(self) -> Outcome {
        if let Some(path) = &self.new_key {
            let public = anchors::new_key(path)?;
            console::line(format!("public key {public}"));
            return Ok(ExitCode::SUCCESS);
        }
        let anchors = anchors::read(&self.check_anchor, self.public.as_deref())?;
        if self.public.is_none() && !anchors.is_empty() {
            console::note("no --public key was named: whoever can write a file can have signed it");
        }
        let bar = console::bar(0, "audit");
        let report = match &self.file {
            Some(path) => file(path, &anchors, &bar).await?,
            None => self.store(&anchors, &bar).await?,
        };
        bar.finish_and_clear();
        if self.json {
            console::json(&report)?;
        } else {
            report.lines().iter().for_each(console::line);
        }
        Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    async fn store(
        &self,
        anchors: &[Head],
        bar: &ProgressBar,
    ) -> Result<Report, Box<dyn std::error::Error + Send + Sync>> {
        // A key that cannot be read is said before the work.
        let key = self.anchor.as_deref().map(anchors::key).transpose()?;
        let folder = self.folder.find()?;
        let shared = folder.shared();
        let reader = match folder.postgres() {
            _ if !self.independent => None,
            Some(url) => Some(IndependentReader::connect(url).await?),
            None => return Err("the independent reader reads a log in PostgreSQL alone".into()),
        };
        let opened = folder.read_log().await?;
        let log = Arc::clone(&opened.log);
        bar.set_length(log.head().await?.position);
        let scratch = shared.map(|_| Scratch::new()).transpose()?;
        let data = folder.path();
        let beside = match shared.zip(scratch.as_ref()) {
            Some((url, scratch)) => {
                copied::copy(url, scratch.path(), self.match_id).await?;
                Beside { views: scratch.path(), mark: None }
            }
            None => Beside { views: data, mark: Some(data) },
        };
        let mut report = match self.match_id {
            Some(id) => one(log.as_ref(), beside, id).await?,
            None => all(Arc::clone(&log), beside, anchors, bar).await?,
        };
        if let Some(reader) = reader {
            bar.set_message("independent");
            match self.match_id.map(|id| stream_name::<Match>(id.0)) {
                Some(name) => {
                    independent::stream(&reader, log.as_ref(), &name, &mut report).await?;
                }
                None => independent::all(&reader, log.as_ref(), &mut report, bar).await?,
            }
        }
        if let (Some(key), Some(to), Some(end)) = (key, &self.to, report.end())
            && report.is_clean()
        {
            anchors::sign(&key, end, opened.clock.now(), to)?;
            console::note(format!("anchored at position {}", end.position));
        }
        opened.log.close().await;
        Ok(report)
    }
}

/// What stands beside a log and is held against it.
#[derive(Clone, Copy)]
struct Beside<'a> {
    /// The folder of `views.db`.
    views: &'a Path,
    /// The folder of an embedded log, whose mark says what was acknowledged last.
    mark: Option<&'a Path>,
}

/// Audits a whole log that is open.
///
/// # Errors
/// The log cannot be read at all; whatever can be read and does not hold is in the report.
async fn all(
    log: Arc<dyn EventLog>,
    beside: Beside<'_>,
    anchors: &[Head],
    bar: &ProgressBar,
) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let against = Against { claims: true, anchors };
    let matches = whole::check(log.as_ref(), against, &mut report, bar).await?;
    if report.is_broken_off() {
        report.note("the log cannot be read to its end: read models were not compared row for row");
    }
    let mut documents = Documents::open(beside.views, &mut report).await;
    bar.set_message("matches");
    bar.set_length(matches.len() as u64);
    bar.set_position(0);
    for id in matches {
        // One that cannot be read is named, and the others are looked at all the same.
        let checked = stream::check(log.as_ref(), id, documents.as_mut(), false, &mut report).await;
        if let Err(error) = checked {
            report.problem(&stream_name::<Match>(id.0), None, error);
        }
        bar.inc(1);
    }
    if let Some(documents) = documents {
        documents.close().await;
    }
    if let Some(folder) = beside.mark {
        mark(folder, &mut report).await;
    }
    if !report.is_broken_off() {
        bar.set_message("read models");
        fresh::check(log, beside.views, &mut report).await;
    }
    Ok(report)
}

/// Audits a log with the rest of its data folder, without anchors and without showing how far it is.
///
/// # Errors
/// The log cannot be read at all; whatever can be read and does not hold is in the report.
pub async fn all_quietly(log: Arc<dyn EventLog>, data: &Path) -> Result<Report, ReadError> {
    let beside = Beside { views: data, mark: Some(data) };
    all(log, beside, &[], &ProgressBar::hidden()).await
}

/// The log and its claims alone: chains, positions, rolling hash.
///
/// # Errors
/// As [`all_quietly`].
pub async fn log_alone(log: &dyn EventLog, bar: &ProgressBar) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let against = Against { claims: true, anchors: &[] };
    let matches = whole::check(log, against, &mut report, bar).await?;
    report.matches = matches.len() as u64;
    Ok(report)
}

/// Audits one match.
///
/// # Errors
/// As [`all_quietly`].
async fn one(log: &dyn EventLog, beside: Beside<'_>, id: MatchId) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let mut documents = Documents::open(beside.views, &mut report).await;
    stream::check(log, id, documents.as_mut(), true, &mut report).await?;
    if report.events == 0 && report.is_clean() {
        report.problem(&stream_name::<Match>(id.0), None, "there is no such match");
    }
    report.streams = 1;
    if let Some(documents) = documents {
        documents.close().await;
    }
    Ok(report)
}

/// Audits an export.
///
/// # Errors
/// It is none, or a line of it is not an event; whatever else does not hold is in the report.
pub async fn file(
    path: &Path,
    anchors: &[Head],
    bar: &ProgressBar,
) -> Result<Report, Box<dyn std::error::Error + Send + Sync>> {
    let (name, path) = (path.display().to_string(), path.to_owned());
    let exported = tokio::task::spawn_blocking(move || Exported::open(&path)).await?;
    let exported = exported.map_err(|fault| format!("{name}: {fault}"))?;
    let header = exported.header().clone();
    let mut report = Report::default();
    if exported.len() != header.events {
        let text = format!(
            "{} exported, {} there",
            many(header.events, "event was", "events were"),
            many(exported.len(), "is", "are")
        );
        report.problem("file", None, text);
    }
    report.note("an export: claims and read models are not in it");
    let Some(stream) = header.stream else {
        bar.set_length(header.end);
        let against = Against { claims: false, anchors };
        for id in whole::check(&exported, against, &mut report, bar).await? {
            stream::check(&exported, id, None, false, &mut report).await?;
        }
        return Ok(report);
    };
    report.note("one match: the rolling hash of the whole log is not in it");
    let Some(id) = aggregate_id::<Match>(&stream) else {
        return Err(format!("{stream} is not a match").into());
    };
    stream::check(&exported, MatchId(id), None, true, &mut report).await?;
    report.streams = 1;
    let end = exported.last_of(&stream).map(|last| (last.version, hex::encode(last.hash)));
    if end != Some((header.end, header.hash)) {
        report.problem(&stream, Some(header.end), "the match does not end as its export says");
    }
    Ok(report)
}

/// The mark of what was acknowledged last, where the log is a file in this folder.
async fn mark(data: &Path, report: &mut Report) {
    if !data.join("log.db").is_file() {
        return;
    }
    let data = data.to_owned();
    match tokio::task::spawn_blocking(move || sqlite::examine(&data)).await {
        Ok(Ok(MarkState::Missing | MarkState::Holds(_))) => {}
        Ok(Ok(MarkState::Unreadable)) => report.problem("log.head", None, "it cannot be read"),
        Ok(Ok(MarkState::Lost(problem))) => report.problem("log.head", None, problem),
        Ok(Err(error)) => report.problem("log.head", None, error),
        Err(error) => report.problem("log.head", None, error),
    }
}

/// As [`file()`], without anchors and without showing how far it is.
///
/// # Errors
/// As [`file()`].
pub async fn file_quietly(path: &Path) -> Result<Report, Box<dyn std::error::Error + Send + Sync>> {
    file(path, &[], &ProgressBar::hidden()).await
}
