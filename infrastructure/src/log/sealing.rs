//! Turns a granted commit into stored events: version, position, salt and both hash chains. The same for
//! every store that assigns positions itself.

use super::chain;
use super::port::{AppendError, Expected, Head, NewEvent, Stamp, Stored};
use crate::system::Entropy;
use yibu_domain::kernel::Time;

/// The fault of whoever sends an empty commit.
pub(crate) const NO_EVENTS: &str = "a commit without events";

/// Where a stream stands: the number of its events, and the hash of the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tip {
    pub(crate) version: u64,
    pub(crate) hash: [u8; 32],
}

impl Tip {
    /// A stream without events.
    pub(crate) const NONE: Self = Self { version: 0, hash: chain::START };
}

impl Expected {
    /// Whether a stream that stands at `actual` is as expected.
    pub(crate) fn judge(self, stream: &str, actual: u64) -> Result<(), AppendError> {
        let holds = match self {
            Self::Any => true,
            Self::None => actual == 0,
            Self::Exact(version) => actual == version,
        };
        if holds {
            return Ok(());
        }
        Err(AppendError::Conflict { stream: stream.to_owned(), actual })
    }
}

/// What all events of a commit share, as the store adds it.
pub(crate) struct Seal<'a> {
    pub(crate) stream: &'a str,
    pub(crate) stamp: &'a Stamp,
    pub(crate) recorded: Time,
    pub(crate) entropy: &'a Entropy,
}

impl Seal<'_> {
    /// The next event of the stream and of the log; moves both ends on.
    pub(crate) fn next(&self, tip: &mut Tip, head: &mut Head, event: NewEvent) -> Stored {
        let mut stored = Stored {
            position: head.position + 1,
            stream: self.stream.to_owned(),
            version: tip.version + 1,
            id: event.id,
            name: event.name.to_owned(),
            payload: event.payload,
            stamp: self.stamp.clone(),
            recorded: self.recorded,
            salt: self.entropy.salt(),
            hash: chain::START,
        };
        stored.hash = chain::event_hash(&tip.hash, &stored);
        *head = chain::roll(&head.hash, stored.position, &stored.hash);
        *tip = Tip { version: stored.version, hash: stored.hash };
        stored
    }
}
