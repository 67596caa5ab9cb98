//! What the doors need from the inside: who asks, and an engine that executes. Must not know the schema,
//! the sessions or any store; the composition root fills it in.

use super::limits::Class;
use crate::graphql::order::Plan;
use async_graphql::{Request, Response};
use axum::http::{HeaderMap, header};
use futures_util::stream::{BoxStream, StreamExt};
use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// What a request shows of who sends it. Prints none of it.
#[derive(Clone)]
pub struct Credentials {
    /// The `Cookie` headers as sent, joined by `; `.
    pub cookies: Option<String>,
    /// The token of `Authorization: Bearer …`, or of `authorization` in a web socket's first message.
    pub bearer: Option<String>,
    /// Where the request comes from, trusted proxies taken off.
    pub address: IpAddr,
    /// The `User-Agent`, cut to 200 bytes, for the list of sessions.
    pub agent: Option<String>,
}

impl Credentials {
    /// Reads them from a request's head.
    pub fn from_headers(headers: &HeaderMap, address: IpAddr) -> Self {
        let cookies: Vec<&str> = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .collect();
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        Self {
            cookies: (!cookies.is_empty()).then(|| cookies.join("; ")),
            bearer: text(header::AUTHORIZATION).and_then(bearer_token),
            address,
            agent: text(header::USER_AGENT).map(|agent| agent.chars().take(200).collect()),
        }
    }

    /// The value of one cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let pairs = self.cookies.as_deref()?.split(';');
        pairs
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

/// The token in an `Authorization` value of the scheme `Bearer`.
pub(super) fn bearer_token(value: &str) -> Option<String> {
    let (scheme, token) = value.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| token.to_owned())
}

/// Somebody who may ask; a visitor without an account is one too, if the gate says so.
#[derive(Clone, Debug)]
pub struct Caller<V> {
    /// What resolvers find as `ctx.data::<V>()`.
    pub viewer: V,
    /// Whose rate limits and socket places are used up; none for visitors.
    pub account: Option<Uuid>,
    /// Fires when the session ends: sockets are then closed with 4403.
    pub ended: CancellationToken,
}

/// Why nobody could be made of the credentials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuthFault {
    /// The credentials are wrong or have run out.
    Refused,
    /// They could not be checked now.
    Unavailable,
}

/// The inside, as the doors see it. Cheap to clone.
pub trait Gate: Clone + Send + Sync + 'static {
    /// Who asks; put into each request's data.
    type Viewer: Clone + Send + Sync + 'static;

    /// Finds out who asks.
    ///
    /// # Errors
    /// Wrong credentials, or no answer now. Missing ones are not wrong: they may make a visitor.
    fn authenticate(
        &self,
        credentials: Credentials,
    ) -> impl Future<Output = Result<Caller<Self::Viewer>, AuthFault>> + Send;

    /// Executes a query or a mutation; the order of keys in the answer is the engine's.
    fn run(&self, request: Request) -> impl Future<Output = Response> + Send;

    /// Executes a subscription; the order of keys in the answers is the engine's.
    fn stream(&self, request: Request) -> BoxStream<'static, Response>;

    /// Executes an admitted query or mutation and answers in the order of the request. The doors call this
    /// one; no gate writes its own.
    fn execute(&self, mut request: Request) -> impl Future<Output = Response> + Send {
        async move {
            let plan = plan(&mut request);
            let mut response = self.run(request).await;
            in_order(&plan, &mut response);
            response
        }
    }

    /// Executes an admitted subscription, each answer in the order of the request. The doors call this one;
    /// no gate writes its own.
    fn subscribe(&self, mut request: Request) -> BoxStream<'static, Response> {
        let plan = plan(&mut request);
        let answers = self.stream(request);
        answers
            .map(move |mut response| {
                in_order(&plan, &mut response);
                response
            })
            .boxed()
    }

    /// The narrower rate limit of a root field, besides that of its operation.
    fn class_of(&self, root: &str) -> Option<Class> {
        let _ = root;
        None
    }
}

/// Takes timing out of an answer: data in the order of the request, errors in the order of their places.
fn in_order(plan: &Plan, response: &mut Response) {
    plan.apply(&mut response.data);
    if response.errors.len() > 1 {
        response.errors.sort_by_cached_key(|error| {
            let place = error.locations.first().map(|place| (place.line, place.column));
            (place, format!("{:?}", error.path), error.message.clone())
        });
    }
}

/// The order that a request asks for. An admitted request carries its document; one that cannot be read gets
/// no data whose order could matter.
fn plan(request: &mut Request) -> Plan {
    let name = request.operation_name.clone();
    request.parsed_query().map(|document| Plan::of(document, name.as_deref())).unwrap_or_default()
}
