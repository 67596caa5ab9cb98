//! What people change about their own accounts, and how they delete them. Each change has a key under which it is
//! done once.

use super::account::RequestCodePayload;
use crate::graphql::errors::{UserError, refused};
use crate::graphql::scalars::{Uuid, seconds};
use crate::graphql::types::account::Me;
use crate::graphql::types::enums::Locale;
use crate::graphql::viewer::{app, viewer};
use crate::http::session::Cookies;
use async_graphql::{Context, Error, InputObject, Object, SimpleObject};
use yibu_infrastructure::accounts::{Asker, Failure};

/// Another nickname.
#[derive(InputObject)]
pub struct ChangeNicknameInput {
    /// Names this change: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The nickname.
    pub nickname: String,
}

/// Another password.
#[derive(InputObject)]
pub struct ChangePasswordInput {
    /// Names this change: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The password of now.
    pub current: String,
    /// The new password.
    pub password: String,
}

/// A wish for a code to another address.
#[derive(InputObject)]
pub struct RequestEmailChangeInput {
    /// The address that shall be the account's.
    pub email: String,
    /// The password of now.
    pub current: String,
}

/// Another address.
#[derive(InputObject)]
pub struct ChangeEmailInput {
    /// Names this change: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The address that the code went to.
    pub email: String,
    /// The code from the mail.
    pub code: String,
    /// The password of now.
    pub current: String,
}

/// Another language of mails.
#[derive(InputObject)]
pub struct ChangeLocaleInput {
    /// Names this change: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The language.
    pub locale: Locale,
}

/// The end of an account.
#[derive(InputObject)]
pub struct DeleteAccountInput {
    /// Names this wish: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The password of now.
    pub password: String,
}

/// The answer to a change of the own account.
#[derive(SimpleObject, Default)]
pub struct AccountPayload {
    /// Whoever is logged in, as it is now.
    pub viewer: Option<Me>,
    /// Why nothing was changed.
    pub user_errors: Vec<UserError>,
}

/// The answer to the end of an account.
#[derive(SimpleObject, Default)]
pub struct DeleteAccountPayload {
    /// Why the account is as it was.
    pub user_errors: Vec<UserError>,
}

/// Who asks for a change under this key; `None` without a session.
fn asker<'a>(ctx: &Context<'a>, key: Uuid) -> Result<Option<Asker<'a>>, Error> {
    let viewer = viewer(ctx)?;
    let session = viewer.session.as_ref();
    Ok(session.map(|session| Asker { session, origin: &viewer.origin, key: key.0 }))
}

fn unauthenticated() -> AccountPayload {
    AccountPayload { viewer: None, user_errors: vec![UserError::unauthenticated()] }
}

/// The account as it is after a change, or after none.
fn answered(asker: &Asker<'_>, done: Result<(), Failure>) -> Result<AccountPayload, Error> {
    let viewer = Some(Me { player: asker.session.player, session: asker.session.id });
    let user_errors = match done {
        Ok(()) => Vec::new(),
        Err(failure) => vec![refused(failure)?],
    };
    Ok(AccountPayload { viewer, user_errors })
}

/// Changes of the own account.
#[derive(Default)]
pub struct ChangesMutation;

/// Changes of the own account.
#[Object]
impl ChangesMutation {
    /// Changes the own nickname, twice in any 365 × 24 hours. Matches show the nickname of the time of seating in
    /// their history. Codes: `NICKNAME_INVALID`, `NICKNAME_LIMIT_REACHED`, `NICKNAME_TAKEN`, `IDEMPOTENCY_CONFLICT`,
    /// `SESSION_ENDED`.
    async fn change_nickname(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ChangeNicknameInput,
    ) -> Result<AccountPayload, Error> {
        let Some(asker) = asker(ctx, input.idempotency_key)? else { return Ok(unauthenticated()) };
        answered(&asker, app(ctx)?.accounts().change_nickname(asker, &input.nickname).await)
    }

    /// Changes the own password. The session that asks stays, all others end at once; the address is told. Codes:
    /// `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON`, `LOGIN_THROTTLED`, `PASSWORD_WRONG`,
    /// `IDEMPOTENCY_CONFLICT`, `SESSION_ENDED`.
    async fn change_password(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ChangePasswordInput,
    ) -> Result<AccountPayload, Error> {
        let Some(asker) = asker(ctx, input.idempotency_key)? else { return Ok(unauthenticated()) };
        let accounts = app(ctx)?.accounts();
        answered(&asker, accounts.change_password(asker, &input.current, &input.password).await)
    }

    /// Mails a code to the address that shall be the account's; earlier codes are void. The answer is the same where
    /// the address has an account. Codes: `MAIL_UNAVAILABLE`, `EMAIL_INVALID`, `LOGIN_THROTTLED`, `PASSWORD_WRONG`,
    /// `CODE_RATE_LIMITED`, `SESSION_ENDED`.
    async fn request_email_change(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: RequestEmailChangeInput,
    ) -> Result<RequestCodePayload, Error> {
        let (app, viewer) = (app(ctx)?, viewer(ctx)?);
        let refusal = |error| RequestCodePayload {
            user_errors: vec![error],
            ..RequestCodePayload::default()
        };
        let Some(session) = &viewer.session else {
            return Ok(refusal(UserError::unauthenticated()));
        };
        let (email, current) = (&input.email, &input.current);
        let sent = app.accounts().request_email_change(session, email, current, &viewer.origin);
        match sent.await {
            Ok(sent) => Ok(RequestCodePayload {
                valid_seconds: Some(seconds(sent.valid_for)),
                next_after_seconds: Some(seconds(sent.next_after)),
                user_errors: Vec::new(),
            }),
            Err(failure) => Ok(refusal(refused(failure)?)),
        }
    }

    /// Changes the own mail address by a code that was mailed to the new one. The session that asks stays, all others
    /// end at once; the old address is told. Codes: `EMAIL_INVALID`, `LOGIN_THROTTLED`, `PASSWORD_WRONG`,
    /// `CODE_WRONG`, `CODE_EXPIRED`, `CODE_TRIES_USED`, `IDEMPOTENCY_CONFLICT`, `SESSION_ENDED`.
    async fn change_email(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ChangeEmailInput,
    ) -> Result<AccountPayload, Error> {
        let Some(asker) = asker(ctx, input.idempotency_key)? else { return Ok(unauthenticated()) };
        let accounts = app(ctx)?.accounts();
        let done = accounts.change_email(asker, &input.email, &input.code, &input.current).await;
        answered(&asker, done)
    }

    /// Changes the language of mails. Code: `IDEMPOTENCY_CONFLICT`.
    async fn change_locale(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ChangeLocaleInput,
    ) -> Result<AccountPayload, Error> {
        let Some(asker) = asker(ctx, input.idempotency_key)? else { return Ok(unauthenticated()) };
        answered(&asker, app(ctx)?.accounts().change_locale(asker, input.locale.into()).await)
    }

    /// Deletes the own account, for good: all sessions end, every seat is left as by a leave, and all personal data
    /// is erased; the address is told. Points and statistics stay, without a name. Codes: `LOGIN_THROTTLED`,
    /// `PASSWORD_WRONG`, `IDEMPOTENCY_CONFLICT`, `SESSION_ENDED`.
    async fn delete_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: DeleteAccountInput,
    ) -> Result<DeleteAccountPayload, Error> {
        let app = app(ctx)?;
        let Some(asker) = asker(ctx, input.idempotency_key)? else {
            return Ok(DeleteAccountPayload { user_errors: vec![UserError::unauthenticated()] });
        };
        match app.accounts().begin_deletion(asker, &input.password).await {
            Ok(()) => {
                ctx.append_http_header("set-cookie", Cookies { tls: app.is_tls() }.no_session());
                app.finish_deletion(asker.session.player).await;
                Ok(DeleteAccountPayload::default())
            }
            Err(failure) => {
                let mut error = refused(failure)?;
                if error.code == "PASSWORD_WRONG" {
                    error = error.about("password");
                }
                Ok(DeleteAccountPayload { user_errors: vec![error] })
            }
        }
    }
}
