//! What the server keeps, and its rules: when an append stands, is a repeat or is refused, and what a read gives.
//! The rules are those of the public server, for the exact expectations that the adapter sends; it must not know
//! anything of the adapter.

use super::messages::{
    Content, Expected, NotFound, Outcome, Position, ProposedEvent, ReadEvent, ReadResp,
    RecordedEvent, Revision, StreamName, Structured, Success, Uuid, UuidValue, WrongVersion,
};
use prost::bytes::Bytes;
use std::collections::HashMap;
use tonic::Status;

/// Where the log begins: the server writes events of its own before anybody connects.
const FIRST: u64 = 1_000;

/// After so many events comes one of the server's own.
const STATISTICS_EVERY: usize = 4;

/// The most that one append may bring, as the server is set by default.
const MOST_BYTES: usize = 1_048_576;

/// The whole log in the order of its positions.
pub(super) struct Store {
    events: Vec<RecordedEvent>,
    /// Per stream, the places of its events.
    streams: HashMap<Bytes, Vec<usize>>,
    next: u64,
}

impl Store {
    pub(super) fn new() -> Self {
        let mut store = Self { events: Vec::new(), streams: HashMap::new(), next: FIRST };
        store.statistics();
        store
    }

    /// An append with an exact expectation, by the server's rule: where the stream has gone on, a repeat is
    /// recognised by the ids of the events that stand where these would.
    pub(super) fn append(
        &mut self,
        stream: &Bytes,
        expected: &Expected,
        proposed: Vec<ProposedEvent>,
    ) -> Result<Outcome, Status> {
        if proposed.iter().map(|event| event.data.len()).sum::<usize>() > MOST_BYTES {
            return Err(Status::invalid_argument("maximum append size exceeded"));
        }
        let from = match expected {
            Expected::NoStream(()) => 0,
            Expected::Revision(revision) => {
                usize::try_from(*revision).unwrap_or(usize::MAX - 1) + 1
            }
            Expected::Any(()) | Expected::Exists(()) => {
                return Err(Status::unimplemented("an append without an exact revision"));
            }
        };
        let known = self.streams.get(stream).map_or(&[][..], Vec::as_slice);
        if known.len() == from {
            let (mut position, count) = (0, proposed.len());
            for event in proposed {
                position = self.push(stream, event);
            }
            if self.events.len() % STATISTICS_EVERY < count {
                self.statistics();
            }
            return Ok(Outcome::Success(Success {
                current_revision: Some((from + count - 1) as u64),
                position: Some(Position { commit: position, prepare: position }),
                no_position: None,
            }));
        }
        let there = known.iter().skip(from).map(|place| id(self.events[*place].id.as_ref()));
        let repeated = known.len() >= from + proposed.len()
            && proposed.iter().map(|event| id(event.id.as_ref())).zip(there).all(|(a, b)| a == b);
        if repeated {
            // Some versions do not say where it was stored.
            return Ok(Outcome::Success(Success {
                current_revision: Some((from + proposed.len() - 1) as u64),
                position: None,
                no_position: Some(()),
            }));
        }
        Ok(Outcome::Wrong(WrongVersion {
            current_revision: known.len().checked_sub(1).map(|last| last as u64),
            current_no_stream: known.is_empty().then_some(()),
            expected_revision: from.checked_sub(1).map(|revision| revision as u64),
            expected_no_stream: (from == 0).then_some(()),
        }))
    }

    /// A stream's events from a revision on, which counts; or backwards from its end.
    pub(super) fn stream(
        &self,
        stream: &Bytes,
        revision: &Revision,
        backwards: bool,
        count: usize,
    ) -> Vec<ReadResp> {
        let Some(places) = self.streams.get(stream) else {
            let stream = Some(StreamName { name: stream.clone() });
            return vec![ReadResp { content: Some(Content::NotFound(NotFound { stream })) }];
        };
        let from = match revision {
            Revision::At(revision) => usize::try_from(*revision).unwrap_or(usize::MAX),
            Revision::Start(()) => 0,
            Revision::End(()) => places.len() - 1,
        };
        if backwards {
            let until = places.len().min(from + 1);
            return places[..until].iter().rev().take(count).map(|at| self.told(*at)).collect();
        }
        places.iter().skip(from).take(count).map(|place| self.told(*place)).collect()
    }

    /// The log from a position on, which counts: a position where no event stands is refused.
    pub(super) fn all(&self, from: Option<u64>, count: usize) -> Result<Vec<ReadResp>, Status> {
        let from = match from {
            None => 0,
            Some(position) => self
                .events
                .binary_search_by_key(&position, |event| event.commit_position)
                .map_err(|_| Status::invalid_argument("no event stands at this position"))?,
        };
        Ok((from..self.events.len()).take(count).map(|place| self.told(place)).collect())
    }

    fn told(&self, place: usize) -> ReadResp {
        let event = self.events[place].clone();
        let commit_position = Some(event.commit_position);
        let event = ReadEvent { event: Some(event), commit_position };
        ReadResp { content: Some(Content::Event(event)) }
    }

    fn push(&mut self, stream: &Bytes, event: ProposedEvent) -> u64 {
        let position = self.next;
        let places = self.streams.entry(stream.clone()).or_default();
        // As long as the record would be.
        let length = event.data.len() + event.custom_metadata.len() + stream.len() + 80;
        self.next += length as u64;
        let mut metadata = event.metadata;
        metadata.insert("created".to_owned(), "17000000000000000".to_owned());
        self.events.push(RecordedEvent {
            id: event.id,
            stream: Some(StreamName { name: stream.clone() }),
            revision: places.len() as u64,
            prepare_position: position,
            commit_position: position,
            metadata,
            custom_metadata: event.custom_metadata,
            data: event.data,
        });
        places.push(self.events.len() - 1);
        position
    }

    /// An event of the server's own.
    fn statistics(&mut self) {
        let kind = [("type", "$statsCollected"), ("content-type", "application/json")];
        let metadata = kind.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let value = UuidValue::Text(format!("00000000-0000-4000-8000-{:012x}", self.next));
        let id = Some(Uuid { value: Some(value) });
        let (custom_metadata, data) = (Bytes::new(), Bytes::from_static(b"{}"));
        let event = ProposedEvent { id, metadata, custom_metadata, data };
        self.push(&Bytes::from_static(b"$stats-127.0.0.1:2113"), event);
    }
}

/// Ids come in two shapes.
fn id(id: Option<&Uuid>) -> Option<u128> {
    match id?.value.as_ref()? {
        UuidValue::Structured(Structured { most, least }) => {
            Some(u128::from(most.cast_unsigned()) << 64 | u128::from(least.cast_unsigned()))
        }
        UuidValue::Text(text) => text.parse::<uuid::Uuid>().ok().map(|id| id.as_u128()),
    }
}
