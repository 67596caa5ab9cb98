//! Around every request: a span with its id, figures by route and status, and the mark that it is under way.
//! Must not note anything that a client chose: no path, no query, no header.

use super::headers::id_of;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;
use tracing::field::Empty;

/// A middleware: `from_fn_with_state(under_way, observe)`. Must stand inside the one that gives ids.
pub async fn observe(
    State(under_way): State<TaskTracker>,
    request: Request,
    next: Next,
) -> Response {
    let _mark = under_way.token();
    let since = Instant::now();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let route = path.map_or_else(|| "none".to_owned(), |path| path.as_str().to_owned());
    let id = id_of(request.extensions());
    let span = tracing::info_span!("request", id, %route, status = Empty);
    let response = next.run(request).instrument(span.clone()).await;
    let status = response.status().as_u16();
    span.record("status", status);
    metrics::histogram!("yibu_http_seconds", "route" => route.clone()).record(since.elapsed());
    let labels = [("route", route), ("status", status.to_string())];
    metrics::counter!("yibu_http_requests_total", &labels).increment(1);
    response
}
