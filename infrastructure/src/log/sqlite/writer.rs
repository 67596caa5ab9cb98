//! The one thread that writes: it takes everything that waits, judges it in order, commits it in one
//! transaction with one sync, and only then answers. It also makes the checkpoints, between batches. Once a
//! commit is in its queue, nothing that its sender does can split or stop it.

use super::append::{self, End};
use super::custody::{self, Work};
use super::mark::Mark;
use super::tips::Tips;
use super::{memos, reads};
use crate::log::custody::CustodyError;
use crate::log::port::{AppendError, Commit, ReadError, Receipt};
use crate::log::{chain, figures};
use crate::system::{Clock, Entropy};
use rusqlite::Connection;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, watch};
use yibu_domain::kernel::Time;

/// The most that one transaction takes.
const BATCH: usize = 512;

/// How long a batch waits for the senders of the batch before it, who have just been answered.
const GATHER: Duration = Duration::from_micros(150);

/// Memos written between two prunings; each removes up to twice as many old ones.
const PRUNE_EVERY: u32 = 256;

/// The write-ahead log is checkpointed after about so many pages (16 MB).
const CHECKPOINT_PAGES: usize = 4096;

/// What the writer is asked for.
pub(super) enum Request {
    Commit(Box<Commit>, oneshot::Sender<Result<Receipt, AppendError>>),
    Beat { node: String, at: Time, answer: oneshot::Sender<Result<(), ReadError>> },
    Keep(Work, Kept),
}

/// Where the keeper is told what came of it.
type Kept = oneshot::Sender<Result<u64, CustodyError>>;

/// What came of a request, held back until the transaction is durable.
enum Outcome {
    Commit(oneshot::Sender<Result<Receipt, AppendError>>, Result<Receipt, AppendError>),
    Beat(oneshot::Sender<Result<(), ReadError>>),
}

/// Whom the writer tells.
pub(super) struct Told {
    /// How far the log goes.
    pub(super) grow: watch::Sender<u64>,
    /// Whether the last batch got in.
    pub(super) wrote: watch::Sender<bool>,
}

pub(super) struct Writer {
    connection: Connection,
    mark: Mark,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    told: Told,
    tips: Tips,
    /// `None` when it must be read from the file: at the start and after a fault.
    end: Option<End>,
    memos: u32,
    pages: usize,
    outcomes: Vec<Outcome>,
    /// What the keeper asked for within the batch.
    works: Vec<(Work, Kept)>,
}

impl Writer {
    pub(super) fn new(
        connection: Connection,
        mark: Mark,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
        told: Told,
    ) -> Self {
        Self {
            connection,
            mark,
            clock,
            entropy,
            told,
            tips: Tips::default(),
            end: None,
            // The first batch prunes.
            memos: PRUNE_EVERY,
            pages: 0,
            outcomes: Vec::with_capacity(BATCH),
            works: Vec::new(),
        }
    }

    /// Serves until every sender is gone and the queue is empty.
    pub(super) fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        let mut batch = Vec::with_capacity(BATCH);
        let mut before = 0;
        while let Some(first) = requests.blocking_recv() {
            batch.push(first);
            gather(&mut requests, &mut batch, before);
            before = batch.len();
            self.serve(&mut batch);
            self.checkpoint_sometimes();
        }
        self.finish();
    }

    fn serve(&mut self, batch: &mut Vec<Request>) {
        self.commit(batch);
        // The keeper's work has a transaction of its own: a refusal leaves nothing, and disturbs nobody.
        for (work, answer) in std::mem::take(&mut self.works) {
            let done = self.keep(work);
            if done.is_err() {
                self.forget();
            }
            // A keeper that went away does not want to know.
            drop(answer.send(done));
        }
    }

    fn keep(&mut self, work: Work) -> Result<u64, CustodyError> {
        self.connection.execute_batch("BEGIN").map_err(custody::fault)?;
        let mut end = match self.end {
            Some(end) => end,
            None => read_end(&self.connection).map_err(custody::fault)?,
        };
        let start = end.head.position;
        let done = custody::work(&self.connection, &mut self.tips, &mut end, work)?;
        self.connection.execute_batch("COMMIT").map_err(custody::fault)?;
        self.pages += 4 * usize::try_from(done).unwrap_or(BATCH);
        self.end = Some(end);
        if end.head.position > start {
            self.grew(end);
        }
        Ok(done)
    }

    fn commit(&mut self, batch: &mut Vec<Request>) {
        let since = Instant::now();
        let done = self.transaction(batch);
        let commits = self.outcomes.iter().filter(|one| matches!(one, Outcome::Commit(..)));
        figures::batch("sqlite", commits.count(), since);
        // Of a batch that failed on its way, the rest was not looked at.
        for request in batch.drain(..) {
            match request {
                Request::Commit(_, answer) => {
                    let undone = Err(AppendError::Fault(String::new()));
                    self.outcomes.push(Outcome::Commit(answer, undone));
                }
                Request::Beat { answer, .. } => self.outcomes.push(Outcome::Beat(answer)),
                Request::Keep(work, answer) => self.works.push((work, answer)),
            }
        }
        // Before anybody is answered: who then asks how the node is hears of it.
        self.told
            .wrote
            .send_if_modified(|wrote| std::mem::replace(wrote, done.is_ok()) != done.is_ok());
        match done {
            Ok(()) => {
                for outcome in self.outcomes.drain(..) {
                    // A sender that went away does not want to know.
                    match outcome {
                        Outcome::Commit(answer, result) => drop(answer.send(result)),
                        Outcome::Beat(answer) => drop(answer.send(Ok(()))),
                    }
                }
            }
            Err(fault) => {
                tracing::error!(%fault, "the log's writer failed on a batch");
                figures::failed("sqlite");
                self.forget();
                // Also refusals: they were judged on what is now undone.
                for outcome in self.outcomes.drain(..) {
                    match outcome {
                        Outcome::Commit(answer, _) => {
                            drop(answer.send(Err(fault.clone().into())));
                        }
                        Outcome::Beat(answer) => {
                            drop(answer.send(Err(fault.clone())));
                        }
                    }
                }
            }
        }
    }

    /// Judges and writes a batch and makes it durable.
    fn transaction(&mut self, batch: &mut Vec<Request>) -> Result<(), ReadError> {
        self.connection.prepare_cached("BEGIN").and_then(|mut s| s.execute([]))?;
        let mut end = match self.end {
            Some(end) => end,
            None => read_end(&self.connection)?,
        };
        let start = end.head.position;
        let recorded = self.clock.now();
        let mut beats = 0;
        for request in batch.drain(..) {
            match request {
                Request::Commit(commit, answer) => {
                    self.memos += u32::from(commit.memo.is_some());
                    let result = append::append(
                        &self.connection,
                        &mut self.tips,
                        &mut end,
                        *commit,
                        recorded,
                        &self.entropy,
                    );
                    let fault = match &result {
                        Err(AppendError::Fault(fault)) => Some(ReadError::Failed(fault.clone())),
                        Err(AppendError::Unreachable(fault)) => {
                            Some(ReadError::Unreachable(fault.clone()))
                        }
                        _ => None,
                    };
                    self.outcomes.push(Outcome::Commit(answer, result));
                    if let Some(fault) = fault {
                        return Err(fault);
                    }
                }
                Request::Beat { node, at, answer } => {
                    self.outcomes.push(Outcome::Beat(answer));
                    append::write_beat(&self.connection, &node, at)?;
                    beats += 1;
                }
                Request::Keep(work, answer) => self.works.push((work, answer)),
            }
        }
        if self.memos >= PRUNE_EVERY {
            memos::prune(&self.connection, recorded, 2 * self.memos)?;
            self.memos = 0;
        }
        let grew = end.head.position > start;
        if grew {
            append::write_end(&self.connection, &mut end)?;
        }
        self.connection.prepare_cached("COMMIT").and_then(|mut s| s.execute([]))?;

        self.end = Some(end);
        // A few pages for the head and the ends of the tables, and some for each commit's memo and claims.
        self.pages += 2 + beats + 2 * usize::try_from(end.head.position - start).unwrap_or(BATCH);
        if grew {
            self.grew(end);
        }
        Ok(())
    }

    /// The log has grown durably, and is about to say so.
    fn grew(&mut self, end: End) {
        let marked =
            self.mark.write(end.head.position, &end.last).and_then(|()| self.mark.sync_sometimes());
        if let Err(error) = marked {
            // The batch is durable all the same.
            tracing::warn!(%error, "the mark of the log's end could not be written");
        }
        self.told.grow.send_replace(end.head.position);
    }

    /// After a fault: what was kept in mind may be wrong, and no transaction may stay open.
    fn forget(&mut self) {
        self.tips.clear();
        self.end = None;
        if !self.connection.is_autocommit()
            && let Err(error) = self.connection.execute_batch("ROLLBACK")
        {
            tracing::error!(%error, "the log's writer cannot roll back");
        }
    }

    fn checkpoint_sometimes(&mut self) {
        if self.pages < CHECKPOINT_PAGES {
            return;
        }
        self.pages = 0;
        // Passive: never waits for readers. What they hold up is taken by the next one.
        self.checkpoint("PASSIVE");
    }

    fn checkpoint(&self, how: &str) {
        let sql = format!("PRAGMA wal_checkpoint({how})");
        if let Err(error) = self.connection.query_row(&sql, [], |_| Ok(())) {
            tracing::warn!(%error, "the log could not be checkpointed");
        }
    }

    fn finish(mut self) {
        self.checkpoint("TRUNCATE");
        if let Err(error) = self.mark.sync() {
            tracing::warn!(%error, "the mark of the log's end could not be synced");
        }
        if let Err((_, error)) = self.connection.close() {
            tracing::warn!(%error, "the log could not be closed");
        }
    }
}

/// Takes what waits. The senders of a batch come back at nearly the same time, a little after they were
/// answered; without a moment's patience their first one would have a sync for itself.
fn gather(requests: &mut mpsc::Receiver<Request>, batch: &mut Vec<Request>, before: usize) {
    let since = Instant::now();
    loop {
        while batch.len() < BATCH {
            let Ok(request) = requests.try_recv() else {
                break;
            };
            batch.push(request);
        }
        if batch.len() >= before.min(BATCH) || since.elapsed() >= GATHER {
            return;
        }
        std::thread::yield_now();
    }
}

fn read_end(connection: &Connection) -> rusqlite::Result<End> {
    let head = reads::head(connection)?;
    let last = reads::hash_at(connection, head.position)?.unwrap_or(chain::START);
    Ok(End { head, last, indexed: reads::indexed(connection)? })
}

#[cfg(test)]
mod tests {
    use super::super::connect;
    use super::*;
    use crate::log::port::{Expected, NewEvent, Stamp};
    use crate::system::ManualClock;
    use uuid::Uuid;
    use yibu_domain::kernel::{Actor, EventId};

    fn commit(n: u128) -> Commit {
        let payload = format!("{{\"filler\":\"{}\"}}", "x".repeat(20_000));
        Commit {
            stream: format!("player-{}", Uuid::from_u128(n)),
            expected: Expected::None,
            events: vec![NewEvent { id: EventId(Uuid::from_u128(n)), name: "other.v1", payload }],
            stamp: Stamp {
                at: Time(0),
                actor: Actor::System,
                command: "other".to_owned(),
                command_id: None,
                correlation: Uuid::nil(),
                causation: None,
                node: "n".to_owned(),
                build: "b".to_owned(),
            },
            claims: Vec::new(),
            memo: None,
        }
    }

    #[test]
    fn a_disk_that_is_full_passes_and_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let connection = connect::for_writing(folder.path()).unwrap();
        let head = connect::checked_head(&connection).unwrap();
        let mark = Mark::open(folder.path(), &connection, head).unwrap();
        let (clock, entropy) = (Arc::new(ManualClock::at(Time(1))), Entropy::seeded(1));
        let told = Told { grow: watch::Sender::new(0), wrote: watch::Sender::new(true) };
        let mut told_of = told.wrote.subscribe();
        let mut writer = Writer::new(connection, mark, clock, entropy, told);
        let limit = |writer: &Writer, more: u32| {
            let pages = "SELECT page_count FROM pragma_page_count";
            let pages: u32 = writer.connection.query_row(pages, [], |row| row.get(0)).unwrap();
            let most = format!("PRAGMA max_page_count = {}", pages + more);
            writer.connection.query_row(&most, [], |_| Ok(())).unwrap();
        };
        let append = |writer: &mut Writer, n| {
            let (answer, mut answered) = oneshot::channel();
            writer.serve(&mut vec![Request::Commit(Box::new(commit(n)), answer)]);
            answered.try_recv().unwrap()
        };

        append(&mut writer, 1).unwrap();
        limit(&writer, 1);
        let full = append(&mut writer, 2).unwrap_err();
        assert!(matches!(&full, AppendError::Unreachable(text) if text.contains("full")), "{full}");
        assert!(!*told_of.borrow_and_update());

        limit(&writer, 1000);
        append(&mut writer, 2).unwrap();
        assert!(*told_of.borrow_and_update());
        let events: u32 =
            writer.connection.query_row("SELECT count(*) FROM events", [], |r| r.get(0)).unwrap();
        assert_eq!(events, 2);
    }
}
