//! What administrators do: each as a command with a reason, under the administrator's own name. Who is none is told
//! so before anything else is looked at.

use crate::app::App;
use crate::graphql::errors::{UserError, rejected, unread};
use crate::graphql::ids::match_of;
use crate::graphql::scalars::Uuid;
use crate::graphql::types::admin::{AdminMatch, SiteSettings};
use crate::graphql::viewer::{administrator, app};
use async_graphql::{Context, Error, ID, InputObject, Object, SimpleObject};
use yibu_domain::kernel::{Actor, CommandId, MatchId, PlayerId, Reason};
use yibu_domain::matches::MatchCommand;
use yibu_domain::site::{SITE, SiteCommand, SiteState};
use yibu_infrastructure::executor::Request;

/// New limits.
#[derive(InputObject)]
pub struct AdminSetLimitsInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// Full matches that a player may have at the same time, 0 to 100.
    pub full: i64,
    /// Seats taken over that a player may have at the same time, 0 to 100.
    pub takeover: i64,
    /// Why, as a code of 1 to 40 letters a-z, digits and underscores.
    pub reason: String,
}

/// A new wait before normal turn mails.
#[derive(InputObject)]
pub struct AdminSetNormalMailWaitInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// Minutes, 1 to 1440.
    pub minutes: i64,
    /// Why, as a code of 1 to 40 letters a-z, digits and underscores.
    pub reason: String,
}

/// A new release of unready seats.
#[derive(InputObject)]
pub struct AdminSetReleaseInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// Hours, 0 to 720; 0 = never.
    pub hours: i64,
    /// Why, as a code of 1 to 40 letters a-z, digits and underscores.
    pub reason: String,
}

/// A new announcement.
#[derive(InputObject)]
pub struct AdminSetAnnouncementInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// What the banner shall say, at most 500 characters in one line; null or blank = nothing.
    pub text: Option<String>,
    /// Why, as a code of 1 to 40 letters a-z, digits and underscores.
    pub reason: String,
}

/// The end of a broken match.
#[derive(InputObject)]
pub struct AdminVoidMatchInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// Why, as a code of 1 to 40 letters a-z, digits and underscores. Whoever sees the match sees it, too.
    pub reason: String,
}

/// The answer to a change of settings.
#[derive(SimpleObject)]
pub struct SiteSettingsPayload {
    /// The settings as they are now; null for who is no administrator.
    pub settings: Option<SiteSettings>,
    /// Why nothing was changed; empty when the command stands.
    pub user_errors: Vec<UserError>,
}

impl SiteSettingsPayload {
    fn refused(error: UserError, state: Option<&SiteState>) -> Self {
        Self { settings: state.map(Into::into), user_errors: vec![error] }
    }
}

/// The answer to a command about a match.
#[derive(SimpleObject)]
pub struct AdminMatchPayload {
    /// The match as it is now; null when there is none, and for who is no administrator.
    #[graphql(name = "match")]
    pub shown: Option<AdminMatch>,
    /// Why nothing was done; empty when the command stands.
    pub user_errors: Vec<UserError>,
}

fn reason_of(text: &str) -> Result<Reason, UserError> {
    let reason = text.parse::<Reason>();
    reason.map_err(|fault| UserError::new("INVALID_REASON", fault.to_string()).about("reason"))
}

/// Gives the site a command of an administrator.
async fn set(
    ctx: &Context<'_>,
    key: Uuid,
    reason: &str,
    command: impl FnOnce(Reason) -> SiteCommand,
) -> Result<SiteSettingsPayload, Error> {
    let app = app(ctx)?;
    let admin = match administrator(ctx).await? {
        Ok(admin) => admin,
        Err(error) => return Ok(SiteSettingsPayload::refused(error, None)),
    };
    let error = match reason_of(reason) {
        Ok(reason) => {
            let request = request(app, SITE, command(reason), admin, key);
            match app.site().execute(request).await {
                Ok(done) => {
                    let settings = Some(SiteSettings::from(&*done.state));
                    return Ok(SiteSettingsPayload { settings, user_errors: Vec::new() });
                }
                Err(rejection) => rejected(rejection)?,
            }
        }
        Err(error) => error,
    };
    let state = app.site().state(SITE).await.map_err(unread)?;
    Ok(SiteSettingsPayload::refused(error, Some(&state)))
}

fn request<C>(app: &App, id: uuid::Uuid, command: C, admin: PlayerId, key: Uuid) -> Request<C> {
    Request::new(id, command, Actor::Admin(admin), app.entropy().uuid()).keyed(CommandId(key.0))
}

/// Ends a match, if it is there; the refusal otherwise.
async fn void(
    app: &App,
    id: MatchId,
    reason: Reason,
    admin: PlayerId,
    key: Uuid,
) -> Result<Option<UserError>, Error> {
    // A stream that does not exist is not loaded for nothing.
    if app.matches().state(id).await.map_err(unread)?.is_none() {
        return Ok(Some(UserError::match_not_found()));
    }
    let request = request(app, id.0, MatchCommand::Void { reason }, admin, key);
    match app.matches().execute(request).await {
        Ok(_) => Ok(None),
        Err(rejection) => rejected(rejection).map(Some),
    }
}

/// What administrators do.
#[derive(Default)]
pub struct AdminMutation;

/// What administrators do.
#[Object]
impl AdminMutation {
    /// Sets how many matches of each kind a player may have at the same time. Ends none.
    async fn admin_set_limits(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminSetLimitsInput,
    ) -> Result<SiteSettingsPayload, Error> {
        let (full, takeover) = (input.full, input.takeover);
        let command = |reason| SiteCommand::SetLimits { full, takeover, reason };
        set(ctx, input.idempotency_key, &input.reason, command).await
    }

    /// Sets for how long a turn is on before a normal mail tells of it.
    async fn admin_set_normal_mail_wait(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminSetNormalMailWaitInput,
    ) -> Result<SiteSettingsPayload, Error> {
        let minutes = input.minutes;
        let command = |reason| SiteCommand::SetNormalMailWait { minutes, reason };
        set(ctx, input.idempotency_key, &input.reason, command).await
    }

    /// Sets after how many hours seats that are not ready are released, for tables that open from now on.
    async fn admin_set_release(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminSetReleaseInput,
    ) -> Result<SiteSettingsPayload, Error> {
        let hours = input.hours;
        let command = |reason| SiteCommand::SetRelease { hours, reason };
        set(ctx, input.idempotency_key, &input.reason, command).await
    }

    /// Sets what the banner says to everybody.
    async fn admin_set_announcement(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminSetAnnouncementInput,
    ) -> Result<SiteSettingsPayload, Error> {
        let text = input.text;
        let command = |reason| SiteCommand::SetAnnouncement { text, reason };
        set(ctx, input.idempotency_key, &input.reason, command).await
    }

    /// Ends a broken match without result. Whoever left it before keeps the points of that.
    async fn admin_void_match(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminVoidMatchInput,
    ) -> Result<AdminMatchPayload, Error> {
        let app = app(ctx)?;
        let admin = match administrator(ctx).await? {
            Ok(admin) => admin,
            Err(error) => return Ok(AdminMatchPayload { shown: None, user_errors: vec![error] }),
        };
        let id = match_of(&input.match_id);
        let error = match (id, reason_of(&input.reason)) {
            (_, Err(error)) => Some(error),
            (None, Ok(_)) => Some(UserError::match_not_found()),
            (Some(id), Ok(reason)) => void(app, id, reason, admin, input.idempotency_key).await?,
        };
        let state = match id {
            Some(id) => app.matches().state(id).await.map_err(unread)?,
            None => None,
        };
        let shown = state.as_deref().and_then(|state| Some(&state.live()?.sheet.public));
        Ok(AdminMatchPayload {
            shown: shown.map(Into::into),
            user_errors: error.into_iter().collect(),
        })
    }
}
