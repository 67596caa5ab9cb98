//! A forgotten password: asking for a link by mail, and setting a new one by it. Neither tells whether an address has
//! an account.

use crate::graphql::errors::{UserError, refused};
use crate::graphql::scalars::seconds;
use crate::graphql::types::enums::Locale;
use crate::graphql::viewer::{app, viewer};
use async_graphql::{Context, Error, InputObject, Object, SimpleObject};

/// A wish for a link that sets a new password.
#[derive(InputObject)]
pub struct RequestResetInput {
    /// The mail address.
    pub email: String,
    /// The language of the mail.
    #[graphql(default_with = "Locale::ZhHans")]
    pub locale: Locale,
}

/// The answer to a wish for a link. The same whether the address has an account or not.
#[derive(SimpleObject, Default)]
pub struct RequestResetPayload {
    /// For how many seconds the link is good.
    pub valid_seconds: Option<i64>,
    /// Why no mail was sent.
    pub user_errors: Vec<UserError>,
}

/// A new password by a link.
#[derive(InputObject)]
pub struct ResetPasswordInput {
    /// The token of the link: what follows `#token=`.
    pub token: String,
    /// The new password.
    pub password: String,
}

/// The answer to a new password.
#[derive(SimpleObject, Default)]
pub struct ResetPasswordPayload {
    /// Why the password is as it was.
    pub user_errors: Vec<UserError>,
}

/// A forgotten password.
#[derive(Default)]
pub struct ResetMutation;

/// A forgotten password.
#[Object]
impl ResetMutation {
    /// Mails a link that sets a new password; earlier links are void. To an address without an account goes the news
    /// that it has none: the answer is the same. Counts against the same caps as codes. Codes: `MAIL_UNAVAILABLE`,
    /// `EMAIL_INVALID`, `CODE_RATE_LIMITED`.
    async fn request_reset(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: RequestResetInput,
    ) -> Result<RequestResetPayload, Error> {
        let (app, viewer) = (app(ctx)?, viewer(ctx)?);
        let page = app.links().reset();
        let locale = input.locale.into();
        let sent = app.accounts().request_reset(&input.email, locale, &page, &viewer.origin).await;
        match sent {
            Ok(life) => Ok(RequestResetPayload {
                valid_seconds: Some(seconds(life)),
                user_errors: Vec::new(),
            }),
            Err(failure) => {
                let user_errors = vec![refused(failure)?];
                Ok(RequestResetPayload { user_errors, ..RequestResetPayload::default() })
            }
        }
    }

    /// Sets a new password by the token of a mailed link, which is good once and for 30 minutes. All sessions of the
    /// account end; the address is told. Codes: `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON`,
    /// `RESET_INVALID`.
    async fn reset_password(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ResetPasswordInput,
    ) -> Result<ResetPasswordPayload, Error> {
        match app(ctx)?.accounts().reset_password(&input.token, &input.password).await {
            Ok(()) => Ok(ResetPasswordPayload::default()),
            Err(failure) => Ok(ResetPasswordPayload { user_errors: vec![refused(failure)?] }),
        }
    }
}
