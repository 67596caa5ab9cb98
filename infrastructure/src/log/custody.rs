//! What the keeper of a store may do with it beyond appending: carry a whole log over as it was stored, and
//! put the payloads of closed streams on a shelf outside. Decides nothing about which streams are closed.
//!
//! A store that offers this implements [`Custody`] and answers `Some(self)` to `EventLog::custody`. What it
//! does is durable when it returns, all or nothing per call, and never changes position, version, salt, hash
//! or any other column of an event but the payload.

use super::chain::{self, ChainError};
use super::claims::ClaimTable;
use super::looks::{Oddity, Seen};
use super::port::{EventLog, Head, ReadError, Remembered, Stored};
use super::sealing::Tip;
use async_trait::async_trait;
use std::collections::BTreeMap;
use yibu_domain::kernel::Time;

/// A memo with the instant at which it was committed, from which its days are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptMemo {
    /// As it is found again.
    pub remembered: Remembered,
    /// When the log wrote it.
    pub recorded: Time,
}

/// What a store holds beside the events.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Beside {
    /// Everything claimed.
    pub claims: ClaimTable,
    /// The commands that are still remembered, by position.
    pub memos: Vec<KeptMemo>,
    /// When each node could last serve.
    pub beats: BTreeMap<String, Time>,
}

/// A run of events of one stream whose payloads stand elsewhere from now on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shelf {
    /// Which stream.
    pub stream: String,
    /// The first version of the run.
    pub from: u64,
    /// The last version of the run.
    pub to: u64,
    /// The chain up to the last version: whoever shelves must have read the same history.
    pub hash: [u8; 32],
    /// What stands in the payloads' place: a JSON text (see `archive::Pointer`).
    pub pointer: String,
}

/// A row that does not stand as it was written, in a column that no hash covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddRow {
    /// The event's stream.
    pub stream: String,
    /// Which event of it.
    pub version: u64,
    /// Where it stands in the log.
    pub position: u64,
    /// The column.
    pub column: &'static str,
}

/// Why a store did not do it. Nothing of the call was kept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CustodyError {
    /// An event does not continue the log that is there.
    #[error("the events do not continue this log: {0}")]
    Chain(#[from] ChainError),
    /// A stream or one of its versions is not there, or stands there with another hash.
    #[error("stream {stream}, version {version} is not the one that was meant")]
    OtherHistory {
        /// Which stream.
        stream: String,
        /// The version that was looked at.
        version: u64,
    },
    /// The store failed. Look at the head before trying again.
    #[error("the log failed: {0}")]
    Fault(String),
}

/// The keeper's side of a store. Reads of this handle show shelved payloads as their pointers.
#[async_trait]
pub trait Custody: EventLog {
    /// Claims, memos that still count, and heartbeats.
    ///
    /// # Errors
    /// The store could not be read.
    async fn beside(&self) -> Result<Beside, ReadError>;

    /// Claims and memos that still count, as far as they can be read: what cannot is named.
    ///
    /// # Errors
    /// The store could not be reached.
    async fn seen(&self) -> Result<Seen, ReadError> {
        let Beside { claims, memos, .. } = self.beside().await?;
        Ok(Seen { memos: Some(memos), ..Seen::claimed(claims) })
    }

    /// What no writer of this program puts there, and that whoever reads events does not meet: rows before the log's
    /// beginning and behind its end, rows beside the events that belong to none, tables that are not as this program
    /// makes them. The first of each kind. A store that only this process can reach has none.
    ///
    /// # Errors
    /// The store could not be reached.
    async fn oddities(&self) -> Result<Vec<Oddity>, ReadError> {
        Ok(Vec::new())
    }

    /// The highest position at which an event stands, whatever the head says.
    ///
    /// # Errors
    /// The store could not be read.
    async fn last(&self) -> Result<u64, ReadError> {
        Ok(self.head().await?.position)
    }

    /// Of the next `limit` events after a position, the rows that do not stand as this program writes them though
    /// every hash holds, and the last position looked at, if there was any. A store whose every column is hashed
    /// has none.
    ///
    /// # Errors
    /// The store could not be read.
    async fn odd_rows(
        &self,
        _after: u64,
        _limit: usize,
    ) -> Result<(Vec<OddRow>, Option<u64>), ReadError> {
        Ok((Vec::new(), None))
    }

    /// Appends events exactly as another store holds them: with their positions, versions, salts, hashes and
    /// recorded times. They must continue this log without a gap in positions and hashes; claims and memos
    /// are not touched. Returns the head after them.
    ///
    /// # Errors
    /// See [`CustodyError`].
    async fn import(&self, events: Vec<Stored>) -> Result<Head, CustodyError>;

    /// Puts what stood beside the events in place: claims are replaced, memos added, heartbeats moved on. May
    /// be repeated.
    ///
    /// # Errors
    /// See [`CustodyError`]; a memo of a stream that is not there is [`CustodyError::OtherHistory`].
    async fn finish(&self, beside: Beside) -> Result<(), CustodyError>;

    /// Replaces the payloads of the runs by their pointers and returns how many events that changed. The same
    /// call again changes none.
    ///
    /// # Errors
    /// See [`CustodyError`].
    async fn shelve(&self, shelves: Vec<Shelf>) -> Result<u64, CustodyError>;
}

/// Moves the ends of a stream and of the log on over an event that was sealed elsewhere, if it fits there.
pub(crate) fn follow(tip: &mut Tip, head: &mut Head, event: &Stored) -> Result<(), ChainError> {
    if event.position != head.position + 1 {
        let (last, found) = (head.position, event.position);
        return Err(ChainError::WrongPosition { last, found });
    }
    chain::verify_stream(tip.hash, tip.version, std::slice::from_ref(event))?;
    *head = chain::roll(&head.hash, event.position, &event.hash);
    *tip = Tip { version: event.version, hash: event.hash };
    Ok(())
}
