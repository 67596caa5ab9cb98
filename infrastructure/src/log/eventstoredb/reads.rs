//! Reading from the server: a stream, the whole log in the order of its positions, the end of a stream. The
//! server's own streams, and those of others under other prefixes, are passed over here, not by the server: the
//! client filters subscriptions only.

use super::connect::{Server, is_unfit, unread};
use super::event;
use crate::log::port::{ReadError, Stored};
use crate::log::sealing::Tip;
use eventstore::{
    Error, Position, ReadAllOptions, ReadStreamOptions, RecordedEvent, StreamPosition,
};

/// Versions and positions are 63 bits there.
const MOST: u64 = i64::MAX.unsigned_abs();

impl Server {
    /// A stream's events with a version above `after`, at most `limit`.
    pub(super) async fn stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        if after >= MOST || limit == 0 {
            return Ok(Vec::new());
        }
        let options = ReadStreamOptions::default()
            .position(StreamPosition::Position(after))
            .max_count(limit)
            .requires_leader(true);
        self.events_of(stream, &options).await
    }

    /// Where a stream ends.
    pub(super) async fn tip(&self, stream: &str) -> Result<Tip, ReadError> {
        let options = ReadStreamOptions::default()
            .position(StreamPosition::End)
            .max_count(1)
            .requires_leader(true);
        let last = self.events_of(stream, &options).await?;
        Ok(last.last().map_or(Tip::NONE, |event| Tip { version: event.version, hash: event.hash }))
    }

    async fn events_of(
        &self,
        stream: &str,
        options: &ReadStreamOptions,
    ) -> Result<Vec<Stored>, ReadError> {
        let name = format!("{}{stream}", self.prefix);
        let read = self.ask(|client| {
            let name = name.clone();
            async move {
                let mut events = Vec::new();
                let mut reading = client.read_stream(name, options).await?;
                while let Some(event) = reading.next().await? {
                    events.push(event::stored(stream, event.get_original_event()));
                }
                Ok(events)
            }
        });
        match read.await {
            Ok(events) => events.into_iter().collect(),
            Err(Error::ResourceNotFound) => Ok(Vec::new()),
            Err(error) => Err(unread(&error)),
        }
    }

    /// The log's events with a position above `after`, at most `limit`. `after` is 0 or an event's position.
    pub(super) async fn all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        if after >= MOST || limit == 0 {
            return Ok(Vec::new());
        }
        let read = self.ask(|client| async move {
            let mut events = Vec::new();
            let mut reading = client.read_all(&from(after)).await?;
            // The server sends as fast as it is read, and stops when the reading is dropped.
            while let Some(event) = reading.next().await? {
                let event = event.get_original_event();
                // It begins with the event that stands at the position.
                if event.position.commit > after
                    && let Some(stream) = self.ours(event)
                {
                    events.push(event::stored(stream, event));
                    if events.len() == limit {
                        break;
                    }
                }
            }
            Ok(events)
        });
        read.await.map_err(|error| unread(&error))?.into_iter().collect()
    }

    /// Whether an event of ours stands exactly at this position.
    pub(super) async fn stands_at(&self, position: u64) -> Result<bool, ReadError> {
        let options = from(position).max_count(1);
        let read = self.ask(|client| {
            let options = &options;
            async move {
                let mut reading = client.read_all(options).await?;
                let first = reading.next().await?;
                Ok(first.is_some_and(|event| {
                    let event = event.get_original_event();
                    event.position.commit == position && self.ours(event).is_some()
                }))
            }
        });
        match read.await {
            Ok(stands) => Ok(stands),
            // Where no record begins there, the server refuses the question.
            Err(error) if is_unfit(&error) => Ok(false),
            Err(error) => Err(unread(&error)),
        }
    }

    /// The name that the event's stream has here, if it is one of ours.
    fn ours<'a>(&self, event: &'a RecordedEvent) -> Option<&'a str> {
        let name = event.stream_id.strip_prefix(&self.prefix)?;
        (!event.stream_id.starts_with('$')).then_some(name)
    }
}

fn from(position: u64) -> ReadAllOptions {
    let start = match position {
        0 => StreamPosition::Start,
        at => StreamPosition::Position(Position { commit: at, prepare: at }),
    };
    ReadAllOptions::default().position(start).requires_leader(true)
}
