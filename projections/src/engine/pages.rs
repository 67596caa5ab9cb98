//! The feed read page by page, the last pages kept, so that read models that go in step decode each event
//! once. Holds no more than a fixed number of events.

use super::feed::{Fed, Feed, FeedError};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{Mutex, OnceCell, watch};

/// Events per page.
pub(super) const PAGE: usize = 2048;
/// Pages that a read model on its way to the head takes in at a time.
pub(super) const ROUND_PAGES: usize = 8;
/// Pages kept: what lies between the slowest of a rebuild, at the beginning of its round, and whoever is a round
/// ahead of it, at the end of its own.
const MOST_KEPT: usize = 2 * ROUND_PAGES + 1;

/// A page that is there, or that somebody is reading.
type Page = Arc<OnceCell<Arc<[Fed]>>>;

/// Pages by the position after which they begin.
type Kept = VecDeque<(u64, Page)>;

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

    /// Events above `after`, in order: at most a page, and none at the end of the log. Whoever wants a page that
    /// another is reading waits for it instead of reading it again.
    pub(super) async fn read(&self, after: u64) -> Result<Arc<[Fed]>, FeedError> {
        let cell = self.cell(after).await;
        let read = async || Ok(self.feed.read(after, PAGE).await?.into());
        let page = cell.get_or_try_init(read).await.cloned();
        if page.as_ref().map_or(true, |page| page.is_empty()) {
            // There may be something later.
            self.kept.lock().await.retain(|(_, kept)| !Arc::ptr_eq(kept, &cell));
        }
        page
    }

    /// The place of a page. A kept page may have become longer in the log; what it holds never changes.
    async fn cell(&self, after: u64) -> Page {
        let mut kept = self.kept.lock().await;
        if let Some((_, page)) = kept.iter().find(|(start, _)| *start == after) {
            return Arc::clone(page);
        }
        if kept.len() == MOST_KEPT {
            kept.pop_front();
        }
        let page = Page::default();
        kept.push_back((after, Arc::clone(&page)));
        page
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
