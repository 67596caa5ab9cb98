//! Who asks: sessions by cookie or bearer token, and the engine behind the doors. Must not print a token.

use super::gate::{AuthFault, Caller, Credentials, Gate};
use super::limits::Class;
use crate::app::App;
use crate::graphql::YibuSchema;
use crate::graphql::subscription::Bookmark;
use crate::graphql::viewer::Viewer;
use async_graphql::{Request, Response, Value};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use yibu_infrastructure::accounts::{IDLE, Origin};

/// The cookie of a session.
pub const SESSION: &str = "yibu_session";
/// The cookie that marks a device; no credential.
pub const DEVICE: &str = "yibu_device";

/// How long a browser keeps a device mark: the longest that browsers allow.
const DEVICE_SECONDS: i64 = 400 * 24 * 3600;

/// How cookies are written.
#[derive(Clone, Copy, Debug)]
pub struct Cookies {
    /// The server is reached by TLS: cookies never go over plain HTTP.
    pub tls: bool,
}

impl Cookies {
    /// Sets the session's cookie.
    pub fn session(self, token: &str) -> String {
        self.cookie(SESSION, token, IDLE.0 / 1000)
    }

    /// Takes the session's cookie away.
    pub fn no_session(self) -> String {
        self.cookie(SESSION, "", 0)
    }

    /// Sets the device's mark.
    pub fn device(self, mark: &str) -> String {
        self.cookie(DEVICE, mark, DEVICE_SECONDS)
    }

    fn cookie(self, name: &str, value: &str, seconds: i64) -> String {
        let secure = if self.tls { "; Secure" } else { "" };
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
    }
}

/// The inside, as the doors see it.
#[derive(Clone)]
pub struct Inside {
    app: Arc<App>,
    schema: YibuSchema,
}

impl Inside {
    /// The engine over an inside.
    pub fn new(app: Arc<App>) -> Self {
        let schema = crate::graphql::schema(&app);
        Self { app, schema }
    }
}

impl Gate for Inside {
    type Viewer = Viewer;

    async fn authenticate(&self, credentials: Credentials) -> Result<Caller<Viewer>, AuthFault> {
        let accounts = self.app.accounts();
        let origin = Origin {
            ip: credentials.address,
            device: credentials.agent.clone().unwrap_or_default(),
            mark: credentials.cookie(DEVICE).map(str::to_owned),
        };
        let shown = credentials.bearer.as_deref();
        let Some(token) = shown.or_else(|| credentials.cookie(SESSION)) else {
            return Ok(visitor(origin));
        };
        let unavailable = |failure| {
            tracing::error!(problem = %failure, "a session could not be looked up");
            AuthFault::Unavailable
        };
        let session = match accounts.authenticate(token).await.map_err(unavailable)? {
            Some(session) => session,
            // A browser keeps a cookie whose session is over; its user must be able to log in again.
            None if shown.is_none() => return Ok(visitor(origin)),
            None => return Err(AuthFault::Refused),
        };
        let ended = accounts.watch(session.id).await.map_err(unavailable)?;
        Ok(Caller {
            account: Some(session.player.0),
            viewer: Viewer { session: Some(session), origin },
            ended,
        })
    }

    async fn run(&self, request: Request) -> Response {
        if !self.app.readiness().serves() {
            return not_ready();
        }
        self.schema.execute(request).await
    }

    fn stream(&self, mut request: Request) -> BoxStream<'static, Response> {
        if !self.app.readiness().serves() {
            return futures_util::stream::once(async { not_ready() }).boxed();
        }
        let last = match request.extensions.get("lastEventId") {
            Some(Value::String(last)) => Some(last.clone()),
            _ => None,
        };
        let bookmark = Bookmark::at(last);
        request = request.data(bookmark.clone());
        let answers = self.schema.execute_stream(request);
        answers
            .map(move |mut response| {
                if let Some(version) = bookmark.read() {
                    response.extensions.insert("version".to_owned(), Value::String(version));
                }
                response
            })
            .boxed()
    }

    fn class_of(&self, root: &str) -> Option<Class> {
        match root {
            "login" | "resetPassword" | "changePassword" | "changeEmail" | "deleteAccount" => {
                Some(Class::Login)
            }
            "register" => Some(Class::Register),
            "requestCode" | "requestReset" | "requestEmailChange" => Some(Class::Code),
            "matchNewGame" => Some(Class::Matching),
            _ => None,
        }
    }
}

fn visitor(origin: Origin) -> Caller<Viewer> {
    let viewer = Viewer { session: None, origin };
    Caller { viewer, account: None, ended: CancellationToken::new() }
}

fn not_ready() -> Response {
    let mut error =
        async_graphql::ServerError::new("the server is not ready; try again soon", None);
    error.extensions.get_or_insert_default().set("code", "UNAVAILABLE");
    Response::from_errors(vec![error])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_locked_up() {
        let (plain, tls) = (Cookies { tls: false }, Cookies { tls: true });
        assert_eq!(
            plain.session("t"),
            "yibu_session=t; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
        );
        assert!(tls.device("m").ends_with("; Secure"));
        assert!(plain.no_session().contains("Max-Age=0"));
    }
}
