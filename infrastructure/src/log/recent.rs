//! A bounded memory of what was last known under a name. A cache: whoever keeps it knows how long it holds,
//! and clears it when that is over.

use std::collections::HashMap;

/// So many names per generation; two generations are kept (some 4 MB when full of streams).
const GENERATION: usize = 16_384;

/// Least recently used, by generations: what is asked for moves to the young one; when that is full, it
/// becomes the old one, and the old one is dropped.
pub(super) struct Recent<V> {
    young: HashMap<String, V>,
    old: HashMap<String, V>,
}

impl<V> Default for Recent<V> {
    fn default() -> Self {
        Self { young: HashMap::new(), old: HashMap::new() }
    }
}

impl<V: Copy> Recent<V> {
    /// What is known.
    pub(super) fn get(&mut self, name: &str) -> Option<V> {
        if let Some(value) = self.young.get(name) {
            return Some(*value);
        }
        let value = self.old.remove(name)?;
        self.put(name, value);
        Some(value)
    }

    /// Notes what is known now.
    pub(super) fn put(&mut self, name: &str, value: V) {
        if let Some(known) = self.young.get_mut(name) {
            *known = value;
            return;
        }
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(name);
        self.young.insert(name.to_owned(), value);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_and_exact() {
        let mut recent = Recent::default();
        recent.put("kept", 1);
        recent.put("kept", 2);
        for n in 0..2 * GENERATION {
            recent.put(&n.to_string(), 0);
            if n % 1000 == 0 {
                assert_eq!(recent.get("kept"), Some(2));
            }
        }
        assert!(recent.young.len() + recent.old.len() <= 2 * GENERATION);
        assert_eq!(recent.get("none"), None);
        recent.clear();
        assert_eq!(recent.get("kept"), None);
    }
}
