//! Nicknames for whole answers at once, so that four seats cost one look-up. Must not keep names: they can
//! change and be erased at any time.

use super::errors;
use async_graphql::dataloader::Loader;
use std::collections::HashMap;
use std::sync::Arc;
use yibu_domain::kernel::PlayerId;
use yibu_infrastructure::accounts::{Accounts, Named};

/// Loads nicknames.
pub struct Names {
    accounts: Accounts,
}

/// A nickname as it was at a revision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameThen(pub PlayerId, pub u32);

impl Names {
    /// A loader over the accounts.
    pub fn new(accounts: Accounts) -> Self {
        Self { accounts }
    }
}

impl Loader<PlayerId> for Names {
    type Value = Named;
    type Error = Arc<async_graphql::Error>;

    async fn load(&self, keys: &[PlayerId]) -> Result<HashMap<PlayerId, Named>, Self::Error> {
        self.accounts
            .nickname_of(keys)
            .await
            .map_err(|failure| Arc::new(errors::account_fault(failure)))
    }
}

impl Loader<NameThen> for Names {
    type Value = String;
    type Error = Arc<async_graphql::Error>;

    async fn load(&self, keys: &[NameThen]) -> Result<HashMap<NameThen, String>, Self::Error> {
        let wanted: Vec<(PlayerId, u32)> = keys.iter().map(|key| (key.0, key.1)).collect();
        let found = self.accounts.nickname_at(&wanted).await;
        let found = found.map_err(|failure| Arc::new(errors::account_fault(failure)))?;
        Ok(found
            .into_iter()
            .map(|((player, revision), name)| (NameThen(player, revision), name))
            .collect())
    }
}
