//! An event store in this process that speaks the public Streams protocol over gRPC: append, read a stream, read
//! `$all`. It keeps everything in memory, can be told to lose its connections or to hold still at named points, and
//! can be cut off. Gone with the runtime that it was started on.
#![expect(
    clippy::result_large_err,
    reason = "the gRPC status is the shape that the protocol answers with"
)]

mod grpc;
mod line;
mod messages;
mod store;

use grpc::{Features, Streams};
use line::Line;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::Store;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tonic::transport::server::TcpIncoming;

/// Where an append can be made to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// It has arrived and nothing of it is stored.
    BeforeStoring,
    /// It is stored, and its sender does not know.
    AfterStoring,
}

/// What happens there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mishap {
    /// Every connection breaks.
    Cut,
    /// Nothing, until [`EventStore::let_go`].
    Hold,
}

/// A running server. Clones are the same server.
#[derive(Clone)]
pub struct EventStore {
    shared: Arc<Shared>,
}

struct Shared {
    line: Arc<Line>,
    store: Mutex<Store>,
    /// What happens to how many of the next appends.
    plan: Mutex<Option<(Point, Mishap, usize)>>,
    held: watch::Sender<usize>,
    open: watch::Sender<bool>,
}

impl EventStore {
    /// A server on a free port of the loopback.
    ///
    /// # Panics
    /// There is no port to listen on.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let line = Arc::new(Line::to(listener.local_addr().expect("an address")).await);
        Line::up(&line).await;
        let shared = Arc::new(Shared {
            line,
            store: Mutex::new(Store::new()),
            plan: Mutex::new(None),
            held: watch::Sender::new(0),
            open: watch::Sender::new(true),
        });
        let incoming = TcpIncoming::from_listener(listener, true, None).expect("it listens");
        let server = tonic::transport::Server::builder()
            .add_service(Streams(Arc::clone(&shared)))
            .add_service(Features)
            .serve_with_incoming(incoming);
        tokio::spawn(server);
        Self { shared }
    }

    /// What a client connects to.
    pub fn url(&self) -> String {
        format!("esdb://{}?tls=false&discoveryInterval=5", self.shared.line.outside)
    }

    /// Lets something happen to the next `times` appends.
    pub fn plan(&self, point: Point, mishap: Mishap, times: usize) {
        self.shared.open.send_replace(mishap != Mishap::Hold);
        *self.shared.plan() = Some((point, mishap, times));
    }

    /// Waits until so many appends are held at once.
    ///
    /// # Panics
    /// The server is gone.
    pub async fn holds(&self, count: usize) {
        let mut held = self.shared.held.subscribe();
        held.wait_for(|held| *held >= count).await.expect("the server lives");
    }

    /// Waits until no append is held: the server has noticed that their senders are gone.
    ///
    /// # Panics
    /// The server is gone.
    pub async fn holds_none(&self) {
        let mut held = self.shared.held.subscribe();
        held.wait_for(|held| *held == 0).await.expect("the server lives");
    }

    /// Cuts the server off until [`EventStore::up`].
    pub async fn down(&self) {
        self.shared.line.down().await;
    }

    /// Lets clients reach the server again.
    pub async fn up(&self) {
        Line::up(&self.shared.line).await;
    }

    /// Lets every held append go on, and plans nothing more.
    pub fn let_go(&self) {
        *self.shared.plan() = None;
        self.shared.open.send_replace(true);
    }
}

impl Shared {
    fn plan(&self) -> MutexGuard<'_, Option<(Point, Mishap, usize)>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
