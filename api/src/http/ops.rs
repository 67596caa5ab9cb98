//! The operators' door: figures and health on an address of their own. Must not be reachable by players, and
//! must not change anything.

use super::health::{self, Health};
use super::metrics;
use axum::Router;
use std::sync::Arc;

/// The paths of the operators' door.
pub fn router(health: Health, sample: Arc<dyn Fn() + Send + Sync>) -> Router {
    health::routes(health).merge(metrics::routes(sample))
}
