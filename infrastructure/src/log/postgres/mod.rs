//! The log in a PostgreSQL database that several nodes may share: each node writes in batches, one batch of
//! all nodes at a time. Knows nothing of what the events mean. See "Why the head row is taken once per batch"
//! in this crate's README.

mod attempt;
mod batch;
mod claims;
mod connect;
mod custody;
mod ground;
mod listen;
mod looks;
mod memos;
pub(crate) mod metadata;
pub(crate) mod names;
mod reads;
mod rows;
mod schema;
mod writer;

use super::claims::ClaimTable;
use super::custody::Custody;
use super::open_error::OpenError;
use super::port::{AppendError, Commit, EventLog, Head, ReadError, Receipt, Remembered, Stored};
use super::sealing::NO_EVENTS;
use crate::system::{Clock, Entropy};
use async_trait::async_trait;
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::{Connection as _, Executor as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot, watch};
use writer::{Request, Writer};
use yibu_domain::kernel::{CommandId, Counter, PlayerId, Span, Time};

/// How many commits may wait in line before senders wait too.
const QUEUE: usize = 1024;

/// An [`EventLog`] in a database. Dropping it finishes the commits that wait, in the background.
pub struct PostgresLog {
    options: PgConnectOptions,
    readers: PgPool,
    clock: Arc<dyn Clock>,
    grow: watch::Sender<u64>,
    grown: watch::Receiver<u64>,
    /// Whether the last look at the database got an answer.
    answers: Arc<AtomicBool>,
    /// `None` once closed, and always where the database is only read.
    queue: Mutex<Option<mpsc::Sender<Request>>>,
    /// Fails as soon as the writer has let go of the database.
    ended: watch::Receiver<()>,
}

impl PostgresLog {
    /// Whether a text is an address of a database, as far as the text alone tells.
    pub fn takes(url: &str) -> bool {
        connect::options(url).is_ok()
    }

    /// Opens the log at `url` and brings its tables up to date; `connections` is the most that it reads with,
    /// beside one to write and one to listen. Other nodes may be open, or opening, on the same database.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open(
        url: &str,
        connections: u32,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
    ) -> Result<Self, OpenError> {
        let options = connect::options(url)?;
        let mut connection = connect::for_writing(&options).await?;
        connect::check_clock(&mut connection, &*clock).await?;
        connect::migrate(&mut connection).await?;
        connect::warn_of_unsafe_settings(&mut connection).await?;
        let head = connect::checked_head(&mut connection).await?;

        let readers = connect::for_reading(options.clone(), connections, connect::READING);
        let (grow, grown) = watch::channel(head.position);
        let (ending, ended) = watch::channel(());
        let (queue, requests) = mpsc::channel(QUEUE);
        let answers = Arc::new(AtomicBool::new(true));
        let look = listen::Look { pool: readers.clone(), answers: Arc::clone(&answers) };
        let follow = listen::follow(options.clone(), look, grow.clone(), ended.clone());
        let writer =
            Writer::new(options.clone(), connection, Arc::clone(&clock), entropy, grow.clone());
        tokio::spawn(async move {
            writer.run(requests).await;
            drop(ending);
        });
        tokio::spawn(follow);
        let queue = Mutex::new(Some(queue));
        Ok(Self { options, readers, clock, grow, grown, answers, queue, ended })
    }

    /// Opens the log at `url` for reading only, whether or not nodes serve from it. Commits are faults; `changes`
    /// never wakes. Makes nothing, and brings nothing up to date.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open_to_read(
        url: &str,
        connections: u32,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, OpenError> {
        let options = connect::options(url)?;
        let mut connection = connect::for_writing(&options).await?;
        connect::check_clock(&mut connection, &*clock).await?;
        connect::check_format(&mut connection).await?;
        // It was only looked at. Whether the head holds is for whoever reads: an audit names what is wrong.
        let _ = connection.close().await;
        let readers = connect::for_reading(options.clone(), connections, connect::READING_ONLY);
        let (grow, grown) = watch::channel(0);
        let (_, ended) = watch::channel(());
        let (answers, queue) = (Arc::new(AtomicBool::new(true)), Mutex::new(None));
        Ok(Self { options, readers, clock, grow, grown, answers, queue, ended })
    }

    fn queue(&self) -> Option<mpsc::Sender<Request>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl EventLog for PostgresLog {
    async fn append(&self, commit: Commit) -> Result<Receipt, AppendError> {
        const ENDED: &str = "its writer has ended";
        let fault = |text: &str| AppendError::Fault(text.to_owned());
        if commit.events.is_empty() {
            return Err(fault(NO_EVENTS));
        }
        let queue = self.queue().ok_or_else(|| fault("it is closed, or open for reading only"))?;
        let (answer, answered) = oneshot::channel();
        queue.send(Request { commit, answer }).await.map_err(|_| fault(ENDED))?;
        // The sender must not keep the queue open while it waits.
        drop(queue);
        answered.await.map_err(|_| fault(ENDED))?
    }

    async fn read_stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        reads::stream(&self.readers, stream, after, limit).await.map_err(ReadError::from)
    }

    async fn read_all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        reads::all(&self.readers, after, limit).await.map_err(ReadError::from)
    }

    async fn head(&self) -> Result<Head, ReadError> {
        reads::head(&self.readers).await.map_err(ReadError::from)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.grown.clone()
    }

    async fn find_command(
        &self,
        account: PlayerId,
        id: CommandId,
    ) -> Result<Option<Remembered>, ReadError> {
        let now = self.clock.now();
        memos::find(&self.readers, (account, id), now).await.map_err(ReadError::from)
    }

    async fn count(&self, counter: Counter, player: PlayerId) -> Result<(u32, u32), ReadError> {
        claims::count(&self.readers, counter, player).await.map_err(ReadError::from)
    }

    async fn claims(&self) -> Result<ClaimTable, ReadError> {
        claims::table(&self.readers).await.map_err(ReadError::from)
    }

    fn custody(&self) -> Option<&dyn Custody> {
        Some(self)
    }

    async fn beat(&self, node: &str, at: Time) -> Result<(), ReadError> {
        let marked = async {
            let mut tx = self.readers.begin().await?;
            tx.execute(reads::WRITABLE).await?;
            reads::beat(&mut *tx, node, at).await?;
            tx.commit().await
        };
        marked.await.map_err(ReadError::from)
    }

    async fn last_beat(&self) -> Result<Option<Time>, ReadError> {
        reads::last_beat(&self.readers).await.map_err(ReadError::from)
    }

    async fn skew(&self) -> Result<Span, ReadError> {
        let mut connection = self.readers.acquire().await.map_err(ReadError::from)?;
        connect::skew(&mut connection, &*self.clock).await.map_err(ReadError::from)
    }

    fn answers(&self) -> bool {
        self.answers.load(Ordering::Acquire)
    }

    async fn close(&self) {
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        let mut ended = self.ended.clone();
        while ended.changed().await.is_ok() {}
        self.readers.close().await;
    }
}
