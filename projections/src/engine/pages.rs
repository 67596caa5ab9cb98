//! The feed read page by page, the last pages kept, so that read models that go in step decode each event
//! once. Holds no more than a fixed number of events.

use super::feed::{Fed, Feed, FeedError};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{Mutex, watch};

/// Events per page.
pub(super) const PAGE: usize = 2048;
/// Pages kept: what one round of a rebuild reads.
const MOST_KEPT: usize = 16;

/// Pages by the position after which they begin.
type Kept = VecDeque<(u64, Arc<[Fed]>)>;

/// A reader of the feed that several projections share. Clones share the kept pages.
#[derive(Clone)]
pub struct Pages {
    feed: Arc<dyn Feed>,
    kept: Arc<Mutex<Kept>>,
}

impl Pages {
    /// Nothing read yet.
    pub fn new(feed: Arc<dyn Feed>) -> Self {
        Self { feed, kept: Arc::default() }
    }

    /// Events above `after`, in order: at most a page, and none at the end of the log.
    pub(super) async fn read(&self, after: u64) -> Result<Arc<[Fed]>, FeedError> {
        // Held while reading: whoever wants the same page waits for it instead of reading it again.
        let mut kept = self.kept.lock().await;
        // A kept page may have become longer in the log; what it holds never changes.
        if let Some((_, page)) = kept.iter().find(|(start, _)| *start == after) {
            return Ok(page.clone());
        }
        let page: Arc<[Fed]> = self.feed.read(after, PAGE).await?.into();
        if !page.is_empty() {
            if kept.len() == MOST_KEPT {
                kept.pop_front();
            }
            kept.push_back((after, page.clone()));
        }
        Ok(page)
    }

    /// The last position of the log.
    pub(super) async fn head(&self) -> Result<u64, FeedError> {
        self.feed.head().await
    }

    /// Wakes when the log has grown.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.feed.changes()
    }
}
