//! What administrators see: settings, how the inside fares, public facts of any match, any player, and what the
//! office did. Is made for administrators alone, see [`crate::graphql::viewer::administrator`].

pub mod health;
pub mod matches;
pub mod player;
pub mod site;
pub mod trail;

pub use matches::AdminMatch;
pub use player::AdminPlayer;
pub use site::{Announcement, SiteSettings};

use crate::graphql::errors::{account_fault, coded, unread};
use crate::graphql::ids::{match_of, player_of};
use crate::graphql::viewer::app;
use async_graphql::{Context, Error, ID, Object};
use health::{Lateness, MailQueue, ProjectionStatus};
use trail::TrailConnection;
use yibu_domain::site::SITE;
use yibu_infrastructure::accounts::Failure;

/// What administrators see.
pub struct Admin;

/// What administrators see.
#[Object]
impl Admin {
    /// What is set for everybody.
    async fn settings(&self, ctx: &Context<'_>) -> Result<SiteSettings, Error> {
        let state = app(ctx)?.site().state(SITE).await.map_err(unread)?;
        Ok(SiteSettings::from(&*state))
    }

    /// The read models, in a fixed order.
    async fn projections(&self, ctx: &Context<'_>) -> Result<Vec<ProjectionStatus>, Error> {
        Ok(app(ctx)?.models().await?.into_iter().map(Into::into).collect())
    }

    /// The mails that are to be sent.
    async fn mail_queue(&self, ctx: &Context<'_>) -> Result<MailQueue, Error> {
        app(ctx)?.mail_queue().await.map(Into::into)
    }

    /// Whether clocks are acted upon in time.
    async fn lateness(&self, ctx: &Context<'_>) -> Result<Lateness, Error> {
        app(ctx)?.lateness().await.map(Into::into)
    }

    /// Public facts of a match; null when there is none.
    async fn find_match(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The match.")] id: ID,
    ) -> Result<Option<AdminMatch>, Error> {
        let Some(id) = match_of(&id) else { return Ok(None) };
        let state = app(ctx)?.matches().state(id).await.map_err(unread)?;
        Ok(state.as_deref().and_then(|state| Some(AdminMatch::from(&state.live()?.sheet.public))))
    }

    /// A player by one of id, address or nickname; null when there is none.
    async fn find_player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The player.")] id: Option<ID>,
        #[graphql(desc = "The verified mail address.")] email: Option<String>,
        #[graphql(desc = "The nickname of now, in whatever case.")] nickname: Option<String>,
    ) -> Result<Option<AdminPlayer>, Error> {
        let app = app(ctx)?;
        let found = match (&id, &email, &nickname) {
            (Some(id), None, None) => player_of(id),
            (None, Some(email), None) => match app.accounts().player_by_email(email).await {
                // What is no address is nobody's.
                Err(Failure::Refused(_)) => None,
                found => found.map_err(account_fault)?,
            },
            (None, None, Some(nickname)) => {
                app.accounts().player_by_nickname(nickname).await.map_err(account_fault)?
            }
            _ => return Err(coded("BAD_INPUT", "look for one of id, email or nickname")),
        };
        let Some(id) = found else { return Ok(None) };
        // Of a deleted account the log alone knows.
        let state = app.players().state(id.0).await.map_err(unread)?;
        Ok(state.registered.then_some(AdminPlayer { id }))
    }

    /// Who did what when, the latest first: what administrators did, and what concerned the site.
    async fn trail(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "So many from the front, 0 to 100; 50 when not given.")] first: Option<
            i32,
        >,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<TrailConnection, Error> {
        TrailConnection::of(app(ctx)?, first, after.as_deref()).await
    }
}
