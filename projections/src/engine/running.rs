//! The live workers: one for each read model, awake as soon as the log grows, each stopping alone.

use super::fault::{Fault, ViewsError};
use super::feed::{Feed, FeedError};
use super::pages::Pages;
use super::progress::Standing;
use super::projector::{Projector, Step};
use super::rebuild::rebuild;
use super::registry::{self, Stage};
use super::views::{Slot, Views};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// A wake-up is only a hint; this often a worker looks without one.
const LOOK_ANYWAY: Duration = Duration::from_secs(5);
/// The pause after the first failure; it doubles up to the longest.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The running workers.
pub struct Engine {
    stop: CancellationToken,
    workers: TaskTracker,
}

impl Engine {
    /// Rebuilds what has another shape than this program's or knows more than the log, then starts a worker
    /// for every read model of `views`.
    ///
    /// # Errors
    /// The log or the store could not be read. A read model that cannot be rebuilt stands still, alone.
    pub async fn start(views: &Views, feed: Arc<dyn Feed>) -> Result<Self, Fault> {
        let head = feed.head().await?;
        let mut stale = Vec::new();
        for name in views.names() {
            let slot = views.slot(name)?;
            let mut on = views.writing().await?;
            let active = registry::find(&mut on, name, Stage::Active).await?;
            let active = active.ok_or(Fault::Fenced)?;
            if active.checkpoint > head {
                tracing::warn!(name, "the read model is ahead of the log: it begins again");
                let made = registry::restart(&mut on, slot.projection.as_ref()).await?;
                slot.serve(made.generation, made.checkpoint).await;
            } else if active.shape != slot.projection.shape() {
                stale.push(name);
            }
        }
        for answer in rebuild(views, feed.clone(), &stale, |_| {}).await {
            match answer {
                Ok(done) => tracing::info!(name = done.name, "rebuilt in the new shape"),
                Err(error) => tracing::error!(%error, "the read model keeps its old shape"),
            }
        }
        let (stop, workers) = (CancellationToken::new(), TaskTracker::new());
        let pages = Pages::new(feed);
        for name in views.names() {
            let worker =
                Worker { views: views.clone(), name, pages: pages.clone(), stop: stop.clone() };
            workers.spawn(worker.run());
        }
        workers.close();
        Ok(Self { stop, workers })
    }

    /// Lets every worker finish its transaction and stops them all.
    pub async fn stop(self) {
        self.stop.cancel();
        self.workers.wait().await;
    }
}

struct Worker {
    views: Views,
    name: &'static str,
    pages: Pages,
    stop: CancellationToken,
}

impl Worker {
    async fn run(self) {
        let Ok(slot) = self.views.slot(self.name) else { return };
        let mut pause = SHORTEST_PAUSE;
        while !self.stop.is_cancelled() {
            let served = slot.progress.borrow().generation;
            let fault = match self.follow(slot, &mut pause).await {
                Ok(()) => break,
                Err(fault) => fault,
            };
            match fault {
                Fault::Store(ViewsError::Closed) => break,
                Fault::Fenced if slot.progress.borrow().generation != served => {}
                fault if fault.may_pass() => {
                    tracing::warn!(name = self.name, %fault, "the read model tries again");
                    let _ = self.stop.run_until_cancelled(tokio::time::sleep(pause)).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                fault => self.stand(slot, served, &fault).await,
            }
        }
        slot.progress.send_if_modified(|progress| {
            let ran = progress.standing == Standing::Running;
            if ran {
                progress.standing = Standing::Idle;
            }
            ran
        });
    }

    /// Follows the log until it is asked to stop.
    async fn follow(&self, slot: &Slot, pause: &mut Duration) -> Result<(), Fault> {
        let mut projector = Projector::adopt(&self.views, self.name, self.pages.clone()).await?;
        slot.progress.send_modify(|progress| progress.standing = Standing::Running);
        let mut changes = self.pages.changes();
        while !self.stop.is_cancelled() {
            // Seen before reading: what comes during the reading wakes it again.
            changes.borrow_and_update();
            match projector.advance().await? {
                Step::Advanced(_) => *pause = SHORTEST_PAUSE,
                Step::Idle => tokio::select! {
                    () = self.stop.cancelled() => break,
                    woken = changes.changed() => {
                        woken.map_err(|_| FeedError("the log is closed".to_owned()))?;
                    }
                    () = tokio::time::sleep(LOOK_ANYWAY) => {}
                },
            }
        }
        Ok(())
    }

    /// Stands still, said once and aloud, until a rebuild puts another generation in place.
    async fn stand(&self, slot: &Slot, served: u64, fault: &Fault) {
        let position = match fault {
            Fault::Poison { position, .. } => *position,
            _ => slot.progress.borrow().checkpoint + 1,
        };
        tracing::error!(name = self.name, position, %fault, "the read model stands still");
        let standing = Standing::Stopped { position, problem: fault.to_string() };
        slot.progress.send_modify(|progress| progress.standing = standing);
        let mut progress = slot.progress.subscribe();
        tokio::select! {
            () = self.stop.cancelled() => {}
            // The sender lives as long as the slot, which this worker borrows.
            _ = progress.wait_for(|now| now.generation != served) => {}
        }
    }
}
