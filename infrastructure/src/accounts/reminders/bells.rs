//! Who is to look again: people with their notices open, and the planner. A bell is only a hint; whoever hears it asks
//! the database. Where other processes use the accounts too, what they did rings here within a second.

use super::super::{Accounts, Inner, rows};
use sqlx::Row as _;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;
use yibu_domain::kernel::PlayerId;

/// The longest that another process's doings stay unheard.
const LOOK: Duration = Duration::from_secs(1);

/// Players in one statement.
const AT_ONCE: usize = 500;

/// The bells of a process.
#[derive(Default)]
pub(in crate::accounts) struct Bells {
    watched: Mutex<HashMap<PlayerId, watch::Sender<u64>>>,
    wishes: watch::Sender<u64>,
}

impl Bells {
    /// Wakes whoever has these people's notices open.
    pub(super) fn ring(&self, players: impl IntoIterator<Item = PlayerId>) {
        let watched = self.lock();
        for player in players {
            if let Some(bell) = watched.get(&player) {
                bell.send_modify(|count| *count += 1);
            }
        }
    }

    /// Wakes the planner.
    pub(super) fn wish(&self) {
        self.wishes.send_modify(|count| *count += 1);
    }

    pub(super) fn wishes(&self) -> watch::Receiver<u64> {
        self.wishes.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PlayerId, watch::Sender<u64>>> {
        // No step here can panic halfway through a change.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One who has a person's notices open. The last one of a person takes the bell away.
pub struct Bell {
    accounts: Arc<Inner>,
    player: PlayerId,
    /// There until it is dropped.
    changes: Option<watch::Receiver<u64>>,
}

impl Bell {
    /// Returns at the next change after the last [`Bell::heard`]. False when there will be none.
    pub async fn rings(&mut self) -> bool {
        match &mut self.changes {
            Some(changes) => changes.changed().await.is_ok(),
            None => false,
        }
    }

    /// Takes all changes so far as known. To be called before looking: what comes meanwhile counts as new.
    pub fn heard(&mut self) {
        if let Some(changes) = &mut self.changes {
            changes.borrow_and_update();
        }
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        let mut watched = self.accounts.bells.lock();
        self.changes = None;
        if watched.get(&self.player).is_some_and(|bell| bell.receiver_count() == 0) {
            watched.remove(&self.player);
        }
    }
}

impl Accounts {
    /// Rings when a person's notices change, here or at another node.
    pub fn bell(&self, player: PlayerId) -> Bell {
        let accounts = Arc::clone(&self.inner);
        let changes = accounts.bells.lock().entry(player).or_default().subscribe();
        Bell { accounts, player, changes: Some(changes) }
    }
}

/// Follows what other nodes do, until the database closes or the accounts are let go.
pub(in crate::accounts) fn follow(inner: &Arc<Inner>) {
    if inner.db.shared().is_none() {
        return;
    }
    let (closing, accounts) = (inner.db.closing(), Arc::downgrade(inner));
    tokio::spawn(async move { closing.run_until_cancelled(look(accounts)).await });
}

async fn look(accounts: Weak<Inner>) {
    let mut known = HashMap::new();
    loop {
        sleep(LOOK).await;
        let Some(inner) = accounts.upgrade() else { return };
        if let Err(error) = inner.look_at_notices(&mut known).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "cannot see which notices other nodes gave");
        }
    }
}

impl Inner {
    /// Rings for everybody of whose notices there are others, or others read, than was known.
    async fn look_at_notices(
        &self,
        known: &mut HashMap<PlayerId, (i64, i64)>,
    ) -> Result<(), sqlx::Error> {
        let watched: Vec<PlayerId> = self.bells.lock().keys().copied().collect();
        let mut seen = HashMap::new();
        for some in watched.chunks(AT_ONCE) {
            let sql = format!(
                "SELECT player, notices, reads FROM desks WHERE player IN ({})",
                rows::marks(some.len(), 1)
            );
            let ids = some.iter().map(|player| rows::bytes(player.0));
            let query = ids.fold(sqlx::query(&sql), sqlx::query::Query::bind);
            for row in query.fetch_all(self.db.reading()).await? {
                let marks = (row.try_get("notices")?, row.try_get("reads")?);
                seen.insert(rows::player(&row, "player")?, marks);
            }
        }
        let news = seen.iter().filter(|(player, marks)| known.get(player) != Some(marks));
        self.bells.ring(news.map(|(player, _)| *player));
        *known = seen;
        Ok(())
    }
}
