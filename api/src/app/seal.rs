//! Positions of the log as tokens that clients carry and cannot read: a bare number would let them count
//! what happens in secret. Must not be used for anything that has to stay secret for ever.

use yibu_infrastructure::system::Entropy;

/// Seals and opens positions. All nodes of a site seal with the same key, today and tomorrow, so that a token may
/// be handed back to any of them.
pub struct Seal {
    key: [u8; 32],
    entropy: Entropy,
}

/// The name of the key among the accounts' keys.
pub(super) const KEY: &str = "log_position";

const NONCE: usize = 16;
const BODY: usize = 8;
const MARK: usize = 16;

impl Seal {
    /// A seal with the site's key.
    pub const fn new(key: [u8; 32], entropy: Entropy) -> Self {
        Self { key, entropy }
    }

    /// A token; a new one for the same position each time.
    pub fn seal(&self, position: u64) -> String {
        let nonce: [u8; NONCE] = self.entropy.salt();
        let body = self.mix(&nonce, position.to_le_bytes());
        let mut token = Vec::with_capacity(NONCE + BODY + MARK);
        token.extend_from_slice(&nonce);
        token.extend_from_slice(&body);
        let mark = self.mark(&token);
        token.extend_from_slice(&mark);
        hex::encode(token)
    }

    /// The position in a token of this site; `None` for anything else.
    pub fn open(&self, token: &str) -> Option<u64> {
        let mut bytes = [0; NONCE + BODY + MARK];
        hex::decode_to_slice(token, &mut bytes).ok()?;
        let (sealed, mark) = bytes.split_at(NONCE + BODY);
        // Compared as hashes of the library, in constant time.
        let (shown, own) = (padded(mark), padded(&self.mark(sealed)));
        if blake3::Hash::from_bytes(shown) != blake3::Hash::from_bytes(own) {
            return None;
        }
        let nonce: [u8; NONCE] = sealed[..NONCE].try_into().ok()?;
        let body: [u8; BODY] = sealed[NONCE..].try_into().ok()?;
        Some(u64::from_le_bytes(self.mix(&nonce, body)))
    }

    /// Its own inverse.
    fn mix(&self, nonce: &[u8; NONCE], mut body: [u8; BODY]) -> [u8; BODY] {
        let mut stream = [0; BODY];
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(b"body").update(nonce).finalize_xof().fill(&mut stream);
        for (byte, other) in body.iter_mut().zip(stream) {
            *byte ^= other;
        }
        body
    }

    fn mark(&self, sealed: &[u8]) -> [u8; MARK] {
        let mut mark = [0; MARK];
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(b"mark").update(sealed).finalize_xof().fill(&mut mark);
        mark
    }
}

fn padded(mark: &[u8]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (byte, other) in bytes.iter_mut().zip(mark) {
        *byte = *other;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_open_here_and_nowhere_else() {
        let seal = Seal::new([1; 32], Entropy::seeded(1));
        let node = Seal::new([1; 32], Entropy::seeded(2));
        let other = Seal::new([2; 32], Entropy::seeded(1));
        for position in [0, 1, 77, u64::MAX] {
            let token = seal.seal(position);
            assert_eq!(seal.open(&token), Some(position));
            assert_eq!(node.open(&token), Some(position));
            assert_ne!(seal.seal(position), token);
            assert_eq!(other.open(&token), None);
        }
    }

    #[test]
    fn any_change_breaks_a_token() {
        let seal = Seal::new([1; 32], Entropy::seeded(1));
        let token = seal.seal(5);
        for at in 0..token.len() {
            let digit = if &token[at..=at] == "0" { "1" } else { "0" };
            let mut broken = token.clone();
            broken.replace_range(at..=at, digit);
            assert_eq!(seal.open(&broken), None);
        }
        assert_eq!(seal.open(""), None);
    }
}
