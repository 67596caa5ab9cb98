//! Chance from the operating system, or from a seed in tests: the one home of random numbers outside the
//! domain. Must not decide anything; draws of the game happen in the domain, with the dice made here.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;
use yibu_domain::kernel::{Bytes32, Dice, EventId, MatchId, OutageId, PlayerId};

/// The operating system gave no random numbers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the operating system gives no random numbers: {0}")]
pub struct NoEntropy(String);

/// So many draws are made between two fresh contributions of the operating system.
const DRAWS_PER_SEED: u32 = 1024;

/// A handle to a source of random numbers; clones draw from the same source.
///
/// The system source is ChaCha20, keyed by the operating system at the start and again every 1,024 draws
/// (the new key mixes both, so that a failure of the system later costs freshness, never secrecy): drawing
/// cannot fail and needs no system call.
#[derive(Clone)]
pub struct Entropy {
    source: Arc<Mutex<Source>>,
}

struct Source {
    generator: ChaCha20Rng,
    /// Draws left until the next fresh key; `None` for seeded sources.
    left: Option<u32>,
}

impl Entropy {
    /// Unpredictable numbers.
    ///
    /// # Errors
    /// The operating system has none to give.
    pub fn system() -> Result<Self, NoEntropy> {
        let seed = fresh().map_err(|error| NoEntropy(error.to_string()))?;
        Ok(Self::over(ChaCha20Rng::from_seed(seed), Some(DRAWS_PER_SEED)))
    }

    /// The same numbers for the same seed. For tests and simulations.
    pub fn seeded(seed: u64) -> Self {
        Self::over(ChaCha20Rng::seed_from_u64(seed), None)
    }

    /// 256 random bits.
    pub fn bytes32(&self) -> Bytes32 {
        Bytes32(self.draw())
    }

    /// 128 random bits that keep a short text from being guessed from its hash.
    pub fn salt(&self) -> [u8; 16] {
        self.draw()
    }

    /// A random (version 4) UUID.
    pub fn uuid(&self) -> Uuid {
        uuid::Builder::from_random_bytes(self.draw()).into_uuid()
    }

    /// A new event's identity.
    pub fn event_id(&self) -> EventId {
        EventId(self.uuid())
    }

    /// A new match's identity.
    pub fn match_id(&self) -> MatchId {
        MatchId(self.uuid())
    }

    /// A new player's identity.
    pub fn player_id(&self) -> PlayerId {
        PlayerId(self.uuid())
    }

    /// A new outage's identity.
    pub fn outage_id(&self) -> OutageId {
        OutageId(self.uuid())
    }

    /// Dice for one decision.
    pub fn dice(&self) -> Dice {
        Dice::seeded(self.draw())
    }

    fn over(generator: ChaCha20Rng, left: Option<u32>) -> Self {
        Self { source: Arc::new(Mutex::new(Source { generator, left })) }
    }

    fn draw<const N: usize>(&self) -> [u8; N] {
        // A panic cannot happen between the two steps of a draw; a poisoned source is as good as any.
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        source.refresh();
        let mut bytes = [0; N];
        source.generator.fill_bytes(&mut bytes);
        bytes
    }
}

/// Shows nothing of the state.
impl std::fmt::Debug for Entropy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Entropy(…)")
    }
}

impl Source {
    fn refresh(&mut self) {
        match &mut self.left {
            None => {}
            Some(0) => {
                let mut mixed = blake3::Hasher::new();
                let mut own = [0; 32];
                self.generator.fill_bytes(&mut own);
                mixed.update(&own);
                if let Ok(new) = fresh() {
                    mixed.update(&new);
                }
                self.generator = ChaCha20Rng::from_seed(*mixed.finalize().as_bytes());
                self.left = Some(DRAWS_PER_SEED);
            }
            Some(left) => *left -= 1,
        }
    }
}

fn fresh() -> Result<[u8; 32], getrandom::Error> {
    let mut seed = [0; 32];
    #[expect(clippy::disallowed_methods, reason = "this is the one home of chance")]
    getrandom::fill(&mut seed)?;
    Ok(seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_seed_tells_everything() {
        let (one, two) = (Entropy::seeded(7), Entropy::seeded(7));
        assert_eq!(one.uuid(), two.uuid());
        assert_eq!(one.bytes32().0, two.bytes32().0);
        assert_eq!(one.dice().bytes32().0, two.dice().bytes32().0);
        assert_ne!(one.salt(), Entropy::seeded(8).salt());
    }

    #[test]
    fn system_numbers_do_not_repeat_even_across_fresh_keys() {
        let entropy = Entropy::system().unwrap();
        let other = entropy.clone();
        let drawn: HashSet<Uuid> = (0..3000).flat_map(|_| [entropy.uuid(), other.uuid()]).collect();
        assert_eq!(drawn.len(), 6000);
        assert!(drawn.iter().all(|id| id.get_version_num() == 4));
    }
}
