//! A player as administrators see one. Must not be made for anybody else.

use crate::graphql::errors::{account_fault, unread};
use crate::graphql::scalars::DateTime;
use crate::graphql::types::people::Player;
use crate::graphql::viewer::app;
use async_graphql::{Context, Enum, Error, Object, SimpleObject};
use yibu_domain::kernel::PlayerId;
use yibu_infrastructure::accounts::{self, Person};

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

    /// The accounts that share a device or a network with this one, the latest first. Those that share a device do
    /// not get into the same match; a shared network is only a hint.
    async fn linked(&self, ctx: &Context<'_>) -> Result<Vec<LinkedAccount>, Error> {
        let links = app(ctx)?.accounts().links(self.id).await.map_err(account_fault)?;
        Ok(links.into_iter().map(LinkedAccount::from).collect())
    }
}

impl AdminPlayer {
    async fn person(&self, ctx: &Context<'_>) -> Result<Option<Person>, Error> {
        app(ctx)?.accounts().person(self.id).await.map_err(account_fault)
    }
}

/// What two accounts share.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "accounts::LinkKind")]
pub enum LinkKind {
    /// A device: both have logged in with one browser.
    Device,
    /// An IPv4 address or an IPv6 /64 in the last 30 days.
    Network,
}

/// An account that shares something with another one.
#[derive(SimpleObject)]
pub struct LinkedAccount {
    /// The other account.
    pub player: Player,
    /// What is shared.
    pub by: LinkKind,
    /// Until when both are known to have used it.
    pub last_at: DateTime,
}

impl From<accounts::Link> for LinkedAccount {
    fn from(link: accounts::Link) -> Self {
        Self { player: link.player.into(), by: link.by.into(), last_at: DateTime(link.last) }
    }
}
