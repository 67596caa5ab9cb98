//! The log of the embedded server: one SQLite file, `log.db`, written by one thread and read by a few
//! read-only connections. Knows nothing of what the events mean.
//!
//! In its folder: `log.db` with SQLite's own `-wal` and `-shm`; `log.lock`, held by the one process that
//! writes; `log.head`, the mark of what was acknowledged last (see `mark`).

mod append;
mod backup;
mod claims;
mod connect;
mod custody;
mod looks;
mod mark;
mod memos;
mod reads;
mod tips;
mod writer;

pub use backup::{MarkState, copy, examine, pointers};
pub use looks::oddities;

use super::claims::ClaimTable;
use super::custody::{Beside, Custody, CustodyError, Shelf};
use super::looks::{Oddity, Seen};
use super::open_error::OpenError;
use super::port::{AppendError, Commit, EventLog, Head, ReadError, Receipt, Remembered, Stored};
use super::sealing::NO_EVENTS;
use crate::reach::{DISK, is_away_number, is_disk_number};
use crate::system::{Clock, Entropy};
use async_trait::async_trait;
use custody::Work;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot, watch};
use writer::{Request, Told, Writer};
use yibu_domain::kernel::{CommandId, Counter, PlayerId, Time};

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error() {
            Some(code) if is_disk_number(code.extended_code) => {
                Self::Database(format!("{error}{DISK}").into())
            }
            _ => Self::Database(Box::new(error)),
        }
    }
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        let problem = error.to_string();
        let away = error.sqlite_error().is_some_and(|known| is_away_number(known.extended_code));
        if away { Self::Unreachable(problem) } else { Self::Failed(problem) }
    }
}

/// How many commits may wait in line before senders wait too.
const QUEUE: usize = 1024;

/// An [`EventLog`] in a folder. Dropping it finishes the commits that wait, in the background.
pub struct SqliteLog {
    readers: reads::Pool,
    clock: Arc<dyn Clock>,
    grown: watch::Receiver<u64>,
    writes: watch::Receiver<bool>,
    /// `None` once closed, and always where the folder is only read.
    queue: Mutex<Option<mpsc::Sender<Request>>>,
    /// Fails as soon as the writer has let go of the files.
    ended: watch::Receiver<()>,
}

impl SqliteLog {
    /// Opens the log in `folder`, which is made where it is missing, for reading and writing. Blocks.
    ///
    /// # Errors
    /// See [`OpenError`]; nothing was changed then.
    pub fn open(folder: &Path, clock: Arc<dyn Clock>, entropy: Entropy) -> Result<Self, OpenError> {
        crate::system::make_private(folder)?;
        let lock =
            crate::system::hold(folder)?.ok_or_else(|| OpenError::InUse(folder.to_owned()))?;
        let connection = connect::for_writing(folder)?;
        let head = connect::checked_head(&connection)?;
        let mark = mark::Mark::open(folder, &connection, head)?;
        std::fs::File::open(folder)?.sync_all()?;

        let readers = reads::Pool::open(folder)?;
        let (grow, grown) = watch::channel(head.position);
        let (wrote, writes) = watch::channel(true);
        let (ending, ended) = watch::channel(());
        let (queue, requests) = mpsc::channel(QUEUE);
        let writer =
            Writer::new(connection, mark, Arc::clone(&clock), entropy, Told { grow, wrote });
        std::thread::Builder::new().name("log-writer".to_owned()).spawn(move || {
            writer.run(requests);
            drop(lock);
            drop(ending);
        })?;
        Ok(Self { readers, clock, grown, writes, queue: Mutex::new(Some(queue)), ended })
    }

    /// Opens the log in `folder` for reading only, whether or not another process serves from it. Blocks.
    /// Commits are faults; `changes` never wakes. Makes nothing, and brings nothing up to date.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open_to_read(folder: &Path, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        connect::check_format(folder)?;
        let readers = reads::Pool::open(folder)?;
        let (_, grown) = watch::channel(0);
        let (_, writes) = watch::channel(true);
        let (_, ended) = watch::channel(());
        Ok(Self { readers, clock, grown, writes, queue: Mutex::new(None), ended })
    }

    fn queue(&self) -> Option<mpsc::Sender<Request>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Hands a request to the writer and waits for what becomes of it.
    async fn ask<T>(&self, make: impl FnOnce(oneshot::Sender<T>) -> Request) -> Result<T, String> {
        let queue = self.queue().ok_or("it is closed, or open for reading only")?;
        let (answer, answered) = oneshot::channel();
        queue.send(make(answer)).await.map_err(|_| "its writer has ended")?;
        // The sender must not keep the queue open while it waits.
        drop(queue);
        answered.await.map_err(|_| "its writer has ended".to_owned())
    }
}

#[async_trait]
impl EventLog for SqliteLog {
    async fn append(&self, commit: Commit) -> Result<Receipt, AppendError> {
        if commit.events.is_empty() {
            return Err(AppendError::Fault(NO_EVENTS.to_owned()));
        }
        self.ask(|answer| Request::Commit(Box::new(commit), answer))
            .await
            .map_err(AppendError::Fault)?
    }

    async fn read_stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        let stream = stream.to_owned();
        self.readers.read(move |connection| reads::stream(connection, &stream, after, limit)).await
    }

    async fn read_all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        let page = self.readers.read(move |connection| reads::all(connection, after, limit)).await;
        // Where pages are damaged, whoever reads on from there wants to know how far it came.
        page.map_err(|error| match error {
            ReadError::Failed(problem) => {
                ReadError::Failed(format!("after position {after}: {problem}"))
            }
            other => other,
        })
    }

    async fn head(&self) -> Result<Head, ReadError> {
        self.readers.read(reads::head).await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.grown.clone()
    }

    fn writes(&self) -> watch::Receiver<bool> {
        self.writes.clone()
    }

    async fn find_command(
        &self,
        account: PlayerId,
        id: CommandId,
    ) -> Result<Option<Remembered>, ReadError> {
        let now = self.clock.now();
        self.readers.read(move |connection| memos::find(connection, account, id, now)).await
    }

    async fn count(&self, counter: Counter, player: PlayerId) -> Result<(u32, u32), ReadError> {
        self.readers
            .read(move |connection| {
                let held = claims::held(connection, counter, player)?;
                Ok((held, claims::limit(connection, counter)?))
            })
            .await
    }

    async fn claims(&self) -> Result<ClaimTable, ReadError> {
        self.readers.read(claims::table).await
    }

    async fn beat(&self, node: &str, at: Time) -> Result<(), ReadError> {
        let node = node.to_owned();
        self.ask(|answer| Request::Beat { node, at, answer }).await.map_err(ReadError::Failed)?
    }

    async fn last_beat(&self) -> Result<Option<Time>, ReadError> {
        self.readers.read(reads::last_beat).await
    }

    async fn close(&self) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
        let writes = queue.is_some();
        drop(queue);
        // Readers first, so that the writer is the last to close the file and tidies it up.
        self.readers.close().await;
        if writes {
            let mut ended = self.ended.clone();
            while ended.changed().await.is_ok() {}
        }
    }

    fn custody(&self) -> Option<&dyn Custody> {
        Some(self)
    }
}

impl SqliteLog {
    async fn keep(&self, work: Work) -> Result<u64, CustodyError> {
        self.ask(|answer| Request::Keep(work, answer)).await.map_err(CustodyError::Fault)?
    }
}

#[async_trait]
impl Custody for SqliteLog {
    async fn beside(&self) -> Result<Beside, ReadError> {
        let now = self.clock.now();
        self.readers.read(move |connection| custody::beside(connection, now)).await
    }

    async fn seen(&self) -> Result<Seen, ReadError> {
        let now = self.clock.now();
        self.readers.read(move |connection| looks::seen(connection, now)).await
    }

    async fn oddities(&self) -> Result<Vec<Oddity>, ReadError> {
        let now = self.clock.now();
        self.readers.read(move |connection| looks::all(connection, now)).await
    }

    async fn last(&self) -> Result<u64, ReadError> {
        self.readers.read(reads::last).await
    }

    async fn import(&self, events: Vec<Stored>) -> Result<Head, CustodyError> {
        self.keep(Work::Import(events)).await?;
        self.head().await.map_err(|error| CustodyError::Fault(error.to_string()))
    }

    async fn finish(&self, beside: Beside) -> Result<(), CustodyError> {
        self.keep(Work::Finish(Box::new(beside))).await.map(drop)
    }

    async fn shelve(&self, shelves: Vec<Shelf>) -> Result<u64, CustodyError> {
        self.keep(Work::Shelve(shelves)).await
    }
}
