//! Between events as the domain knows them and names and text as the log stores them. The only reader and
//! writer of payloads; must not print them, for they hold what no player may see.
//!
//! Recipe, to change an event's shape: leave the old golden payload alone; give the new shape the next name
//! (`siguo.moved.v2`) in the event's own `name`, `encode` and `decode`; add a line to `UPCASTS` in `upcasts`
//! that turns the stored text of v1 into that of v2; add a golden payload for v2. Nothing stored is rewritten.

use super::port::{NewEvent, Stored};
use super::upcasts::{UPCASTS, Upcast};
use std::borrow::Cow;
use yibu_domain::kernel::{Dated, Event, EventId};

/// A stored event that this program cannot read, or an event that cannot be stored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodecError {
    /// Nobody here knows events of this name: another kind of stream, or a newer program wrote it.
    #[error("stream {stream}, version {version} (position {position}): unknown event {name}")]
    UnknownName {
        /// Which stream.
        stream: String,
        /// Which event of it.
        version: u64,
        /// Where it stands in the log.
        position: u64,
        /// The stored name.
        name: String,
    },
    /// The payload is not what events of this name hold.
    #[error(
        "stream {stream}, version {version} (position {position}): broken payload of {name}: {problem}"
    )]
    BrokenPayload {
        /// Which stream.
        stream: String,
        /// Which event of it.
        version: u64,
        /// Where it stands in the log.
        position: u64,
        /// The stored name.
        name: String,
        /// What is wrong and where, without any of the text.
        problem: String,
    },
    /// The event's own serializer failed.
    #[error("event {name} cannot be written: {problem}")]
    Unwritable {
        /// The name that it would have.
        name: &'static str,
        /// What is wrong, without any of the text.
        problem: String,
    },
}

/// The stored name and the payload text of an event.
///
/// # Errors
/// [`CodecError::Unwritable`].
pub fn encode<E: Event>(event: &E) -> Result<(&'static str, String), CodecError> {
    let name = event.name();
    let unwritable = |problem: String| CodecError::Unwritable { name, problem };
    let mut payload = Vec::with_capacity(256);
    event
        .encode(&mut serde_json::Serializer::new(&mut payload))
        .map_err(|error| unwritable(without_text(&error)))?;
    let payload = String::from_utf8(payload).map_err(|_| unwritable("not UTF-8".to_owned()))?;
    Ok((name, payload))
}

/// An event as a commit takes it.
///
/// # Errors
/// [`CodecError::Unwritable`].
pub fn new_event<E: Event>(id: EventId, event: &E) -> Result<NewEvent, CodecError> {
    let (name, payload) = encode(event)?;
    Ok(NewEvent { id, name, payload })
}

/// A stored event as the domain knows it today.
///
/// # Errors
/// [`CodecError::UnknownName`] or [`CodecError::BrokenPayload`].
pub fn decode<E: Event>(stored: &Stored) -> Result<Dated<E>, CodecError> {
    decode_with(UPCASTS, stored)
}

fn decode_with<E: Event>(table: &[Upcast], stored: &Stored) -> Result<Dated<E>, CodecError> {
    let broken = |problem: String| CodecError::BrokenPayload {
        stream: stored.stream.clone(),
        version: stored.version,
        position: stored.position,
        name: stored.name.clone(),
        problem,
    };
    let (name, payload) = upcast(table, &stored.name, &stored.payload).map_err(broken)?;
    let mut text = serde_json::Deserializer::from_str(&payload);
    let event = E::decode(name, &mut text)
        .ok_or_else(|| CodecError::UnknownName {
            stream: stored.stream.clone(),
            version: stored.version,
            position: stored.position,
            name: stored.name.clone(),
        })?
        .map_err(|error| broken(without_text(&error)))?;
    text.end().map_err(|error| broken(without_text(&error)))?;
    Ok(Dated { at: stored.stamp.at, event })
}

/// Follows the table from an old shape to today's. An event of today passes without a copy.
fn upcast<'a>(
    table: &[Upcast],
    name: &'a str,
    payload: &'a str,
) -> Result<(&'a str, Cow<'a, str>), String>
where
    'static: 'a,
{
    let (mut name, mut payload) = (name, Cow::Borrowed(payload));
    // Each line is used once at most, so that a table that runs in a circle ends too.
    for _ in table {
        let Some(step) = table.iter().find(|step| step.from == name) else {
            break;
        };
        payload = Cow::Owned((step.turn)(&payload).map_err(str::to_owned)?);
        name = step.to;
    }
    Ok((name, payload))
}

/// The reader's own messages quote the value that they stumbled on.
fn without_text(error: &serde_json::Error) -> String {
    let problem = match error.classify() {
        serde_json::error::Category::Io => "unreadable",
        serde_json::error::Category::Syntax => "not JSON",
        serde_json::error::Category::Data => "not of the expected shape",
        serde_json::error::Category::Eof => "cut short",
    };
    format!("{problem} (line {}, column {})", error.line(), error.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::port::Stamp;
    use serde::{Deserialize, Serialize};
    use uuid::Uuid;
    use yibu_domain::kernel::{Actor, Time};

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Weighed {
        grams: u32,
    }

    impl Event for Weighed {
        fn name(&self) -> &'static str {
            "test.weighed.v3"
        }
        fn encode<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.serialize(serializer)
        }
        fn decode<'de, D: serde::Deserializer<'de>>(
            name: &str,
            deserializer: D,
        ) -> Option<Result<Self, D::Error>> {
            (name == "test.weighed.v3").then(|| Self::deserialize(deserializer))
        }
    }

    fn stored(name: &str, payload: &str) -> Stored {
        let stamp = Stamp {
            at: Time(77),
            actor: Actor::System,
            command: "weigh".to_owned(),
            command_id: None,
            correlation: Uuid::nil(),
            causation: None,
            node: "n".to_owned(),
            build: "b".to_owned(),
        };
        Stored {
            position: 9,
            stream: "test-1".to_owned(),
            version: 4,
            id: EventId(Uuid::nil()),
            name: name.to_owned(),
            payload: payload.to_owned(),
            stamp,
            recorded: Time(78),
            salt: [0; 16],
            hash: [0; 32],
        }
    }

    const OLD: &[Upcast] = &[
        Upcast {
            from: "test.weighed.v1",
            to: "test.weighed.v2",
            turn: |text| Ok(text.replace("kg", "kilos")),
        },
        Upcast {
            from: "test.weighed.v2",
            to: "test.weighed.v3",
            turn: |text| {
                text.contains("kilos").then(|| r#"{"grams":3000}"#.to_owned()).ok_or("no kilos")
            },
        },
        Upcast { from: "test.round.v1", to: "test.round.v2", turn: |text| Ok(text.to_owned()) },
        Upcast { from: "test.round.v2", to: "test.round.v1", turn: |text| Ok(text.to_owned()) },
    ];

    #[test]
    fn there_and_back() {
        let event = Weighed { grams: 12 };
        let (name, payload) = encode(&event).unwrap();
        assert_eq!((name, payload.as_str()), ("test.weighed.v3", r#"{"grams":12}"#));
        assert_eq!(decode(&stored(name, &payload)), Ok(Dated { at: Time(77), event }));
    }

    #[test]
    fn old_shapes_come_up() {
        let up = |name, text| decode_with::<Weighed>(OLD, &stored(name, text));
        assert_eq!(up("test.weighed.v1", r#"{"kg":3}"#).unwrap().event.grams, 3000);
        assert!(matches!(
            up("test.weighed.v1", "{}"),
            Err(CodecError::BrokenPayload { problem, .. }) if problem == "no kilos"
        ));
        assert!(matches!(up("test.round.v1", "{}"), Err(CodecError::UnknownName { .. })));
    }

    #[test]
    fn what_cannot_be_read_is_named_without_its_text() {
        let unknown = decode::<Weighed>(&stored("test.weighed.v9", "{}")).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "stream test-1, version 4 (position 9): unknown event test.weighed.v9"
        );
        for text in [r#"{"grams":"secret"}"#, r#"{"grams":1}secret"#, "{\"grams\":", "secret"] {
            let broken = decode::<Weighed>(&stored("test.weighed.v3", text)).unwrap_err();
            assert!(matches!(broken, CodecError::BrokenPayload { .. }));
            assert!(!format!("{broken} {broken:?}").contains("secret"));
        }
    }
}
