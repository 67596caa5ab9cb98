//! The read models, one file each: tables, fold, queries. This file is the list that the engine, the command
//! line and the tests go through; a new read model is a new line here.

pub mod audit_trail;
pub mod deadlines;
pub mod leaderboard;
pub mod lobby;
pub mod match_actions;
pub mod match_views;
pub mod notification_schedule;
pub mod replays;

pub use audit_trail::AuditTrail;
pub use deadlines::{Deadline, Deadlines, Due};
pub use leaderboard::Leaderboard;
pub use lobby::{Counts, Lobby, OpenTable, Place, PlaceRole, Vacancy};
pub use match_actions::{MatchActions, Recorded};
pub use match_views::{MatchViews, Seen};
pub use notification_schedule::NotificationSchedule;
pub use replays::{Replay, Replays};

use crate::engine::{Fact, Fault, Fed, Lookup, Memory, Projection, Row, Views, ViewsError, id};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use yibu_domain::kernel::{Dated, MatchId};
use yibu_domain::matches::MatchEvent;

/// Every read model.
pub fn all() -> Vec<Arc<dyn Projection>> {
    vec![
        Arc::new(match_views::Model),
        Arc::new(match_actions::Model),
        Arc::new(lobby::Model),
        Arc::new(deadlines::Model),
        Arc::new(leaderboard::Model),
        Arc::new(notification_schedule::Model),
        Arc::new(replays::Model),
        Arc::new(audit_trail::Model),
    ]
}

/// A document as stored.
fn written(model: &'static str, document: &impl Serialize) -> Result<String, ViewsError> {
    serde_json::to_string(document).map_err(|_| ViewsError::Unwritable(model))
}

/// A stored document.
fn read<T: DeserializeOwned>(model: &'static str, text: &str) -> Result<T, ViewsError> {
    serde_json::from_str(text).map_err(|_| ViewsError::Document(model))
}

/// Remembers what the rows hold of the matches that a batch goes on with; `known` reads a row after its id.
async fn recall<T>(
    memory: &mut Memory<T>,
    views: &Views,
    load: &Lookup,
    batch: &[Fed],
    known: impl Fn(&Row) -> Result<T, ViewsError>,
) -> Result<(), Fault> {
    let missing = memory.missing(batch);
    if missing.is_empty() {
        return Ok(());
    }
    let mut on = views.reading().await?;
    let found = load.run(&mut on, &missing, |row| {
        memory.insert(MatchId(id(row, 0)?), known(row)?);
        Ok::<_, ViewsError>(())
    });
    Ok(found.await?)
}

/// The events of matches in a batch.
fn of_matches(batch: &[Fed]) -> impl Iterator<Item = (&Fed, MatchId, &Dated<MatchEvent>)> {
    batch.iter().filter_map(|fed| match &fed.fact {
        Ok(Fact::Match(id, event)) => Some((fed, *id, event)),
        _ => None,
    })
}

/// A match's stream that does not continue where the fold stands: the event cannot be taken in.
fn gap(fed: &Fed, id: MatchId) -> Fault {
    let problem = format!("event {} of match {id} does not continue the rows", fed.version);
    Fault::Poison { position: fed.position, problem }
}
