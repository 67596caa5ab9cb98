//! Serving: listens, starts and stops everything in its order. Must not read the environment or wait for
//! signals: whoever calls fires the token.

use crate::app::{App, ServeConfig, StartFault, Workers};
use crate::http::doors::House;
use crate::http::metrics::Metrics;
use crate::http::router::{Parts, router};
use crate::http::session::Inside;
use crate::http::{Doors, limits};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long open connections may take to finish once the server stops.
const FAREWELL: Duration = Duration::from_secs(10);
/// How often the sockets that are left are counted meanwhile.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// A server that runs.
pub struct Served {
    /// The address that it listens on.
    pub addr: SocketAddr,
    /// The inside, for tools and tests of this process.
    pub app: Arc<App>,
    /// The figures.
    pub metrics: Metrics,
    running: JoinHandle<()>,
}

impl Served {
    /// Returns when the server has stopped: no accepted command is lost, sockets were told to come again.
    pub async fn stopped(self) {
        // The task only ends early by a fault of our own, which has been logged by then.
        let _ = self.running.await;
    }
}

/// Serves until `shutdown` fires. Returns as soon as the server is ready.
///
/// # Errors
/// See [`StartFault`].
pub async fn serve(config: ServeConfig, shutdown: CancellationToken) -> Result<Served, StartFault> {
    let listener = TcpListener::bind(config.listen).await;
    let listener = listener.map_err(|error| StartFault::Listen(config.listen, error))?;
    let addr = listener.local_addr();
    let addr = addr.map_err(|error| StartFault::Listen(config.listen, error))?;
    let (app, workers) = App::start(&config).await?;
    let metrics = Metrics::default();
    let entropy = app.entropy().clone();
    let new_id: crate::http::doors::NewId = Arc::new(move || entropy.uuid());
    let closing = CancellationToken::new();
    let doors = Doors::new(
        Inside::new(Arc::clone(&app)),
        config.doors,
        limits::runtime_clock(),
        Arc::clone(&new_id),
        metrics.clone(),
        closing.clone(),
    );
    let house = Arc::clone(&doors.house);
    let parts = Parts {
        doors,
        readiness: app.readiness().clone(),
        mailbox: app.mailbox().filter(|_| config.development).cloned(),
        metrics: config.development.then(|| metrics.clone()),
        tls: config.tls,
        new_id,
    };
    let service = router(parts).into_make_service_with_connect_info::<SocketAddr>();
    let running = tokio::spawn({
        let app = Arc::clone(&app);
        async move {
            let stopping = Stopping { app, workers, house, closing: closing.clone() };
            let server = axum::serve(listener, service)
                .with_graceful_shutdown(async move { closing.cancelled().await });
            let server = tokio::spawn(server.into_future());
            shutdown.cancelled().await;
            stopping.stop(server).await;
        }
    });
    Ok(Served { addr, app, metrics, running })
}

struct Stopping {
    app: Arc<App>,
    workers: Workers,
    house: Arc<House>,
    closing: CancellationToken,
}

impl Stopping {
    /// Tells balancers and clients, lets open answers finish, then the inside.
    async fn stop(self, mut server: JoinHandle<std::io::Result<()>>) {
        self.app.readiness().set(false);
        self.closing.cancel();
        let finished = async {
            // Ends when every open answer has been given; a fault of it was logged by the server.
            let _ = (&mut server).await;
            // Sockets live on beside the server until they have said good-bye.
            while self.house.census.total() > 0 {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        };
        if tokio::time::timeout(FAREWELL, finished).await.is_err() {
            tracing::warn!("connections did not finish in time and are cut");
            server.abort();
        }
        self.app.stop(self.workers).await;
    }
}
