//! What the events claim against the claims that a store keeps beside them.

use super::Report;
use std::collections::{BTreeMap, BTreeSet};
use yibu_domain::kernel::{Claim, Decider};
use yibu_domain::matches::Match;
use yibu_domain::players::Player;
use yibu_domain::site::Site;
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::looks::Seen;
use yibu_infrastructure::log::port::Stored;
use yibu_infrastructure::log::{ClaimTable, codec};

/// Takes in what an event claims.
pub(super) fn enter(table: &mut ClaimTable, event: &Stored, report: &mut Report) {
    let stream = event.stream.as_str();
    let claims = if id_of::<Match>(stream).is_some() {
        claims_of::<Match>(event)
    } else if id_of::<Player>(stream).is_some() {
        claims_of::<Player>(event)
    } else if aggregate_id::<Site>(stream).is_some() {
        claims_of::<Site>(event)
    } else {
        // Once for a stream.
        if event.version == 1 {
            report.event(event, "the stream is of a kind that this program does not know");
        }
        return;
    };
    let entered = claims
        .map_err(|error| error.to_string())
        .and_then(|claims| table.apply(&claims).map_err(|error| error.to_string()));
    if let Err(problem) = entered {
        report.event(event, problem);
    }
}

fn claims_of<D: Decider>(event: &Stored) -> Result<Vec<Claim>, codec::CodecError> {
    Ok(D::claims(&codec::decode::<D::Event>(event)?.event))
}

/// The id in a stream's name; the nil id belongs to the site alone.
pub(super) fn id_of<D: Decider>(stream: &str) -> Option<uuid::Uuid> {
    aggregate_id::<D>(stream).filter(|id| !id.is_nil())
}

/// Names what is otherwise than the events say.
pub(super) fn differences(wanted: &ClaimTable, seen: &Seen, report: &mut Report) {
    // What cannot be read was said.
    let stored = &ClaimTable {
        counted: seen.counted.as_ref().unwrap_or(&wanted.counted).clone(),
        unique: seen.unique.as_ref().unwrap_or(&wanted.unique).clone(),
        limits: seen.limits.as_ref().unwrap_or(&wanted.limits).clone(),
    };
    for (counter, player) in keys(&wanted.counted, &stored.counted) {
        let (want, have) = (wanted.held(counter, player), stored.held(counter, player));
        if want != have {
            let text = format!("{} of player {player}: {have}, by the log {want}", counter.name());
            report.problem("claims", None, text);
        }
    }
    for key in wanted.unique.symmetric_difference(&stored.unique) {
        let text = if stored.unique.contains(key) { "is not in the log" } else { "is missing" };
        report.problem("claims", None, format!("{key} {text}"));
    }
    for counter in keys(&wanted.limits, &stored.limits) {
        let (want, have) = (wanted.limit(counter), stored.limit(counter));
        let is_set = |table: &ClaimTable| table.limits.contains_key(&counter);
        if want != have || is_set(wanted) != is_set(stored) {
            let text = format!("limit of {}: {have}, by the log {want}", counter.name());
            report.problem("claims", None, text);
        }
    }
}

fn keys<K: Ord + Copy, V>(one: &BTreeMap<K, V>, other: &BTreeMap<K, V>) -> BTreeSet<K> {
    one.keys().chain(other.keys()).copied().collect()
}
