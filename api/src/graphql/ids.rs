//! Global ids: opaque to clients, typed to us. A text of another type or no id at all names nothing, which
//! is answered like something that does not exist.

use async_graphql::ID;
use uuid::Uuid;
use yibu_domain::kernel::{MatchId, PlayerId};
use yibu_infrastructure::accounts::SessionId;

/// The types that have global ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Global {
    /// A match.
    Match(MatchId),
    /// A player.
    Player(PlayerId),
    /// A session.
    Session(SessionId),
}

const MATCH: u8 = 0x6d;
const PLAYER: u8 = 0x70;
const SESSION: u8 = 0x73;

impl Global {
    /// The id as clients see it.
    pub fn id(self) -> ID {
        let (kind, uuid) = match self {
            Self::Match(id) => (MATCH, id.0),
            Self::Player(id) => (PLAYER, id.0),
            Self::Session(id) => (SESSION, id.0),
        };
        ID(format!("{kind:02x}{}", uuid.simple()))
    }

    /// What an id names, if anything. Only the exact text that [`Global::id`] makes.
    pub fn read(id: &str) -> Option<Self> {
        if id.len() != 34 || id.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let mut bytes = [0; 17];
        hex::decode_to_slice(id, &mut bytes).ok()?;
        let [kind, uuid @ ..] = bytes;
        let uuid = Uuid::from_bytes(uuid);
        match kind {
            MATCH => Some(Self::Match(MatchId(uuid))),
            PLAYER => Some(Self::Player(PlayerId(uuid))),
            SESSION => Some(Self::Session(SessionId(uuid))),
            _ => None,
        }
    }
}

/// The match that an id names.
pub fn match_of(id: &ID) -> Option<MatchId> {
    match Global::read(id)? {
        Global::Match(id) => Some(id),
        Global::Player(_) | Global::Session(_) => None,
    }
}

/// The player that an id names.
pub fn player_of(id: &ID) -> Option<PlayerId> {
    match Global::read(id)? {
        Global::Player(id) => Some(id),
        Global::Match(_) | Global::Session(_) => None,
    }
}

/// The session that an id names.
pub fn session_of(id: &ID) -> Option<SessionId> {
    match Global::read(id)? {
        Global::Session(id) => Some(id),
        Global::Match(_) | Global::Player(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_go_there_and_back_and_types_do_not_mix() {
        let uuid = Uuid::from_u128(0x1234_5678_9abc_4def_8123_4567_89ab_cdef);
        for global in [
            Global::Match(MatchId(uuid)),
            Global::Player(PlayerId(uuid)),
            Global::Session(SessionId(uuid)),
        ] {
            assert_eq!(Global::read(&global.id()), Some(global));
            assert_eq!(match_of(&global.id()).is_some(), matches!(global, Global::Match(_)));
        }
    }

    #[test]
    fn other_texts_name_nothing() {
        let good = Global::Match(MatchId(Uuid::nil())).id().0;
        for text in [
            "",
            "x",
            &good[1..],
            &good.to_uppercase(),
            &format!("{good}0"),
            &good.replace("6d", "ff"),
        ] {
            assert_eq!(Global::read(text), None, "{text}");
        }
    }
}
