//! `yibu audit`: checks everything that was ever written, beside a running server or without one. Reads only.
//! Must not repair anything, nor print what is hidden.

mod anchors;
mod claims;
mod copied;
mod documents;
mod draws;
mod ends;
mod fresh;
mod gaps;
mod independent;
mod memos;
mod report;
mod scope;
mod scratch;
mod stream;
mod whole;

pub use report::{Problem, Report};
pub(super) use scope::last_version;
pub use scope::{all_quietly, file, file_quietly, log_alone};

use super::folder::Named;
use super::leftover::unless_broken_off;
use super::{Outcome, console};
use clap::Args;
use indicatif::ProgressBar;
use scope::{Beside, all, one};
use scratch::Scratch;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::Match;
use yibu_infrastructure::executor::{IndependentReader, stream_name};
use yibu_infrastructure::log::port::{Head, ReadError};

/// Check everything that was ever written
///
/// For every stream: the hash chain, the events' shape, and for matches that each recorded command decides to
/// the same events again and that each fair draw follows from its seed and nonces. For the whole log: positions
/// without gaps, the rolling hash, that each stream reads as the log holds it, the claims, the commands that are
/// remembered, columns that no hash covers, rows and parts of tables that this program never makes, the mark of what
/// was acknowledged last, and signed anchors. For the read models: their documents and rows against the log. Archived matches are read from their segments. The first
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
        // What cannot be put there is said before the work.
        if let Some(path) = self.new_key.as_ref().or(self.to.as_ref()) {
            self.folder.find()?.apart(path)?;
        }
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
        let report = unless_broken_off(async {
            match &self.file {
                Some(path) => file(path, &anchors, &bar).await,
                None => self.store(&anchors, &bar).await,
            }
        });
        let report = report.await??;
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
        bar.set_length(ends::last(log.as_ref()).await?);
        let scratch = shared.map(|_| Scratch::new()).transpose()?;
        let data = folder.path();
        let mut odd = Vec::new();
        let beside = match shared.zip(scratch.as_ref()) {
            Some((url, scratch)) => {
                odd = copied::copy(url, scratch.path(), self.match_id).await?;
                Beside { views: scratch.path(), mark: None }
            }
            None => Beside { views: data, mark: Some(data) },
        };
        let mut report = match self.match_id {
            Some(id) => one(log.as_ref(), beside, id, bar).await?,
            None => all(Arc::clone(&log), beside, anchors, bar).await?,
        };
        odd.into_iter().for_each(|odd| report.odd(odd));
        if let Some(reader) = reader {
            bar.set_message("independent");
            match self.match_id.map(|id| stream_name::<Match>(id.0)) {
                Some(name) => {
                    match independent::stream(&reader, log.as_ref(), &name, &mut report).await {
                        Err(error @ ReadError::Failed(_)) => report.problem(&name, None, error),
                        done => done?,
                    }
                }
                None => match independent::all(&reader, log.as_ref(), &mut report, bar).await {
                    Err(error @ ReadError::Failed(_)) => report.problem("log", None, error),
                    done => done?,
                },
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
