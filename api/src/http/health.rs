//! `/health/live` and `/health/ready`. Must not tell strangers anything about the inside.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the server takes work. Cheap to clone; not ready at first.
#[derive(Clone, Default)]
pub struct Readiness(Arc<AtomicBool>);

impl Readiness {
    /// Says that work is welcome, or (drain, stop, store away) that it is not.
    pub fn set(&self, ready: bool) {
        self.0.store(ready, Ordering::Release);
    }

    /// Whether work is welcome.
    pub fn is_ready(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The two paths.
pub fn routes(readiness: Readiness) -> Router {
    Router::new()
        .route("/health/live", get(|| async { answer(StatusCode::OK, "live") }))
        .route("/health/ready", get(ready))
        .with_state(readiness)
}

async fn ready(State(readiness): State<Readiness>) -> impl IntoResponse {
    if readiness.is_ready() {
        answer(StatusCode::OK, "ready")
    } else {
        answer(StatusCode::SERVICE_UNAVAILABLE, "not ready")
    }
}

fn answer(status: StatusCode, text: &'static str) -> impl IntoResponse {
    (status, [(header::CACHE_CONTROL, "no-store")], text)
}
