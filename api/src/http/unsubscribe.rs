//! `/unsubscribe/TOKEN`: stops turn mails without logging in, for people by a page with one button and for mail
//! programs by one click (RFC 8058). Must not do anything on a mere look: programs follow links by themselves.

use super::pages;
use async_trait::async_trait;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use yibu_infrastructure::mail::Locale;

/// A page with a form, its style and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

/// What stops turn mails.
#[async_trait]
pub trait Stop: Send + Sync + 'static {
    /// The language of whoever was mailed this token; `None` for what is no token, or nobody's any more.
    ///
    /// # Errors
    /// The store failed.
    async fn language(&self, token: &str) -> Result<Option<Locale>, String>;

    /// Stops that person's turn mails; the answer is that of [`Stop::language`].
    ///
    /// # Errors
    /// The store failed.
    async fn stop(&self, token: &str) -> Result<Option<Locale>, String>;
}

/// The door.
pub fn routes(stop: Arc<dyn Stop>) -> Router {
    Router::new().route("/unsubscribe/{token}", get(ask).post(done)).with_state(stop)
}

async fn ask(State(stop): State<Arc<dyn Stop>>, Path(token): Path<String>) -> Response {
    answer(stop.language(&token).await, |locale| {
        let words = words(locale);
        // Without an action, a form goes to where its page came from.
        let form = format!(
            "<p>{}</p><form method=\"post\"><button type=\"submit\">{}</button></form>",
            words.question, words.button
        );
        page(locale, words.title, &form)
    })
}

async fn done(State(stop): State<Arc<dyn Stop>>, Path(token): Path<String>) -> Response {
    answer(stop.stop(&token).await, |locale| {
        let words = words(locale);
        page(locale, words.title, &format!("<p>{}</p><p><a href=\"/\">Yibu</a></p>", words.done))
    })
}

fn answer(
    found: Result<Option<Locale>, String>,
    page: impl FnOnce(Locale) -> Response,
) -> Response {
    match found {
        Ok(Some(locale)) => page(locale),
        Ok(None) => (StatusCode::NOT_FOUND, "not found").into_response(),
        Err(fault) => {
            tracing::error!(%fault, "turn mails could not be stopped");
            (StatusCode::SERVICE_UNAVAILABLE, "try again later").into_response()
        }
    }
}

struct Words {
    title: &'static str,
    question: &'static str,
    button: &'static str,
    done: &'static str,
}

fn words(locale: Locale) -> Words {
    match locale {
        Locale::ZhHans => Words {
            title: "停止走棋邮件",
            question: "不再收到走棋邮件：轮到您、快要超时、已经超时，都不再通知。验证码和账号安全邮件照常发送。",
            button: "停止走棋邮件",
            done: "已停止。想再收到时，可在设置里重新打开。",
        },
        Locale::ZhHant => Words {
            title: "停止走棋郵件",
            question: "不再收到走棋郵件：輪到您、快要超時、已經超時，都不再通知。驗證碼和帳號安全郵件照常發送。",
            button: "停止走棋郵件",
            done: "已停止。想再收到時，可在設定裡重新打開。",
        },
        Locale::En => Words {
            title: "Stop turn mails",
            question: "You will get no more mails about turns: when it is yours, when it is about to run out, when it \
                ran out. Codes and mails about the safety of your account still come.",
            button: "Stop turn mails",
            done: "Stopped. You can turn them on again in the settings.",
        },
    }
}

fn page(locale: Locale, title: &str, body: &str) -> Response {
    let text = format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title>\
         <link rel=\"stylesheet\" href=\"/pages.css\"><main><h1>{title}</h1>{body}</main></html>",
        locale.tag()
    );
    let mut response = pages::page(text);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The address is the token.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
