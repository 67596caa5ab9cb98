//! `yibu archive`: moves closed matches out of the log's table, through the running server or without one.

use super::console::many;
use super::folder::Named;
use super::numbers::whole;
use super::{Outcome, console};
use crate::local::{self, Answer, Ask, AskFault, Progress};
use clap::Args;
use std::process::ExitCode;
use yibu_infrastructure::workers::archiving::Moved;

/// Move closed matches to compressed segment files
///
/// A match is closed when it has ended and its players' retention (3 days) is over. Its events go to a segment
/// in the archive's folder (FOLDER/archive; with a shared database that of YIBU_ARCHIVE), in the order of the log, compressed and hashed; the segment is synced
/// and read again before the payloads leave the table. Positions, versions and hashes stay, so that audit,
/// replay, rebuild and the players' pages read archived matches as before. With a server running on the
/// folder, the server does it. Interrupted, the next run goes on where this one was. The segments belong to
/// the log: keep them as long. The file log.db keeps its size and fills the room again; a backup is compact.
#[derive(Args)]
pub(super) struct Archive {
    /// Matches whose last event is at least so many days old; 3 or more
    #[arg(long, value_name = "DAYS", allow_negative_numbers = true, value_parser = whole::<u16>(3..=u16::MAX))]
    older_than: u16,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

impl Archive {
    pub(super) async fn run(self) -> Outcome {
        let site = self.folder.find()?;
        let bar = console::bar(0, "archive");
        let show = |at: &Progress| {
            bar.set_length(at.head);
            bar.set_position(at.position);
        };
        let question = Ask::Archive { days: self.older_than };
        let moved = match local::ask(site.site()?, &question, show).await {
            Ok(Answer::Archived { moved }) => moved,
            Ok(_) => return Err("the server answered another question".into()),
            Err(AskFault::NoServer) => {
                let folder = site.archive().ok_or(local::NO_ARCHIVE)?;
                let opened = site.write_log().await?;
                let (log, now) = (opened.log.as_ref(), opened.clock.now());
                let tell = |at: Progress| show(&at);
                let moved = local::archive(log, &folder, now, self.older_than, tell).await;
                opened.log.close().await;
                moved?
            }
            Err(fault) => return Err(fault.into()),
        };
        bar.finish_and_clear();
        if self.json {
            console::json(&moved)?;
        } else {
            let Moved { segments, streams, events, young } = moved;
            let (streams, events) =
                (many(streams, "match", "matches"), many(events, "event", "events"));
            let segments = many(segments, "segment", "segments");
            console::line(format!("{streams}, {events}, in {segments}"));
            if young > 0 {
                let young = many(young, "match has ended and is", "matches have ended and are");
                let days = self.older_than;
                console::note(format!(
                    "{young} too young: the last event, which is the end of the retention 3 days after a match's end, \
                     is less than {days} days old"
                ));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
