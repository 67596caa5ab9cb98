//! The viewer's own account, limits and sessions. Must not show anybody else's.

use super::enums::Locale;
use super::export;
use super::ledger::{self, PastResultConnection, PointsConnection};
use super::people::Player;
use super::reminders::{ReminderSettings, UpcomingReminder};
use crate::graphql::errors::{account_fault, fault};
use crate::graphql::ids::Global;
use crate::graphql::scalars::{DateTime, instant};
use crate::graphql::viewer::app;
use async_graphql::{Context, Error, ID, Object, SimpleObject};
use yibu_domain::kernel::{Counter, PlayerId};
use yibu_infrastructure::accounts::{self, SessionId};

/// Whoever is logged in.
pub struct Me {
    /// Who.
    pub player: PlayerId,
    /// The session that asks.
    pub session: SessionId,
}

/// Whoever is logged in.
#[Object(name = "Viewer")]
impl Me {
    /// The viewer as a player.
    async fn player(&self) -> Player {
        self.player.into()
    }

    /// The own nickname of now.
    async fn nickname(&self, ctx: &Context<'_>) -> Result<Option<String>, Error> {
        let names =
            app(ctx)?.accounts().nickname_of(&[self.player]).await.map_err(account_fault)?;
        Ok(names.get(&self.player).map(|named| named.nickname.clone()))
    }

    /// How many changes of the nickname are left now, of 2 in any 365 × 24 hours.
    async fn nickname_changes_left(&self, ctx: &Context<'_>) -> Result<u32, Error> {
        Ok(self.nickname_changes(ctx).await?.left)
    }

    /// When the next change of the nickname is allowed; null when one is allowed now.
    async fn nickname_change_at(&self, ctx: &Context<'_>) -> Result<Option<DateTime>, Error> {
        Ok(instant(self.nickname_changes(ctx).await?.next))
    }

    /// Whether the viewer is an administrator.
    async fn is_admin(&self, ctx: &Context<'_>) -> Result<bool, Error> {
        app(ctx)?.accounts().is_admin(self.player).await.map_err(account_fault)
    }

    /// Everything that the site holds of the viewer, as JSON text: account, nicknames, sessions, devices, points and
    /// results.
    async fn export(&self, ctx: &Context<'_>) -> Result<String, Error> {
        export::export(app(ctx)?, self.player).await
    }

    /// The verified mail address.
    async fn email(&self, ctx: &Context<'_>) -> Result<Option<String>, Error> {
        Ok(self.person(ctx).await?.map(|person| person.email))
    }

    /// The language of mails.
    async fn locale(&self, ctx: &Context<'_>) -> Result<Option<Locale>, Error> {
        Ok(self.person(ctx).await?.map(|person| person.locale.into()))
    }

    /// When the account was made.
    async fn created_at(&self, ctx: &Context<'_>) -> Result<Option<DateTime>, Error> {
        Ok(self.person(ctx).await?.map(|person| DateTime(person.created)))
    }

    /// The id of the session that asks.
    async fn session_id(&self) -> ID {
        Global::Session(self.session).id()
    }

    /// Active seats in matches joined before their start.
    async fn full_matches(&self, ctx: &Context<'_>) -> Result<Allowance, Error> {
        allowance(ctx, Counter::Full, self.player).await
    }

    /// Active seats taken over.
    async fn takeovers(&self, ctx: &Context<'_>) -> Result<Allowance, Error> {
        allowance(ctx, Counter::Takeover, self.player).await
    }

    /// Every change of the viewer's points, the newest first.
    async fn points(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "So many from the front, 0 to 100; 50 when not given.")] first: Option<
            i32,
        >,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<PointsConnection, Error> {
        ledger::points(app(ctx)?, self.player, first, after.as_deref()).await
    }

    /// The matches in which the viewer's part is over, the newest first.
    async fn results(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "So many from the front, 0 to 100; 50 when not given.")] first: Option<
            i32,
        >,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<PastResultConnection, Error> {
        ledger::results(app(ctx)?, self.player, first, after.as_deref()).await
    }

    /// How many notices the viewer has not read.
    async fn unread_notices(&self, ctx: &Context<'_>) -> Result<u32, Error> {
        app(ctx)?.accounts().unread_notices(self.player).await.map_err(account_fault)
    }

    /// What the viewer has set about turn mails.
    async fn reminder_settings(&self, ctx: &Context<'_>) -> Result<ReminderSettings, Error> {
        let settings = app(ctx)?.accounts().reminder_settings(self.player).await;
        Ok(settings.map_err(account_fault)?.into())
    }

    /// The turn mails of the coming week if nothing else happens, in order.
    async fn upcoming_reminders(&self, ctx: &Context<'_>) -> Result<Vec<UpcomingReminder>, Error> {
        let app = app(ctx)?;
        let wait = app.normal_wait().wait().await.map_err(fault)?;
        let mails = app.accounts().upcoming_reminders(self.player, wait).await;
        Ok(mails.map_err(account_fault)?.into_iter().map(Into::into).collect())
    }
}

impl Me {
    async fn nickname_changes(
        &self,
        ctx: &Context<'_>,
    ) -> Result<accounts::NicknameChanges, Error> {
        app(ctx)?.accounts().nickname_changes(self.player).await.map_err(account_fault)
    }

    async fn person(&self, ctx: &Context<'_>) -> Result<Option<accounts::Person>, Error> {
        app(ctx)?.accounts().person(self.player).await.map_err(account_fault)
    }
}

/// How many of a kind the viewer holds, and may hold.
#[derive(SimpleObject)]
pub struct Allowance {
    /// Held now.
    pub held: u32,
    /// The most that anybody may hold now.
    pub limit: u32,
}

/// The exact count of the log.
pub async fn allowance(
    ctx: &Context<'_>,
    counter: Counter,
    player: PlayerId,
) -> Result<Allowance, Error> {
    let count = app(ctx)?.log().count(counter, player).await;
    let (held, limit) = count.map_err(fault)?;
    Ok(Allowance { held, limit })
}

/// One of the viewer's sessions.
pub struct Session {
    /// The session.
    pub session: accounts::Session,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// One of the viewer's sessions.
#[Object]
impl Session {
    /// The session's global id; worth nothing as a credential.
    async fn id(&self) -> ID {
        Global::Session(self.session.id).id()
    }

    /// When it began.
    async fn created_at(&self) -> DateTime {
        DateTime(self.session.created)
    }

    /// When it was last used.
    async fn last_seen_at(&self) -> DateTime {
        DateTime(self.session.last_seen)
    }

    /// What the device says that it is.
    async fn device(&self) -> &str {
        &self.session.device
    }

    /// The network that it began in: an IPv4 address or an IPv6 network.
    async fn network(&self) -> &str {
        &self.session.network
    }

    /// Whether it is the session that asks.
    async fn current(&self) -> bool {
        self.current
    }
}
