//! Files that people keep: what the server writes is of its schema and follows the rules, what others send is read
//! with limits and named faults, and nobody gets a match that is not theirs to keep.

mod command_line;
mod formations;
mod hostile;
mod old;
mod records;
mod samples;
mod server;

use crate::read_models::histories::World;
use std::collections::BTreeMap;
use yibu_domain::kernel::{Bytes32, Dated, MatchId, PlayerId};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::record::Complete;
use yibu_projections::Fact;

pub(crate) type Events = Vec<Dated<MatchEvent>>;

/// The events of every match of a history.
pub(crate) fn histories(world: &World) -> BTreeMap<MatchId, Events> {
    let mut all: BTreeMap<MatchId, Events> = BTreeMap::new();
    for fed in &world.log {
        if let Ok(Fact::Match(id, event)) = &fed.fact {
            all.entry(*id).or_default().push(event.clone());
        }
    }
    all
}

/// Everybody has a name but those whose account is gone: one in sixteen.
pub(crate) fn name(player: PlayerId, revision: u32) -> Option<String> {
    let [first, second, ..] = *player.0.as_bytes();
    (second >= 16).then(|| format!("棋手{first:02x}·{revision}"))
}

/// The record of a match; the hash chain's heads are made up.
pub(crate) fn record(events: &Events) -> Option<Complete> {
    let hash = |index: usize| Bytes32(*blake3::hash(&index.to_le_bytes()).as_bytes());
    Complete::of(events.iter().enumerate().map(|(index, event)| (event, hash(index))), &name)
}

/// The records of the matches of a history that started and ended.
pub(crate) fn ended(seed: u64, events: usize) -> Vec<Complete> {
    let mut world = World::new(seed, 14, 6);
    world.grow(events);
    histories(&world).values().filter_map(record).collect()
}
