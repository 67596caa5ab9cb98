//! Builds read models anew beside those that are served: several in one pass over the log, each with its
//! own checkpoint, so that a rebuild that was interrupted goes on where it was.

use super::fault::Fault;
use super::feed::Feed;
use super::pages::Pages;
use super::projector::{Projector, Step};
use super::views::Views;
use std::sync::Arc;
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
    let mut answers = Vec::new();
    let mut at_work = Vec::new();
    let head = pages.head().await.unwrap_or(0);
    for name in names {
        match Projector::build(views, name, pages.clone()).await {
            Ok(projector) => at_work.push(projector),
            Err(fault) => answers.push(Err(RebuildError { name: (*name).to_owned(), fault })),
        }
    }
    // In rounds: all take the same pages, so each event is read and decoded once.
    while !at_work.is_empty() {
        let mut round = JoinSet::new();
        for mut projector in at_work.drain(..) {
            round.spawn(async move {
                let step = projector.advance().await;
                (projector, step)
            });
        }
        for (projector, step) in round.join_all().await {
            match step {
                Ok(Step::Advanced(position)) => {
                    progress(Rebuilding { name: projector.name(), position, head });
                    at_work.push(projector);
                }
                Ok(Step::Idle) => answers.push(finish(projector).await),
                Err(fault) => {
                    answers.push(Err(RebuildError { name: projector.name().to_owned(), fault }));
                    projector.release().await;
                }
            }
        }
    }
    answers
}

async fn finish(projector: Projector) -> Result<Rebuilt, RebuildError> {
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
