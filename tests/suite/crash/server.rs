//! The binary as a process of its own, to be killed.

use crate::cli::binary;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The longest that a start may take on a busy machine.
const START: Duration = Duration::from_secs(60);

/// A server process.
pub(super) struct Server {
    data: PathBuf,
    address: String,
    process: Child,
}

fn spawn(data: &Path, listen: &str) -> Child {
    let mut command = Command::new(binary());
    command.args(["serve", "--dev", "--no-house", "--listen", listen]).arg("--data").arg(data);
    command.env("YIBU_LOG", "error").stdout(Stdio::piped()).kill_on_drop(true);
    command.spawn().expect("the binary starts")
}

impl Server {
    /// A new server on a free port.
    pub(super) async fn start(data: &Path) -> Self {
        let process = spawn(data, "127.0.0.1:0");
        let mut server = Self { data: data.to_owned(), address: String::new(), process };
        server.ready().await;
        server
    }

    /// The same server again, at the same address.
    pub(super) async fn start_again(&mut self) {
        self.process = spawn(&self.data, &self.address);
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
        let written = std::fs::read_to_string(self.data.join("address")).expect("a file for tools");
        assert_eq!(written.trim(), self.address);
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// SIGKILL.
    pub(super) async fn kill(&mut self) {
        self.process.kill().await.expect("a process of ours");
    }

    /// SIGTERM: the stop in order.
    pub(super) async fn stop(&mut self) {
        let id = self.process.id().expect("it runs").to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(sent.expect("kill is there").success());
        let ended = self.process.wait().await.expect("a process of ours");
        assert!(ended.success(), "{ended:?}");
        assert!(!self.data.join("yibu.sock").exists(), "the socket is gone");
    }

    /// Whether `yibu audit` finds nothing.
    pub(super) async fn audit(&self) -> bool {
        let mut command = Command::new(binary());
        command.arg("audit").arg("--data").arg(&self.data).stdout(Stdio::null());
        command.status().await.expect("the binary starts").success()
    }
}
