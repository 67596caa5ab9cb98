//! What a server is started with. Must not read the environment or files: whoever starts the server does.

use super::HealthLimits;
use crate::http;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use yibu_infrastructure::accounts;
use yibu_infrastructure::executor;
use yibu_infrastructure::system::{Clock, Entropy};

/// Where the log is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogStore {
    /// In `log.db` in the data folder.
    Sqlite,
    /// In memory; for tests.
    Memory,
}

/// Where mails go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mail {
    /// Into the development mailbox.
    Development,
    /// Nowhere: whatever needs a mail is refused.
    None,
}

/// Everything that a server is started with.
#[derive(Clone)]
pub struct ServeConfig {
    /// The folder for everything that is kept.
    pub data: PathBuf,
    /// Where the log is kept.
    pub log: LogStore,
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Pages for developers, on loopback alone.
    pub development: bool,
    /// The server is reached by TLS: cookies are `Secure`, browsers are told to stay with TLS.
    pub tls: bool,
    /// Where mails go.
    pub mail: Mail,
    /// The doors.
    pub doors: http::Settings,
    /// Accounts: cost of hashing, caps.
    pub accounts: accounts::Settings,
    /// Executing commands: grace, cache.
    pub executor: executor::Settings,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The source of chance.
    pub entropy: Entropy,
    /// This node's name in the log.
    pub node: String,
    /// Running it: the operators' door, stopping, health.
    pub operations: Operations,
}

/// What operators decide about a server that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operations {
    /// The address of the operators' door: figures and health. Port 0 takes a free one.
    pub ops: Option<SocketAddr>,
    /// How long the server drains before it takes no more requests.
    pub drain: Duration,
    /// How long requests under way may take to finish after that.
    pub farewell: Duration,
    /// When the server is not ready.
    pub health: HealthLimits,
}

impl Default for Operations {
    fn default() -> Self {
        Self {
            ops: None,
            drain: Duration::ZERO,
            farewell: Duration::from_secs(10),
            health: HealthLimits::default(),
        }
    }
}

/// The program's version, as the log notes it.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");
