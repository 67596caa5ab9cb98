//! People at a table, by their nicknames of now or of then. Must not know anything else about them.

use super::enums::Joined;
use crate::graphql::errors::fault;
use crate::graphql::ids::Global;
use crate::graphql::names::{NameThen, Names};
use async_graphql::dataloader::DataLoader;
use async_graphql::{Context, Error, ID, Object};
use yibu_domain::kernel::PlayerId;
use yibu_domain::matches::events::{self, Occupant};
use yibu_infrastructure::accounts::Named;

/// A player.
pub struct Player {
    id: PlayerId,
}

impl From<PlayerId> for Player {
    fn from(id: PlayerId) -> Self {
        Self { id }
    }
}

/// The loader of nicknames.
fn loader<'a>(ctx: &Context<'a>) -> Result<&'a DataLoader<Names>, Error> {
    ctx.data::<DataLoader<Names>>().map_err(|_| fault("a schema without names"))
}

/// How a player is called now.
async fn named(ctx: &Context<'_>, player: PlayerId) -> Result<Option<Named>, Error> {
    loader(ctx)?.load_one(player).await.map_err(|error| (*error).clone())
}

/// A player.
#[Object]
impl Player {
    /// The player's global id.
    async fn id(&self) -> ID {
        Global::Player(self.id).id()
    }

    /// The nickname of now; null when the account was deleted.
    async fn nickname(&self, ctx: &Context<'_>) -> Result<Option<String>, Error> {
        Ok(named(ctx, self.id).await?.map(|named| named.nickname))
    }

    /// Whether it is a house player, played by the server in development mode and never counted.
    async fn house(&self, ctx: &Context<'_>) -> Result<bool, Error> {
        Ok(named(ctx, self.id).await?.is_some_and(|named| named.house))
    }
}

/// A person in a seat.
pub struct Person(pub events::Person);

/// A person in a seat, or one who sat there.
#[Object]
impl Person {
    /// Who.
    async fn player(&self) -> Player {
        Player { id: self.0.player }
    }

    /// Whether the person joined before the start or by a takeover.
    async fn joined(&self) -> Joined {
        self.0.joined.into()
    }

    /// Whether a house player sits there.
    async fn house(&self) -> bool {
        self.0.occupant == Occupant::House
    }

    /// The nickname at the time of taking the seat; null when the account was deleted.
    async fn nickname_then(&self, ctx: &Context<'_>) -> Result<Option<String>, Error> {
        let key = NameThen(self.0.player, self.0.nickname);
        loader(ctx)?.load_one(key).await.map_err(|error| (*error).clone())
    }
}
