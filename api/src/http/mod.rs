//! The doors: HTTP, web socket and event stream before a [`Gate`]. Must not know the schema, the sessions
//! or any store.

pub mod accept;
pub mod answer;
pub mod assets;
pub mod body;
pub mod census;
pub mod dev_mail;
pub mod doors;
pub mod gate;
pub mod graphql_http;
pub mod graphql_sse;
pub mod graphql_ws;
pub mod headers;
pub mod health;
pub mod limits;
pub mod listening;
pub mod local_only;
pub mod metrics;
pub mod observe;
pub mod ops;
pub mod origin;
pub mod pages;
pub mod peer;
pub mod router;
pub mod schemas;
pub mod session;
pub mod unsubscribe;

pub use doors::{Doors, Settings};
pub use gate::{AuthFault, Caller, Credentials, Gate};

use axum::Router;
use axum::routing::get;

/// The GraphQL paths. Serve them with connection info (`SocketAddr`), or all clients share one address.
pub fn graphql_routes<G: Gate>(doors: Doors<G>) -> Router {
    Router::new()
        .route("/graphql", get(graphql_http::get::<G>).post(graphql_http::post::<G>))
        .route("/graphql/ws", get(graphql_ws::upgrade::<G>))
        .route("/graphql/stream", get(graphql_sse::get::<G>).post(graphql_sse::post::<G>))
        .with_state(doors)
}
