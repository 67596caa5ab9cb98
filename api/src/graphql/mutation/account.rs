//! Accounts and sessions: codes, registering, logging in and out. The session's token goes into a cookie, or
//! to clients that ask for it into the answer; never both, and never into a log.

use crate::graphql::errors::{UserError, account_fault, refused};
use crate::graphql::ids::session_of;
use crate::graphql::scalars::seconds;
use crate::graphql::types::account::Me;
use crate::graphql::types::enums::Locale;
use crate::graphql::viewer::{Viewer, app, viewer};
use crate::http::session::Cookies;
use async_graphql::{Context, Error, ID, InputObject, Object, SimpleObject};
use yibu_infrastructure::accounts::{Registration, Session, SessionToken};

/// A wish for a code by mail.
#[derive(InputObject)]
pub struct RequestCodeInput {
    /// The mail address.
    pub email: String,
    /// The language of the mail.
    #[graphql(default_with = "Locale::ZhHans")]
    pub locale: Locale,
}

/// The answer to a wish for a code. The same whether the address has an account or not.
#[derive(SimpleObject, Default)]
pub struct RequestCodePayload {
    /// For how many seconds the code is valid.
    pub valid_seconds: Option<i64>,
    /// After how many seconds another may be asked for.
    pub next_after_seconds: Option<i64>,
    /// Why no code was sent.
    pub user_errors: Vec<UserError>,
}

/// A new account.
#[derive(InputObject)]
pub struct RegisterInput {
    /// The mail address that the code went to.
    pub email: String,
    /// The code from the mail.
    pub code: String,
    /// The nickname.
    pub nickname: String,
    /// The password.
    pub password: String,
    /// The language of later mails.
    #[graphql(default_with = "Locale::ZhHans")]
    pub locale: Locale,
    /// Whether the answer shall carry the session's token, for clients without cookies. No cookie is set then.
    #[graphql(default)]
    pub bearer: bool,
}

/// Logging in.
#[derive(InputObject)]
pub struct LoginInput {
    /// The mail address.
    pub email: String,
    /// The password.
    pub password: String,
    /// Whether the answer shall carry the session's token, for clients without cookies. No cookie is set then.
    #[graphql(default)]
    pub bearer: bool,
}

/// Ending one session.
#[derive(InputObject)]
pub struct EndSessionInput {
    /// Which of the own sessions.
    pub session_id: ID,
}

/// A new session.
#[derive(SimpleObject, Default)]
pub struct SessionPayload {
    /// Whoever is logged in now.
    pub viewer: Option<Me>,
    /// The session's token, for `Authorization: Bearer`; null unless it was asked for.
    pub token: Option<String>,
    /// Why there is no session.
    pub user_errors: Vec<UserError>,
}

/// The answer to ending sessions.
#[derive(SimpleObject, Default)]
pub struct EndSessionPayload {
    /// How many sessions ended.
    pub ended: usize,
    /// Why none ended.
    pub user_errors: Vec<UserError>,
}

impl SessionPayload {
    fn refused(error: UserError) -> Self {
        Self { user_errors: vec![error], ..Self::default() }
    }
}

/// Hands a new session over: by cookie, or in the answer.
fn begin(
    ctx: &Context<'_>,
    session: &Session,
    token: &SessionToken,
    mark: &str,
    bearer: bool,
) -> Result<SessionPayload, Error> {
    let cookies = Cookies { tls: app(ctx)?.is_tls() };
    ctx.append_http_header("set-cookie", cookies.device(mark));
    if !bearer {
        ctx.append_http_header("set-cookie", cookies.session(token.expose()));
    }
    Ok(SessionPayload {
        viewer: Some(Me { player: session.player, session: session.id }),
        token: bearer.then(|| token.expose().to_owned()),
        user_errors: Vec::new(),
    })
}

fn logged_in<'a>(ctx: &Context<'a>) -> Result<Result<&'a Session, EndSessionPayload>, Error> {
    let viewer: &Viewer = viewer(ctx)?;
    Ok(viewer.session.as_ref().ok_or_else(|| EndSessionPayload {
        ended: 0,
        user_errors: vec![UserError::unauthenticated()],
    }))
}

/// Accounts and sessions.
#[derive(Default)]
pub struct AccountMutation;

/// Accounts and sessions.
#[Object]
impl AccountMutation {
    /// Mails a code for a new account.
    async fn request_code(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: RequestCodeInput,
    ) -> Result<RequestCodePayload, Error> {
        let (app, viewer) = (app(ctx)?, viewer(ctx)?);
        let sent = app.accounts().request_code(&input.email, input.locale.into(), &viewer.origin);
        match sent.await {
            Ok(sent) => Ok(RequestCodePayload {
                valid_seconds: Some(seconds(sent.valid_for)),
                next_after_seconds: Some(seconds(sent.next_after)),
                user_errors: Vec::new(),
            }),
            Err(failure) => {
                let user_errors = vec![refused(failure)?];
                Ok(RequestCodePayload { user_errors, ..RequestCodePayload::default() })
            }
        }
    }

    /// Makes an account and logs in.
    async fn register(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: RegisterInput,
    ) -> Result<SessionPayload, Error> {
        let (app, viewer) = (app(ctx)?, viewer(ctx)?);
        let wish = Registration {
            email: &input.email,
            code: &input.code,
            nickname: &input.nickname,
            password: &input.password,
            locale: input.locale.into(),
        };
        let made = match app.accounts().register(wish, &viewer.origin).await {
            Ok(made) => made,
            Err(failure) => return Ok(SessionPayload::refused(refused(failure)?)),
        };
        app.record_player(made.player, false).await?;
        begin(ctx, &made.session, &made.token, &made.mark, input.bearer)
    }

    /// Logs in.
    async fn login(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: LoginInput,
    ) -> Result<SessionPayload, Error> {
        let (app, viewer) = (app(ctx)?, viewer(ctx)?);
        match app.accounts().login(&input.email, &input.password, &viewer.origin).await {
            Ok(done) => begin(ctx, &done.session, &done.token, &done.mark, input.bearer),
            Err(failure) => Ok(SessionPayload::refused(refused(failure)?)),
        }
    }

    /// Ends the session that asks. Seats stay.
    async fn logout(&self, ctx: &Context<'_>) -> Result<EndSessionPayload, Error> {
        let session = match logged_in(ctx)? {
            Ok(session) => session,
            Err(payload) => return Ok(payload),
        };
        let app = app(ctx)?;
        ctx.append_http_header("set-cookie", Cookies { tls: app.is_tls() }.no_session());
        let ended = app.accounts().end_session(session.player, session.id).await;
        let ended = ended.map_err(account_fault)?;
        Ok(EndSessionPayload { ended: usize::from(ended), user_errors: Vec::new() })
    }

    /// Ends one of the own sessions.
    async fn end_session(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: EndSessionInput,
    ) -> Result<EndSessionPayload, Error> {
        let session = match logged_in(ctx)? {
            Ok(session) => session,
            Err(payload) => return Ok(payload),
        };
        let ended = match session_of(&input.session_id) {
            Some(id) => app(ctx)?.accounts().end_session(session.player, id).await,
            None => Ok(false),
        };
        if ended.map_err(account_fault)? {
            return Ok(EndSessionPayload { ended: 1, user_errors: Vec::new() });
        }
        let error = UserError::new("SESSION_ENDED", "there is no such session").about("sessionId");
        Ok(EndSessionPayload { ended: 0, user_errors: vec![error] })
    }

    /// Ends all own sessions but the one that asks.
    async fn end_other_sessions(&self, ctx: &Context<'_>) -> Result<EndSessionPayload, Error> {
        let session = match logged_in(ctx)? {
            Ok(session) => session,
            Err(payload) => return Ok(payload),
        };
        let accounts = app(ctx)?.accounts();
        let ended = accounts.end_other_sessions(session.player, Some(session.id)).await;
        Ok(EndSessionPayload { ended: ended.map_err(account_fault)?, user_errors: Vec::new() })
    }
}
