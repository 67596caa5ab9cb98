//! A server for one test.

use super::toy::ToyGate;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use yibu_api::http::headers::{Outfit, outfit};
use yibu_api::http::health::{Health, Readiness};
use yibu_api::http::limits::runtime_clock;
use yibu_api::http::{Doors, Settings, graphql_routes, health};

/// A running server; it stops with the test's runtime.
pub(super) struct House {
    pub(super) address: SocketAddr,
    pub(super) gate: ToyGate,
    pub(super) closing: CancellationToken,
    pub(super) readiness: Readiness,
    pub(super) doors: Doors<ToyGate>,
}

impl House {
    pub(super) async fn open() -> Self {
        Self::with(Settings::default()).await
    }

    pub(super) async fn with(settings: Settings) -> Self {
        let counter = Arc::new(AtomicU64::new(1));
        let new_id: yibu_api::http::doors::NewId =
            Arc::new(move || Uuid::from_u128(u128::from(counter.fetch_add(1, Ordering::Relaxed))));
        let (gate, closing) = (ToyGate::new(), CancellationToken::new());
        let readiness = Readiness::default();
        let health = Health { readiness: readiness.clone(), ailments: Arc::new(Vec::new) };
        let doors = Doors::new(
            gate.clone(),
            settings,
            runtime_clock(),
            Arc::clone(&new_id),
            closing.clone(),
        );
        let outer = Outfit { tls: true, new_id, leaving: CancellationToken::new() };
        let app = graphql_routes(doors.clone())
            .merge(health::routes(health))
            .merge(yibu_api::http::metrics::routes(Arc::new(|| {})))
            .layer(axum::middleware::from_fn_with_state(outer, outfit));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let service = app.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        Self { address, gate, closing, readiness, doors }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}
