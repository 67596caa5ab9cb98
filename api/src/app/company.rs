//! The accounts as matchmaking sees them: who may sit down, with whom, and the turn among the nodes.

use async_trait::async_trait;
use std::any::Any;
use yibu_domain::kernel::PlayerId;
use yibu_infrastructure::accounts::Accounts;
use yibu_infrastructure::executor::{Company, Seating};

/// The accounts as matchmaking sees them.
pub(super) struct Acquaintances {
    pub(super) accounts: Accounts,
}

#[async_trait]
impl Company for Acquaintances {
    async fn turn(&self) -> Result<Box<dyn Any + Send>, String> {
        let turn = self.accounts.matching_turn().await.map_err(|failure| failure.to_string())?;
        Ok(Box::new(turn))
    }

    async fn of(&self, player: PlayerId) -> Result<Seating, String> {
        let standing = self.accounts.standing(player).await;
        let standing = standing.map_err(|failure| failure.to_string())?;
        Ok(Seating { barred: standing.barred, apart: standing.apart })
    }
}
