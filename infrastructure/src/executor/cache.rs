//! Folded states of the streams used last, at most so many. Only ever a shortcut: an entry says which version
//! it stands at, and the log refuses what was judged on an older one.

use super::hosted::Hosted;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use uuid::Uuid;
use yibu_domain::kernel::Decider;

/// A bounded cache; what was not used for longest goes first.
pub(super) struct Cache<D: Decider> {
    most: usize,
    inner: Mutex<Inner<D>>,
}

struct Inner<D: Decider> {
    entries: HashMap<Uuid, Entry<D>>,
    by_use: BTreeMap<u64, Uuid>,
    uses: u64,
}

struct Entry<D: Decider> {
    known: Known<D>,
    used: u64,
}

/// A state and how far it is known to be the newest.
pub(super) struct Known<D: Decider> {
    pub(super) hosted: Hosted<D>,
    /// At this global position the stream had no more events than these.
    pub(super) checked: u64,
}

impl<D: Decider> Clone for Known<D> {
    fn clone(&self) -> Self {
        Self { hosted: self.hosted.clone(), checked: self.checked }
    }
}

impl<D: Decider> Cache<D> {
    /// A cache of at most `most` states; 0 keeps none.
    pub(super) fn new(most: usize) -> Self {
        let inner = Inner { entries: HashMap::new(), by_use: BTreeMap::new(), uses: 0 };
        Self { most, inner: Mutex::new(inner) }
    }

    /// What is known of an aggregate.
    pub(super) fn get(&self, id: Uuid) -> Option<Known<D>> {
        let mut inner = self.inner();
        inner.touch(id);
        inner.entries.get(&id).map(|entry| entry.known.clone())
    }

    /// Remembers a state, unless a newer one is known. Streams without events are not remembered: their
    /// number has no bound.
    pub(super) fn put(&self, id: Uuid, known: Known<D>) {
        if self.most == 0 || known.hosted.version() == 0 {
            return;
        }
        let mut inner = self.inner();
        if let Some(entry) = inner.entries.get_mut(&id) {
            let (old, new) = (entry.known.hosted.version(), known.hosted.version());
            if new > old {
                entry.known = known;
            } else if new == old {
                entry.known.checked = entry.known.checked.max(known.checked);
            }
        } else {
            if inner.entries.len() >= self.most
                && let Some((_, oldest)) = inner.by_use.pop_first()
            {
                inner.entries.remove(&oldest);
            }
            inner.entries.insert(id, Entry { known, used: 0 });
        }
        inner.touch(id);
    }

    fn inner(&self) -> MutexGuard<'_, Inner<D>> {
        // Every change is made of steps that cannot panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Decider> Inner<D> {
    fn touch(&mut self, id: Uuid) {
        if let Some(entry) = self.entries.get_mut(&id) {
            self.uses += 1;
            self.by_use.remove(&entry.used);
            entry.used = self.uses;
            self.by_use.insert(self.uses, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yibu_domain::kernel::{Dated, Time};
    use yibu_domain::players::{Player, PlayerEvent};

    fn known(events: u64, checked: u64) -> Known<Player> {
        let mut hosted = Hosted::<Player>::default();
        for n in 0..events {
            let registered = yibu_domain::players::Registered { house: false };
            hosted.fold(&Dated {
                at: Time(i64::try_from(n).unwrap()),
                event: PlayerEvent::Registered(registered),
            });
        }
        Known { hosted, checked }
    }

    #[test]
    fn the_oldest_use_goes_and_the_newest_state_stays() {
        let cache = Cache::<Player>::new(2);
        let id = Uuid::from_u128;
        cache.put(id(1), known(1, 5));
        cache.put(id(2), known(1, 6));
        assert!(cache.get(id(1)).is_some());
        cache.put(id(3), known(1, 7));
        assert!(cache.get(id(2)).is_none());
        cache.put(id(1), known(3, 9));
        cache.put(id(1), known(2, 30));
        cache.put(id(1), known(3, 8));
        let one = cache.get(id(1)).unwrap();
        assert_eq!((one.hosted.version(), one.checked), (3, 9));
        cache.put(id(4), known(0, 9));
        assert!(cache.get(id(4)).is_none());
        assert_eq!(cache.inner().entries.len(), 2);
        assert_eq!(cache.inner().by_use.len(), 2);
    }
}
