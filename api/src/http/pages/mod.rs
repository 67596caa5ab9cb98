//! The few pages that the server has beside the client: the one that stands in for a client that is not built,
//! and in development mode an explorer of the API. Everything comes from here: no page asks a third party for anything.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

/// Own styles and own scripts, nothing inline, nothing from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
     img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page while there is no client: how to build it, and in development mode where else to go.
pub fn home(development: bool) -> String {
    let links = if development { include_str!("development.html") } else { "" };
    include_str!("home.html").replace("<!-- development -->", links)
}

/// The paths of these pages; in production only their style.
pub fn routes(development: bool) -> Router {
    let css = || async { typed("text/css; charset=utf-8", include_str!("pages.css")) };
    let router = Router::new().route("/pages.css", get(css));
    if !development {
        return router;
    }
    router
        .route(
            "/dev/explorer.js",
            get(|| async { typed("text/javascript; charset=utf-8", include_str!("explorer.js")) }),
        )
        .route(
            "/dev/schema.graphql",
            get(|| async { typed("text/plain; charset=utf-8", crate::graphql::schema_text()) }),
        )
}

/// The explorer, as `GET /graphql` gives it to a browser in development mode.
pub fn explorer() -> Response {
    page(include_str!("explorer.html").to_owned())
}

/// A page under the strict policy.
pub fn page(text: String) -> Response {
    let mut response = Html(text).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

fn typed(kind: &'static str, text: impl Into<String>) -> Response {
    ([(header::CONTENT_TYPE, kind)], text.into()).into_response()
}
