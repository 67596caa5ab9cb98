//! A commit on its way: all that is needed to send it again byte for byte, and to confirm or free what was
//! reserved for it, by whichever node finds it. Holds hidden pieces until it is settled: never print it.

use super::event::Sealed;
use crate::log::chain;
use crate::log::claims::{Changes, ClaimTable};
use crate::log::port::{Commit, Head};
use crate::log::sealing::{Seal, Tip};
use crate::system::Entropy;
use eventstore::{EventData, ExpectedRevision};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use yibu_domain::kernel::{Counter, PlayerId, Time};

/// What a node keeps in `es_reservations`.
#[derive(Serialize, Deserialize)]
pub(super) struct Reservation {
    pub(super) id: Uuid,
    pub(super) stream: String,
    /// The stream's version on which the events were sealed.
    pub(super) version: u64,
    pub(super) events: Vec<Sealed>,
    /// The command's memo, by account and id.
    pub(super) memo: Option<(Uuid, Uuid)>,
    #[serde(default)]
    pub(super) effects: Effects,
}

/// What the commit's claims change.
#[derive(Serialize, Deserialize, Default)]
pub(super) struct Effects {
    /// Counted as soon as it is reserved.
    pub(super) taken: Vec<(Counter, PlayerId, u32)>,
    /// Given back once it is confirmed.
    pub(super) released: Vec<(Counter, PlayerId, u32)>,
    /// Claimed as soon as it is reserved.
    pub(super) keys: Vec<String>,
    /// In force once it is confirmed.
    pub(super) limits: Vec<(Counter, u32)>,
}

impl Reservation {
    /// Seals a commit on the end of its stream.
    pub(super) fn new(
        commit: &Commit,
        mut tip: Tip,
        recorded: Time,
        entropy: &Entropy,
    ) -> Result<Self, String> {
        let version = tip.version;
        let seal = Seal { stream: &commit.stream, stamp: &commit.stamp, recorded, entropy };
        // The server gives the positions, so that this head leads nowhere.
        let mut nowhere = Head { position: 0, hash: chain::START };
        let mut events = Vec::with_capacity(commit.events.len());
        for event in &commit.events {
            events.push(Sealed::new(seal.next(&mut tip, &mut nowhere, event.clone()))?);
        }
        let memo = commit.memo.as_ref().map(|memo| (memo.account.0, memo.id.0));
        let (id, stream) = (entropy.uuid(), commit.stream.clone());
        Ok(Self { id, stream, version, events, memo, effects: Effects::default() })
    }

    /// The stream's version with these events.
    pub(super) fn end(&self) -> u64 {
        self.version + self.events.len() as u64
    }

    /// As the client takes them.
    pub(super) fn proposed(&self) -> Result<Vec<EventData>, String> {
        self.events.iter().map(Sealed::proposed).collect()
    }

    /// The one revision of the stream on which the server may store these events.
    pub(super) fn expected(&self) -> ExpectedRevision {
        match self.version.checked_sub(1) {
            Some(revision) => ExpectedRevision::Exact(revision),
            None => ExpectedRevision::NoStream,
        }
    }
}

impl Effects {
    /// What was granted, as differences from the table that it was judged on: other commits are on their way at
    /// the same time.
    pub(super) fn new(changes: Changes, before: &ClaimTable) -> Self {
        let mut effects = Self {
            keys: changes.taken.into_iter().collect(),
            limits: changes.limits.into_iter().collect(),
            ..Self::default()
        };
        for ((counter, player), held) in changes.held {
            let was = before.held(counter, player);
            if held > was {
                effects.taken.push((counter, player, held - was));
            } else if held < was {
                effects.released.push((counter, player, was - held));
            }
        }
        effects
    }
}
