//! Every stream once more through the independent reader of a shared database: the same events, the same
//! payloads, the same states must come of it. Must not print what it compares.

use super::Report;
use super::ends;
use indicatif::ProgressBar;
use yibu_domain::kernel::Decider;
use yibu_domain::matches::Match;
use yibu_domain::players::Player;
use yibu_domain::site::Site;
use yibu_infrastructure::executor::{IndependentReader, aggregate_id};
use yibu_infrastructure::log::archive::Pointer;
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{EventLog, ReadError, Stored};

/// Events read at a time.
const PAGE: usize = 2_000;

/// Compares every stream of the log, in the order in which they began.
pub(super) async fn all(
    reader: &IndependentReader,
    log: &dyn EventLog,
    report: &mut Report,
    bar: &ProgressBar,
) -> Result<(), ReadError> {
    let mut after = 0;
    loop {
        let page = ends::rows(log, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.position;
        for event in page.iter().filter(|event| event.version == 1) {
            // One that cannot be read is named, and the others are looked at all the same.
            match stream(reader, log, &event.stream, report).await {
                Err(error @ ReadError::Failed(_)) => report.problem(&event.stream, None, error),
                done => done?,
            }
        }
        bar.set_position(after);
    }
}

/// Compares one stream.
pub(super) async fn stream(
    reader: &IndependentReader,
    log: &dyn EventLog,
    stream: &str,
    report: &mut Report,
) -> Result<(), ReadError> {
    let named = |id: Option<uuid::Uuid>| id.is_some_and(|id| !id.is_nil());
    if named(aggregate_id::<Match>(stream)) {
        same::<Match>(reader, log, stream, report).await
    } else if named(aggregate_id::<Player>(stream)) {
        same::<Player>(reader, log, stream, report).await
    } else if aggregate_id::<Site>(stream).is_some() {
        same::<Site>(reader, log, stream, report).await
    } else {
        // The pass over the whole log has said so.
        Ok(())
    }
}

async fn same<D>(
    reader: &IndependentReader,
    log: &dyn EventLog,
    stream: &str,
    report: &mut Report,
) -> Result<(), ReadError>
where
    D: Decider,
    D::State: PartialEq,
{
    // Before and after, for a server may be writing: what the other finds lies between.
    let mut ours = Vec::new();
    read_on(log, stream, &mut ours).await?;
    let least = ours.len();
    let theirs = match reader.read::<D>(stream).await {
        Ok(theirs) => theirs,
        Err(error) => {
            report.problem(stream, None, error);
            return Ok(());
        }
    };
    read_on(log, stream, &mut ours).await?;
    if !(least..=ours.len()).contains(&theirs.len()) {
        let text = format!("{} events, read independently {}", ours.len(), theirs.len());
        report.problem(stream, None, text);
        return Ok(());
    }
    let (mut our_state, mut their_state) = (D::State::default(), D::State::default());
    let mut archived = false;
    for (our, their) in ours.iter().zip(&theirs) {
        let key =
            |event: &Stored| (event.stream.clone(), event.version, event.id, event.name.clone());
        if key(our) != key(their) || our.stamp != their.stamp {
            report.event(our, "read independently, it is another event");
            return Ok(());
        }
        report.independent += 1;
        if Pointer::read(&their.payload).is_some() {
            archived = true;
            continue;
        }
        let (one, other) = (codec::decode::<D::Event>(our), codec::decode::<D::Event>(their));
        match (one, other) {
            (Ok(one), Ok(other)) if one == other && json(our) == json(their) => {
                D::evolve(&mut our_state, &one);
                D::evolve(&mut their_state, &other);
            }
            _ => {
                report.event(our, "read independently, it says something else");
                return Ok(());
            }
        }
    }
    if archived {
        report.note("archived events: read independently as far as they stand in the table");
    } else if our_state != their_state {
        report.problem(stream, None, "read independently, another state comes of it");
    }
    Ok(())
}

async fn read_on(
    log: &dyn EventLog,
    stream: &str,
    events: &mut Vec<Stored>,
) -> Result<(), ReadError> {
    loop {
        let after = events.last().map_or(0, |last| last.version);
        let page = log.read_stream(stream, after, PAGE).await?;
        let ended = page.len() < PAGE;
        events.extend(page);
        if ended {
            return Ok(());
        }
    }
}

/// The reader takes payloads apart: the same JSON, not the same bytes.
fn json(event: &Stored) -> Option<serde_json::Value> {
    serde_json::from_str(&event.payload).ok()
}
