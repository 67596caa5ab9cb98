//! The schemas of the files that people keep, for whoever checks one. Must not hold a schema of its own: the texts
//! stand in `api/schemas`.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

/// The schema of complete replays, version 2.
pub const REPLAY: &str = include_str!("../../schemas/yibu-replay.v2.schema.json");

/// Where they are.
pub fn routes() -> Router {
    let replay = || async {
        let headers = [
            (header::CONTENT_TYPE, "application/schema+json"),
            (header::CACHE_CONTROL, "no-cache"),
        ];
        (headers, REPLAY).into_response()
    };
    Router::new().route("/schemas/yibu-replay.v2.schema.json", get(replay))
}
