//! A real mail server as a process of its own (aiosmtpd, which `prepare.sh` installs), with certificates made for
//! it, that accepts, refuses, stalls or dies as the test orders. Asserts nothing about the product.

use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// Who may log in where a login is asked for; the password needs escapes in a URL.
pub const USER: &str = "yibu@mail.test";
const PASSWORD: &str = "p:w/1 é";
const LOGIN: &str = "yibu%40mail.test:p%3Aw%2F1%20%C3%A9@";
/// The longest wait for a word of the server on a busy machine.
const WORD: Duration = Duration::from_secs(60);

/// How the server is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    /// Without TLS.
    Plain,
    /// STARTTLS, demanded.
    StartTls,
    /// TLS from the first byte.
    Tls,
}

/// A letter as the server read it.
#[derive(Debug, Deserialize)]
pub struct Taken {
    /// The envelope's sender.
    pub sender: String,
    /// The envelope's receivers.
    pub to: Vec<String>,
    /// Whether it came by TLS.
    pub tls: bool,
    /// Who had logged in.
    pub login: Option<String>,
    /// The headers, decoded.
    pub headers: HashMap<String, String>,
    /// The texts by type.
    pub parts: HashMap<String, String>,
    /// What was attached.
    pub files: Vec<File>,
    /// Everything as it came.
    pub raw: String,
}

/// An attached file.
#[derive(Debug, Deserialize)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: String,
    /// What is in it.
    pub text: String,
}

/// The server.
pub struct SmtpServer {
    door: Door,
    login: bool,
    folder: TempDir,
    port: u16,
    running: Option<Running>,
}

struct Running {
    _process: Child,
    orders: ChildStdin,
    words: Lines<BufReader<ChildStdout>>,
}

impl SmtpServer {
    /// A server that accepts everything, with a login where that is asked for.
    ///
    /// # Panics
    /// `prepare.sh` did not run.
    pub async fn start(door: Door, login: bool) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        if door != Door::Plain {
            certify(folder.path()).await;
        }
        let mut server = Self { door, login, folder, port: 0, running: None };
        server.restart().await;
        server
    }

    /// The same server anew, at the same port.
    ///
    /// # Panics
    /// It does not start.
    pub async fn restart(&mut self) {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = std::env::var_os("YIBU_TEST_PYTHON");
        let python = python.map_or_else(|| own.join(".venv/bin/python"), PathBuf::from);
        let mut command = Command::new(python);
        command.arg(own.join("support/smtp/server.py"));
        command.args(["--port", &self.port.to_string(), "--door"]);
        command.arg(match self.door {
            Door::Plain => "plain",
            Door::StartTls => "starttls",
            Door::Tls => "tls",
        });
        command.arg("--certificate").arg(self.folder.path().join("server.pem"));
        command.arg("--key").arg(self.folder.path().join("server.key"));
        if self.login {
            command.args(["--user", USER, "--password", PASSWORD]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().expect("aiosmtpd, installed by tests/prepare.sh");
        let orders = process.stdin.take().expect("its input is ours");
        let words = BufReader::new(process.stdout.take().expect("its output is ours")).lines();
        self.running = Some(Running { _process: process, orders, words });
        let ready = self.word("ready").await;
        self.port = ready["port"].as_u64().and_then(|port| port.try_into().ok()).expect("a port");
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// How it is reached by this program.
    pub fn url(&self) -> String {
        let scheme = if self.door == Door::Tls { "smtps" } else { "smtp" };
        let query = if self.door == Door::Plain { "?tls=none" } else { "" };
        let login = if self.login { LOGIN } else { "" };
        format!("{scheme}://{login}127.0.0.1:{}{query}", self.port)
    }

    /// The file of the authority that vouches for it.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// From now on it does this: accept, refuse, defer, stall, hold, die, die-silent; `server.py` says
    /// what each is.
    ///
    /// # Panics
    /// It is gone.
    pub async fn order(&mut self, order: &str) {
        let running = self.running.as_mut().expect("it runs");
        running.orders.write_all(format!("{order}\n").as_bytes()).await.expect("it listens");
        assert_eq!(self.word("order").await["order"], order);
    }

    /// The next letter that it takes.
    ///
    /// # Panics
    /// Something else happens first.
    pub async fn taken(&mut self) -> Taken {
        let word = self.word("taken").await;
        serde_json::from_value(word).expect("a letter")
    }

    /// What it says next, which is of this kind.
    ///
    /// # Panics
    /// It is of another kind, or does not come.
    pub async fn word(&mut self, event: &str) -> Value {
        let running = self.running.as_mut().expect("it runs");
        let line = tokio::time::timeout(WORD, running.words.next_line()).await;
        let line = line.expect("the mail server says nothing").expect("readable");
        let word: Value =
            serde_json::from_str(&line.expect("the mail server is gone")).expect("JSON");
        assert_eq!(word["event"], event, "{word}");
        word
    }
}

/// An authority, and a certificate for this machine's address that it vouches for.
async fn certify(folder: &Path) {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    std::fs::write(
        folder.join("server.ext"),
        "subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=critical,CA:FALSE\n",
    )
    .expect("a file");
    let authority =
        ["req", "-x509", "-days", "30", "-subj", "/CN=Yibu tests", "-out", "authority.pem"];
    let wish = ["req", "-subj", "/CN=localhost", "-out", "server.csr", "-keyout", "server.key"];
    let signed = ["x509", "-req", "-in", "server.csr", "-days", "30", "-out", "server.pem"];
    let by = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"];
    for arguments in [
        [&authority[..], &["-keyout", "authority.key"], &key].concat(),
        [&wish[..], &key].concat(),
        [&signed[..], &by, &["-extfile", "server.ext"]].concat(),
    ] {
        let mut command = Command::new("openssl");
        let done = command.args(&arguments).current_dir(folder).output().await;
        let done = done.expect("openssl, installed by tests/prepare.sh");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
}
