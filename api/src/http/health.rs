//! `/health/live` and `/health/ready`, and the stages of a server's life. Tells balancers why in stable words;
//! must not tell strangers more of the inside.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio_util::sync::CancellationToken;

/// A stage of a server's life; none comes back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Stage {
    /// It opens its stores and makes good what happened before.
    Starting,
    /// It takes all work.
    Ready,
    /// It finishes what runs and begins nothing new: no match, no socket.
    Draining,
    /// It takes no work.
    Stopping,
}

/// Which stage the server is in. Cheap to clone; starting at first.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Inner>);

#[derive(Default)]
struct Inner {
    stage: AtomicU8,
    closing: CancellationToken,
}

impl Readiness {
    /// Work is welcome.
    pub fn open(&self) {
        self.enter(Stage::Ready);
    }

    /// Nothing new is begun from now on, and sockets are told to come again, to another node perhaps.
    pub fn drain(&self) {
        self.enter(Stage::Draining);
        self.0.closing.cancel();
    }

    /// No work is taken from now on.
    pub fn stop(&self) {
        self.enter(Stage::Stopping);
        self.0.closing.cancel();
    }

    fn enter(&self, stage: Stage) {
        self.0.stage.fetch_max(stage as u8, Ordering::AcqRel);
    }

    /// The stage of now.
    pub fn stage(&self) -> Stage {
        match self.0.stage.load(Ordering::Acquire) {
            0 => Stage::Starting,
            1 => Stage::Ready,
            2 => Stage::Draining,
            _ => Stage::Stopping,
        }
    }

    /// Whether all work is welcome.
    pub fn is_ready(&self) -> bool {
        self.stage() == Stage::Ready
    }

    /// Whether what runs goes on.
    pub fn serves(&self) -> bool {
        matches!(self.stage(), Stage::Ready | Stage::Draining)
    }

    /// Fires when the server drains or stops.
    pub fn closing(&self) -> &CancellationToken {
        &self.0.closing
    }
}

/// What the paths answer from. Cheap to clone.
#[derive(Clone)]
pub struct Health {
    /// The stage.
    pub readiness: Readiness,
    /// What ails the server in stable words; empty where nothing does.
    pub ailments: Arc<dyn Fn() -> Vec<&'static str> + Send + Sync>,
}

impl Health {
    /// Why the server is not ready; empty where it is.
    pub fn reasons(&self) -> Vec<&'static str> {
        match self.readiness.stage() {
            Stage::Starting => vec!["starting"],
            Stage::Ready => (self.ailments)(),
            Stage::Draining => vec!["draining"],
            Stage::Stopping => vec!["stopping"],
        }
    }
}

/// The two paths.
pub fn routes(health: Health) -> Router {
    let live = || async { answer(StatusCode::OK, "live", &[]) };
    Router::new()
        .route("/health/live", get(live))
        .route("/health/ready", get(ready))
        .with_state(health)
}

async fn ready(State(health): State<Health>) -> impl IntoResponse {
    let reasons = health.reasons();
    if reasons.is_empty() {
        answer(StatusCode::OK, "ready", &[])
    } else {
        answer(StatusCode::SERVICE_UNAVAILABLE, "not_ready", &reasons)
    }
}

fn answer(status: StatusCode, text: &str, reasons: &[&str]) -> impl IntoResponse + use<> {
    let body = Json(json!({ "status": text, "reasons": reasons }));
    (status, [(header::CACHE_CONTROL, "no-store")], body)
}
