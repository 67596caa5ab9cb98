//! The log on an EventStoreDB server or cluster, for those who have one. Events live there; what must hold across
//! streams lives in Postgres beside it (claims, command ids), and a commit goes reserve → append → confirm. Knows
//! nothing of what the events mean. What it lacks against the SQL stores is said in the crate's readme.

mod append;
mod claims;
mod connect;
mod event;
mod follow;
mod memos;
mod reads;
mod recover;
mod reservation;
mod schema;

use super::OpenError;
use super::claims::ClaimTable;
use super::port::{AppendError, Commit, EventLog, Head, ReadError, Receipt, Remembered, Stored};
use super::sealing::NO_EVENTS;
use crate::reach::is_away;
use crate::system::{Clock, Entropy};
use async_trait::async_trait;
use connect::Server;
use memos::Known;
use schema::SchemaFault;
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgPool, Row};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{Mutex, watch};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use yibu_domain::kernel::{CommandId, Counter, PlayerId, Time};

/// Connections to Postgres of one node; one of them listens.
const CONNECTIONS: u32 = 10;

const CLOSED: &str = "it is closed";

/// An [`EventLog`] on an EventStoreDB server with claims in Postgres. Several nodes may share both.
pub struct EventStoreLog {
    node: Arc<Node>,
    closed: AtomicBool,
    /// Commits, which run to their end, and the two that stop when they are told to.
    tasks: TaskTracker,
    stop: CancellationToken,
    /// Stops them also where nobody closes.
    _stop: DropGuard,
}

/// What every task needs.
struct Node {
    server: Server,
    pool: PgPool,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    /// Whether it may write at all.
    writes: bool,
    /// As far as this node has followed the log.
    head: Mutex<Head>,
    grown: watch::Sender<u64>,
}

impl EventStoreLog {
    /// Whether a text is an address of a server, as far as the text alone tells.
    pub fn takes(url: &str) -> bool {
        connect::settings(url).is_ok()
    }

    /// Opens the log on the server at `url` (`esdb://host:port?options#prefix`; the prefix stands before every
    /// stream's name there, so that several logs can share a server), with claims in the Postgres database at
    /// `claims`, whose tables are made where they are missing. Commits that were left between their steps are
    /// brought to their end first.
    ///
    /// # Errors
    /// One of the two cannot be reached, they do not belong together, or a newer program was here.
    pub async fn open(
        url: &str,
        claims: &str,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
    ) -> Result<Self, OpenError> {
        let server = Server::new(url).map_err(OpenError::Server)?;
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect(claims).await;
        let pool = pool.map_err(unreached)?;
        if schema::is_new(&pool).await.map_err(unreached)?
            && !server.all(0, 1).await.map_err(unread)?.is_empty()
        {
            return Err(OpenError::Server(
                "the server has a log, but the claims database is empty; restore it from its backup"
                    .to_owned(),
            ));
        }
        schema::migrate(&pool).await.map_err(|fault| match fault {
            SchemaFault::TooNew { found, known } => OpenError::TooNew { found, known },
            SchemaFault::Failed(error) => unreached(error),
        })?;
        let node = Node::new(server, pool, clock, entropy, true).await?;
        if let Err(problem) = node.recover(Time(i64::MAX)).await {
            tracing::warn!(problem, "some reservations cannot be recovered yet");
        }
        node.catch_up().await.map_err(unread)?;
        Ok(Self::over(node, &[Task::Recover, Task::Follow]))
    }

    /// Opens the log for reading only, whether or not nodes serve from it. Commits are faults; nothing is made,
    /// brought up to date or recovered.
    ///
    /// # Errors
    /// One of the two cannot be reached, they do not belong together, or the tables are of another format.
    pub async fn open_to_read(
        url: &str,
        claims: &str,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
    ) -> Result<Self, OpenError> {
        let server = Server::new(url).map_err(OpenError::Server)?;
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect(claims).await;
        let pool = pool.map_err(unreached)?;
        if schema::is_new(&pool).await.map_err(unreached)? {
            return Err(OpenError::Empty("the claims database".to_owned()));
        }
        schema::check(&pool).await?;
        let node = Node::new(server, pool, clock, entropy, false).await?;
        node.catch_up().await.map_err(unread)?;
        Ok(Self::over(node, &[]))
    }

    /// Over a node, with what runs beside; a node beside which nothing runs takes no commits.
    fn over(node: Node, beside: &[Task]) -> Self {
        let closed = AtomicBool::new(!node.writes);
        let (node, tasks, stop) = (Arc::new(node), TaskTracker::new(), CancellationToken::new());
        for task in beside {
            let (node, stop, task) = (Arc::clone(&node), stop.clone(), *task);
            tasks.spawn(async move {
                match task {
                    Task::Recover => node.keep_recovering(&stop).await,
                    Task::Follow => node.keep_following(&stop).await,
                }
            });
        }
        let guard = stop.clone().drop_guard();
        Self { node, closed, tasks, stop, _stop: guard }
    }
}

/// What runs beside the commits.
#[derive(Clone, Copy)]
enum Task {
    Recover,
    Follow,
}

impl Node {
    /// A node that has not followed the log yet.
    async fn new(
        server: Server,
        pool: PgPool,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
        writes: bool,
    ) -> Result<Self, OpenError> {
        let head = follow::kept(&pool).await.map_err(unreached)?;
        if head.position > 0 && !server.stands_at(head.position).await.map_err(unread)? {
            return Err(OpenError::Server(format!(
                "the claims database knows an event at position {} that the server does not have; \
                 they do not belong together, or the server lost its end",
                head.position
            )));
        }
        let grown = watch::Sender::new(head.position);
        Ok(Self { server, pool, clock, entropy, writes, head: Mutex::new(head), grown })
    }

    /// Wakes readers, unless they know already.
    fn grew(&self, position: u64) {
        self.grown.send_if_modified(|known| {
            let more = position > *known;
            *known = position.max(*known);
            more
        });
    }
}

#[async_trait]
impl EventLog for EventStoreLog {
    async fn append(&self, commit: Commit) -> Result<Receipt, AppendError> {
        if commit.events.is_empty() {
            return Err(AppendError::Fault(NO_EVENTS.to_owned()));
        }
        if self.closed.load(Ordering::Acquire) {
            return Err(AppendError::Fault(CLOSED.to_owned()));
        }
        let node = Arc::clone(&self.node);
        let task = self.tasks.spawn(async move { node.commit(&commit).await });
        task.await.map_err(|error| AppendError::Fault(error.to_string()))?
    }

    async fn read_stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        self.node.server.stream(stream, after, limit).await
    }

    async fn read_all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        self.node.server.all(after, limit).await
    }

    async fn head(&self) -> Result<Head, ReadError> {
        self.node.catch_up().await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.node.grown.subscribe()
    }

    async fn find_command(
        &self,
        account: PlayerId,
        id: CommandId,
    ) -> Result<Option<Remembered>, ReadError> {
        let node = &self.node;
        let known = memos::find(&node.pool, account, id, node.clock.now()).await;
        Ok(match known.map_err(unread_claims)? {
            Some(Known::Done(remembered)) => Some(*remembered),
            Some(Known::OnItsWay) | None => None,
        })
    }

    async fn count(&self, counter: Counter, player: PlayerId) -> Result<(u32, u32), ReadError> {
        claims::count(&self.node.pool, counter, player).await.map_err(unread_claims)
    }

    async fn claims(&self) -> Result<ClaimTable, ReadError> {
        claims::table(&self.node.pool).await.map_err(unread_claims)
    }

    async fn beat(&self, node: &str, at: Time) -> Result<(), ReadError> {
        sqlx::query(
            "INSERT INTO es_heartbeats (node, at) VALUES ($1, $2) \
             ON CONFLICT (node) DO UPDATE SET at = greatest(es_heartbeats.at, excluded.at)",
        )
        .bind(node)
        .bind(at.0)
        .execute(&self.node.pool)
        .await
        .map_err(unread_claims)?;
        Ok(())
    }

    async fn last_beat(&self) -> Result<Option<Time>, ReadError> {
        let last = sqlx::query("SELECT max(at) FROM es_heartbeats").fetch_one(&self.node.pool);
        let at: Option<i64> = last.await.and_then(|row| row.try_get(0)).map_err(unread_claims)?;
        Ok(at.map(Time))
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        self.node.pool.close().await;
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
fn unread_claims(error: sqlx::Error) -> ReadError {
    let problem = format!("claims: {error}");
    if is_away(&error) { ReadError::Unreachable(problem) } else { ReadError::Failed(problem) }
}

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
fn unreached(error: sqlx::Error) -> OpenError {
    OpenError::Server(format!("its claims database fails: {error}"))
}

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
fn unread(error: ReadError) -> OpenError {
    OpenError::Server(error.to_string())
}
