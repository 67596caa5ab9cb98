//! Builds read models anew beside those that are served: several in one pass over the log, each with its
//! own checkpoint, so that a rebuild that was interrupted goes on where it was.

use super::fault::Fault;
use super::feed::Feed;
use super::pages::Pages;
use super::projector::{Projector, ROUND, SIGN_OF_LIFE, Step};
use super::views::Views;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

/// How far a rebuild is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rebuilding {
    /// Which read model.
    pub name: &'static str,
    /// Everything up to this position is taken in.
    pub position: u64,
    /// Where the log ended when the rebuild began.
    pub head: u64,
}

/// A finished rebuild.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rebuilt {
    /// Which read model.
    pub name: String,
    /// The generation that is served now.
    pub generation: u64,
    /// Everything up to this position is in it.
    pub position: u64,
    /// Whether it equals the one before row for row; `None` where that cannot be said (another shape, or the
    /// one before was behind).
    pub same: Option<bool>,
}

/// A rebuild did not finish. What it built stays and is continued by the next.
#[derive(Debug, thiserror::Error)]
#[error("the rebuild of {name} stopped: {fault}")]
pub struct RebuildError {
    /// Which read model.
    pub name: String,
    /// Why.
    pub fault: Fault,
}

/// Rebuilds the named read models while readers and live workers go on. One that fails does not hold up the
/// others; there is one answer for each name.
pub async fn rebuild(
    views: &Views,
    feed: Arc<dyn Feed>,
    names: &[&str],
    progress: impl Fn(Rebuilding) + Send + Sync,
) -> Vec<Result<Rebuilt, RebuildError>> {
    let pages = Pages::new(feed);
    let head = pages.head().await.unwrap_or(0);
    let (tell, mut told) = mpsc::unbounded_channel();
    let mut answers = Vec::new();
    let mut builders = Vec::new();
    for name in names {
        match Projector::build(views, name, pages.clone()).await {
            Ok(projector) => builders.push(projector),
            Err(fault) => answers.push(Err(RebuildError { name: (*name).to_owned(), fault })),
        }
    }
    let pace = Pace::of(builders.iter().map(Projector::checkpoint).collect());
    let mut at_work = JoinSet::new();
    for (place, projector) in builders.into_iter().enumerate() {
        at_work.spawn(build(projector, place, pace.clone(), tell.clone()));
    }
    drop(tell);
    while let Some((name, position)) = told.recv().await {
        progress(Rebuilding { name, position, head });
    }
    answers.extend(at_work.join_all().await);
    answers
}

/// Where everybody is. They go side by side, so that one folds while another writes, and near each other, so
/// that each event is read and decoded once: nobody begins a round further ahead of the slowest than one.
#[derive(Clone)]
struct Pace(Arc<watch::Sender<Vec<u64>>>);

impl Pace {
    fn of(positions: Vec<u64>) -> Self {
        Self(Arc::new(watch::Sender::new(positions)))
    }

    fn is_at(&self, place: usize, position: u64) {
        self.0.send_modify(|all| {
            if let Some(own) = all.get_mut(place) {
                *own = position;
            }
        });
    }

    /// Until the slowest is near enough. The slowest itself never waits.
    async fn wait(&self, position: u64) {
        let near = |all: &Vec<u64>| {
            let slowest = all.iter().min().copied().unwrap_or(u64::MAX);
            position <= slowest.saturating_add(ROUND as u64)
        };
        // Cannot fail: this holds the sender.
        let _ = self.0.subscribe().wait_for(near).await;
    }
}

/// Builds one read model, until it is served.
async fn build(
    mut projector: Projector,
    place: usize,
    pace: Pace,
    tell: mpsc::UnboundedSender<(&'static str, u64)>,
) -> Result<Rebuilt, RebuildError> {
    let mut position = projector.checkpoint();
    let done = async {
        loop {
            while tokio::time::timeout(SIGN_OF_LIFE, pace.wait(position)).await.is_err() {
                projector.live().await?;
            }
            match projector.advance().await? {
                Step::Idle => return Ok(()),
                Step::Advanced(to) => position = to,
            }
            pace.is_at(place, position);
            // Whoever asked may be gone.
            let _ = tell.send((projector.name(), position));
        }
    };
    let done = done.await;
    pace.is_at(place, u64::MAX);
    match done {
        Ok(()) => finish(projector).await,
        Err(fault) => {
            let name = projector.name().to_owned();
            projector.release().await;
            Err(RebuildError { name, fault })
        }
    }
}

async fn finish(mut projector: Projector) -> Result<Rebuilt, RebuildError> {
    let name = projector.name().to_owned();
    let generation = projector.generation();
    let done = async {
        projector.index().await?;
        let same = projector.compare().await?;
        let position = projector.take_over().await?;
        Ok(Rebuilt { name: name.clone(), generation, position, same })
    };
    done.await.map_err(|fault| RebuildError { name: name.clone(), fault })
}
