//! What clients were told, against what the log holds.

use std::collections::HashMap;
use uuid::Uuid;
use yibu_api::cli::simulate::Ack;
use yibu_api::graphql::ids::Global;
use yibu_domain::kernel::{CommandId, Dated, MatchId};
use yibu_domain::matches::events::Action;
use yibu_domain::matches::{Match, MatchEvent};
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{EventLog, Stored};

/// Every command that was acknowledged.
#[derive(Default)]
pub(crate) struct Ledger {
    acks: Vec<Ack>,
}

/// The events of one command, each with the public version after it.
type Effect = Vec<(Stored, Dated<MatchEvent>, u64)>;

impl Ledger {
    pub(crate) fn enter(&mut self, ack: Ack) {
        self.acks.push(ack);
    }

    /// Finds each of them in the log, once, and returns how many there are.
    pub(crate) async fn check(&self, log: &dyn EventLog) -> u64 {
        let mut matches: HashMap<String, HashMap<CommandId, Effect>> = HashMap::new();
        for ack in &self.acks {
            if !matches.contains_key(&ack.match_id) {
                let effects = effects(log, id(&ack.match_id)).await;
                matches.insert(ack.match_id.clone(), effects);
            }
            let key = CommandId(ack.key.parse::<Uuid>().unwrap());
            let effect = matches[&ack.match_id].get(&key);
            check(ack, effect.unwrap_or_else(|| panic!("acknowledged and lost: {ack:?}")));
        }
        self.acks.len() as u64
    }
}

fn id(global: &str) -> MatchId {
    match Global::read(global) {
        Some(Global::Match(id)) => id,
        other => panic!("{global} names {other:?}"),
    }
}

/// A match's events by the command that caused them.
async fn effects(log: &dyn EventLog, id: MatchId) -> HashMap<CommandId, Effect> {
    let mut effects: HashMap<CommandId, Effect> = HashMap::new();
    let stream = stream_name::<Match>(id.0);
    let mut version = 0;
    for stored in log.read_stream(&stream, 0, 1_000_000).await.unwrap() {
        let event = codec::decode::<MatchEvent>(&stored).unwrap();
        version += u64::from(event.event.is_public());
        if let Some(key) = stored.stamp.command_id {
            effects.entry(key).or_default().push((stored, event, version));
        }
    }
    effects
}

fn check(ack: &Ack, effect: &Effect) {
    // One commit: its events stand together, and the first alone names the command.
    let versions: Vec<u64> = effect.iter().map(|(stored, ..)| stored.version).collect();
    let together = versions.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let commands = effect.iter().filter(|(_, event, _)| event.event.input().is_some()).count();
    assert!(together && commands == 1, "acknowledged and done twice: {ack:?}");
    let told = effect.last().map_or(0, |(_, _, version)| *version);
    assert!(told <= ack.version, "{ack:?} was told before it was so");
    if let Some((from, to)) = &ack.squares {
        let moved: Vec<_> = effect
            .iter()
            .filter_map(|(_, event, _)| match event.event.action() {
                Some(Action::Moved(moved)) => Some((moved.from.to_string(), moved.to.to_string())),
                _ => None,
            })
            .collect();
        assert_eq!(moved, [(from.clone(), to.clone())], "{ack:?}");
    }
}
