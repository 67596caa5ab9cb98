//! `yibu audit`: checks everything that was ever written, beside a running server or without one. Reads only.
//! Must not repair anything, nor print what is hidden.

mod documents;
mod draws;
mod fresh;
mod report;
mod stream;
mod whole;

pub use report::{Problem, Report};

use super::folder::Folder;
use super::{Outcome, console};
use clap::Args;
use documents::Documents;
use indicatif::ProgressBar;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::Match;
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::log::port::{EventLog, ReadError};

/// Check everything that was ever written
///
/// For every stream: the hash chain, the events' shape, and for matches that each recorded command decides to
/// the same events again and that each fair draw follows from its seed and nonces. For the whole log: positions
/// without gaps, the rolling hash, the claims. For the read models: their documents and rows against the log.
/// The first differences are named by stream and version. Exit code 1 when anything differs.
#[derive(Args)]
pub(super) struct Audit {
    /// One match only, by its id as the API or as the log writes it
    #[arg(value_name = "MATCH", value_parser = super::match_id)]
    match_id: Option<MatchId>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Folder,
}

impl Audit {
    pub(super) async fn run(self) -> Outcome {
        let opened = self.folder.read_log().await?;
        let head = opened.log.head().await?;
        let bar = console::bar(head.position, "audit");
        let report = match self.match_id {
            Some(id) => one(opened.log.as_ref(), self.folder.path(), id).await?,
            None => all(opened.log.clone(), self.folder.path(), &bar).await?,
        };
        bar.finish_and_clear();
        opened.log.close().await;
        if self.json {
            console::json(&report)?;
        } else {
            report.lines().iter().for_each(console::line);
        }
        Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Audits a whole data folder whose log is open.
///
/// # Errors
/// The log cannot be read at all; whatever can be read and does not hold is in the report.
pub async fn all(
    log: Arc<dyn EventLog>,
    data: &Path,
    bar: &ProgressBar,
) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let matches = whole::check(log.as_ref(), &mut report, bar).await?;
    let mut documents = Documents::open(data, &mut report).await;
    bar.set_message("matches");
    bar.set_length(matches.len() as u64);
    bar.set_position(0);
    for id in matches {
        stream::check(log.as_ref(), id, documents.as_mut(), &mut report).await?;
        bar.inc(1);
    }
    if let Some(documents) = documents {
        documents.close().await;
    }
    bar.set_message("read models");
    fresh::check(log, data, &mut report).await;
    Ok(report)
}

/// As [`all`], without showing how far it is.
///
/// # Errors
/// As [`all`].
pub async fn all_quietly(log: Arc<dyn EventLog>, data: &Path) -> Result<Report, ReadError> {
    all(log, data, &ProgressBar::hidden()).await
}

/// Audits one match.
///
/// # Errors
/// As [`all`].
pub async fn one(log: &dyn EventLog, data: &Path, id: MatchId) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let mut documents = Documents::open(data, &mut report).await;
    let before = report.decisions;
    stream::check(log, id, documents.as_mut(), &mut report).await?;
    if report.decisions == before && report.is_clean() {
        report.problem(&stream_name::<Match>(id.0), None, "there is no such match");
    }
    report.streams = 1;
    if let Some(documents) = documents {
        documents.close().await;
    }
    Ok(report)
}
