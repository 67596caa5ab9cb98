//! The log, its mark, its segments, and the accounts that belong to it.

use super::{Findings, Folder, database, streams};
use crate::app::{Belonging, Unread, belonging};
use crate::cli::console::{self, many};
use crate::cli::folder::FolderFault;
use std::path::Path;
use yibu_domain::matches::{Match, MatchEvent};
use yibu_domain::players::{Player, PlayerEvent};
use yibu_domain::site::{Site, SiteEvent};
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::OpenError;
use yibu_infrastructure::log::archive::{self, Segment};
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{EventLog, ReadError, Stored};
use yibu_infrastructure::log::sqlite::{self, MarkState};
use yibu_infrastructure::system::Clock;

/// Events read at a time.
const PAGE: usize = 2_000;

/// Looks at the log and what belongs to it; gives its last position.
pub(super) async fn log(
    found: &mut Findings,
    folder: &Folder,
    deep: bool,
    dev: bool,
) -> Option<u64> {
    let embedded = folder.embedded();
    if let Err(FolderFault::Nothing(_)) = folder.there() {
        found.note("log", "no log yet; `yibu serve --dev` makes it");
        return None;
    }
    let opened = match folder.read_log().await {
        Ok(opened) => opened,
        Err(FolderFault::Log(OpenError::Empty(what))) => {
            none(found, folder, &what).await;
            return None;
        }
        Err(fault) => {
            let skewed = matches!(fault, FolderFault::Log(OpenError::Skewed { .. }));
            found.wrong(if skewed { "clock" } else { "log" }, fault);
            return None;
        }
    };
    if let Some(folder) = embedded {
        mark(found, folder).await;
    }
    let whole = folder.archive().is_none_or(|archive| segments(found, &archive, deep));
    let log = opened.log.as_ref();
    // Not before the log is open: it refuses what is no address without showing it.
    if let Some(url) = folder.shared() {
        database::settings(found, url, dev).await;
        database::clock(found, log).await;
    }
    let head = match ends(found, log, opened.clock.as_ref()).await {
        Ok(head) => Some(head),
        Err(problem) => {
            found.wrong("log", problem);
            None
        }
    };
    if head.is_some() {
        people(found, log, folder, whole).await;
        if deep && let Err(problem) = payloads(found, log).await {
            found.wrong("log", problem);
        }
        if deep && let Err(problem) = streams::streams(found, log).await {
            found.wrong("log", problem);
        }
    }
    opened.log.close().await;
    head
}

/// A database without a log may be one that is to get one, or not the one that was meant.
async fn none(found: &mut Findings, folder: &Folder, what: &str) {
    match folder.accounts().has_players().await {
        Ok(true) => {
            found.wrong("log", format!("{what} holds accounts and no log: restore it, or bring it along with `yibu import-log`"));
        }
        Ok(false) => {
            found.note("log", format!("no log yet: {what} holds none; `yibu serve` makes it"));
        }
        Err(error) => found.wrong("accounts", error),
    }
}

async fn ends(
    found: &mut Findings,
    log: &dyn EventLog,
    clock: &dyn Clock,
) -> Result<u64, ReadError> {
    let head = log.head().await?.position;
    let last = log.read_all(head.saturating_sub(1), 1).await?.pop();
    let beat = log.last_beat().await?;
    if head > 0 && last.is_none() {
        return Err(ReadError::Failed(format!("its head says {head}, but no event stands there")));
    }
    found.good("log", format!("ends at position {head}"));
    let now = clock.now();
    let latest = last.map(|event| event.recorded).max(beat);
    match latest {
        Some(at) if at > now => {
            let late = at - now;
            let text = format!("this machine's clock is {late} behind what the log has seen");
            found.wrong("clock", text);
        }
        _ => found.good("clock", "not behind what the log has seen"),
    }
    Ok(head)
}

async fn mark(found: &mut Findings, folder: std::path::PathBuf) {
    const WHAT: &str = "log.head";
    match tokio::task::spawn_blocking(move || sqlite::examine(&folder)).await {
        Ok(Ok(MarkState::Holds(position))) => {
            found.good(WHAT, format!("position {position} was acknowledged, and is there"));
        }
        Ok(Ok(MarkState::Missing)) => {
            found.note(WHAT, "there is none, as after a restore; the next start makes it");
        }
        Ok(Ok(MarkState::Unreadable)) => {
            let text = "it cannot be read: nothing tells whether the log's end was cut; audit against an anchor";
            found.wrong(WHAT, text);
        }
        Ok(Ok(MarkState::Lost(problem))) => found.wrong(WHAT, problem),
        Ok(Err(error)) => found.wrong(WHAT, error),
        Err(error) => found.wrong(WHAT, error),
    }
}

/// Looks at the archive; false where something in it is wrong.
fn segments(found: &mut Findings, folder: &Path, deep: bool) -> bool {
    const WHAT: &str = "archive";
    let numbers = match archive::list(folder) {
        Ok(numbers) => numbers,
        Err(error) => {
            found.wrong(WHAT, error);
            return false;
        }
    };
    let Some(last) = numbers.last() else { return true };
    let (mut events, mut whole) = (0, true);
    for number in 1..=*last {
        let segment = Segment::open(folder, number).and_then(|segment| {
            let frames = u32::try_from(segment.header().frames.len()).unwrap_or(u32::MAX);
            for frame in (0..frames).take_while(|_| deep) {
                segment.events(frame)?;
            }
            Ok(segment)
        });
        match segment {
            Ok(segment) => events += segment.header().events,
            Err(damage) => {
                found.wrong(WHAT, damage);
                whole = false;
            }
        }
    }
    found.good(
        WHAT,
        format!(
            "{} in {}",
            many(events, "event", "events"),
            many(numbers.len() as u64, "segment", "segments")
        ),
    );
    whole
}

/// Whether the log and the accounts know the same people. With a damaged archive, which was named, nobody can tell.
async fn people(found: &mut Findings, log: &dyn EventLog, folder: &Folder, whole: bool) {
    const WHAT: &str = "accounts";
    match belonging(log, &folder.accounts()).await {
        Ok(Belonging::Young) => {}
        Ok(Belonging::Together) => found.good(WHAT, "there, as the log knows players"),
        Ok(Belonging::Apart(problem)) => found.wrong(WHAT, problem),
        Err(Unread::Log(_)) if !whole => {
            found.note(WHAT, "not compared with the log, of which a part is damaged");
        }
        Err(Unread::Log(error)) => found.wrong("log", error),
        Err(error @ Unread::Accounts(_)) => found.wrong(WHAT, error),
    }
}

fn is_player(stream: &str) -> bool {
    aggregate_id::<Player>(stream).is_some_and(|id| !id.is_nil())
}

/// Decodes every payload; the first few that cannot be are named.
async fn payloads(found: &mut Findings, log: &dyn EventLog) -> Result<(), ReadError> {
    const NAMED: u64 = 5;
    let bar = console::bar(log.head().await?.position, "payloads");
    let (mut after, mut odd) = (0, 0);
    loop {
        let page = log.read_all(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.position;
        bar.set_position(after);
        for event in &page {
            if let Err(problem) = decode(event) {
                odd += 1;
                if odd <= NAMED {
                    found.wrong("payloads", problem);
                }
            }
        }
    }
    bar.finish_and_clear();
    if odd > NAMED {
        found.wrong("payloads", format!("{odd} events in all cannot be decoded"));
    }
    if odd == 0 {
        found.good("payloads", format!("every event up to position {after} can be decoded"));
    }
    Ok(())
}

fn decode(event: &Stored) -> Result<(), String> {
    let named = |id: Option<uuid::Uuid>| id.is_some_and(|id| !id.is_nil());
    let stream = event.stream.as_str();
    let decoded = if named(aggregate_id::<Match>(stream)) {
        codec::decode::<MatchEvent>(event).map(drop)
    } else if is_player(stream) {
        codec::decode::<PlayerEvent>(event).map(drop)
    } else if aggregate_id::<Site>(stream).is_some() {
        codec::decode::<SiteEvent>(event).map(drop)
    } else {
        return Err(format!("stream {stream} is of a kind that this program does not know"));
    };
    decoded.map_err(|error| error.to_string())
}
