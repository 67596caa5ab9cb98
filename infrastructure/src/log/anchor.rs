//! Signed anchors: somebody outside keeps one, and can show later that the log still holds what it held then.
//! A cut tail, a vanished stream or a rewritten past does not roll to the anchored hash. Reads no store.
//!
//! What is signed (ed25519): the text `yibu-anchor/1`, a zero byte, the position as 64 bits little-endian, the
//! 32 bytes of the rolling hash, and the time in milliseconds as 64 bits little-endian. For ever.

use super::port::Head;
use crate::system::Entropy;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use yibu_domain::kernel::Time;

const FORMAT: &str = "yibu-anchor/1";

/// Why an anchor or a key is worth nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnchorFault {
    /// The text is no key.
    #[error("it is not a key: 64 hexadecimal digits were expected")]
    NotAKey,
    /// The text is no anchor.
    #[error("it is not an anchor of the form {FORMAT}")]
    NotAnAnchor,
    /// Somebody else signed it.
    #[error("it was signed by another key than the one that is named")]
    OtherKey,
    /// The signature is not of these values.
    #[error("its signature does not match")]
    WrongSignature,
}

/// A private key.
pub struct Key(SigningKey);

/// A promise of what the log held, as it is kept in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    format: String,
    /// The last position.
    pub position: u64,
    /// The rolling hash up to there, as hexadecimal digits.
    pub hash: String,
    /// When it was made, in milliseconds since 1970.
    pub time: Time,
    /// The public key, as hexadecimal digits.
    pub public: String,
    signature: String,
}

impl Key {
    /// A new key.
    pub fn draw(entropy: &Entropy) -> Self {
        Self(SigningKey::from_bytes(&entropy.bytes32().0))
    }

    /// The key of a key file's text.
    ///
    /// # Errors
    /// [`AnchorFault::NotAKey`].
    pub fn read(text: &str) -> Result<Self, AnchorFault> {
        Ok(Self(SigningKey::from_bytes(&bytes(text.trim()).ok_or(AnchorFault::NotAKey)?)))
    }

    /// As it is kept in a key file. A secret.
    pub fn secret(&self) -> String {
        hex::encode(self.0.to_bytes())
    }

    /// The public key, as hexadecimal digits.
    pub fn public(&self) -> String {
        hex::encode(self.0.verifying_key().to_bytes())
    }
}

impl Anchor {
    /// Signs where the log ends.
    pub fn sign(key: &Key, head: Head, time: Time) -> Self {
        let signature = key.0.sign(&signed(head, time));
        Self {
            format: FORMAT.to_owned(),
            position: head.position,
            hash: hex::encode(head.hash),
            time,
            public: key.public(),
            signature: hex::encode(signature.to_bytes()),
        }
    }

    /// The anchor of a file's text, unverified.
    ///
    /// # Errors
    /// [`AnchorFault::NotAnAnchor`].
    pub fn read(text: &str) -> Result<Self, AnchorFault> {
        let anchor: Self = serde_json::from_str(text).map_err(|_| AnchorFault::NotAnAnchor)?;
        if anchor.format == FORMAT { Ok(anchor) } else { Err(AnchorFault::NotAnAnchor) }
    }

    /// What the log must hold, if the signature is good. With `public` (hexadecimal digits) it must be that
    /// key's; without, whose it is must be known otherwise.
    ///
    /// # Errors
    /// See [`AnchorFault`].
    pub fn verify(&self, public: Option<&str>) -> Result<Head, AnchorFault> {
        if public.is_some_and(|public| !public.trim().eq_ignore_ascii_case(&self.public)) {
            return Err(AnchorFault::OtherKey);
        }
        let key = bytes(&self.public).and_then(|key| VerifyingKey::from_bytes(&key).ok());
        let key = key.ok_or(AnchorFault::NotAKey)?;
        let hash = bytes(&self.hash).ok_or(AnchorFault::NotAnAnchor)?;
        let signature = bytes(&self.signature).ok_or(AnchorFault::NotAnAnchor)?;
        let head = Head { position: self.position, hash };
        key.verify_strict(&signed(head, self.time), &Signature::from_bytes(&signature))
            .map_err(|_| AnchorFault::WrongSignature)?;
        Ok(head)
    }
}

fn signed(head: Head, time: Time) -> Vec<u8> {
    let mut bytes = FORMAT.as_bytes().to_vec();
    bytes.push(0);
    bytes.extend_from_slice(&head.position.to_le_bytes());
    bytes.extend_from_slice(&head.hash);
    bytes.extend_from_slice(&time.0.to_le_bytes());
    bytes
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_holds_what_was_signed_and_nothing_else() {
        let key = Key::draw(&Entropy::seeded(3));
        let key = Key::read(&format!("{}\n", key.secret())).unwrap();
        let head = Head { position: 9, hash: [7; 32] };
        let anchor = Anchor::sign(&key, head, Time(5));
        let text = serde_json::to_string(&anchor).unwrap();
        let read = Anchor::read(&text).unwrap();
        assert_eq!(read.verify(Some(&key.public())), Ok(head));
        let other = Key::draw(&Entropy::seeded(4)).public();
        assert_eq!(read.verify(Some(&other)), Err(AnchorFault::OtherKey));
        for forged in [
            Anchor { position: 8, ..read.clone() },
            Anchor { hash: hex::encode([8; 32]), ..read.clone() },
            Anchor { time: Time(6), ..read.clone() },
            Anchor { public: other, ..read.clone() },
        ] {
            assert_eq!(forged.verify(None), Err(AnchorFault::WrongSignature));
        }
        assert_eq!(Anchor::read("{}"), Err(AnchorFault::NotAnAnchor));
        assert!(matches!(Key::read("00"), Err(AnchorFault::NotAKey)));
    }
}
