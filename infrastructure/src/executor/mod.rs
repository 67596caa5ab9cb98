//! Executing commands: load, judge, append, one stream's commands in order. Everything between the doors and
//! the log; must not know a read model, a door, or which store keeps the log.

mod cache;
pub mod company;
mod figures;
mod gate;
pub mod hosted;
mod independent;
mod input;
mod lanes;
pub mod matches;
pub mod matchmaking;
mod streams;
mod unread;

pub use company::{Company, Seating};
pub use figures::Coded;
pub use gate::Gate;
pub use hosted::Hosted;
pub use independent::IndependentReader;
pub use input::{Input, input_hash, recorded_inputs};
pub use matches::{Expired, MatchExecutor, Settings};
pub use matchmaking::{Matched, Matchmaker, OpenTable, Tables, Vacancy};
pub use streams::{Executor, RESULT};
pub use unread::Unread;

use crate::log::port::{ReadError, Receipt, Remembered};
use std::fmt;
use std::sync::Arc;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, CommandId, Counter, Dated, Decider, Event as _, EventId};

/// The stream of an aggregate: `{category}-{uuid}`, or the category alone for the one with the nil id, of
/// which there is no other (the site).
pub fn stream_name<D: Decider>(id: Uuid) -> String {
    if id.is_nil() { D::CATEGORY.to_owned() } else { format!("{}-{id}", D::CATEGORY) }
}

/// The aggregate of a stream, where the stream is one of this kind.
pub fn aggregate_id<D: Decider>(stream: &str) -> Option<Uuid> {
    match stream.strip_prefix(D::CATEGORY)? {
        "" => Some(Uuid::nil()),
        rest => rest.strip_prefix('-')?.parse().ok(),
    }
}

/// A command on its way to an aggregate.
#[derive(Clone, Debug)]
pub struct Request<C> {
    /// The aggregate.
    pub id: Uuid,
    /// What is asked.
    pub command: C,
    /// Who asks.
    pub actor: Actor,
    /// The sender's own name for the command (idempotency key), per account: that of `actor.player()`.
    pub key: Option<CommandId>,
    /// Ties together what one request caused.
    pub correlation: Uuid,
    /// The event that made a worker ask.
    pub causation: Option<EventId>,
}

impl<C> Request<C> {
    /// A command without a key that no event caused.
    pub fn new(id: Uuid, command: C, actor: Actor, correlation: Uuid) -> Self {
        Self { id, command, actor, key: None, correlation, causation: None }
    }

    /// The same command under the sender's own name for it.
    #[must_use]
    pub fn keyed(mut self, key: CommandId) -> Self {
        self.key = Some(key);
        self
    }
}

/// A command that was granted.
pub struct Done<D: Decider> {
    /// The aggregate's state now.
    pub state: Arc<D::State>,
    /// What happened; empty for a repeat, and where there was nothing to do.
    pub events: Vec<Dated<D::Event>>,
    /// Where the log has it; `None` where `events` is empty.
    pub receipt: Option<Receipt>,
    /// The account sent the same command under the same key before: this came of it then.
    pub repeated: Option<Remembered>,
}

impl<D: Decider> Clone for Done<D> {
    fn clone(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
            events: self.events.clone(),
            receipt: self.receipt,
            repeated: self.repeated.clone(),
        }
    }
}

/// Says nothing of the state.
impl<D: Decider> fmt::Debug for Done<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.events.iter().map(|dated| dated.event.name()).collect();
        f.debug_struct("Done")
            .field("events", &names)
            .field("receipt", &self.receipt)
            .field("repeated", &self.repeated)
            .finish_non_exhaustive()
    }
}

/// Why a command did nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejected<R: std::error::Error> {
    /// The aggregate refuses, with a stable code.
    #[error("{0}")]
    Refused(R),
    /// The player holds as many as the limit of now allows.
    #[error("the limit of {} is reached", .0.name())]
    LimitReached(Counter),
    /// A key that may be claimed once was claimed before.
    #[error("{key} is taken")]
    Taken {
        /// Which key.
        key: String,
    },
    /// The account used the key for another command.
    #[error("the key was used for another command")]
    IdempotencyConflict,
    /// This node takes no commands now: it is stopping, an outage is not yet made good, or its store cannot be
    /// reached. Try again, under the same key: that tells whether the command stands.
    #[error("not served now")]
    Unavailable,
    /// A newer program wrote in the stream what this one does not know: a newer node serves it, or this one
    /// after its upgrade. Nothing was done.
    #[error("{0}")]
    Newer(String),
    /// A fault, to be masked and logged by whoever answers. Whether the command stands is told by its key.
    #[error("a fault: {0}")]
    Failed(String),
}

impl<R: std::error::Error> From<ReadError> for Rejected<R> {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Unreachable(_) => Self::Unavailable,
            ReadError::Failed(_) => Self::Failed(error.to_string()),
        }
    }
}

/// Runs to its end whatever becomes of the caller: a client that goes away splits nothing. A panic inside is
/// a fault of that one command.
async fn to_its_end<T, R, F>(work: F) -> Result<T, Rejected<R>>
where
    T: Send + 'static,
    R: std::error::Error + Send + 'static,
    F: Future<Output = Result<T, Rejected<R>>> + Send + 'static,
{
    use tracing::Instrument as _;
    let task = tokio::spawn(work.in_current_span());
    match task.await {
        Ok(done) => done,
        Err(error) => Err(Rejected::Failed(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yibu_domain::matches::Match;
    use yibu_domain::site::{SITE, Site};

    #[test]
    fn streams_are_named_and_found_again() {
        let id = Uuid::from_u128(7);
        let name = stream_name::<Match>(id);
        assert_eq!(name, "match-00000000-0000-0000-0000-000000000007");
        assert_eq!(aggregate_id::<Match>(&name), Some(id));
        assert_eq!(stream_name::<Site>(SITE), "site");
        assert_eq!(aggregate_id::<Site>("site"), Some(SITE));
        for other in ["player-1", "match", "matches-1", "match-x", ""] {
            assert!(aggregate_id::<Match>(other).is_none_or(|id| id.is_nil()));
        }
    }
}
