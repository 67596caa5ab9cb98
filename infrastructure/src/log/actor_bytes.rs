//! The actor as stored and hashed: one byte for the kind, then the 16 bytes of the id where there is one.
//! These bytes are for ever; a new kind gets a new number.

use uuid::Uuid;
use yibu_domain::kernel::{Actor, PlayerId};

/// The stored bytes.
pub(crate) fn write(actor: &Actor) -> Vec<u8> {
    let kind = match actor {
        Actor::Player(_) => 1,
        Actor::House(_) => 2,
        Actor::Admin(_) => 3,
        Actor::Timer => 4,
        Actor::System => 5,
    };
    let mut bytes = Vec::with_capacity(17);
    bytes.push(kind);
    if let Some(PlayerId(id)) = actor.player() {
        bytes.extend_from_slice(id.as_bytes());
    }
    bytes
}

/// Reads stored bytes; `None` where they are not an actor's.
pub(crate) fn read(bytes: &[u8]) -> Option<Actor> {
    let (kind, id) = bytes.split_first()?;
    let player = Uuid::from_slice(id).ok().map(PlayerId);
    match (kind, player) {
        (1, Some(id)) => Some(Actor::Player(id)),
        (2, Some(id)) => Some(Actor::House(id)),
        (3, Some(id)) => Some(Actor::Admin(id)),
        (4, None) if id.is_empty() => Some(Actor::Timer),
        (5, None) if id.is_empty() => Some(Actor::System),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_actor_comes_back() {
        let id = PlayerId(Uuid::from_u128(7));
        for actor in
            [Actor::Player(id), Actor::House(id), Actor::Admin(id), Actor::Timer, Actor::System]
        {
            assert_eq!(read(&write(&actor)), Some(actor));
        }
        for broken in [&[][..], &[0], &[1], &[1, 2], &[4, 0], &[6]] {
            assert_eq!(read(broken), None);
        }
    }
}
