//! `yibu import-log`: carries the whole log from one store to another, and back. Must not be used beside a
//! server on either.

use super::console::many;
use super::folder::fillable;
use super::leftover::{LOG, Making};
use super::{Outcome, console, folder, given};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use yibu_infrastructure::log::carry::{self, Step};

/// Carry the whole log from one store to another
///
/// Every event arrives as it was: positions, versions, salts, hashes and times; with it the claims, the limits,
/// the commands that are still remembered, and the nodes' signs of service. At the end the copy is read again:
/// the head, every stream's hashes and the claims must be equal. Stop all servers on both stores first. The
/// target must be empty. The accounts are not part of the log: `yibu import-accounts` carries them. Read models are
/// rebuilt from it; archived matches arrive whole.
#[derive(Args)]
pub(super) struct ImportLog {
    /// The store to read: sqlite:FOLDER, or the URL of a database
    #[arg(long, value_name = "STORE")]
    from: String,
    /// The store to fill: sqlite:FOLDER, or the URL of a database
    #[arg(long, value_name = "STORE")]
    to: String,
    /// Go on with a target in which an interrupted import left a beginning of the same log
    #[arg(long)]
    resume: bool,
    /// The TOML file with the server's settings, for the folder of archived matches (log.archive)
    #[arg(long, env = "YIBU_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    from: &'static str,
    to: &'static str,
    events: u64,
    found: u64,
    streams: u64,
    memos: u64,
    head: String,
}

impl ImportLog {
    pub(super) async fn run(self) -> Outcome {
        let archive = given::load(self.config.as_deref(), Vec::new())?.settings.log.archive;
        let (source, target) =
            (folder::store(&self.from, archive.clone())?, folder::store(&self.to, archive)?);
        if source == target {
            return Err("source and target are the same store".into());
        }
        fillable(&target)?;
        folder::present(&source)?;
        // So that nobody writes to an embedded one meanwhile; a shared one is looked at again at the end.
        let _held = folder::hold_to_read(&source)?;
        let from = folder::open_to_read(source.clone()).await?;
        folder::rested(&from, &source, "the source", None).await?;
        let head = from.log.head().await?;
        if head.position == 0 {
            return Err("the source's log is empty: there is nothing to carry".into());
        }
        let making = Making::of(&target, LOG);
        let to = folder::open(target.clone()).await?;
        let bar = console::bar(head.position, "copy");
        let show = |step| match step {
            Step::Copied(position) => bar.set_position(position),
            Step::Verified(position) => {
                bar.set_message("verify");
                bar.set_position(position);
            }
        };
        let carried = carry::carry(from.log.as_ref(), to.log.as_ref(), self.resume, show).await;
        from.log.close().await;
        to.log.close().await;
        bar.finish_and_clear();
        let carried = carried?;
        making.keep();
        console::note(
            "accounts are no part of the log: bring them along with `yibu import-accounts` before serving",
        );
        let report = Report {
            from: source.name(),
            to: target.name(),
            events: carried.head.position,
            found: carried.found,
            streams: carried.streams,
            memos: carried.memos,
            head: hex::encode(carried.head.hash),
        };
        if self.json {
            console::json(&report)?;
        } else {
            let Report { from, to, events, streams, memos, head, .. } = report;
            let (events, streams) =
                (many(events, "event", "events"), many(streams, "stream", "streams"));
            console::line(format!("{from} to {to}: {events} in {streams}"));
            let memos = many(memos, "remembered command", "remembered commands");
            console::line(format!("{memos}, all claims and limits"));
            console::line(format!("verified: head {head}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}
