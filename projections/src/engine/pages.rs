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
        let (cell, is_new) = self.cell(after).await;
        let page = self.fill(after, &cell).await?;
        if is_new || !page.is_empty() {
            return Ok(page);
        }
        // Another began to read this before it was asked for here, and the log may have grown between the two: who
        // was woken by that must not be told that there is nothing. Whatever is read now began later.
        let (cell, _) = self.cell(after).await;
        self.fill(after, &cell).await
    }

    async fn fill(&self, after: u64, cell: &Page) -> Result<Arc<[Fed]>, FeedError> {
        let read = async || Ok(self.feed.read(after, PAGE).await?.into());
        let page = cell.get_or_try_init(read).await.cloned();
        if page.as_ref().map_or(true, |page| page.is_empty()) {
            // There may be something later.
            self.kept.lock().await.retain(|(_, kept)| !Arc::ptr_eq(kept, cell));
        }
        page
    }

    /// The place of a page, and whether it was made just now. A kept page may have become longer in the log; what
    /// it holds never changes.
    async fn cell(&self, after: u64) -> (Page, bool) {
        let mut kept = self.kept.lock().await;
        if let Some((_, page)) = kept.iter().find(|(start, _)| *start == after) {
            return (Arc::clone(page), false);
        }
        if kept.len() == MOST_KEPT {
            kept.pop_front();
        }
        let page = Page::default();
        kept.push_back((after, Arc::clone(&page)));
        (page, true)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Fact;
    use async_trait::async_trait;
    use std::sync::atomic::{AtomicU64, Ordering};
    use tokio::sync::Semaphore;
    use yibu_domain::kernel::{Actor, Time};

    /// A log that grows, read slowly: each look at it waits for leave, and tells what was there when it began.
    struct Slow {
        length: AtomicU64,
        began: Semaphore,
        leave: Semaphore,
        changes: watch::Sender<u64>,
    }

    #[async_trait]
    impl Feed for Slow {
        async fn read(&self, after: u64, _limit: usize) -> Result<Vec<Fed>, FeedError> {
            let length = self.length.load(Ordering::SeqCst);
            self.began.add_permits(1);
            self.leave.acquire().await.expect("open").forget();
            let event = |position| Fed {
                position,
                stream: "other".to_owned(),
                version: position,
                name: "other.v1".to_owned(),
                recorded: Time(0),
                actor: Actor::System,
                command: "other".to_owned(),
                fact: Ok(Fact::Other),
            };
            Ok((after + 1..=length).map(event).collect())
        }

        async fn head(&self) -> Result<u64, FeedError> {
            Ok(self.length.load(Ordering::SeqCst))
        }

        fn changes(&self) -> watch::Receiver<u64> {
            self.changes.subscribe()
        }
    }

    #[tokio::test]
    async fn who_comes_after_the_log_grew_is_not_told_that_it_did_not() {
        let feed = Arc::new(Slow {
            length: AtomicU64::new(0),
            began: Semaphore::new(0),
            leave: Semaphore::new(0),
            changes: watch::Sender::new(0),
        });
        let pages = Pages::new(feed.clone());
        let early = tokio::spawn({
            let pages = pages.clone();
            async move { pages.read(0).await.map(|page| page.len()) }
        });
        feed.began.acquire().await.expect("open").forget();
        feed.length.store(1, Ordering::SeqCst);
        let late = pages.read(0);
        feed.leave.add_permits(2);
        assert_eq!(late.await.expect("readable").len(), 1, "what was there when it asked");
        assert_eq!(early.await.expect("no panic"), Ok(0));
    }
}
