//! Argon2id, off the asynchronous threads and only so many at once. Knows no account.

use super::{Broken, Hashing};
use crate::system::Entropy;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Semaphore;

/// Hashes and compares passwords.
pub(super) struct Hasher {
    argon: Argon2<'static>,
    permits: Arc<Semaphore>,
    entropy: Entropy,
    /// The hash of a password that nobody has: compared with where there is no account, for the time.
    nobody: Arc<str>,
    done: Arc<AtomicU64>,
}

impl Hasher {
    pub(super) async fn new(
        cost: Hashing,
        at_once: usize,
        entropy: &Entropy,
    ) -> Result<Self, Broken> {
        let params = Params::new(cost.memory, cost.passes, 1, None).map_err(broken)?;
        let mut hasher = Self {
            argon: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            permits: Arc::new(Semaphore::new(at_once.max(1))),
            entropy: entropy.clone(),
            nobody: "".into(),
            done: Arc::default(),
        };
        hasher.nobody = hasher.hash(entropy.bytes32().to_string()).await?.into();
        Ok(hasher)
    }

    /// How many hashes were computed so far.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The PHC string of a password, with a fresh salt.
    pub(super) async fn hash(&self, password: String) -> Result<String, Broken> {
        self.digest(password, self.entropy.salt()).await
    }

    /// The PHC string of a text with a salt of the caller's: the same again, at the same cost.
    pub(super) async fn digest(&self, text: String, salt: [u8; 16]) -> Result<String, Broken> {
        let salt = SaltString::encode_b64(&salt).map_err(broken)?;
        self.run(move |argon| {
            argon.hash_password(text.as_bytes(), &salt).map(|hash| hash.to_string()).map_err(broken)
        })
        .await
    }

    /// Whether the password is the one of the PHC string. Without a string the answer is no, after the
    /// same work.
    pub(super) async fn verify(
        &self,
        password: String,
        stored: Option<String>,
    ) -> Result<bool, Broken> {
        let nobody = Arc::clone(&self.nobody);
        self.run(move |argon| {
            let known = stored.is_some();
            let text = stored.as_deref().unwrap_or(&nobody);
            let hash = PasswordHash::new(text).map_err(broken)?;
            match argon.verify_password(password.as_bytes(), &hash) {
                Ok(()) => Ok(known),
                Err(argon2::password_hash::Error::Password) => Ok(false),
                Err(error) => Err(broken(error)),
            }
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Argon2<'static>) -> Result<T, Broken> + Send + 'static,
    ) -> Result<T, Broken> {
        let permit =
            Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Broken::Stopped)?;
        let (argon, done) = (self.argon.clone(), Arc::clone(&self.done));
        tokio::task::spawn_blocking(move || {
            // Goes with the work, not with the caller, who may have left.
            let _permit = permit;
            let result = work(argon);
            done.fetch_add(1, Ordering::Relaxed);
            result
        })
        .await
        .map_err(|_| Broken::Stopped)?
    }
}

fn broken(error: impl std::fmt::Display) -> Broken {
    Broken::Hashing(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_fits_its_password_only() {
        let hasher = Hasher::new(Hashing::CHEAP, 1, &Entropy::seeded(1)).await.unwrap();
        let one = hasher.hash("seven old oaks".into()).await.unwrap();
        let two = hasher.hash("seven old oaks".into()).await.unwrap();
        assert!(one.starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        assert_ne!(one, two);
        let verify = |password: &str, stored| hasher.verify(password.to_owned(), stored);
        assert!(verify("seven old oaks", Some(one.clone())).await.unwrap());
        assert!(!verify("seven old oak", Some(one)).await.unwrap());
        assert!(!verify("seven old oaks", None).await.unwrap());
        assert!(verify("x", Some("broken".into())).await.is_err());
    }
}
