//! A player as administrators see one. Must not be made for anybody else.

use crate::graphql::errors::{account_fault, unread};
use crate::graphql::scalars::DateTime;
use crate::graphql::types::people::Player;
use crate::graphql::viewer::app;
use async_graphql::{Context, Error, Object};
use yibu_domain::kernel::PlayerId;
use yibu_infrastructure::accounts::Person;

/// A player as administrators see one.
pub struct AdminPlayer {
    /// Who.
    pub id: PlayerId,
}

/// A player as administrators see one.
#[Object]
impl AdminPlayer {
    /// The player as everybody sees one.
    async fn player(&self) -> Player {
        self.id.into()
    }

    /// The verified mail address; null for house players and deleted accounts.
    async fn email(&self, ctx: &Context<'_>) -> Result<Option<String>, Error> {
        Ok(self.person(ctx).await?.map(|person| person.email))
    }

    /// When the account was made; null for house players and deleted accounts.
    async fn created_at(&self, ctx: &Context<'_>) -> Result<Option<DateTime>, Error> {
        Ok(self.person(ctx).await?.map(|person| DateTime(person.created)))
    }

    /// Whether the player is suspended.
    async fn suspended(&self, ctx: &Context<'_>) -> Result<bool, Error> {
        Ok(app(ctx)?.players().state(self.id.0).await.map_err(unread)?.suspended)
    }

    /// Whether the account is deleted.
    async fn deleted(&self, ctx: &Context<'_>) -> Result<bool, Error> {
        Ok(app(ctx)?.players().state(self.id.0).await.map_err(unread)?.deleted)
    }

    /// Whether it is a house player.
    async fn house(&self, ctx: &Context<'_>) -> Result<bool, Error> {
        Ok(app(ctx)?.players().state(self.id.0).await.map_err(unread)?.house)
    }
}

impl AdminPlayer {
    async fn person(&self, ctx: &Context<'_>) -> Result<Option<Person>, Error> {
        app(ctx)?.accounts().person(self.id).await.map_err(account_fault)
    }
}
