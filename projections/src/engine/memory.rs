//! What a fold remembers of the matches that it met last, bounded, with a list of what changed since the
//! last flush. Exact or gone: after a fault the whole memory is dropped with its fold.

use super::feed::{Fact, Fed};
use std::collections::{HashMap, HashSet};
use yibu_domain::kernel::MatchId;

/// A bounded memory by match.
pub(crate) struct Memory<T> {
    items: HashMap<MatchId, Kept<T>>,
    changed: Vec<MatchId>,
    clock: u64,
    most: usize,
}

struct Kept<T> {
    item: T,
    used: u64,
    changed: bool,
}

impl<T> Memory<T> {
    /// Remembers about `most` matches between flushes.
    pub(crate) fn new(most: usize) -> Self {
        Self { items: HashMap::new(), changed: Vec::new(), clock: 0, most }
    }

    /// The matches of a batch that are not remembered and are not begun in it, each once.
    pub(crate) fn missing(&self, batch: &[Fed]) -> Vec<MatchId> {
        let mut seen = HashSet::new();
        let mut missing = Vec::new();
        for fed in batch {
            if let Ok(Fact::Match(id, _)) = &fed.fact
                && !self.items.contains_key(id)
                && seen.insert(*id)
                && fed.version > 1
            {
                missing.push(*id);
            }
        }
        missing
    }

    /// Remembers what stands in the rows.
    pub(crate) fn insert(&mut self, id: MatchId, item: T) {
        self.items.insert(id, Kept { item, used: self.clock, changed: false });
    }

    /// The item as it is.
    pub(crate) fn get(&self, id: MatchId) -> Option<&T> {
        self.items.get(&id).map(|kept| &kept.item)
    }

    /// The item, to be changed: it will be in the next [`Memory::drain`].
    pub(crate) fn change(&mut self, id: MatchId) -> Option<&mut T> {
        let kept = self.items.get_mut(&id)?;
        self.clock += 1;
        kept.used = self.clock;
        if !kept.changed {
            kept.changed = true;
            self.changed.push(id);
        }
        Some(&mut kept.item)
    }

    /// Forgets what was not used for long. Only right after a flush.
    pub(crate) fn trim(&mut self) {
        if self.items.len() <= self.most || !self.changed.is_empty() {
            return;
        }
        let mut uses: Vec<u64> = self.items.values().map(|kept| kept.used).collect();
        // A quarter goes at once, so that the search is paid rarely.
        let (_, last, _) = uses.select_nth_unstable(self.items.len() - self.most * 3 / 4);
        let last = *last;
        self.items.retain(|_, kept| kept.used >= last);
    }

    /// How many items the next [`Memory::drain`] will visit.
    pub(crate) fn changed(&self) -> usize {
        self.changed.len()
    }

    /// Calls `visit` with everything changed since the last time, in the order of the ids, in which most tables
    /// are kept: neighbours on disk are written together.
    pub(crate) fn drain<E>(
        &mut self,
        mut visit: impl FnMut(MatchId, &mut T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        for id in changed {
            if let Some(kept) = self.items.get_mut(&id) {
                kept.changed = false;
                visit(id, &mut kept.item)?;
            }
        }
        Ok(())
    }
}
