//! Where the recently written streams stand, so that most commits need no look into the file. A cache: exact
//! as long as the writer alone writes; it is thrown away whenever a transaction fails.

use super::reads;
use crate::log::recent::Recent;
use crate::log::sealing::Tip;
use rusqlite::Connection;

/// A stream as the writer sees it. `id` is `None` until its first event is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) id: Option<i64>,
    pub(super) tip: Tip,
}

/// The places of recently written streams.
#[derive(Default)]
pub(super) struct Tips(Recent<Place>);

impl Tips {
    /// Where the stream stands.
    pub(super) fn find(
        &mut self,
        connection: &Connection,
        stream: &str,
    ) -> rusqlite::Result<Place> {
        if let Some(place) = self.0.get(stream) {
            return Ok(place);
        }
        let place = load(connection, stream)?;
        // Names that were only asked for must not fill the cache.
        if place.id.is_some() {
            self.put(stream, place);
        }
        Ok(place)
    }

    /// Notes where the stream stands now.
    pub(super) fn put(&mut self, stream: &str, place: Place) {
        self.0.put(stream, place);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

fn load(connection: &Connection, stream: &str) -> rusqlite::Result<Place> {
    let Some(id) = reads::stream_id(connection, stream)? else {
        return Ok(Place { id: None, tip: Tip::NONE });
    };
    let tip = reads::tip(connection, id)?;
    Ok(Place { id: Some(id), tip: tip.unwrap_or(Tip::NONE) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_places_are_not_looked_up_again() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
                 CREATE TABLE events (position INTEGER PRIMARY KEY, stream, version, hash BLOB);
                 CREATE TABLE stream_index (stream, version, position);
                 CREATE TABLE head (indexed);
                 INSERT INTO streams VALUES (4, 'kept');
                 INSERT INTO events VALUES (1, 4, 1, zeroblob(32)), (2, 4, 2, zeroblob(32));
                 INSERT INTO stream_index VALUES (4, 1, 1);
                 INSERT INTO head VALUES (1);",
            )
            .unwrap();
        let mut tips = Tips::default();
        let kept = Place { id: Some(4), tip: Tip { version: 2, hash: [0; 32] } };
        assert_eq!(tips.find(&connection, "kept").unwrap(), kept);
        let newer = Place { tip: Tip { version: 3, ..kept.tip }, ..kept };
        tips.put("kept", newer);
        assert_eq!(tips.find(&connection, "kept").unwrap(), newer);
        tips.clear();
        assert_eq!(tips.find(&connection, "kept").unwrap(), kept);
        assert_eq!(tips.find(&connection, "none").unwrap(), Place { id: None, tip: Tip::NONE });
        assert_eq!(tips.0.get("none"), None);
    }
}
