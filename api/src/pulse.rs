//! "Match m is at version v": carries the read models' changes to whoever watches that match, so that a move
//! wakes its four watchers and nobody else. Must not carry anything of a match itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::MatchId;
use yibu_projections::Changed;

/// Watchers by match. Clones share them.
#[derive(Clone, Default)]
pub struct Pulse {
    watched: Arc<Mutex<HashMap<MatchId, watch::Sender<u64>>>>,
}

impl Pulse {
    /// Wakes on every change of the match's documents.
    pub fn watch(&self, id: MatchId) -> Watch {
        let changes = self.lock().entry(id).or_default().subscribe();
        Watch { pulse: self.clone(), id, changes: Some(changes) }
    }

    /// Matches that somebody watches.
    pub fn watched(&self) -> usize {
        self.lock().len()
    }

    /// Carries changes until told to stop. Where too many came at once, everybody looks.
    pub async fn carry(self, mut changes: Receiver<Changed>, stop: CancellationToken) {
        loop {
            let change = tokio::select! {
                () = stop.cancelled() => return,
                change = changes.recv() => change,
            };
            match change {
                Ok(change) => self.wake(change.match_id),
                Err(RecvError::Lagged(_)) => self.wake_all(),
                Err(RecvError::Closed) => return,
            }
        }
    }

    fn wake(&self, id: MatchId) {
        if let Some(sender) = self.lock().get(&id) {
            sender.send_modify(|count| *count += 1);
        }
    }

    fn wake_all(&self) {
        for sender in self.lock().values() {
            sender.send_modify(|count| *count += 1);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<MatchId, watch::Sender<u64>>> {
        // No step above can panic halfway through a change.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One watcher of a match. The last one of a match takes its place away when it goes: nothing is kept of
/// matches that nobody watches.
pub struct Watch {
    pulse: Pulse,
    id: MatchId,
    /// There until it is dropped.
    changes: Option<watch::Receiver<u64>>,
}

impl Watch {
    /// Returns at the next change after the last [`Watch::seen`]. False when there will be none.
    pub async fn changed(&mut self) -> bool {
        match &mut self.changes {
            Some(changes) => changes.changed().await.is_ok(),
            None => false,
        }
    }

    /// Takes all changes so far as seen. To be called before looking: what comes meanwhile counts as new.
    pub fn seen(&mut self) {
        if let Some(changes) = &mut self.changes {
            changes.borrow_and_update();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut watched = self.pulse.lock();
        self.changes = None;
        if watched.get(&self.id).is_some_and(|sender| sender.receiver_count() == 0) {
            watched.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::broadcast;
    use uuid::Uuid;

    fn change(id: u128) -> Changed {
        Changed { match_id: MatchId(Uuid::from_u128(id)), version: 1, position: 1 }
    }

    #[tokio::test]
    async fn a_change_wakes_those_who_watch_that_match() {
        let (pulse, stop) = (Pulse::default(), CancellationToken::new());
        let mut one = pulse.watch(change(1).match_id);
        let other = pulse.watch(change(2).match_id);
        let (send, receive) = broadcast::channel(4);
        let carrier = tokio::spawn(pulse.clone().carry(receive, stop.clone()));
        send.send(change(1)).unwrap();
        assert!(one.changed().await);
        one.seen();
        assert!(!other.changes.as_ref().unwrap().has_changed().unwrap());
        assert_eq!(pulse.watched(), 2);
        drop((one, other));
        drop(send);
        carrier.await.unwrap();
        assert_eq!(pulse.watched(), 0);
    }

    #[tokio::test]
    async fn where_changes_were_lost_everybody_looks() {
        let pulse = Pulse::default();
        let mut watcher = pulse.watch(change(9).match_id);
        let (send, receive) = broadcast::channel(2);
        for id in 0..9 {
            send.send(change(id)).unwrap();
        }
        drop(send);
        pulse.carry(receive, CancellationToken::new()).await;
        assert!(watcher.changed().await);
    }
}
