//! Serving: listens, starts and stops everything in its order. Must not read the environment or wait for
//! signals: whoever calls fires the token.

use crate::app::{App, Operations, ServeConfig, StartFault, Workers};
use crate::http::doors::House;
use crate::http::health::Health;
use crate::http::listening::Listening;
use crate::http::router::{Parts, router};
use crate::http::session::Inside;
use crate::http::{Doors, limits, metrics, ops};
use axum::serve::ListenerExt as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long connections may take to close once every answer is given; then they are cut.
const LINGER: Duration = Duration::from_millis(500);
/// So long whoever asks is told that the server stops, on a connection that ends with the answer: one that is closed
/// under a question that is on its way would look like a fault to who asked it.
const LAST_WORD: Duration = Duration::from_millis(50);
/// How often the sockets that are left are counted meanwhile.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// A server that runs.
pub struct Served {
    /// The address that it listens on.
    pub addr: SocketAddr,
    /// The address of the operators' door, where there is one.
    pub ops: Option<SocketAddr>,
    /// The inside, for tools and tests of this process.
    pub app: Arc<App>,
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
pub async fn serve(
    mut config: ServeConfig,
    shutdown: CancellationToken,
) -> Result<Served, StartFault> {
    metrics::recorder();
    let (listener, addr) = listen(config.listen).await?;
    let ops_listener = match config.operations.ops {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    // Links lead to where it really listens.
    config.listen = addr;
    metrics::begin_store(config.log.store(&config.data).name());
    let (app, workers) = App::start(&config).await?;
    let labels = [("version", crate::app::BUILD.to_owned()), ("node", config.node.clone())];
    ::metrics::gauge!("yibu_build_info", &labels).set(1.0);
    let entropy = app.entropy().clone();
    let new_id: crate::http::doors::NewId = Arc::new(move || entropy.uuid());
    let public_url = config.public_url();
    let doors = Doors::new(
        Inside::new(Arc::clone(&app)),
        config.doors,
        limits::runtime_clock(),
        Arc::clone(&new_id),
        app.readiness().closing().clone(),
    );
    let house = Arc::clone(&doors.house);
    let health = health(&app);
    let (under_way, ending, cut) =
        (TaskTracker::new(), CancellationToken::new(), CancellationToken::new());
    let parts = Parts {
        doors,
        health: health.clone(),
        development: config.development,
        mailbox: app.mailbox().filter(|_| config.development).cloned(),
        public_url,
        stop: app.unsubscribing(),
        under_way: under_way.clone(),
        tls: config.tls,
        new_id,
    };
    let service = router(parts).into_make_service_with_connect_info::<SocketAddr>();
    // Tapped only because the library then tells the handlers the client's address.
    let listener = Listening::new(listener, cut.clone()).tap_io(|_| {});
    let ended = ending.clone();
    let server = axum::serve(listener, service)
        .with_graceful_shutdown(async move { ended.cancelled().await });
    let beside = TaskTracker::new();
    let ops = ops_listener.as_ref().map(|(_, address)| *address);
    if let Some((listener, _)) = ops_listener {
        let inside = Arc::downgrade(&app);
        let sample = move || inside.upgrade().iter().for_each(|app| app.sample());
        let (ended, router) = (cut.clone(), ops::router(health, Arc::new(sample)));
        let server = axum::serve(listener, router);
        beside.spawn(async move { ended.run_until_cancelled(server.into_future()).await });
    }
    beside.spawn(keep_figures(cut.clone()));
    let running = tokio::spawn({
        let app = Arc::clone(&app);
        async move {
            let operations = config.operations;
            let stopping =
                Stopping { app, workers, house, operations, under_way, ending, cut, beside };
            let server = tokio::spawn(server.into_future());
            shutdown.cancelled().await;
            stopping.stop(server).await;
        }
    });
    Ok(Served { addr, ops, app, running })
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartFault> {
    let fault = |error| StartFault::Listen(address, error);
    let listener = TcpListener::bind(address).await.map_err(fault)?;
    let bound = listener.local_addr().map_err(fault)?;
    Ok((listener, bound))
}

/// The health of an inside that may be gone: what answers to balancers does not keep the stores open.
fn health(app: &Arc<App>) -> Health {
    let inside = Arc::downgrade(app);
    let ailments = move || inside.upgrade().map_or_else(|| vec!["stopping"], |app| app.ailments());
    Health { readiness: app.readiness().clone(), ailments: Arc::new(ailments) }
}

/// What was recorded would pile up where nobody asks for the figures.
async fn keep_figures(stop: CancellationToken) {
    let figures = metrics::recorder();
    while stop.run_until_cancelled(tokio::time::sleep(metrics::UPKEEP)).await.is_some() {
        figures.run_upkeep();
    }
}

struct Stopping {
    app: Arc<App>,
    workers: Workers,
    house: Arc<House>,
    operations: Operations,
    /// Requests that are not answered yet.
    under_way: TaskTracker,
    /// Fired when no more connections are accepted.
    ending: CancellationToken,
    /// Fired when the connections that are left are cut.
    cut: CancellationToken,
    /// The operators' door and the like.
    beside: TaskTracker,
}

impl Stopping {
    /// Drains, lets open answers finish, cuts what holds on, then stops the inside.
    async fn stop(self, mut server: JoinHandle<std::io::Result<()>>) {
        self.app.readiness().drain();
        tokio::time::sleep(self.operations.drain).await;
        self.app.readiness().stop();
        tokio::time::sleep(LAST_WORD).await;
        self.ending.cancel();
        let answered = async {
            self.under_way.close();
            self.under_way.wait().await;
            // Sockets live on beside the requests until they have said good-bye.
            while self.house.census.total() > 0 {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        };
        if tokio::time::timeout(self.operations.farewell, answered).await.is_err() {
            tracing::warn!("requests did not finish in time and are cut");
        }
        // Ends at once when every connection is closed; who holds one open without asking is not waited for.
        let closed = tokio::time::timeout(LINGER, &mut server).await.is_ok();
        self.cut.cancel();
        if !closed && tokio::time::timeout(LINGER, &mut server).await.is_err() {
            server.abort();
        }
        self.beside.close();
        self.beside.wait().await;
        self.app.stop(self.workers).await;
    }
}
