//! The wire between clients and the server, which can be cut: every connection passes through here byte by byte.
//! Knows nothing of what is said.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinHandle};

/// A port of the loopback that leads to the server.
pub(super) struct Line {
    pub(super) outside: SocketAddr,
    inside: SocketAddr,
    tasks: Mutex<Tasks>,
}

#[derive(Default)]
struct Tasks {
    accepting: Option<JoinHandle<()>>,
    connections: Vec<AbortHandle>,
}

impl Line {
    /// A line that is down, to the server at `inside`.
    pub(super) async fn to(inside: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let outside = listener.local_addr().expect("an address");
        Self { outside, inside, tasks: Mutex::default() }
    }

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets clients connect.
    pub(super) async fn up(this: &Arc<Self>) {
        let listener = TcpListener::bind(this.outside).await.expect("the port is free again");
        let line = Arc::clone(this);
        let accepting = tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let Ok(mut server) = TcpStream::connect(line.inside).await else {
                    return;
                };
                let _ = client.set_nodelay(true);
                let _ = server.set_nodelay(true);
                let copying = tokio::spawn(async move {
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                });
                line.tasks().connections.push(copying.abort_handle());
            }
        });
        this.tasks().accepting = Some(accepting);
    }

    /// Ends every connection.
    pub(super) fn cut(&self) {
        self.tasks().connections.drain(..).for_each(|connection| connection.abort());
    }

    /// Ends every connection and takes no more.
    pub(super) async fn down(&self) {
        let accepting = self.tasks().accepting.take();
        if let Some(accepting) = accepting {
            accepting.abort();
            // Its port is free only then.
            let _ = accepting.await;
        }
        self.cut();
    }
}
