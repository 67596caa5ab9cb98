//! An event as the server keeps it: the payload text as data, byte for byte, and everything else that is hashed
//! as JSON metadata. The names below are for ever; correlation and causation have the names that the server's
//! own tools know.

use crate::log::actor_bytes;
use crate::log::port::{ReadError, Stamp, Stored};
use eventstore::{EventData, RecordedEvent};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;
use yibu_domain::kernel::{CommandId, EventId, Time};

/// An event with everything but its position, which the server gives.
#[derive(Serialize, Deserialize)]
pub(super) struct Sealed {
    pub(super) id: Uuid,
    name: String,
    payload: String,
    /// JSON text as it is sent.
    metadata: String,
}

#[derive(Serialize, Deserialize)]
struct Metadata {
    at: i64,
    actor: String,
    command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    command_id: Option<Uuid>,
    #[serde(rename = "$correlationId")]
    correlation: Uuid,
    #[serde(rename = "$causationId", skip_serializing_if = "Option::is_none")]
    causation: Option<Uuid>,
    node: String,
    build: String,
    recorded: i64,
    salt: String,
    hash: String,
}

impl Sealed {
    /// Takes a sealed event apart; its position is not looked at.
    pub(super) fn new(event: Stored) -> Result<Self, String> {
        let stamp = event.stamp;
        let metadata = Metadata {
            at: stamp.at.0,
            actor: hex::encode(actor_bytes::write(&stamp.actor)),
            command: stamp.command,
            command_id: stamp.command_id.map(|id| id.0),
            correlation: stamp.correlation,
            causation: stamp.causation.map(|id| id.0),
            node: stamp.node,
            build: stamp.build,
            recorded: event.recorded.0,
            salt: hex::encode(event.salt),
            hash: hex::encode(event.hash),
        };
        let metadata = serde_json::to_string(&metadata).map_err(|error| error.to_string())?;
        Ok(Self { id: event.id.0, name: event.name, payload: event.payload, metadata })
    }

    /// As the client takes it.
    pub(super) fn proposed(&self) -> Result<EventData, String> {
        let raw: &RawValue = serde_json::from_str(&self.payload)
            .ok()
            .filter(|raw: &&RawValue| raw.get().len() == self.payload.len())
            .ok_or_else(|| format!("the payload of {} is not JSON text", self.name))?;
        let event = EventData::json(&self.name, &raw).map_err(|error| error.to_string())?;
        Ok(event.id(self.id).metadata(self.metadata.clone().into_bytes().into()))
    }
}

/// An event as it came back, under the name that its stream has here.
pub(super) fn stored(stream: &str, event: &RecordedEvent) -> Result<Stored, ReadError> {
    let broken = |what: &str| {
        ReadError::Failed(format!(
            "event {} of stream {} is not ours: {what}",
            event.revision, stream
        ))
    };
    let metadata: Metadata =
        serde_json::from_slice(&event.custom_metadata).map_err(|_| broken("its metadata"))?;
    let actor = hex::decode(&metadata.actor).ok().and_then(|bytes| actor_bytes::read(&bytes));
    let payload = String::from_utf8(event.data.to_vec()).map_err(|_| broken("its payload"))?;
    // Servers before 22.6 do not say where the events of a stream stand in the log.
    let position = i64::try_from(event.position.commit).map_err(|_| {
        ReadError::Failed("the server gives no positions; it must be 22.6 or later".into())
    })?;
    Ok(Stored {
        position: position.unsigned_abs(),
        stream: stream.to_owned(),
        version: event.revision + 1,
        id: EventId(event.id),
        name: event.event_type.clone(),
        payload,
        stamp: Stamp {
            at: Time(metadata.at),
            actor: actor.ok_or_else(|| broken("its actor"))?,
            command: metadata.command,
            command_id: metadata.command_id.map(CommandId),
            correlation: metadata.correlation,
            causation: metadata.causation.map(EventId),
            node: metadata.node,
            build: metadata.build,
        },
        recorded: Time(metadata.recorded),
        salt: bytes(&metadata.salt).ok_or_else(|| broken("its salt"))?,
        hash: bytes(&metadata.hash).ok_or_else(|| broken("its hash"))?,
    })
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    hex::decode(text).ok()?.try_into().ok()
}
