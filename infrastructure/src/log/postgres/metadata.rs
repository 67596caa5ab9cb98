//! An event's id and stamp as the JSON text of the column `metadata`, so that whoever reads the table without
//! this program finds them too. The field names are for ever. Holds nothing of what an event says.

use crate::log::port::Stamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, CommandId, EventId, Time};

#[derive(Serialize, Deserialize)]
struct Metadata<'a> {
    id: EventId,
    at: Time,
    actor: Actor,
    #[serde(borrow)]
    command: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command_id: Option<CommandId>,
    correlation: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    causation: Option<EventId>,
    #[serde(borrow)]
    node: Cow<'a, str>,
    #[serde(borrow)]
    build: Cow<'a, str>,
}

/// Appends the text to store.
pub(super) fn write_to(
    to: &mut Vec<u8>,
    id: EventId,
    stamp: &Stamp,
) -> Result<(), serde_json::Error> {
    let metadata = Metadata {
        id,
        at: stamp.at,
        actor: stamp.actor,
        command: Cow::Borrowed(&stamp.command),
        command_id: stamp.command_id,
        correlation: stamp.correlation,
        causation: stamp.causation,
        node: Cow::Borrowed(&stamp.node),
        build: Cow::Borrowed(&stamp.build),
    };
    serde_json::to_writer(to, &metadata)
}

/// Reads a stored text.
///
/// # Errors
/// It was not written by [`write_to`].
pub(crate) fn read(text: &str) -> Result<(EventId, Stamp), serde_json::Error> {
    let Metadata { id, at, actor, command, command_id, correlation, causation, node, build } =
        serde_json::from_str(text)?;
    let (command, node, build) = (command.into_owned(), node.into_owned(), build.into_owned());
    Ok((id, Stamp { at, actor, command, command_id, correlation, causation, node, build }))
}

/// Whether a text is, byte for byte, what [`write_to`] makes of what it says.
pub(super) fn stands(text: &str) -> bool {
    let mut again = Vec::with_capacity(text.len());
    let written = read(text).and_then(|(id, stamp)| write_to(&mut again, id, &stamp));
    written.is_ok() && again == text.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yibu_domain::kernel::PlayerId;

    fn write(id: EventId, stamp: &Stamp) -> String {
        let mut text = Vec::new();
        write_to(&mut text, id, stamp).unwrap();
        String::from_utf8(text).unwrap()
    }

    /// If this fails, the program no longer reads tables of before.
    #[test]
    fn the_text_is_for_ever() {
        let id = |n| Uuid::from_u128(n);
        let full = Stamp {
            at: Time(1_800_000_000_000),
            actor: Actor::Player(PlayerId(id(2))),
            command: "move".to_owned(),
            command_id: Some(CommandId(id(3))),
            correlation: id(4),
            causation: Some(EventId(id(5))),
            node: "node \"a\"".to_owned(),
            build: "0.1.0".to_owned(),
        };
        let text = write(EventId(id(1)), &full);
        assert_eq!(
            text,
            r#"{"id":"00000000-0000-0000-0000-000000000001","at":1800000000000,"#.to_owned()
                + r#""actor":{"kind":"player","id":"00000000-0000-0000-0000-000000000002"},"#
                + r#""command":"move","command_id":"00000000-0000-0000-0000-000000000003","#
                + r#""correlation":"00000000-0000-0000-0000-000000000004","#
                + r#""causation":"00000000-0000-0000-0000-000000000005","#
                + r#""node":"node \"a\"","build":"0.1.0"}"#
        );
        assert_eq!(read(&text).unwrap(), (EventId(id(1)), full.clone()));

        let bare = Stamp { actor: Actor::Timer, command_id: None, causation: None, ..full };
        let text = write(EventId(id(1)), &bare);
        assert!(!text.contains("command_id") && text.contains(r#""actor":{"kind":"timer"}"#));
        assert_eq!(read(&text).unwrap(), (EventId(id(1)), bare));
        assert!(read("{}").is_err());
        assert!(stands(&text));
        for other in [text.replace('{', "{ "), text.replacen('{', "{\"more\":1,", 1), String::new()]
        {
            assert!(!stands(&other), "{other}");
        }
    }
}
