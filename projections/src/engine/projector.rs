//! One read model on its way through the log: read, fold, commit rows with the checkpoint, tell. Must not
//! keep anything of a fold after a fault.

use super::fault::{Fault, ViewsError};
use super::feed::Fed;
use super::pages::{PAGE, Pages, ROUND_PAGES};
use super::projection::{Changed, Fold, Projection};
use super::registry::{self, Registered, Stage};
use super::store::Conn;
use super::views::{Slot, Views};
use sqlx::Connection;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;
use yibu_domain::kernel::MatchId;

/// Events that a worker far behind takes in at a time; a rebuild's read models go side by side in such rounds.
pub(super) const ROUND: usize = ROUND_PAGES * PAGE;
/// A transaction for every this many events at the latest, or for this many changed matches: what is far behind
/// is written rarely, because most of its rows will change again. Bounds the memory of a fold.
const MOST_UNCOMMITTED: u64 = 16 * ROUND as u64;
const MOST_CHANGED: usize = 8192;

/// A worker of a shared store shows so often that it lives.
pub(super) const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// There was nothing new.
    Idle,
    /// Everything up to this position is taken in.
    Advanced(u64),
}

/// A worker's hold on one generation of one read model. No other process adopts it as long as this one shows
/// that it lives; whoever adopts it later fences this one out.
pub struct Projector {
    views: Views,
    projection: Arc<dyn Projection>,
    pages: Pages,
    stage: Stage,
    held: Registered,
    /// When it last showed that it lives.
    shown: Instant,
    fold: Box<dyn Fold>,
    /// Everything up to this position is in the fold, if not yet in the rows.
    folded: u64,
    /// The fold has everything that the log had when it was last read.
    at_head: bool,
    /// An event that the fold refused: what stands before it is taken in, itself never.
    barrier: Option<(u64, String)>,
    /// Changes that no reader has been told of, because this generation is not served yet.
    untold: HashMap<MatchId, Changed>,
    /// Of a rebuild: no other one of this process begins as long as it lives.
    _alone: Option<OwnedMutexGuard<()>>,
}

impl Projector {
    /// Takes over the served generation of a read model.
    ///
    /// # Errors
    /// [`Fault::Held`] when a worker of another process keeps it; [`Fault::Stale`] when its tables have another
    /// shape; the store failed; no such read model.
    pub async fn adopt(views: &Views, name: &str, pages: Pages) -> Result<Self, Fault> {
        let projection = views.slot(name)?.projection.clone();
        let mut on = views.store().writing().await?;
        let held =
            registry::adopt(&mut on, projection.as_ref(), Stage::Active, views.holder()).await?;
        let Some(held) = held else {
            let there = registry::find(&mut on, projection.as_ref(), Stage::Active).await?;
            return Err(there.map_or(Fault::Stale, |_| Fault::Held));
        };
        Ok(Self::new(views, projection, pages, Stage::Active, held))
    }

    /// Begins the generation after the served one, or continues with what an interrupted rebuild left.
    pub(super) async fn build(views: &Views, name: &str, pages: Pages) -> Result<Self, Fault> {
        let slot = views.slot(name)?;
        // The lease tells processes apart, not two rebuilds of one.
        let alone = Arc::clone(&slot.rebuilding).try_lock_owned().map_err(|_| Fault::Rebuilding)?;
        let projection = slot.projection.clone();
        let mut on = views.store().writing().await?;
        let held = registry::adopt_building(&mut on, projection.as_ref(), views.holder()).await?;
        let built = Self::new(views, projection, pages, Stage::Building, held.ok_or(Fault::Held)?);
        Ok(Self { _alone: Some(alone), ..built })
    }

    fn new(
        views: &Views,
        projection: Arc<dyn Projection>,
        pages: Pages,
        stage: Stage,
        held: Registered,
    ) -> Self {
        Self {
            fold: projection.begin(views, held.generation),
            views: views.clone(),
            projection,
            pages,
            stage,
            held,
            shown: Instant::now(),
            folded: held.checkpoint,
            at_head: false,
            barrier: None,
            untold: HashMap::new(),
            _alone: None,
        }
    }

    /// The read model's name.
    pub fn name(&self) -> &'static str {
        self.projection.name()
    }

    /// Which generation it writes.
    pub fn generation(&self) -> u64 {
        self.held.generation
    }

    /// Everything up to this position is committed.
    pub fn checkpoint(&self) -> u64 {
        self.held.checkpoint
    }

    /// Takes in what is new, at most `most` events, in one transaction.
    ///
    /// # Errors
    /// Nothing of this step was written. After a fault that may pass, the next step tries again.
    pub async fn step(&mut self, most: usize) -> Result<Step, Fault> {
        self.careful(most, true).await
    }

    /// Takes a round of what is new in. Near the end of the log every round is a transaction; far from it,
    /// several are.
    ///
    /// # Errors
    /// As [`Projector::step`]; what was not committed is taken in again.
    pub(super) async fn advance(&mut self) -> Result<Step, Fault> {
        let step = self.careful(ROUND, false).await?;
        self.live().await?;
        Ok(step)
    }

    /// Gives a sign of life if one is due, as somebody who builds must while not committing.
    pub(super) async fn live(&mut self) -> Result<(), Fault> {
        if self.views.store().shared() && self.shown.elapsed() >= SIGN_OF_LIFE {
            self.show().await?;
        }
        Ok(())
    }

    /// Shows that it lives, and sees to what was left to be dropped.
    async fn show(&mut self) -> Result<(), Fault> {
        let mut on = self.views.store().writing().await?;
        if !registry::renew(&mut on, self.name(), self.stage, &self.held).await? {
            return Err(Fault::Fenced);
        }
        self.shown = Instant::now();
        Ok(registry::drop_retired(&mut on, self.projection.as_ref()).await?)
    }

    /// Gives the lease back, so that a worker of another process takes over at once.
    pub(super) async fn release(self) {
        let Self { views, held, projection, .. } = self;
        let name = projection.name();
        let released = async {
            let mut on = views.store().writing().await?;
            registry::release(&mut on, name, &held).await.map_err(ViewsError::from)
        };
        if let Err(error) = released.await {
            tracing::warn!(name, %error, "the lease is left to run out");
        }
    }

    async fn careful(&mut self, most: usize, at_once: bool) -> Result<Step, Fault> {
        let fault = match self.attempt(most, at_once).await {
            Err(fault) => fault,
            done => return done,
        };
        self.forget();
        // The rows of a worker that took over are no gap in the log.
        if matches!(fault, Fault::Poison { .. }) {
            self.show().await?;
        }
        match fault {
            // The events before it are good: they are taken in first, and a later step stands before it.
            Fault::Poison { position, problem } if self.barrier.is_none() => {
                self.barrier = Some((position, problem));
                let done = self.attempt(most, at_once).await;
                if done.is_err() {
                    self.forget();
                }
                done
            }
            fault => Err(fault),
        }
    }

    async fn attempt(&mut self, most: usize, at_once: bool) -> Result<Step, Fault> {
        let before = self.folded;
        self.absorb(most).await?;
        let uncommitted = self.folded - self.held.checkpoint;
        let due = at_once
            || self.at_head
            || uncommitted >= MOST_UNCOMMITTED
            || self.fold.changed_matches() >= MOST_CHANGED;
        if uncommitted > 0 && due {
            self.commit().await?;
        } else if self.folded == before {
            return Ok(Step::Idle);
        }
        Ok(Step::Advanced(self.folded))
    }

    /// Folds what is new in memory. A poisoned event right after what is committed is a fault.
    async fn absorb(&mut self, most: usize) -> Result<(), Fault> {
        let mut room = most;
        self.at_head = false;
        while room > 0 {
            let page = self.pages.read(self.folded).await?;
            let (good, poison) = self.readable(&page, room);
            if let Some(last) = good.last() {
                self.fold.absorb(good).await?;
                self.folded = last.position;
                room -= good.len();
            }
            self.at_head = poison.is_some() || page.len() < PAGE;
            match poison {
                Some(poison) if self.folded == self.held.checkpoint => return Err(poison),
                _ if self.at_head => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// The beginning of a page that can be taken in, and what stands after it, if that is poison.
    fn readable<'p>(&self, page: &'p [Fed], room: usize) -> (&'p [Fed], Option<Fault>) {
        let page = &page[..page.len().min(room)];
        let barrier = self.barrier.as_ref();
        let bad = page.iter().position(|fed| {
            fed.fact.is_err() || barrier.is_some_and(|(position, _)| *position == fed.position)
        });
        let Some(bad) = bad else { return (page, None) };
        let position = page[bad].position;
        let problem = match (&page[bad].fact, barrier) {
            (Err(poison), _) => poison.0.clone(),
            (Ok(_), Some((_, problem))) => problem.clone(),
            (Ok(_), None) => String::new(),
        };
        (&page[..bad], Some(Fault::Poison { position, problem }))
    }

    async fn commit(&mut self) -> Result<(), Fault> {
        let views = self.views.clone();
        let slot = views.slot(self.projection.name())?;
        let telling = slot.telling.lock().await;
        let mut on = views.store().writing().await?;
        let mut tx = on.begin().await?;
        if let Err(fault) = self.write(&mut tx).await {
            // A full disk has undone it already. What went wrong first is what is told.
            if let Err(error) = tx.rollback().await {
                tracing::debug!(%error, "nothing to roll back");
            }
            return Err(fault);
        }
        tx.commit().await?;
        self.wrote(slot);
        if self.stage == Stage::Active {
            // Told first: who has waited for a position has been told of everything before it.
            views.pulse(self.untold.drain().map(|(_, one)| one));
            slot.reached(self.held.generation, self.held.checkpoint);
        }
        drop(telling);
        Ok(())
    }

    /// Checkpoint and rows, in the caller's transaction.
    async fn write(&mut self, tx: &mut Conn) -> Result<(), Fault> {
        let name = self.projection.name();
        if !registry::advance(tx, name, self.stage, &self.held, self.folded).await? {
            return Err(Fault::Fenced);
        }
        Ok(self.fold.flush(tx).await?)
    }

    /// What was written is committed. Keeps what has to be told: what the served generation has not told yet.
    fn wrote(&mut self, slot: &Slot) {
        self.held.checkpoint = self.folded;
        self.shown = Instant::now();
        let told = slot.progress.borrow().checkpoint;
        self.untold.retain(|_, one| one.position > told);
        let news = self.fold.changed().into_iter().filter(|one| one.position > told);
        self.untold.extend(news.map(|one| (one.match_id, one)));
    }

    /// Makes what only queries need, now that the rows are there.
    pub(super) async fn index(&mut self) -> Result<(), Fault> {
        let mut on = self.views.store().writing().await?;
        Ok(registry::index(&mut on, self.projection.as_ref(), &self.held).await?)
    }

    /// Whether the finished generation and the served one are the same row for row; `None` when they do not
    /// stand at the same place in the same shape. One snapshot of both: nobody waits for the comparison.
    pub(super) async fn compare(&mut self) -> Result<Option<bool>, Fault> {
        let mut on = self.views.reading().await?;
        let mut tx = on.begin().await?;
        let projection = self.projection.as_ref();
        let active = registry::find(&mut tx, projection, Stage::Active).await?;
        let held = registry::find(&mut tx, projection, Stage::Building).await?;
        let held = held.ok_or(Fault::Fenced)?;
        let Some(active) = active.filter(|active| active.checkpoint == held.checkpoint) else {
            return Ok(None);
        };
        let pair = [active.generation, held.generation];
        Ok(Some(super::dump::same(&mut tx, projection.tables(), pair).await?))
    }

    /// Makes the finished generation the served one: readers and the live worker go over to it, nothing that
    /// was served before is missing in it, and the one before is dropped, on a shared store after the other
    /// processes went over. Says where it stands.
    pub(super) async fn take_over(mut self) -> Result<u64, Fault> {
        let views = self.views.clone();
        let slot = views.slot(self.projection.name())?;
        let telling = slot.telling.lock().await;
        let mut on = views.store().writing().await?;
        let mut tx = on.begin().await?;
        // The live worker, wherever it is, waits meanwhile: the rest of the way is short.
        let active = registry::lock(&mut tx, self.projection.as_ref()).await?;
        while active.is_some_and(|active| self.folded < active.checkpoint) {
            let before = self.folded;
            self.absorb(ROUND).await?;
            if self.folded == before {
                return Err(Fault::Fenced);
            }
        }
        let behind = self.folded > self.held.checkpoint;
        if behind {
            self.write(&mut tx).await?;
        }
        if !registry::switch(&mut tx, self.projection.as_ref(), &self.held).await? {
            return Err(Fault::Fenced);
        }
        tx.commit().await?;
        drop(on);
        if behind {
            self.wrote(slot);
        }
        slot.serve(self.held.generation).await;
        let told = slot.progress.borrow().checkpoint;
        let untold = self.untold.drain().map(|(_, one)| one);
        views.pulse(untold.filter(|one| one.position > told));
        slot.reached(self.held.generation, self.held.checkpoint);
        drop(telling);
        let mut on = views.store().writing().await?;
        registry::drop_retired(&mut on, self.projection.as_ref()).await?;
        Ok(self.held.checkpoint)
    }

    fn forget(&mut self) {
        self.fold = self.projection.begin(&self.views, self.held.generation);
        self.folded = self.held.checkpoint;
    }
}
