//! An aggregate of ours as `cqrs_es` hosts it, and our log as its repository. The only file that speaks
//! `cqrs_es`, but for the second reader in `independent`. The executor folds with the same [`Hosted`] but does not run on the framework: see "Why our own
//! executor beside cqrs-es" in this crate's README.

use super::{aggregate_id, stream_name};
use crate::log::codec;
use crate::log::port::{
    AppendError, Commit, EventLog, Expected, NewEvent, ReadError, Stamp, Stored,
};
use crate::system::Entropy;
use cqrs_es::event_sink::EventSink;
use cqrs_es::persist::{
    PersistedEventRepository, PersistenceError, ReplayStream, SerializedEvent, SerializedSnapshot,
};
use cqrs_es::{Aggregate, DomainEvent};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::Value;
use std::marker::PhantomData;
use std::sync::Arc;
use yibu_domain::kernel::{Actor, Ctx, Dated, Decider, Dice, Event, Time};

/// How many events are read at once.
pub(super) const PAGE: usize = 512;

/// A folded aggregate with the version that it stands at.
pub struct Hosted<D: Decider> {
    state: Arc<D::State>,
    version: u64,
    last: Time,
}

impl<D: Decider> Hosted<D> {
    /// The state.
    pub fn state(&self) -> &Arc<D::State> {
        &self.state
    }

    /// The number of events folded in.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The latest instant of any of them.
    pub fn last(&self) -> Time {
        self.last
    }

    /// Takes the next event in.
    pub fn fold(&mut self, event: &Dated<D::Event>) {
        // Copies the state only where somebody still looks at the one before.
        D::evolve(Arc::make_mut(&mut self.state), event);
        self.version += 1;
        self.last = self.last.at_least(event.at);
    }
}

impl<D: Decider> Default for Hosted<D> {
    fn default() -> Self {
        Self { state: Arc::default(), version: 0, last: Time(i64::MIN) }
    }
}

impl<D: Decider> Clone for Hosted<D> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state), version: self.version, last: self.last }
    }
}

const NEVER_STORED: &str = "states are folded from events and never stored";

/// Always fails: the trait asks for it, but a state has no way out.
impl<D: Decider> Serialize for Hosted<D> {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(ser::Error::custom(NEVER_STORED))
    }
}

/// Always fails, like writing.
impl<'de, D: Decider> Deserialize<'de> for Hosted<D> {
    fn deserialize<S: Deserializer<'de>>(_: S) -> Result<Self, S::Error> {
        Err(de::Error::custom(NEVER_STORED))
    }
}

/// A command with what its decision may know of the world.
pub struct HostedCommand<D: Decider> {
    /// What is asked.
    pub command: D::Command,
    /// Who asks.
    pub actor: Actor,
    /// When.
    pub now: Time,
    /// Chance.
    pub dice: Dice,
}

/// An event in the framework's hands: its text is the codec's own.
#[derive(Clone, PartialEq, Debug)]
pub struct HostedEvent<E: Event>(pub Dated<E>);

#[derive(Serialize, Deserialize)]
struct Envelope {
    at: Time,
    name: String,
    text: String,
}

impl<E: Event> HostedEvent<E> {
    fn envelope(&self) -> Result<Envelope, codec::CodecError> {
        let (name, text) = codec::encode(&self.0.event)?;
        Ok(Envelope { at: self.0.at, name: name.to_owned(), text })
    }
}

impl Envelope {
    fn open<E: Event>(&self) -> Result<Dated<E>, serde_json::Error> {
        let mut text = serde_json::Deserializer::from_str(&self.text);
        let event = E::decode(&self.name, &mut text)
            .ok_or_else(|| de::Error::custom(format_args!("unknown event {}", self.name)))??;
        Ok(Dated { at: self.at, event })
    }
}

impl<E: Event> Serialize for HostedEvent<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let envelope = self.envelope().map_err(ser::Error::custom)?;
        envelope.serialize(serializer)
    }
}

impl<'de, E: Event> Deserialize<'de> for HostedEvent<E> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        let envelope = Envelope::deserialize(deserializer)?;
        envelope.open().map(Self).map_err(de::Error::custom)
    }
}

impl<E: Event> DomainEvent for HostedEvent<E> {
    fn event_type(&self) -> String {
        self.0.event.name().to_owned()
    }

    fn event_version(&self) -> String {
        let name = self.0.event.name();
        let version = name.rsplit_once(".v").map_or("1", |(_, version)| version);
        version.to_owned()
    }
}

impl<D: Decider> Aggregate for Hosted<D> {
    const TYPE: &'static str = D::CATEGORY;
    type Command = HostedCommand<D>;
    type Event = HostedEvent<D::Event>;
    type Error = D::Refusal;
    type Services = ();

    async fn handle(
        &mut self,
        mut command: Self::Command,
        _: &Self::Services,
        sink: &EventSink<Self>,
    ) -> Result<(), Self::Error> {
        let now = command.now.at_least(self.last);
        let mut ctx = Ctx { now, actor: command.actor, dice: &mut command.dice };
        for event in D::decide(&self.state, &command.command, &mut ctx)? {
            sink.write(HostedEvent(Dated { at: now, event }), self).await;
        }
        Ok(())
    }

    fn apply(&mut self, event: Self::Event) {
        self.fold(&event.0);
    }
}

/// Our log as the framework's repository of one kind of aggregate. Claims are derived and checked as they
/// are by the executor. Metadata under [`ACTOR`] and [`COMMAND`] goes into the stamp.
pub struct HostedLog<D: Decider> {
    log: Arc<dyn EventLog>,
    entropy: Entropy,
    kind: PhantomData<fn() -> D>,
}

/// Metadata: the actor as JSON; the server itself where it is missing.
pub const ACTOR: &str = "actor";

/// Metadata: the command's kind.
pub const COMMAND: &str = "command";

impl<D: Decider> HostedLog<D> {
    /// Over a log.
    pub fn new(log: Arc<dyn EventLog>, entropy: Entropy) -> Self {
        Self { log, entropy, kind: PhantomData }
    }

    async fn read(&self, id: &str, after: u64) -> Result<Vec<SerializedEvent>, PersistenceError> {
        let stream = stream::<D>(id)?;
        let mut events = Vec::new();
        let mut after = after;
        loop {
            let page = self.log.read_stream(&stream, after, PAGE).await;
            let page = page.map_err(unreadable)?;
            for stored in &page {
                events.push(serialized::<D>(id, stored)?);
                after = stored.version;
            }
            if page.len() < PAGE {
                return Ok(events);
            }
        }
    }
}

fn stream<D: Decider>(id: &str) -> Result<String, PersistenceError> {
    let id = if id == D::CATEGORY { aggregate_id::<D>(id) } else { id.parse().ok() };
    id.map(stream_name::<D>).ok_or_else(|| unknown("an aggregate's id is a UUID"))
}

fn serialized<D: Decider>(id: &str, stored: &Stored) -> Result<SerializedEvent, PersistenceError> {
    let dated = codec::decode::<D::Event>(stored).map_err(|error| {
        // Not the framework's kind for a shape that changed: it would go on with what it has.
        unknown(error.to_string())
    })?;
    let event = HostedEvent(dated);
    let sequence = usize::try_from(stored.version).map_err(|error| unknown(error.to_string()))?;
    Ok(SerializedEvent::new(
        id.to_owned(),
        sequence,
        D::CATEGORY.to_owned(),
        event.event_type(),
        event.event_version(),
        serde_json::to_value(&event)?,
        Value::Object(serde_json::Map::new()),
    ))
}

fn unknown(text: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> PersistenceError {
    PersistenceError::UnknownError(text.into())
}

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
fn unreadable(error: ReadError) -> PersistenceError {
    PersistenceError::ConnectionError(error.to_string().into())
}

impl<D: Decider> PersistedEventRepository for HostedLog<D> {
    async fn get_events<A: Aggregate>(
        &self,
        aggregate_id: &str,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        self.read(aggregate_id, 0).await
    }

    async fn get_last_events<A: Aggregate>(
        &self,
        aggregate_id: &str,
        last_sequence: usize,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        self.read(aggregate_id, last_sequence as u64).await
    }

    async fn get_snapshot<A: Aggregate>(
        &self,
        _: &str,
    ) -> Result<Option<SerializedSnapshot>, PersistenceError> {
        Ok(None)
    }

    async fn persist<A: Aggregate>(
        &self,
        events: &[SerializedEvent],
        snapshot_update: Option<(String, Value, usize)>,
    ) -> Result<(), PersistenceError> {
        if snapshot_update.is_some() {
            return Err(unknown(NEVER_STORED));
        }
        let Some(first) = events.first() else {
            return Ok(());
        };
        let mut at = Time(i64::MIN);
        let (mut new, mut claims) = (Vec::new(), Vec::new());
        for event in events {
            let envelope = Envelope::deserialize(&event.payload)?;
            let dated = envelope.open::<D::Event>()?;
            at = at.at_least(dated.at);
            claims.extend(D::claims(&dated.event));
            new.push(NewEvent {
                id: self.entropy.event_id(),
                name: dated.event.name(),
                payload: envelope.text,
            });
        }
        let said = |key: &str| first.metadata.get(key).and_then(Value::as_str);
        let actor = said(ACTOR).map(serde_json::from_str).transpose()?;
        let commit = Commit {
            stream: stream::<D>(&first.aggregate_id)?,
            expected: Expected::Exact((first.sequence as u64).saturating_sub(1)),
            events: new,
            stamp: Stamp {
                at,
                actor: actor.unwrap_or(Actor::System),
                command: said(COMMAND).unwrap_or_default().to_owned(),
                command_id: None,
                correlation: self.entropy.uuid(),
                causation: None,
                node: String::new(),
                build: env!("CARGO_PKG_VERSION").to_owned(),
            },
            claims,
            memo: None,
        };
        match self.log.append(commit).await {
            Ok(_) => Ok(()),
            Err(AppendError::Conflict { .. }) => Err(PersistenceError::OptimisticLockError),
            Err(other) => Err(unknown(other)),
        }
    }

    /// Refused: its replays end without an error after a broken connection. Read models read the log.
    async fn stream_events<A: Aggregate>(&self, _: &str) -> Result<ReplayStream, PersistenceError> {
        Err(unknown(NO_REPLAY))
    }

    /// Refused, like [`Self::stream_events`].
    async fn stream_all_events<A: Aggregate>(&self) -> Result<ReplayStream, PersistenceError> {
        Err(unknown(NO_REPLAY))
    }
}

const NO_REPLAY: &str = "read models follow the log itself, in the order of its positions";
