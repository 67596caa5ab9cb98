//! The only door for chance. A [`Dice`] is seeded from outside and then deterministic; a *fair draw* is a
//! pure function of a committed seed and of the players' nonces, so that anybody can check it afterwards.
//!
//! Algorithm `yibu-draw/1`: key = BLAKE3 in key-derivation mode (context `yibu-draw/1`) over
//! `purpose ‖ 0x00 ‖ match id (16 bytes) ‖ seed ‖ nonce₁ ‖ nonce₂ …` (32 bytes each); the key seeds ChaCha20
//! (20 rounds, nonce zero, counter 0), read as little-endian 32-bit words; a number below n is a word modulo n,
//! where words at or above the largest multiple of n that is not above 2³² − 1 are thrown away.
//!
//! What it does not promise: the server knows the seed and the earlier nonces when the last player sends
//! none of his own, so only a nonce chosen by a client keeps the server from trying results; one that the
//! server made is marked as such. The first person's nonce is known when the seed is drawn.

use super::ids::MatchId;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The name of the algorithm above, as promised by a match's opening and recorded with each draw.
pub const ALGORITHM: &str = "yibu-draw/1";

/// Recorded instead when a test or a puzzle said how a draw shall come out.
pub const FORCED: &str = "forced";

/// 256 bits of chance or of a player's own choosing, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bytes32(pub [u8; 32]);

impl fmt::Display for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Does not print the value: seeds and nonces stay secret until the end of a match.
impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bytes32(…)")
    }
}

impl std::str::FromStr for Bytes32 {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WANTED: &str = "64 hexadecimal digits are wanted";
        if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(WANTED);
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| WANTED)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| WANTED)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Bytes32 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bytes32 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The public promise of a match's seed: BLAKE3 in key-derivation mode (context `yibu-commit/1`) over the
/// match id and the seed.
pub fn commitment(match_id: MatchId, seed: &Bytes32) -> Bytes32 {
    let mut hasher = blake3::Hasher::new_derive_key("yibu-commit/1");
    hasher.update(match_id.0.as_bytes()).update(&seed.0);
    Bytes32(*hasher.finalize().as_bytes())
}

/// The numbers of one fair draw, in the order in which they are taken.
pub struct FairDraw(ChaCha20Rng);

impl FairDraw {
    /// The draw named `purpose` of a match over its seed and the nonces in the order given.
    pub fn new(purpose: &str, match_id: MatchId, seed: &Bytes32, nonces: &[Bytes32]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(ALGORITHM);
        hasher.update(purpose.as_bytes()).update(&[0]);
        hasher.update(match_id.0.as_bytes()).update(&seed.0);
        for nonce in nonces {
            hasher.update(&nonce.0);
        }
        Self(ChaCha20Rng::from_seed(*hasher.finalize().as_bytes()))
    }

    /// A number in `0..bound`, each as likely as any other; 0 for a bound of 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let fair = u32::MAX - u32::MAX % bound;
        loop {
            let word = self.0.next_u32();
            if word < fair {
                return word % bound;
            }
        }
    }

    /// Puts a list in random order (Fisher–Yates from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let bound = u32::try_from(end + 1).unwrap_or(u32::MAX);
            items.swap(end, self.below(bound) as usize);
        }
    }
}

/// Fresh chance for one decision, and in tests the results that draws shall have.
pub struct Dice {
    entropy: ChaCha20Rng,
    forced: BTreeMap<String, Vec<u8>>,
}

impl Dice {
    /// Dice that roll what `seed` says.
    pub fn seeded(seed: [u8; 32]) -> Self {
        Self { entropy: ChaCha20Rng::from_seed(seed), forced: BTreeMap::new() }
    }

    /// Makes the draw named `purpose` yield `values`, whatever its seed says. Such a match fails the
    /// audit of its draws by design; contract tests and puzzles need it.
    #[must_use]
    pub fn forcing(mut self, purpose: &str, values: Vec<u8>) -> Self {
        self.forced.insert(purpose.to_owned(), values);
        self
    }

    /// 256 fresh bits: a seed, or a nonce for somebody who sent none.
    pub fn bytes32(&mut self) -> Bytes32 {
        let mut bytes = [0; 32];
        self.entropy.fill_bytes(&mut bytes);
        Bytes32(bytes)
    }

    /// What a test ordered for the draw named `purpose`, if anything.
    pub fn forced(&self, purpose: &str) -> Option<&[u8]> {
        self.forced.get(purpose).map(Vec::as_slice)
    }
}
