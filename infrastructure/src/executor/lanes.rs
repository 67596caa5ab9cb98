//! One lane per aggregate with commands under way: who enters first is judged first. Lanes exist only while
//! somebody is in them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Mutex as Turns, MutexGuard};
use uuid::Uuid;

/// All lanes of a node.
#[derive(Default)]
pub(super) struct Lanes {
    live: Mutex<HashMap<Uuid, Arc<Turns<()>>>>,
}

/// A place in one lane. Leaving is dropping it, at any point.
pub(super) struct Lane<'a> {
    lanes: &'a Lanes,
    id: Uuid,
    /// `Some` until dropped.
    turns: Option<Arc<Turns<()>>>,
}

impl Lanes {
    /// Enters the lane of an aggregate.
    pub(super) fn enter(&self, id: Uuid) -> Lane<'_> {
        let mut live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let turns = Some(Arc::clone(live.entry(id).or_default()));
        Lane { lanes: self, id, turns }
    }

    #[cfg(test)]
    fn count(&self) -> usize {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Lane<'_> {
    /// Waits for those who came first. Keep the guard while working.
    pub(super) async fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        match &self.turns {
            Some(turns) => Some(turns.lock().await),
            None => None,
        }
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let mut live = self.lanes.live.lock().unwrap_or_else(PoisonError::into_inner);
        // Let go under the lock, so that the last one out sees that it is the last.
        self.turns = None;
        if live.get(&self.id).is_some_and(|turns| Arc::strong_count(turns) == 1) {
            live.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn first_in_first_out_and_nothing_left_behind() {
        let lanes = Arc::new(Lanes::default());
        let order = Arc::new(Mutex::new(Vec::new()));
        let id = Uuid::from_u128(1);
        let first = lanes.enter(id);
        let turn = first.turn().await;
        let mut tasks = Vec::new();
        for n in 0..5 {
            let (lanes, order) = (Arc::clone(&lanes), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let lane = lanes.enter(id);
                let _turn = lane.turn().await;
                order.lock().unwrap().push(n);
            }));
            tokio::task::yield_now().await;
        }
        // One that gives up while it waits.
        tasks.remove(2).abort();
        drop(turn);
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), [0, 1, 3, 4]);
        assert_eq!(lanes.count(), 0);
    }
}
