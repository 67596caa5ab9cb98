//! The binary as a process of its own, to be killed; over files or as a node on a shared database.

use crate::cli::binary;
use serde_json::Value;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::log::{StoreConfig, open_to_read};
use yibu_infrastructure::system::{Entropy, SystemClock};

/// The longest that a start may take on a busy machine.
const START: Duration = Duration::from_secs(60);
/// A rebuild is compared with what is served only when both stand at the same place, which a worker that has
/// just taken over reaches in the meantime.
const REBUILDS: u32 = 20;

/// What a server is started with.
#[derive(Clone)]
pub(crate) struct Node {
    data: PathBuf,
    /// The database that it keeps everything in; its folder where there is none.
    database: Option<String>,
    name: &'static str,
}

/// A server process.
pub(crate) struct Server {
    node: Node,
    address: String,
    process: Child,
}

impl Node {
    pub(crate) fn new(data: &Path, database: Option<&str>, name: &'static str) -> Self {
        Self { data: data.to_owned(), database: database.map(str::to_owned), name }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).arg("--data").arg(&self.data);
        command.env("YIBU_LOG", "error").env("YIBU_NODE", self.name).env_remove("DATABASE_URL");
        if let Some(url) = &self.database {
            command.env("DATABASE_URL", url);
        }
        command
    }

    fn spawn(&self, listen: &str) -> Child {
        let mut command = self.command(&["serve", "--dev", "--no-house", "--listen", listen]);
        command.stdout(Stdio::piped()).kill_on_drop(true);
        command.spawn().expect("the binary starts")
    }

    /// Whether `yibu audit` finds nothing.
    pub(crate) async fn audit(&self) -> bool {
        let mut command = self.command(&["audit"]);
        command.stdout(Stdio::null());
        command.status().await.expect("the binary starts").success()
    }

    /// The log, beside a server or after it.
    pub(crate) async fn log(&self) -> Arc<dyn EventLog> {
        let store = match &self.database {
            Some(url) => StoreConfig::Postgres { url: url.clone(), connections: 2, archive: None },
            None => StoreConfig::Sqlite { folder: self.data.clone() },
        };
        open_to_read(store, Arc::new(SystemClock::new()), Entropy::seeded(1)).await.expect("a log")
    }
}

impl Server {
    /// A new server on a free port.
    pub(crate) async fn start(node: Node) -> Self {
        let process = node.spawn("127.0.0.1:0");
        let mut server = Self { node, address: String::new(), process };
        server.ready().await;
        server
    }

    /// The same server again, at the same address.
    pub(crate) async fn start_again(&mut self) {
        self.process = self.node.spawn(&self.address);
        self.ready().await;
    }

    /// Waits until it says where it listens, which it does when it serves.
    async fn ready(&mut self) {
        let said = self.process.stdout.take().expect("its output is ours");
        let mut lines = BufReader::new(said).lines();
        let first = tokio::time::timeout(START, lines.next_line()).await;
        let first = first.expect("the server does not start").expect("readable");
        let first = first.expect("the server ended at its start");
        let address = first.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        address.expect("it says where it listens").clone_into(&mut self.address);
        let written = std::fs::read_to_string(self.node.data.join("address"));
        assert_eq!(written.expect("a file for tools").trim(), self.address);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn addr(&self) -> SocketAddr {
        self.address.parse().expect("an address")
    }

    /// SIGKILL.
    pub(crate) async fn kill(&mut self) {
        self.process.kill().await.expect("a process of ours");
    }

    /// SIGTERM: the stop in order.
    pub(crate) async fn stop(&mut self) {
        let id = self.process.id().expect("it runs").to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(sent.expect("kill is there").success());
        let ended = self.process.wait().await.expect("a process of ours");
        assert!(ended.success(), "{ended:?}");
        assert!(!self.node.data.join("yibu.sock").exists(), "the socket is gone");
    }

    /// Lets the server build every read model anew beside what it serves, and says how many there are. Each
    /// must be the same as the one before. Nobody may play meanwhile.
    pub(crate) async fn rebuild(&self) -> usize {
        for _ in 0..REBUILDS {
            let done = self.node.command(&["rebuild", "--json"]).output().await;
            let done = done.expect("the binary starts");
            let told = String::from_utf8_lossy(&done.stdout);
            assert!(done.status.success(), "{told}{}", String::from_utf8_lossy(&done.stderr));
            let models: Value = serde_json::from_str(&told).expect("JSON");
            let models = models.as_array().expect("a list");
            if models.iter().all(|model| model["same"] == true) {
                return models.len();
            }
        }
        panic!("the read models do not catch up");
    }
}
