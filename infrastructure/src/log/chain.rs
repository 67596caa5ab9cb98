//! The hash chains: one per stream and one rolling over the whole log, so that a changed, missing, added or
//! moved event shows. Pure functions over stored events; never reads a store. The bytes below are for ever.
//!
//! Stored bytes of an event: the fields below in this order, each as its length (64 bits, little-endian)
//! followed by its bytes. Integers are 64 bits little-endian, ids their 16 bytes, text UTF-8; an id that is
//! not there has the length 0.
//!
//! `yibu-event/1` · stream · version · event id · name · payload · effective time · actor (see
//! `actor_bytes`) · command · command id · correlation · causation · node · build · recorded time
//!
//! Event hash = BLAKE3(previous ‖ salt ‖ stored bytes); the previous of a stream's first event is 32 zero
//! bytes. Rolling hash = BLAKE3(rolling ‖ event hash ‖ position as 64 bits little-endian), from 32 zero bytes.

use super::actor_bytes;
use super::port::{Head, Stored};

/// What stands before a stream's first event and before the log's first event.
pub const START: [u8; 32] = [0; 32];

const FORMAT: &[u8] = b"yibu-event/1";

/// Why a chain does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChainError {
    /// The event is not the one that should stand here: something was changed, left out or put in.
    #[error("stream {stream}: {}", misplaced(*.expected, *.found))]
    WrongVersion {
        /// Which stream.
        stream: String,
        /// The version that should follow.
        expected: u64,
        /// The version that stands there.
        found: u64,
    },
    /// The event belongs to another stream.
    #[error("an event of stream {found} stands in stream {stream}")]
    WrongStream {
        /// The stream of the events before.
        stream: String,
        /// The event's own stream.
        found: String,
    },
    /// The event's bytes, its salt or what came before it are not those that were hashed.
    #[error("stream {stream}, version {version} (position {position}): the hash does not match")]
    WrongHash {
        /// Which stream.
        stream: String,
        /// Which event of it.
        version: u64,
        /// Where it stands in the log.
        position: u64,
    },
    /// Positions do not rise.
    #[error("position {found} follows position {last}")]
    WrongPosition {
        /// The position before.
        last: u64,
        /// The position that follows.
        found: u64,
    },
}

/// What a version that should not stand here says: something was left out, or put in.
fn misplaced(expected: u64, found: u64) -> String {
    match found.checked_sub(expected) {
        Some(1) => format!("version {expected} is missing: version {found} follows"),
        Some(_) => {
            format!("versions {expected} to {} are missing: version {found} follows", found - 1)
        }
        None => format!("version {found} follows version {}", expected - 1),
    }
}

/// The hash of an event that follows `previous` in its stream. `event.hash` is not looked at.
pub fn event_hash(previous: &[u8; 32], event: &Stored) -> [u8; 32] {
    let stamp = &event.stamp;
    // One buffer and one pass: hashing thirty short pieces costs several times as much.
    let mut bytes = Vec::with_capacity(event.payload.len() + 512);
    bytes.extend_from_slice(previous);
    bytes.extend_from_slice(&event.salt);
    let mut field = |part: &[u8]| {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    };
    field(FORMAT);
    field(event.stream.as_bytes());
    field(&event.version.to_le_bytes());
    field(event.id.0.as_bytes());
    field(event.name.as_bytes());
    field(event.payload.as_bytes());
    field(&stamp.at.0.to_le_bytes());
    field(&actor_bytes::write(&stamp.actor));
    field(stamp.command.as_bytes());
    field(stamp.command_id.as_ref().map_or(&[], |id| id.0.as_bytes().as_slice()));
    field(stamp.correlation.as_bytes());
    field(stamp.causation.as_ref().map_or(&[], |id| id.0.as_bytes().as_slice()));
    field(stamp.node.as_bytes());
    field(stamp.build.as_bytes());
    field(&event.recorded.0.to_le_bytes());
    *blake3::hash(&bytes).as_bytes()
}

/// Checks a part of one stream: `events` in order, following version `after`, whose hash is `previous`
/// (0 and [`START`] for a whole stream). Returns the last hash.
///
/// # Errors
/// The first event that does not fit.
pub fn verify_stream(
    previous: [u8; 32],
    after: u64,
    events: &[Stored],
) -> Result<[u8; 32], ChainError> {
    let mut last = previous;
    for (event, expected) in events.iter().zip(after + 1..) {
        let stream = &events[0].stream;
        if event.stream != *stream {
            let (stream, found) = (stream.clone(), event.stream.clone());
            return Err(ChainError::WrongStream { stream, found });
        }
        if event.version != expected {
            let (stream, found) = (stream.clone(), event.version);
            return Err(ChainError::WrongVersion { stream, expected, found });
        }
        if event_hash(&last, event) != event.hash {
            return Err(ChainError::WrongHash {
                stream: stream.clone(),
                version: event.version,
                position: event.position,
            });
        }
        last = event.hash;
    }
    Ok(last)
}

/// Rolls over the log in position order. It trusts the event hashes that it is given: whoever verifies a log
/// also verifies its streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roller {
    head: Head,
}

impl Default for Roller {
    fn default() -> Self {
        Self::new()
    }
}

impl Roller {
    /// At the log's beginning.
    pub const fn new() -> Self {
        Self::at(Head { position: 0, hash: START })
    }

    /// Where an earlier pass ended.
    pub const fn at(head: Head) -> Self {
        Self { head }
    }

    /// Takes the next event in.
    ///
    /// # Errors
    /// Its position is not above the last. Gaps are allowed: not every store is without them.
    pub fn push(&mut self, event: &Stored) -> Result<(), ChainError> {
        if event.position <= self.head.position {
            let (last, found) = (self.head.position, event.position);
            return Err(ChainError::WrongPosition { last, found });
        }
        self.head = roll(&self.head.hash, event.position, &event.hash);
        Ok(())
    }

    /// The head after everything taken in.
    pub const fn head(&self) -> Head {
        self.head
    }
}

/// The head after the event with `hash` was put at `position`.
pub(crate) fn roll(rolling: &[u8; 32], position: u64, hash: &[u8; 32]) -> Head {
    let mut bytes = [0; 72];
    bytes[..32].copy_from_slice(rolling);
    bytes[32..64].copy_from_slice(hash);
    bytes[64..].copy_from_slice(&position.to_le_bytes());
    Head { position, hash: *blake3::hash(&bytes).as_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::port::Stamp;
    use uuid::Uuid;
    use yibu_domain::kernel::{Actor, CommandId, EventId, PlayerId, Time};

    fn event() -> Stored {
        Stored {
            position: 7,
            stream: "match-00000000-0000-0000-0000-00000000000a".to_owned(),
            version: 3,
            id: EventId(Uuid::from_u128(1)),
            name: "siguo.moved.v1".to_owned(),
            payload: r#"{"文":1}"#.to_owned(),
            stamp: Stamp {
                at: Time(1_800_000_000_000),
                actor: Actor::Player(PlayerId(Uuid::from_u128(2))),
                command: "move".to_owned(),
                command_id: Some(CommandId(Uuid::from_u128(3))),
                correlation: Uuid::from_u128(4),
                causation: None,
                node: "node-a".to_owned(),
                build: "0.1.0".to_owned(),
            },
            recorded: Time(1_800_000_000_001),
            salt: [0xaa; 16],
            hash: [0; 32],
        }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The bytes, written out by hand. If this fails, the program no longer reads logs of before.
    #[test]
    fn the_bytes_are_for_ever() {
        let previous = [0x55; 32];
        let id = |n| hex(Uuid::from_u128(n).as_bytes());
        let text = |text: &str| (text.len(), hex(text.as_bytes()));
        let parts = [
            text("yibu-event/1"),
            text("match-00000000-0000-0000-0000-00000000000a"),
            (8, "0300000000000000".to_owned()),
            (16, id(1)),
            text("siguo.moved.v1"),
            (9, "7b22e69687223a317d".to_owned()),
            (8, "00505c18a3010000".to_owned()),
            (17, format!("01{}", id(2))),
            text("move"),
            (16, id(3)),
            (16, id(4)),
            (0, String::new()),
            text("node-a"),
            text("0.1.0"),
            (8, "01505c18a3010000".to_owned()),
        ];
        let mut stored = hex(&previous) + &hex(&[0xaa; 16]);
        for (length, bytes) in parts {
            assert_eq!(bytes.len(), 2 * length);
            stored += &format!("{length:02x}00000000000000{bytes}");
        }
        let stored: Vec<u8> = stored
            .as_bytes()
            .chunks(2)
            .map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap())
            .collect();
        let hash = event_hash(&previous, &event());
        assert_eq!(hash, *blake3::hash(&stored).as_bytes());
        assert_eq!(hex(&hash), "f038c456fa4198a3146fda5c3a7911dfb887ef574f520ad746eb527a7c460002");

        let mut roller = Roller::new();
        roller.push(&Stored { hash, ..event() }).unwrap();
        assert_eq!(roller.head().position, 7);
        let rolled: Vec<u8> = [&START[..], &hash, &7_u64.to_le_bytes()].concat();
        assert_eq!(roller.head().hash, *blake3::hash(&rolled).as_bytes());
        assert_eq!(
            hex(&roller.head().hash),
            "733e9d598864e48420313c5b8ebb494fbe143e11ab20be35160f65243a1a08a0"
        );
    }
}
