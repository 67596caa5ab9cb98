//! `yibu import-log`: carries the whole log from one store to another, and back. Must not be used beside a
//! server on either.

use super::folder::{self, Access};
use super::{Outcome, console};
use clap::Args;
use serde::Serialize;
use std::process::ExitCode;
use yibu_domain::kernel::Span;
use yibu_infrastructure::log::carry::{self, Step};

/// Carry the whole log from one store to another
///
/// Every event arrives as it was: positions, versions, salts, hashes and times; with it the claims, the limits,
/// the commands that are still remembered, and the nodes' signs of service. At the end the copy is read again:
/// the head, every stream's hashes and the claims must be equal. Stop all servers on both stores first. The
/// target must be empty. The accounts are not part of the log, and read models are rebuilt from it; archived
/// matches arrive whole.
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
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// A server marks every few seconds that it serves: after this time without a mark, none does.
const RESTED: Span = Span::seconds(20);

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
        // Both for writing: so nobody else writes to an embedded one meanwhile.
        let (from, to) =
            (folder::store(&self.from, Access::Write)?, folder::store(&self.to, Access::Write)?);
        if from == to {
            return Err("source and target are the same store".into());
        }
        let (names, shared) = ((from.name(), to.name()), from.is_shared());
        folder::present(&from)?;
        let from = folder::open(from).await?;
        let to = folder::open(to).await?;
        // An embedded store is locked by its server.
        if shared && let Some(beat) = from.log.last_beat().await? {
            let rest = from.clock.now() - beat;
            if rest.0 >= 0 && rest.0 < RESTED.0 {
                return Err(
                    "a server serves from the source: its last sign of service is only seconds \
                            old. Stop all servers first, and wait a moment"
                        .into(),
                );
            }
        }
        let head = from.log.head().await?;
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
        console::note("accounts are no part of the log: bring them along before serving");
        let report = Report {
            from: names.0,
            to: names.1,
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
            console::line(format!("{from} to {to}: {events} events in {streams} streams"));
            console::line(format!("{memos} remembered commands, all claims and limits"));
            console::line(format!("verified: head {head}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}
