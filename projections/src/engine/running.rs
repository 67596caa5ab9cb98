//! The live workers: one for each read model, awake as soon as the log grows, each stopping alone. Of several
//! processes on one store only one works at a read model; the others follow what it commits and take its place
//! when it goes.

use super::fault::{Fault, ViewsError};
use super::feed::{Feed, FeedError};
use super::following::LOOK;
use super::pages::Pages;
use super::progress::{Progress, Standing};
use super::projector::{Projector, SIGN_OF_LIFE, Step};
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
        while bring_up(views, &feed).await? {
            tokio::time::sleep(LOOK).await;
        }
        let (stop, workers) = (CancellationToken::new(), TaskTracker::new());
        let pages = Pages::new(feed);
        workers.spawn(views.clone().hear(stop.clone()));
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

/// Begins again what knows more than the log and rebuilds what has another shape. True: another process is at
/// some of it, and whoever serves has to wait for it.
async fn bring_up(views: &Views, feed: &Arc<dyn Feed>) -> Result<bool, Fault> {
    let mut stale = Vec::new();
    for slot in views.slots() {
        let projection = slot.projection.as_ref();
        // Told and served as it stands now.
        let active = views.look(slot).await?.ok_or(Fault::Fenced)?;
        if active.shape != projection.shape() {
            stale.push(projection.name());
            continue;
        }
        let mut on = views.store().writing().await?;
        let held = registry::adopt(&mut on, projection, Stage::Active, views.holder()).await?;
        let Some(held) = held else { continue };
        // The log is asked second: it may have grown, and the rows with it, until the lease was taken.
        if held.checkpoint > feed.head().await? {
            tracing::warn!(name = projection.name(), "ahead of the log: it begins again");
            registry::restart(&mut on, projection).await?;
            drop(on);
            views.look(slot).await?;
        }
    }
    let mut elsewhere = false;
    for answer in rebuild(views, feed.clone(), &stale, |_| {}).await {
        match answer {
            Ok(done) => tracing::info!(name = done.name, "rebuilt in the new shape"),
            Err(error) if matches!(error.fault, Fault::Held) => elsewhere = true,
            Err(error) => tracing::error!(%error, "the read model keeps its old shape"),
        }
    }
    Ok(elsewhere)
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
            let fault = match self.work(slot, &mut pause).await {
                Ok(()) => break,
                Err(fault) => fault,
            };
            match fault {
                Fault::Store(ViewsError::Closed) => break,
                Fault::Fenced if slot.progress.borrow().generation != served => {}
                Fault::Fenced if self.views.store().shared() => {
                    tracing::info!(name = self.name, "another process took it over or switched it");
                }
                Fault::Held => match self.follow(slot).await {
                    Ok(()) => pause = SHORTEST_PAUSE,
                    Err(error) => self.rest(&error.into(), &mut pause).await,
                },
                fault if fault.may_pass() => self.rest(&fault, &mut pause).await,
                fault => self.stand(slot, served, &fault).await,
            }
        }
        slot.progress.send_if_modified(|progress| {
            let ran = matches!(progress.standing, Standing::Running | Standing::Following);
            if ran {
                progress.standing = Standing::Idle;
            }
            ran
        });
    }

    async fn rest(&self, fault: &Fault, pause: &mut Duration) {
        tracing::warn!(name = self.name, %fault, "the read model tries again");
        let _ = self.stop.run_until_cancelled(tokio::time::sleep(*pause)).await;
        *pause = (*pause * 2).min(LONGEST_PAUSE);
    }

    /// Takes the read model over and follows the log until it is asked to stop.
    async fn work(&self, slot: &Slot, pause: &mut Duration) -> Result<(), Fault> {
        let mut projector = Projector::adopt(&self.views, self.name, self.pages.clone()).await?;
        // What the worker before committed and nobody here was told of.
        self.views.look(slot).await?;
        slot.stand(Standing::Running);
        let done = self.keep(&mut projector, pause).await;
        if done.as_ref().err().is_none_or(|fault| !fault.may_pass()) {
            projector.release().await;
        }
        done
    }

    async fn keep(&self, projector: &mut Projector, pause: &mut Duration) -> Result<(), Fault> {
        let look_anyway = if self.views.store().shared() { SIGN_OF_LIFE } else { LOOK_ANYWAY };
        let mut changes = self.pages.changes();
        while !self.stop.is_cancelled() {
            // Seen before reading: what comes during the reading wakes it again.
            changes.borrow_and_update();
            match projector.advance().await? {
                Step::Advanced(_) => *pause = SHORTEST_PAUSE,
                Step::Idle => tokio::select! {
                    () = self.stop.cancelled() => break,
                    woken = changes.changed() => {
                        woken.map_err(|_| FeedError::Away("it is closed".to_owned()))?;
                    }
                    () = tokio::time::sleep(look_anyway) => {}
                },
            }
        }
        Ok(())
    }

    /// Follows the worker of another process until its lease runs out or is given back.
    async fn follow(&self, slot: &Slot) -> Result<(), ViewsError> {
        slot.stand(Standing::Following);
        while !self.stop.is_cancelled() {
            if self.views.look(slot).await?.is_none_or(|active| active.free) {
                break;
            }
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = slot.bell.notified() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
        Ok(())
    }

    /// Stands still, said once and aloud, until a rebuild puts another generation in place, another process got
    /// over it, or a log that could not be read can be.
    async fn stand(&self, slot: &Slot, served: u64, fault: &Fault) {
        let position = match fault {
            Fault::Poison { position, .. } => *position,
            _ => slot.progress.borrow().checkpoint + 1,
        };
        tracing::error!(name = self.name, position, %fault, "the read model stands still");
        let unread = matches!(fault, Fault::Feed(_));
        slot.stand(Standing::Stopped { position, problem: fault.to_string(), unread });
        let mut progress = slot.progress.subscribe();
        while !self.stop.is_cancelled() {
            let over = async {
                // The sender lives as long as the slot, which this worker borrows.
                let over = |now: &Progress| now.generation != served || now.checkpoint >= position;
                let _ = progress.wait_for(over).await;
            };
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = over => break,
                () = tokio::time::sleep(LOOK_ANYWAY) => {}
            }
            if unread && self.pages.read(position - 1).await.is_ok() {
                tracing::warn!(name = self.name, position, "the log can be read again");
                break;
            }
            // A process of another version may take in what this one cannot.
            if let Err(error) = self.views.look(slot).await {
                tracing::warn!(name = self.name, %error, "the registry cannot be read");
            }
        }
    }
}
