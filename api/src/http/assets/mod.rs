//! The web client: hashed files that never change, a few that are asked for anew, and its one page for every
//! path that the server does not own. Must not build anything; a client that is not there is said plainly.

mod client;
mod encoding;

pub use client::Client;

use self::client::{File, Variant};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// What the client's page and its worker may do: nothing inline, nothing from elsewhere, markup from text only
/// by the client's own rule. The client's previews run under the same words.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types yibu";

/// For files whose name says what is in them.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// For names that stay while the content changes: kept, but asked for anew each time.
const ASK: &str = "no-cache";
/// For answers that the next build may contradict.
const NEVER: &str = "no-store";

/// The client's one page.
const PAGE: &str = "index.html";
/// First parts of paths that are never pages of the client, whether or not something stands there today.
const OWNED: [&str; 6] = ["assets", "dev", "graphql", "health", "metrics", "schemas"];

/// What the handlers share.
struct Shelf {
    client: Client,
    unbuilt: String,
}

/// Every path that no other door has. `unbuilt` is the page that is shown while there is no client.
pub fn routes(client: Client, unbuilt: String) -> Router {
    // Two routes have names of their own for the figures; the rest is whatever else somebody asks for.
    Router::new()
        .route("/", get(answer))
        .route("/assets/{*name}", get(answer))
        .fallback(answer)
        .with_state(Arc::new(Shelf { client, unbuilt }))
}

async fn answer(State(shelf): State<Arc<Shelf>>, request: Request) -> Response {
    let name = request.uri().path().trim_start_matches('/');
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return missing();
    }
    if let Some(file) = shelf.client.file(name) {
        return send(name, file, request.headers());
    }
    let first = name.split('/').next().unwrap_or_default();
    if name.contains('.') || OWNED.contains(&first) {
        return missing();
    }
    shelf.client.file(PAGE).map_or_else(
        || {
            ([(header::CACHE_CONTROL, NEVER)], super::pages::page(shelf.unbuilt.clone()))
                .into_response()
        },
        |file| send(PAGE, file, request.headers()),
    )
}

/// Nothing is here; a build that comes may have it.
fn missing() -> Response {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, NEVER)]).into_response()
}

/// A file in the form that the browser takes best, or the word that its own copy is still good.
fn send(name: &str, file: &File, asked: &HeaderMap) -> Response {
    let Variant { coding, bytes, tag } = file.best(asked);
    let mut response = if knows(asked, tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kind = [(header::CONTENT_TYPE, file.kind())];
        let mut full = (kind, bytes.clone()).into_response();
        if let Some(coding) = coding {
            let name = HeaderValue::from_static(coding.name());
            full.headers_mut().insert(header::CONTENT_ENCODING, name);
        }
        full
    };
    let headers = response.headers_mut();
    let keep = if name.starts_with("assets/") { FOREVER } else { ASK };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::ETAG, tag.clone());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Also with a 304: its headers replace those of the browser's copy.
    if matches!(name, PAGE | "sw.js") {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    response
}

/// Whether the browser has this very content. Proxies may have marked the tag as weak.
fn knows(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    let tags = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    tags.flat_map(|list| list.split(','))
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == "*" || one.as_bytes() == tag.as_bytes())
}
