//! The port of the event log: what every store must do, and the values that pass through. Knows no store
//! and no game; payloads are text that only the codec reads.

use super::claims::ClaimTable;
use super::custody::Custody;
use async_trait::async_trait;
use std::fmt;
use tokio::sync::watch;
use yibu_domain::kernel::{Actor, Claim, CommandId, Counter, EventId, PlayerId, Span, Time};

/// One event on its way into the log.
#[derive(Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// Drawn anew for each decided attempt; the same only when the same bytes are sent again.
    pub id: EventId,
    /// Stored name with version, for instance `siguo.moved.v1`.
    pub name: &'static str,
    /// JSON text as it will be stored and hashed.
    pub payload: String,
}

/// What all events of a commit share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// Effective time: the instant of the decision.
    pub at: Time,
    /// Who asked.
    pub actor: Actor,
    /// The command's kind, for instance `move`.
    pub command: String,
    /// The sender's own name for the command, where there was one.
    pub command_id: Option<CommandId>,
    /// Ties together what one request caused.
    pub correlation: uuid::Uuid,
    /// The event that made a worker ask, where there was one.
    pub causation: Option<EventId>,
    /// The serving node.
    pub node: String,
    /// The program's version.
    pub build: String,
}

/// The version that the stream must have for the commit to stand. A stream's version is the number of its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Whatever it is.
    Any,
    /// The stream does not exist.
    None,
    /// Exactly this one (0 is the same as `None`).
    Exact(u64),
}

/// Marks a command as done, so that a repeat is recognised. Kept for 7 days.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memo {
    /// Command ids are per account.
    pub account: PlayerId,
    /// The idempotency key.
    pub id: CommandId,
    /// Hash over the command's kind and input.
    pub input: [u8; 32],
    /// What came of it: a stable result code, or the stream that it made.
    pub result: String,
}

/// A memo as found again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remembered {
    /// As it was committed.
    pub memo: Memo,
    /// The stream of the commit.
    pub stream: String,
    /// The stream's version after the commit.
    pub version: u64,
    /// The commit's last global position.
    pub position: u64,
}

/// One stream's events with everything that must hold with them: all or nothing.
#[derive(Clone)]
pub struct Commit {
    /// `{category}-{uuid}` or `site`.
    pub stream: String,
    /// The version that the decision was made on.
    pub expected: Expected,
    /// In order; never empty.
    pub events: Vec<NewEvent>,
    /// Shared metadata.
    pub stamp: Stamp,
    /// Cross-stream rules, checked and changed in the order given, in the same commit.
    pub claims: Vec<Claim>,
    /// The command's own mark, where its sender named it.
    pub memo: Option<Memo>,
}

/// The commit is durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// Global position of the commit's last event.
    pub position: u64,
    /// The stream's version now.
    pub version: u64,
}

/// Why a commit does not stand. Nothing of it was stored, except where `Fault` says that it is in doubt.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AppendError {
    /// Somebody else committed to the stream first.
    #[error("stream {stream} is at version {actual}, not as expected")]
    Conflict {
        /// Which stream.
        stream: String,
        /// Its version now.
        actual: u64,
    },
    /// The account used this command id before. Judged before everything else.
    #[error("this command was committed before")]
    Repeated(Box<Remembered>),
    /// A counted claim would pass its limit.
    #[error("the limit of {} is reached", counter.name())]
    LimitReached {
        /// Which counter.
        counter: Counter,
    },
    /// A unique claim was taken before.
    #[error("claim {key} is taken")]
    Taken {
        /// Which key.
        key: String,
    },
    /// The store cannot be reached now; whether the commit stands is told by the command id, not by this error.
    #[error("the log cannot be reached: {0}")]
    Unreachable(String),
    /// The store failed; whether the commit stands is told by the command id, not by this error.
    #[error("the log failed: {0}")]
    Fault(String),
}

/// The store could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be reached now; what it holds is not in question. Trying again soon may help.
    #[error("the log cannot be reached: {0}")]
    Unreachable(String),
    /// It failed, or holds what cannot be.
    #[error("the log cannot be read: {0}")]
    Failed(String),
}

impl From<ReadError> for AppendError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Unreachable(problem) => Self::Unreachable(problem),
            ReadError::Failed(problem) => Self::Fault(problem),
        }
    }
}

/// An event as it stands in the log.
#[derive(Clone, PartialEq, Eq)]
pub struct Stored {
    /// Global, from 1, in commit order; without gaps on the SQL stores.
    pub position: u64,
    /// Its stream.
    pub stream: String,
    /// 1 for the stream's first event.
    pub version: u64,
    /// Its id.
    pub id: EventId,
    /// Stored name.
    pub name: String,
    /// JSON text, byte for byte as hashed.
    pub payload: String,
    /// Metadata of its commit.
    pub stamp: Stamp,
    /// When the log wrote it.
    pub recorded: Time,
    /// 128 random bits that keep a short payload from being guessed from its hash.
    pub salt: [u8; 16],
    /// The stream's chain up to and including this event (see `chain`).
    pub hash: [u8; 32],
}

/// Says which event it is and nothing of what it holds.
impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, stream, version, name, .. } = self;
        write!(f, "#{position} {stream}@{version} {name}")
    }
}

/// Where the log ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The last global position; 0 when empty.
    pub position: u64,
    /// The rolling hash over the whole log up to there.
    pub hash: [u8; 32],
}

/// How long a command id is remembered.
pub const MEMO_DAYS: i64 = 7;

/// Memos that were recorded at this instant or before no longer count.
pub(crate) fn memo_cutoff(now: Time) -> Time {
    now - Span::hours(24 * MEMO_DAYS)
}

/// An append-only store of events with everything that must commit with them.
///
/// Recipe for a new store: implement this trait (and [`Custody`], where the store can), add a line to `stores`
/// in `stores.rs`, run the contract suite.
#[async_trait]
pub trait EventLog: Send + Sync + 'static {
    /// Stores a commit durably: when this returns `Ok`, the events survive a crash. Runs to its end even if
    /// the caller goes away. Order of judgement: repeated command, version conflict, claims in their order.
    ///
    /// # Errors
    /// See [`AppendError`].
    async fn append(&self, commit: Commit) -> Result<Receipt, AppendError>;

    /// A stream's events with a version above `after`, in order, at most `limit`.
    ///
    /// # Errors
    /// The store could not be read. An unknown stream is an empty list.
    async fn read_stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError>;

    /// The log's events with a position above `after`, in order, at most `limit`.
    ///
    /// # Errors
    /// The store could not be read.
    async fn read_all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError>;

    /// Where the log ends now.
    ///
    /// # Errors
    /// The store could not be read.
    async fn head(&self) -> Result<Head, ReadError>;

    /// Wakes when the log has grown; the value is a position. Only a hint: readers ask the log itself.
    fn changes(&self) -> watch::Receiver<u64>;

    /// The memo of an account's command, if it is still remembered.
    ///
    /// # Errors
    /// The store could not be read.
    async fn find_command(
        &self,
        account: PlayerId,
        id: CommandId,
    ) -> Result<Option<Remembered>, ReadError>;

    /// How many of `counter` the player holds, and the limit of now.
    ///
    /// # Errors
    /// The store could not be read.
    async fn count(&self, counter: Counter, player: PlayerId) -> Result<(u32, u32), ReadError>;

    /// Everything claimed now, for audits that compare it with what the events say.
    ///
    /// # Errors
    /// The store could not be read.
    async fn claims(&self) -> Result<ClaimTable, ReadError>;

    /// Notes durably that `node` could serve at `at`. Never moves a node's mark back.
    ///
    /// # Errors
    /// The mark could not be written.
    async fn beat(&self, node: &str, at: Time) -> Result<(), ReadError>;

    /// The latest mark of any node.
    ///
    /// # Errors
    /// The store could not be read.
    async fn last_beat(&self) -> Result<Option<Time>, ReadError>;

    /// How far the store's own clock is ahead of this node's: nodes of one store measure time by nothing else
    /// that they share. Zero where the store has no clock, and where this node's is not the system's.
    ///
    /// # Errors
    /// The store could not be asked.
    async fn skew(&self) -> Result<Span, ReadError> {
        Ok(Span(0))
    }

    /// Whether the store answered when it was last looked at, which was a moment ago. Does not wait.
    fn answers(&self) -> bool {
        true
    }

    /// Whether the store took what was last written to it; wakes when that changes. A store that says nothing of it
    /// is told by its marks alone.
    fn writes(&self) -> watch::Receiver<bool> {
        watch::channel(true).1
    }

    /// Takes no more commits, finishes those that wait, and lets the store go. Every later commit is a fault.
    /// Dropping the last handle does the same without waiting for it.
    async fn close(&self) {}

    /// The keeper's side of the store, where it has one: carrying a whole log over, shelving closed streams.
    fn custody(&self) -> Option<&dyn Custody> {
        None
    }
}
