//! The timer: at each deadline, and never before it, it asks the executor to act. It may run on several nodes
//! at once, and what it reads may lag: the executor and the log decide what is really due.

use super::again::Again;
use crate::executor::{Expired, MatchExecutor};
use async_trait::async_trait;
use futures_util::{StreamExt as _, stream};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::{MatchId, Time};

/// So many matches are asked for at once, beside those that the read model still lists though they are done.
const PAGE: usize = 256;

/// So many deadlines are acted upon at the same time.
const AT_ONCE: usize = 64;

/// When something is due, by a read model.
#[async_trait]
pub trait DueTimes: Send + Sync + 'static {
    /// Matches that are due at `until` or before, the earliest first, at most `limit`.
    ///
    /// # Errors
    /// What the read model says.
    async fn due(&self, until: Time, limit: usize) -> Result<Vec<(MatchId, Time)>, String>;

    /// The earliest due time later than `after`.
    ///
    /// # Errors
    /// What the read model says.
    async fn next(&self, after: Time) -> Result<Option<Time>, String>;

    /// Wakes when the answers may have changed.
    fn changes(&self) -> watch::Receiver<u64>;
}

/// Acts upon deadlines.
pub struct Timer {
    matches: MatchExecutor,
    due: Arc<dyn DueTimes>,
}

/// What the loop remembers between two looks.
#[derive(Default)]
struct Memory {
    /// Acted upon, or found not due; the read model does not know it yet.
    done: HashMap<MatchId, Time>,
    /// Failed: when to try again, and how often it did.
    failed: HashMap<MatchId, (Time, u32)>,
    /// How often the read model itself could not be read, one time after the other.
    unread: u32,
}

impl Timer {
    /// Over the executor (with its gate) and a read model.
    pub fn new(matches: MatchExecutor, due: Arc<dyn DueTimes>) -> Self {
        Self { matches, due }
    }

    /// Works until `stop`; what is under way then is finished first.
    pub async fn run(&self, stop: CancellationToken) {
        let mut changes = self.due.changes();
        let mut memory = Memory::default();
        let mut watching = true;
        while !stop.is_cancelled() {
            // Before the look: what changes during it wakes again.
            changes.borrow_and_update();
            let until = match self.look(&mut memory).await {
                Ok(Look::More) => continue,
                Ok(Look::Until(until)) => {
                    memory.unread = 0;
                    until
                }
                Err(fault) => {
                    tracing::error!(%fault, "the timer cannot read what is due");
                    let again = self.now() + Again::WORK.after(memory.unread);
                    memory.unread += 1;
                    Some(again)
                }
            };
            // After a fault of the read model its changes would only hammer at it.
            let listens = watching && memory.unread == 0;
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.wait(until) => {}
                changed = changes.changed(), if listens => watching = changed.is_ok(),
            }
        }
    }

    fn now(&self) -> Time {
        self.matches.clock().now()
    }

    /// How late the first of a match's deadlines was acted upon.
    fn note(&self, count: u32, due: Time) {
        if count > 0 {
            let late = u64::try_from((self.now() - due).0).unwrap_or(0);
            let late = std::time::Duration::from_millis(late);
            metrics::histogram!("yibu_deadline_lateness_seconds").record(late);
        }
    }

    async fn wait(&self, until: Option<Time>) {
        match until {
            Some(until) => self.matches.clock().until(until).await,
            None => std::future::pending().await,
        }
    }

    /// Acts upon a page of what is due.
    async fn look(&self, memory: &mut Memory) -> Result<Look, String> {
        let now = self.now();
        let grace = self.matches.grace();
        let limit = PAGE + memory.done.len() + memory.failed.len();
        let listed = self.due.due(now - grace, limit).await?;
        let full = listed.len() >= limit;
        memory.keep(&listed);

        let fresh = listed.into_iter().filter(|entry| memory.wants(entry, now));
        let fresh: Vec<_> = fresh.collect();
        let any = !fresh.is_empty();
        let mut acts = stream::iter(fresh)
            .map(|(id, due)| async move { (id, due, self.matches.expire_due(id).await) })
            .buffer_unordered(AT_ONCE);
        while let Some((id, due, expired)) = acts.next().await {
            match expired {
                // Acted upon, or due at another time than the read model believes.
                Ok(Expired { count, next }) if count > 0 || next != Some(due) => {
                    self.note(count, due);
                    memory.failed.remove(&id);
                    memory.done.insert(id, due);
                }
                Ok(_) => memory.fail(id, self.now()),
                Err(fault) => {
                    tracing::warn!(%fault, %id, "a deadline could not be acted upon yet");
                    memory.fail(id, self.now());
                }
            }
        }
        if full && any {
            return Ok(Look::More);
        }
        let next = self.due.next(now - grace).await?;
        let next = next.map(|next| next + grace);
        Ok(Look::Until(next.into_iter().chain(memory.retry()).min()))
    }
}

enum Look {
    /// There may be more.
    More,
    /// Nothing to do before then, unless something changes.
    Until(Option<Time>),
}

impl Memory {
    /// Forgets what the read model no longer lists.
    fn keep(&mut self, listed: &[(MatchId, Time)]) {
        let listed: HashMap<_, _> = listed.iter().copied().collect();
        self.done.retain(|id, due| listed.get(id) == Some(due));
        self.failed.retain(|id, _| listed.contains_key(id));
    }

    fn wants(&self, (id, due): &(MatchId, Time), now: Time) -> bool {
        self.done.get(id) != Some(due) && self.failed.get(id).is_none_or(|(at, _)| *at <= now)
    }

    fn fail(&mut self, id: MatchId, now: Time) {
        let faults = self.failed.get(&id).map_or(0, |(_, faults)| *faults);
        self.failed.insert(id, (now + Again::WORK.after(faults), faults + 1));
    }

    fn retry(&self) -> Option<Time> {
        self.failed.values().map(|(at, _)| *at).min()
    }
}
