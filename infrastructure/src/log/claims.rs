//! How claims are judged: the one rule for every store, over whatever remembers what is held. Also the table
//! that the memory store keeps and that audits rebuild from the events. Knows nothing of storage.

use super::port::AppendError;
use std::collections::{BTreeMap, BTreeSet};
use yibu_domain::kernel::{Claim, Counter, DEFAULT_LIMIT, PlayerId};

/// What a store remembers of earlier claims.
pub(crate) trait Ledger {
    /// How many of `counter` the player holds.
    fn held(&mut self, counter: Counter, player: PlayerId) -> Result<u32, AppendError>;
    /// The limit of now.
    fn limit(&mut self, counter: Counter) -> Result<u32, AppendError>;
    /// Whether somebody claimed this key.
    fn taken(&mut self, key: &str) -> Result<bool, AppendError>;
}

/// What granted claims change, each row at most once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changes {
    pub(crate) held: BTreeMap<(Counter, PlayerId), u32>,
    pub(crate) taken: BTreeSet<String>,
    pub(crate) limits: BTreeMap<Counter, u32>,
}

/// Judges the claims of one commit in their order, each on what those before it changed. Writes nothing.
pub(crate) fn judge(claims: &[Claim], ledger: &mut impl Ledger) -> Result<Changes, AppendError> {
    let mut changes = Changes::default();
    for claim in claims {
        match claim {
            Claim::Take { counter, player } | Claim::Room { counter, player } => {
                let held = changes.held(ledger, *counter, *player)?;
                let limit = match changes.limits.get(counter) {
                    Some(most) => *most,
                    None => ledger.limit(*counter)?,
                };
                if held >= limit {
                    return Err(AppendError::LimitReached { counter: *counter });
                }
                if matches!(claim, Claim::Take { .. }) {
                    changes.held.insert((*counter, *player), held + 1);
                }
            }
            Claim::Release { counter, player } => {
                let held = changes.held(ledger, *counter, *player)?;
                changes.held.insert((*counter, *player), held.saturating_sub(1));
            }
            Claim::Unique { key } => {
                if changes.taken.contains(key) || ledger.taken(key)? {
                    return Err(AppendError::Taken { key: key.clone() });
                }
                changes.taken.insert(key.clone());
            }
            Claim::Limit { counter, most } => {
                changes.limits.insert(*counter, *most);
            }
        }
    }
    Ok(changes)
}

/// The counter of a stored name.
pub(crate) fn counter(name: &str) -> Option<Counter> {
    [Counter::Full, Counter::Takeover].into_iter().find(|counter| counter.name() == name)
}

impl Changes {
    /// Takes in what a later commit changes.
    pub(crate) fn add(&mut self, later: Self) {
        self.held.extend(later.held);
        self.taken.extend(later.taken);
        self.limits.extend(later.limits);
    }

    fn held(
        &self,
        ledger: &mut impl Ledger,
        counter: Counter,
        player: PlayerId,
    ) -> Result<u32, AppendError> {
        match self.held.get(&(counter, player)) {
            Some(held) => Ok(*held),
            None => ledger.held(counter, player),
        }
    }
}

/// Everything claimed: what a store holds, or what the log's events say that it should hold. Two tables that
/// claim the same are equal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimTable {
    /// Seats held per counter and player; nobody is listed with 0.
    pub counted: BTreeMap<(Counter, PlayerId), u32>,
    /// The keys that were claimed.
    pub unique: BTreeSet<String>,
    /// Limits that were set; the others are [`DEFAULT_LIMIT`].
    pub limits: BTreeMap<Counter, u32>,
}

impl ClaimTable {
    /// Takes the claims of one commit in, all or nothing.
    ///
    /// # Errors
    /// [`AppendError::LimitReached`] or [`AppendError::Taken`]; the table is as before.
    pub fn apply(&mut self, claims: &[Claim]) -> Result<(), AppendError> {
        let changes = judge(claims, self)?;
        self.enter(changes);
        Ok(())
    }

    /// How many of `counter` the player holds.
    pub fn held(&self, counter: Counter, player: PlayerId) -> u32 {
        self.counted.get(&(counter, player)).copied().unwrap_or(0)
    }

    /// The limit of now.
    pub fn limit(&self, counter: Counter) -> u32 {
        self.limits.get(&counter).copied().unwrap_or(DEFAULT_LIMIT)
    }

    pub(crate) fn enter(&mut self, changes: Changes) {
        for (row, held) in changes.held {
            if held == 0 {
                self.counted.remove(&row);
            } else {
                self.counted.insert(row, held);
            }
        }
        self.unique.extend(changes.taken);
        self.limits.extend(changes.limits);
    }
}

impl Ledger for ClaimTable {
    fn held(&mut self, counter: Counter, player: PlayerId) -> Result<u32, AppendError> {
        Ok(Self::held(self, counter, player))
    }

    fn limit(&mut self, counter: Counter) -> Result<u32, AppendError> {
        Ok(Self::limit(self, counter))
    }

    fn taken(&mut self, key: &str) -> Result<bool, AppendError> {
        Ok(self.unique.contains(key))
    }
}
