//! What every answer carries: the request's id and the headers that tell browsers to be careful.
//! Must not override a header that a handler has set on purpose.

use super::doors::NewId;
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use tokio_util::sync::CancellationToken;

/// The id of a request, in its extensions and in the answer's `x-request-id`. Ours, never the client's.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// The id of the request to which these extensions belong; empty where it was given none.
pub fn id_of(extensions: &Extensions) -> &str {
    extensions.get::<RequestId>().map_or("", |id| id.0.as_str())
}

/// What [`outfit`] needs.
#[derive(Clone)]
pub struct Outfit {
    /// The server is reached by TLS: browsers shall never use plain HTTP again (HSTS).
    pub tls: bool,
    /// New ids.
    pub new_id: NewId,
    /// Fires when the server drains or stops: each answer is then the last of its connection, so that nobody asks
    /// on one that is about to be closed.
    pub leaving: CancellationToken,
}

/// The policy for answers that are no pages; pages set their own.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// A middleware: `axum::middleware::from_fn_with_state(outfit, headers::outfit)`.
pub async fn outfit(State(outfit): State<Outfit>, mut request: Request, next: Next) -> Response {
    let id = (outfit.new_id)().simple().to_string();
    request.extensions_mut().insert(RequestId(id.clone()));
    let plain = request.version() <= Version::HTTP_11;
    let mut response = next.run(request).await;
    let keeps = plain && response.status() != StatusCode::SWITCHING_PROTOCOLS;
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("text/html"));
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id);
    }
    if keeps && outfit.leaving.is_cancelled() {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    default(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    default(headers, header::REFERRER_POLICY, "same-origin");
    default(headers, header::X_FRAME_OPTIONS, "DENY");
    let policy = if is_page { "frame-ancestors 'none'" } else { NO_PAGE };
    default(headers, header::CONTENT_SECURITY_POLICY, policy);
    if outfit.tls {
        default(headers, header::STRICT_TRANSPORT_SECURITY, "max-age=31536000; includeSubDomains");
    }
    response
}

fn default(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}
