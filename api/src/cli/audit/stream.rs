//! One match's stream: chain, shape, and every decision decided again from its recorded command. Byte for
//! byte the same events must come of it. Must not print what it compares.

use super::Report;
use super::documents::Documents;
use super::draws::{self, Promise};
use super::ends::{End, Step, Walk};
use yibu_domain::kernel::{Ctx, Dated, Decider, MatchId};
use yibu_domain::matches::{Match, MatchEvent, MatchState};
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{EventLog, ReadError, Stored};

/// The events of one decision, and the state before it.
struct Decision {
    before: MatchState,
    events: Vec<(Stored, Dated<MatchEvent>)>,
}

/// Checks a match's stream and its stored documents, and tells how many events it has. `end`: where the log's own order
/// ends it, where that was looked at.
pub(super) async fn check(
    log: &dyn EventLog,
    id: MatchId,
    documents: Option<&mut Documents>,
    end: Option<End>,
    report: &mut Report,
) -> Result<u64, ReadError> {
    let stream = stream_name::<Match>(id.0);
    // The documents first: those of a server that runs may show more than was read before.
    let stored = match documents {
        Some(documents) => documents.of(id, report).await,
        None => None,
    };
    report.matches += 1;
    let mut state = MatchState::default();
    let mut open: Option<Decision> = None;
    let mut promise = Promise::default();
    let (mut version, mut compared) = (0, false);
    let mut walk = Walk::new(log, &stream, end);
    loop {
        let page = match walk.next(report).await? {
            Step::Events(page) => page,
            Step::Ended => break,
            Step::Broken => return Ok(version),
        };
        for event in &page {
            version = event.version;
            let decoded = match codec::decode::<MatchEvent>(event) {
                Ok(decoded) => decoded,
                Err(error) => {
                    report.event(event, error);
                    return Ok(version);
                }
            };
            if decoded.event.input().is_some() || open.is_none() {
                close(open.take(), &mut promise, report);
                open = Some(Decision { before: state.clone(), events: Vec::new() });
            }
            state.evolve(&decoded);
            if let Some(stored) = &stored
                && stored.version == version
                && let Some(live) = state.live()
            {
                stored.compare(&live.sheet, event, report);
                compared = true;
            }
            if let Some(decision) = &mut open {
                decision.events.push((event.clone(), decoded));
            }
        }
    }
    close(open, &mut promise, report);
    if let Some(stored) = stored.filter(|_| !compared) {
        let what = if stored.version > version { "ahead of the log" } else { "which is none" };
        let text = format!("the stored documents are at version {}, {what}", stored.version);
        report.problem(&stream, Some(version), text);
    }
    Ok(version)
}

/// Decides a finished decision again.
fn close(decision: Option<Decision>, promise: &mut Promise, report: &mut Report) {
    let Some(Decision { before, events }) = decision else { return };
    let Some((first, dated)) = events.first() else { return };
    report.decisions += 1;
    let Some(input) = dated.event.input() else {
        report.event(first, "the decision does not name its command");
        return;
    };
    promise.check(&events, report);
    let mut dice = draws::ordered(&events);
    let mut ctx = Ctx { now: dated.at, actor: first.stamp.actor, dice: &mut dice };
    let decided = match Match::decide(&before, input, &mut ctx) {
        Ok(decided) => decided,
        Err(refusal) => {
            let text = format!("decided again, the command {} is refused: {refusal}", input.kind());
            report.event(first, text);
            return;
        }
    };
    for ((stored, dated), again) in events.iter().zip(&decided) {
        let same_text = match codec::encode(again) {
            // What is stored in an older shape is compared by its meaning.
            Ok((name, text)) => name != stored.name || text == stored.payload,
            Err(_) => false,
        };
        if *again != dated.event || !same_text {
            let text = format!("decided again, {} comes out otherwise", stored.name);
            report.event(stored, text);
            return;
        }
    }
    if events.len() != decided.len() {
        let (stored, again) = (events.len(), decided.len());
        let text = format!("decided again, {} yields {again} events, not {stored}", input.kind());
        report.event(first, text);
    }
}
