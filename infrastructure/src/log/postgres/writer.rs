//! The one task of this node that writes: it takes the head row, judges everything that waits, commits it in
//! one transaction, and only then answers. Other nodes do the same in turn. Once a commit is in its queue,
//! nothing that its sender does can split or stop it.

use super::attempt::Attempt;
use super::ground::Ground;
use super::{batch, connect};
use crate::log::figures;
use crate::log::port::{AppendError, Commit, Head, ReadError, Receipt};
use crate::log::recent::Recent;
use crate::log::sealing::Tip;
use crate::system::{Clock, Entropy};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, watch};
use yibu_domain::kernel::Time;

/// The most that one transaction takes.
const BATCH: usize = 512;

/// How long a batch waits, the head row in hand, for everybody who was here a moment ago.
const GATHER: Duration = Duration::from_micros(200);

/// Memos written between two prunings; each removes up to twice as many old ones.
const PRUNE_EVERY: usize = 1024;

/// A batch that takes longer is given up: the database is out of reach, and its outcome in doubt.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection that was not used for so long may have died with the server meanwhile.
const RESTED: Duration = Duration::from_secs(1);

/// After another node came first, so many batches take the head row before they do anything.
const WARY: u32 = 16;

/// How long to wait after a fault before the database is called again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

type Outcome = Result<Receipt, AppendError>;

/// A commit, and where its outcome is waited for.
pub(super) struct Request {
    pub(super) commit: Commit,
    pub(super) answer: oneshot::Sender<Outcome>,
}

/// How a writer reaches the database, and what it needs besides.
pub(super) struct Writer {
    options: PgConnectOptions,
    /// `None` after a fault: giving a connection up undoes what was begun on it.
    connection: Option<PgConnection>,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    grown: watch::Sender<u64>,
    /// Where recently written streams stand, as of `head`.
    recent: Recent<Tip>,
    /// Where the log ended when this node last wrote; another end means that another node wrote since.
    head: Option<Head>,
    memos: usize,
    /// So many batches go the long way.
    wary: u32,
    /// When the connection was last used.
    used: Instant,
    pause: Duration,
    commits: Vec<Commit>,
    answers: Vec<oneshot::Sender<Outcome>>,
    /// How many commits the next batch is likely to have.
    expected: usize,
    /// When this batch began.
    since: Instant,
}

impl Writer {
    pub(super) fn new(
        options: PgConnectOptions,
        connection: PgConnection,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
        grown: watch::Sender<u64>,
    ) -> Self {
        Self {
            options,
            connection: Some(connection),
            clock,
            entropy,
            grown,
            recent: Recent::default(),
            head: None,
            // The first batch prunes.
            memos: PRUNE_EVERY,
            wary: 0,
            used: Instant::now(),
            pause: Duration::ZERO,
            commits: Vec::with_capacity(BATCH),
            answers: Vec::with_capacity(BATCH),
            expected: 0,
            since: Instant::now(),
        }
    }

    /// Serves until every sender is gone and the queue is empty.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        while let Some(first) = requests.recv().await {
            self.take(first);
            self.since = Instant::now();
            let done = tokio::time::timeout(PATIENCE, self.batch(&mut requests)).await;
            let done = done.unwrap_or_else(|late| Err(std::io::Error::from(late).into()));
            match done {
                Ok(()) => self.pause = Duration::ZERO,
                Err(fault) => {
                    figures::failed("postgres");
                    tracing::error!(%fault, "the log's writer failed on a batch");
                    self.pause = (2 * self.pause).clamp(PAUSES.0, PAUSES.1);
                    self.commits.clear();
                    // Also those that were refused: they were judged on what may be undone.
                    let fault = AppendError::from(ReadError::from(fault));
                    let all = vec![Err(fault); self.answers.len()];
                    self.answer(all, requests.len());
                }
            }
        }
        if let Some(connection) = self.connection
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "the log's writing connection could not be closed");
        }
    }

    /// Answers everybody of the batch, while `waiting` others are in line. Who is answered now comes back, and who
    /// waits already is here: one batch for both, for two that took turns would each pay for a sync.
    fn answer(&mut self, outcomes: Vec<Outcome>, waiting: usize) {
        self.expected = self.answers.len() + waiting;
        for (answer, outcome) in self.answers.drain(..).zip(outcomes) {
            // A sender that went away does not want to know.
            let _ = answer.send(outcome);
        }
    }

    fn take(&mut self, request: Request) {
        self.commits.push(request.commit);
        self.answers.push(request.answer);
    }

    /// Judges and writes everything that waits, makes it durable and answers. On any error, also when it is dropped on
    /// its way, the connection goes, and what was kept in mind with it.
    async fn batch(&mut self, requests: &mut mpsc::Receiver<Request>) -> Result<(), sqlx::Error> {
        if let Some(head) = self.head.filter(|_| self.trusts())
            && self.quick(head, requests).await?
        {
            return Ok(());
        }
        let (mut connection, (head, own)) = self.begin().await?;
        if self.clock.is_system() {
            connect::together(self.clock.now(), own)?;
        }
        gather(&mut self.commits, &mut self.answers, requests, self.expected, |_, _| ()).await;
        if self.head.take() != Some(head) {
            self.recent.clear();
        }
        let recorded = self.clock.now();
        let commits = &self.commits;
        let mut ground =
            Ground::read(&mut connection, head, commits, &mut self.recent, recorded).await?;
        let outcomes =
            self.commits.iter().map(|commit| ground.judge(commit, &self.entropy)).collect();
        self.commits.clear();
        self.memos += ground.granted.memos.len();
        let prune = (self.memos >= PRUNE_EVERY).then_some(2 * self.memos);
        batch::commit(&mut connection, &ground, recorded, prune).await?;

        if prune.is_some() {
            self.memos = 0;
        }
        self.wary = self.wary.saturating_sub(1);
        self.settle(connection, &ground, outcomes, requests.len());
        Ok(())
    }

    /// Whether it is likely that nobody else has written since this node did, and that the database is there.
    fn trusts(&self) -> bool {
        self.wary == 0 && self.used.elapsed() < RESTED && self.connection.is_some()
    }

    /// The short way for a batch without claims: judged on what this node knows, as it comes in, and written in
    /// one statement that does nothing if another node has written since, or if a command was done before.
    /// False where it cannot be done so: the batch then waits as it came. A refusal must not rest on what may be
    /// old, so that one goes the long way, too.
    async fn quick(
        &mut self,
        head: Head,
        requests: &mut mpsc::Receiver<Request>,
    ) -> Result<bool, sqlx::Error> {
        let Self { recent, clock, entropy, commits, answers, expected, .. } = self;
        let mut attempt = Attempt::at(head, &**clock, entropy);
        for (index, commit) in commits.iter().enumerate() {
            attempt.take(index, commit, recent);
        }
        let each = |index, commit: &Commit| attempt.take(index, commit, recent);
        gather(commits, answers, requests, *expected, each).await;
        let memos = commits.iter().filter(|commit| commit.memo.is_some()).count();
        if !attempt.fits || self.memos + memos >= PRUNE_EVERY {
            return Ok(false);
        }
        let Some(mut connection) = self.connection.take() else { return Ok(false) };
        attempt.finish(&mut connection, commits, recent).await?;
        let Attempt { ground, receipts, fits, .. } = attempt;
        if !fits {
            self.connection = Some(connection);
            return Ok(false);
        }
        if !batch::at_once(&mut connection, head, &ground, &**clock).await? {
            self.wary = WARY;
            self.connection = Some(connection);
            return Ok(false);
        }
        self.memos += memos;
        self.commits.clear();
        let outcomes = receipts.into_iter().map(Ok).collect();
        self.settle(connection, &ground, outcomes, requests.len());
        Ok(true)
    }

    /// Answers what is durable now, and keeps it in mind.
    fn settle(
        &mut self,
        connection: PgConnection,
        ground: &Ground,
        outcomes: Vec<Outcome>,
        waiting: usize,
    ) {
        self.connection = Some(connection);
        grow(&self.grown, ground.head.position);
        figures::batch("postgres", outcomes.len(), self.since);
        self.answer(outcomes, waiting);
        // While those who were answered make their next commits.
        ground.settle(&mut self.recent);
        self.head = Some(ground.head);
        self.used = Instant::now();
    }

    /// Takes the head row, and hears the database's clock. A connection that rested may have died with the server
    /// meanwhile: nothing was asked of it yet, so that a fresh one may be asked instead.
    async fn begin(&mut self) -> Result<(PgConnection, (Head, Time)), sqlx::Error> {
        if let Some(mut connection) = self.connection.take() {
            match batch::lock(&mut connection).await {
                Ok(held) => return Ok((connection, held)),
                Err(error) => tracing::warn!(%error, "the log's writer connects anew"),
            }
        }
        tokio::time::sleep(self.pause).await;
        let mut connection = connect::for_writing(&self.options).await?;
        let held = batch::lock(&mut connection).await?;
        Ok((connection, held))
    }
}

/// Takes what waits, and shows `each` as it comes with its place in the batch. The senders of a batch come back
/// at nearly the same time, a little after they were answered; most have while the head row was asked for.
async fn gather(
    commits: &mut Vec<Commit>,
    answers: &mut Vec<oneshot::Sender<Outcome>>,
    requests: &mut mpsc::Receiver<Request>,
    expected: usize,
    mut each: impl FnMut(usize, &Commit),
) {
    let since = Instant::now();
    loop {
        while commits.len() < BATCH {
            let Ok(Request { commit, answer }) = requests.try_recv() else {
                break;
            };
            each(commits.len(), &commit);
            commits.push(commit);
            answers.push(answer);
        }
        if commits.len() >= expected.min(BATCH) || since.elapsed() >= GATHER {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// Moves the hint on, never back.
pub(super) fn grow(grown: &watch::Sender<u64>, position: u64) {
    grown.send_if_modified(|known| {
        let grew = position > *known;
        *known = position.max(*known);
        grew
    });
}
