//! Counts long-lived connections (web sockets, event streams) in all and per payer. Must not keep an entry
//! for a payer without connections.

use super::limits::Payer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many connections there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// In all.
    pub total: usize,
    /// Per account.
    pub account: usize,
    /// Per network.
    pub network: usize,
}

impl Caps {
    /// Room for a person's devices and tabs, and for a school behind one address.
    pub const DEFAULT: Self = Self { total: 20_000, account: 20, network: 500 };
}

/// Which cap is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// That of the whole server.
    Total,
    /// That of the payer.
    Payer,
}

/// The count of now. Cheap to clone.
#[derive(Clone)]
pub struct Census {
    caps: Caps,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    total: usize,
    payers: HashMap<Payer, usize>,
}

impl Census {
    /// Nobody is there.
    pub fn new(caps: Caps) -> Self {
        Self { caps, counts: Arc::default() }
    }

    /// Counts a new connection in, for its network.
    ///
    /// # Errors
    /// The cap that is reached.
    pub fn enter(&self, network: Payer) -> Result<Attendance, Full> {
        let mut counts = self.lock();
        if counts.total >= self.caps.total {
            return Err(Full::Total);
        }
        self.add(&mut counts, network)?;
        counts.total += 1;
        Ok(Attendance { census: self.clone(), payers: vec![network] })
    }

    /// Connections of now.
    pub fn total(&self) -> usize {
        self.lock().total
    }

    fn add(&self, counts: &mut Counts, payer: Payer) -> Result<(), Full> {
        let most = match payer {
            Payer::Account(_) => self.caps.account,
            Payer::Network(_) => self.caps.network,
        };
        let count = counts.payers.get(&payer).copied().unwrap_or(0);
        if count >= most {
            return Err(Full::Payer);
        }
        counts.payers.insert(payer, count + 1);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One counted connection; dropping it counts it out.
pub struct Attendance {
    census: Census,
    payers: Vec<Payer>,
}

impl Attendance {
    /// Counts the connection for its account too.
    ///
    /// # Errors
    /// The account's cap is reached.
    pub fn name(&mut self, account: Payer) -> Result<(), Full> {
        let mut counts = self.census.lock();
        self.census.add(&mut counts, account)?;
        drop(counts);
        self.payers.push(account);
        Ok(())
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        let mut counts = self.census.lock();
        counts.total = counts.total.saturating_sub(1);
        for payer in &self.payers {
            let left = counts.payers.get(payer).copied().unwrap_or(0).saturating_sub(1);
            if left == 0 {
                counts.payers.remove(payer);
            } else {
                counts.payers.insert(*payer, left);
            }
        }
    }
}
