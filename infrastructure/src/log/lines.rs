//! Stored events as lines of JSON, one event a line with everything that its hash covers: the form of exports
//! and of the archive's segments. Lines hold payloads, which no player may see; errors quote nothing of them.

use super::port::{Stamp, Stored};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, CommandId, EventId, Time};

/// Why a line is not an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it is not an event: {0}")]
pub struct LineError(String);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    position: u64,
    stream: Cow<'a, str>,
    version: u64,
    id: EventId,
    name: Cow<'a, str>,
    at: Time,
    actor: Actor,
    command: Cow<'a, str>,
    command_id: Option<CommandId>,
    correlation: Uuid,
    causation: Option<EventId>,
    node: Cow<'a, str>,
    build: Cow<'a, str>,
    recorded: Time,
    salt: Cow<'a, str>,
    hash: Cow<'a, str>,
    /// As text: byte for byte what was hashed.
    payload: Cow<'a, str>,
}

/// The event as one line, without its end.
///
/// # Errors
/// Never for an event that a store gave.
pub fn write(event: &Stored) -> Result<String, LineError> {
    let stamp = &event.stamp;
    let line = Line {
        position: event.position,
        stream: Cow::Borrowed(&event.stream),
        version: event.version,
        id: event.id,
        name: Cow::Borrowed(&event.name),
        at: stamp.at,
        actor: stamp.actor,
        command: Cow::Borrowed(&stamp.command),
        command_id: stamp.command_id,
        correlation: stamp.correlation,
        causation: stamp.causation,
        node: Cow::Borrowed(&stamp.node),
        build: Cow::Borrowed(&stamp.build),
        recorded: event.recorded,
        salt: Cow::Owned(hex::encode(event.salt)),
        hash: Cow::Owned(hex::encode(event.hash)),
        payload: Cow::Borrowed(&event.payload),
    };
    serde_json::to_string(&line).map_err(|_| LineError("it cannot be written".to_owned()))
}

/// The event of a line.
///
/// # Errors
/// [`LineError`], which quotes nothing of the line.
pub fn read(text: &str) -> Result<Stored, LineError> {
    let line: Line<'_> = serde_json::from_str(text).map_err(|error| {
        let what = if error.is_data() { "another shape" } else { "not JSON" };
        LineError(format!("{what} (column {})", error.column()))
    })?;
    Ok(Stored {
        position: line.position,
        stream: line.stream.into_owned(),
        version: line.version,
        id: line.id,
        name: line.name.into_owned(),
        payload: line.payload.into_owned(),
        stamp: Stamp {
            at: line.at,
            actor: line.actor,
            command: line.command.into_owned(),
            command_id: line.command_id,
            correlation: line.correlation,
            causation: line.causation,
            node: line.node.into_owned(),
            build: line.build.into_owned(),
        },
        recorded: line.recorded,
        salt: bytes(&line.salt, "salt")?,
        hash: bytes(&line.hash, "hash")?,
    })
}

fn bytes<const N: usize>(text: &str, what: &str) -> Result<[u8; N], LineError> {
    let mut bytes = [0; N];
    let read = hex::decode_to_slice(text, &mut bytes);
    read.map_err(|_| LineError(format!("its {what} is not {N} bytes in hexadecimal digits")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yibu_domain::kernel::PlayerId;

    #[test]
    fn an_event_comes_back_as_it_went() {
        for (actor, command_id) in [
            (Actor::System, None),
            (Actor::Player(PlayerId(Uuid::from_u128(3))), Some(CommandId(Uuid::from_u128(4)))),
        ] {
            let event = Stored {
                position: 9,
                stream: "test-1".to_owned(),
                version: 2,
                id: EventId(Uuid::from_u128(1)),
                name: "test.happened.v1".to_owned(),
                payload: "{ \"n\":\t1,\n\"文\":\"\\\"\"}".to_owned(),
                stamp: Stamp {
                    at: Time(5),
                    actor,
                    command: "try".to_owned(),
                    command_id,
                    correlation: Uuid::from_u128(2),
                    causation: None,
                    node: "n".to_owned(),
                    build: "b".to_owned(),
                },
                recorded: Time(6),
                salt: [7; 16],
                hash: [8; 32],
            };
            let line = write(&event).unwrap();
            assert!(!line.contains('\n'));
            assert!(read(&line).unwrap() == event);
            let odd = line.replace("0808", "08zz");
            assert!(read(&odd).unwrap_err().to_string().contains("hash"));
            for broken in
                ["", "{}", &line[..line.len() - 9], &line.replace("try", "try\",\"x\":\"")]
            {
                let error = read(broken).unwrap_err().to_string();
                assert!(!error.contains("文"), "{error}");
            }
        }
    }
}
