//! The one task of this node that writes. The long way takes the head row, judges everything that waits,
//! commits it in one transaction, and only then answers; other nodes do the same in turn. The short way (see
//! `flight`) judges the next batch while the last one is at the server. Once a commit is in its queue, nothing
//! that its sender does can split or stop it.

use super::flight::Flight;
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
use tokio::time::timeout;

/// The most that one transaction takes.
const BATCH: usize = 512;

/// How long a batch waits for those who were answered a moment ago: they often come back at once.
const GATHER: Duration = Duration::from_micros(200);

/// What it costs to judge a commit and to put it into a statement, about.
const JUDGING: Duration = Duration::from_micros(10);

/// Memos written between two prunings; each removes up to twice as many old ones.
const PRUNE_EVERY: usize = 256;

/// A batch that takes longer is given up: the database is out of reach, and its outcome in doubt.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection that was not used for so long may have died with the server meanwhile.
const RESTED: Duration = Duration::from_secs(1);

/// After another node came first, so many batches take the head row before they do anything.
const WARY: u32 = 16;

/// How long to wait after a fault before the database is called again, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

type Outcome = Result<Receipt, AppendError>;
type Answer = oneshot::Sender<Outcome>;

/// A commit, and where its outcome is waited for.
pub(super) struct Request {
    pub(super) commit: Commit,
    pub(super) answer: Answer,
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
    /// Where the log ends as far as this node knows, what is on its way included. Another end means that
    /// another node wrote since. `None` where that is unknown.
    head: Option<Head>,
    memos: usize,
    /// So many batches go the long way.
    wary: u32,
    /// What was judged already and goes next.
    next: Option<Flight>,
    /// What goes the long way after that, as it came.
    held: Vec<Request>,
    /// What became of the last batch, until it is told.
    done: Vec<(Answer, Outcome)>,
    last: Last,
    pause: Duration,
}

/// The last batch.
struct Last {
    commits: usize,
    took: Duration,
    ended: Instant,
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
            next: None,
            held: Vec::new(),
            done: Vec::new(),
            last: Last { commits: 0, took: Duration::ZERO, ended: Instant::now() },
            pause: Duration::ZERO,
        }
    }

    /// Serves until every sender is gone and the queue is empty.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        loop {
            let enough = self.enough(requests.len());
            if self.waiting() < enough {
                self.tell();
                if self.waiting() == 0 {
                    let Some(request) = requests.recv().await else { break };
                    self.take(request);
                }
                self.gather(&mut requests, enough).await;
            }
            match self.next.take() {
                Some(flight) => self.fly(flight, &mut requests).await,
                None => self.walk(&mut requests).await,
            }
        }
        if let Some(connection) = self.connection
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "the log's writing connection could not be closed");
        }
    }

    /// How many commits the next batch should have before it goes, if they come in time. Who was answered
    /// now comes back, and who waits is here already: one batch for both, for two that take turns each pay
    /// for a sync. Where a sync costs less than judging, two that take turns are better: the one is judged
    /// while the other is at the server.
    fn enough(&self, queued: usize) -> usize {
        let all = (self.last.commits + self.waiting() + queued).clamp(1, BATCH);
        let judging = JUDGING * u32::try_from(all).unwrap_or(u32::MAX);
        if self.last.took < judging { all.div_ceil(2) } else { all }
    }

    fn waiting(&self) -> usize {
        self.held.len() + self.next.as_ref().map_or(0, |next| next.requests.len())
    }

    /// Takes what waits, and what comes soon after the last batch.
    async fn gather(&mut self, requests: &mut mpsc::Receiver<Request>, enough: usize) {
        loop {
            while self.waiting() < BATCH
                && let Ok(request) = requests.try_recv()
            {
                self.take(request);
            }
            if self.waiting() >= enough || self.last.ended.elapsed() >= GATHER {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    /// Judges a commit, if that can be done at once; otherwise it waits, and all that come after it.
    fn take(&mut self, request: Request) {
        if self.held.is_empty()
            && self.trusts()
            && let Some(head) = &mut self.head
        {
            let next = self.next.get_or_insert_with(|| Flight::new(*head, self.clock.now()));
            match next.take(request, &mut self.recent, &self.entropy) {
                Ok(()) => *head = next.after,
                Err(request) => self.held.push(request),
            }
        } else {
            self.held.push(request);
        }
    }

    /// Whether it is likely that nobody else has written since this node did, and that the database is there.
    fn trusts(&self) -> bool {
        self.wary == 0 && self.memos < PRUNE_EVERY && self.last.ended.elapsed() < RESTED
    }

    /// Tells the senders what became of their commits. One that went away does not want to know.
    fn tell(&mut self) {
        for (answer, outcome) in self.done.drain(..) {
            let _ = answer.send(outcome);
        }
    }

    /// The short way. What comes meanwhile is judged as if it succeeds.
    async fn fly(&mut self, flight: Flight, requests: &mut mpsc::Receiver<Request>) {
        let Some(mut connection) = self.connection.take() else { return self.turn_back(flight) };
        let since = Instant::now();
        let written = {
            let mut written =
                std::pin::pin!(timeout(PATIENCE, batch::at_once(&mut connection, &flight)));
            tokio::select! {
                // The server is asked before anything else is done.
                biased;
                written = &mut written => written,
                () = self.meanwhile(requests) => written.await,
            }
        };
        match written.unwrap_or_else(|late| Err(std::io::Error::from(late).into())) {
            Ok(true) => {
                self.connection = Some(connection);
                self.memos += flight.memos.len();
                self.note(flight.receipts.len(), since);
                figures::batch("postgres", flight.receipts.len(), flight.since);
                grow(&self.grown, flight.after.position);
                let answers = flight.requests.into_iter().map(|request| request.answer);
                self.done.extend(answers.zip(flight.receipts.into_iter().map(Ok)));
            }
            Ok(false) => {
                self.connection = Some(connection);
                self.head = Some(flight.before);
                self.turn_back(flight);
            }
            Err(fault) => {
                self.head = None;
                if let Some(next) = self.next.take() {
                    self.turn_back(next);
                }
                self.fail(fault, flight.requests.into_iter().map(|request| request.answer));
            }
        }
    }

    async fn meanwhile(&mut self, requests: &mut mpsc::Receiver<Request>) {
        self.tell();
        while self.waiting() < BATCH
            && let Some(request) = requests.recv().await
        {
            self.take(request);
        }
    }

    /// Nothing of it was written: it goes the long way, and what was judged on it.
    fn turn_back(&mut self, flight: Flight) {
        let next = self.next.take().map(|next| next.requests).unwrap_or_default();
        self.held.splice(..0, flight.requests.into_iter().chain(next));
        // Holds ends that never came to be.
        self.recent.clear();
    }

    /// The long way.
    async fn walk(&mut self, requests: &mut mpsc::Receiver<Request>) {
        self.tell();
        let since = Instant::now();
        let done = timeout(PATIENCE, self.batch(requests)).await;
        match done.unwrap_or_else(|late| Err(std::io::Error::from(late).into())) {
            Ok(outcomes) => {
                self.note(outcomes.len(), since);
                figures::batch("postgres", outcomes.len(), since);
                self.pause = Duration::ZERO;
                let answers = self.held.drain(..outcomes.len()).map(|request| request.answer);
                self.done.extend(answers.zip(outcomes));
            }
            Err(fault) => {
                // Also those that were refused: they were judged on what may be undone.
                let held = std::mem::take(&mut self.held);
                self.fail(fault, held.into_iter().map(|request| request.answer));
            }
        }
    }

    fn note(&mut self, commits: usize, since: Instant) {
        self.last = Last { commits, took: since.elapsed(), ended: Instant::now() };
    }

    fn fail(&mut self, fault: sqlx::Error, answers: impl Iterator<Item = Answer>) {
        figures::failed("postgres");
        tracing::error!(%fault, "the log's writer failed on a batch");
        self.pause = (2 * self.pause).clamp(PAUSES.0, PAUSES.1);
        let fault = AppendError::from(ReadError::from(fault));
        self.done.extend(answers.map(|answer| (answer, Err(fault.clone()))));
    }

    /// Judges and writes everything that waits and makes it durable. On any error, also when it is dropped on
    /// its way, the connection goes, and what was kept in mind with it.
    async fn batch(
        &mut self,
        requests: &mut mpsc::Receiver<Request>,
    ) -> Result<Vec<Outcome>, sqlx::Error> {
        let (mut connection, head) = self.begin().await?;
        // Most who were answered last have come back while the head row was asked for.
        while self.held.len() < BATCH
            && let Ok(request) = requests.try_recv()
        {
            self.held.push(request);
        }
        let known = self.head.take();
        if known != Some(head) {
            self.recent.clear();
        }
        if known.is_some_and(|known| known != head) {
            self.wary = WARY;
        }
        let recorded = self.clock.now();
        let commits: Vec<_> = self.held.iter().take(BATCH).map(|it| it.commit.clone()).collect();
        let mut ground =
            Ground::read(&mut connection, head, &commits, &mut self.recent, recorded).await?;
        let outcomes =
            commits.into_iter().map(|commit| ground.judge(commit, &self.entropy)).collect();
        self.memos += ground.granted.memos.len();
        let prune = (self.memos >= PRUNE_EVERY).then_some(2 * self.memos);
        batch::commit(&mut connection, &ground, recorded, prune).await?;

        if prune.is_some() {
            self.memos = 0;
        }
        self.wary = self.wary.saturating_sub(1);
        ground.settle(&mut self.recent);
        self.head = Some(ground.head);
        self.connection = Some(connection);
        grow(&self.grown, ground.head.position);
        Ok(outcomes)
    }

    /// Takes the head row. A connection that rested may have died with the server meanwhile: nothing was asked
    /// of it yet, so that a fresh one may be asked instead.
    async fn begin(&mut self) -> Result<(PgConnection, Head), sqlx::Error> {
        if let Some(mut connection) = self.connection.take() {
            match batch::lock(&mut connection).await {
                Ok(head) => return Ok((connection, head)),
                Err(error) => tracing::warn!(%error, "the log's writer connects anew"),
            }
        }
        tokio::time::sleep(self.pause).await;
        let mut connection = connect::for_writing(&self.options).await?;
        let head = batch::lock(&mut connection).await?;
        Ok((connection, head))
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
