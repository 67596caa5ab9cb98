//! What can be audited: a log with what stands beside it, a log alone, one match, an export.

use super::documents::Documents;
use super::whole::{self, Against, Whole};
use super::{Report, claims, ends, fresh, stream};
use crate::cli::console::many;
use crate::cli::export::Exported;
use indicatif::ProgressBar;
use std::path::Path;
use std::sync::Arc;
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::Match;
use yibu_infrastructure::executor::{aggregate_id, stream_name};
use yibu_infrastructure::log::port::{EventLog, Head, ReadError};
use yibu_infrastructure::log::sqlite::{self, MarkState};

/// What stands beside a log and is held against it.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    /// The folder of `views.db`.
    pub(super) views: &'a Path,
    /// The folder of an embedded log, whose mark says what was acknowledged last.
    pub(super) mark: Option<&'a Path>,
}

/// Audits a whole log that is open.
///
/// # Errors
/// The log cannot be read at all; whatever can be read and does not hold is in the report.
pub(super) async fn all(
    log: Arc<dyn EventLog>,
    beside: Beside<'_>,
    anchors: &[Head],
    bar: &ProgressBar,
) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let against = Against { beside: true, anchors };
    let Whole { matches, ends } = whole::check(log.as_ref(), against, &mut report, bar).await?;
    if report.is_broken_off() {
        report.note("not every event can be read: read models were not compared row for row");
    }
    if ends.unread() > 0 {
        let streams = many(ends.unread(), "stream has", "streams have");
        report.note(format!(
            "{streams} payloads that cannot be had: their decisions were not looked at"
        ));
    }
    let other = |stream: &str| claims::id_of::<Match>(stream).is_none();
    ends.walk(log.as_ref(), other, &mut report, bar).await?;
    let mut documents = Documents::open(beside.views, &mut report).await;
    bar.set_message("matches");
    bar.set_length(matches.len() as u64);
    bar.set_position(0);
    for id in matches {
        bar.inc(1);
        let stream = stream_name::<Match>(id.0);
        let end = ends.get(&stream);
        if end.is_some_and(ends::End::is_unread) {
            continue;
        }
        // One that cannot be read is named, and the others are looked at all the same.
        match stream::check(log.as_ref(), id, documents.as_mut(), end, &mut report).await {
            Ok(_) => {}
            Err(error @ ReadError::Unreachable(_)) => return Err(error),
            Err(error) => report.problem(&stream, None, error),
        }
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

/// The log and what stands beside it alone: chains, positions, rolling hash, what its streams read as.
///
/// # Errors
/// As [`all_quietly`].
pub async fn log_alone(log: &dyn EventLog, bar: &ProgressBar) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let against = Against { beside: true, anchors: &[] };
    let Whole { matches, ends } = whole::check(log, against, &mut report, bar).await?;
    ends.walk(log, |_| true, &mut report, bar).await?;
    report.matches = matches.len() as u64;
    Ok(report)
}

/// The last version of a stream by the log's own order, for whoever relies on reading the stream alone.
///
/// # Errors
/// The log cannot be read.
pub(in crate::cli) async fn last_version(
    log: &dyn EventLog,
    stream: &str,
) -> Result<u64, ReadError> {
    let end = ends::of_stream(log, stream, &ProgressBar::hidden()).await?;
    Ok(end.map_or(0, ends::End::version))
}

/// Audits one match.
///
/// # Errors
/// As [`all_quietly`].
pub(super) async fn one(
    log: &dyn EventLog,
    beside: Beside<'_>,
    id: MatchId,
    bar: &ProgressBar,
) -> Result<Report, ReadError> {
    let mut report = Report::default();
    let mut documents = Documents::open(beside.views, &mut report).await;
    let stream = stream_name::<Match>(id.0);
    let end = match ends::of_stream(log, &stream, bar).await {
        Err(error @ ReadError::Failed(_)) => {
            report.problem("log", None, error);
            None
        }
        end => end?,
    };
    match stream::check(log, id, documents.as_mut(), end, &mut report).await {
        Err(error @ ReadError::Failed(_)) => report.problem(&stream, None, error),
        events => report.events = events?,
    }
    whole::oddities(log, Some(&stream), &mut report).await?;
    if report.events == 0 && report.is_clean() {
        report.problem(&stream, None, "there is no such match");
    }
    report.streams = 1;
    if let Some(documents) = documents {
        if report.documents == 0 {
            report.note("no stored documents of this match were compared");
        }
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
    report.note("an export: claims, remembered commands and read models are not in it");
    let Some(stream) = header.stream else {
        bar.set_length(header.end);
        let against = Against { beside: false, anchors };
        let Whole { matches, ends } = whole::check(&exported, against, &mut report, bar).await?;
        let other = |stream: &str| claims::id_of::<Match>(stream).is_none();
        ends.walk(&exported, other, &mut report, bar).await?;
        for id in matches {
            let end = ends.get(&stream_name::<Match>(id.0));
            stream::check(&exported, id, None, end, &mut report).await?;
        }
        return Ok(report);
    };
    report.note("one match: the rolling hash of the whole log is not in it");
    let Some(id) = aggregate_id::<Match>(&stream) else {
        return Err(format!("{stream} is not a match").into());
    };
    report.events = stream::check(&exported, MatchId(id), None, None, &mut report).await?;
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
        Ok(Ok(MarkState::Holds(_))) => {}
        Ok(Ok(MarkState::Missing)) => {
            report.note(
                "there is no log.head, as after a restore: only an anchor tells of a cut end",
            );
        }
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
