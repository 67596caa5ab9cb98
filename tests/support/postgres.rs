//! PostgreSQL clusters of the tests' own: made from the installed binaries in a temporary folder, reached by a
//! Unix socket in it (and by a port of loopback, where that is asked for), gone with the process, however it ends.
//! Never touches a cluster that runs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// The operating system's account that owns the cluster where the tests run as root, which PostgreSQL refuses.
const ACCOUNT: &str = "postgres";

/// How a cluster is set.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether commits reach the disk. Off where only processes die; on in benches and wherever it is measured.
    pub durable: bool,
    /// Whether it listens at a free port of loopback besides, as it would for nodes on other machines.
    pub tcp: bool,
    /// Lines of `postgresql.conf`.
    pub lines: Vec<String>,
}

/// A running cluster. Dropping it ends it at once and removes its files.
pub struct Cluster {
    folder: TempDir,
    child: Child,
    /// The keeper ends the server when this closes, also when this process is killed.
    keep: Option<ChildStdin>,
    /// Of loopback; the socket's name has it, too.
    port: u16,
    databases: AtomicU32,
}

/// The one that the server's programs ask for where none is named.
const PORT: u16 = 5432;

impl Cluster {
    /// The one that the tests of a process share: not durable, a database for each test.
    ///
    /// # Panics
    /// The binaries are missing or do not start.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| {
            let lines = ["max_connections = 400", "max_wal_size = 128MB"].map(str::to_owned);
            Self::start(&Settings { lines: lines.into(), ..Settings::default() })
        })
    }

    /// A fresh cluster.
    ///
    /// # Panics
    /// The binaries are missing or do not start.
    pub fn start(settings: &Settings) -> Self {
        let folder = room();
        let made = as_owner(&folder, "initdb")
            .args([
                "--auth=trust",
                "--username=yibu",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync",
            ])
            .arg("--pgdata")
            .arg(folder.path().join("data"))
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        Self::serve(folder, settings)
    }

    /// A standby of `primary`, made by a base backup; it streams under `name`.
    ///
    /// # Panics
    /// The backup fails or the standby does not start.
    pub fn standby_of(primary: &Self, name: &str, settings: &Settings) -> Self {
        let folder = room();
        let (socket, port) = (primary.socket().display(), primary.port);
        let from = format!("host={socket} port={port} user=yibu application_name={name}");
        let made = as_owner(&folder, "pg_basebackup")
            .args([
                "--write-recovery-conf",
                "--wal-method=stream",
                "--checkpoint=fast",
                "--no-sync",
            ])
            .args(["--dbname", &from, "--pgdata"])
            .arg(folder.path().join("data"))
            .output()
            .expect("pg_basebackup runs");
        assert!(made.status.success(), "pg_basebackup: {}", String::from_utf8_lossy(&made.stderr));
        Self::serve(folder, settings)
    }

    fn serve(folder: TempDir, settings: &Settings) -> Self {
        let data = folder.path().join("data");
        let (address, port) = match settings.tcp {
            true => ("127.0.0.1", free_port()),
            false => ("", PORT),
        };
        let mut conf = format!(
            "listen_addresses = '{address}'\nport = {port}\nunix_socket_directories = '{}'\nlogging_collector = off\n\
             shared_buffers = 64MB\nautovacuum_naptime = 10s\n",
            folder.path().display()
        );
        if !settings.durable {
            conf.push_str("fsync = off\nfull_page_writes = off\n");
        }
        for line in &settings.lines {
            conf.push_str(line);
            conf.push('\n');
        }
        std::fs::write(data.join("yibu.conf"), conf).expect("writable");
        std::fs::set_permissions(data.join("yibu.conf"), std::fs::Permissions::from_mode(0o644))
            .expect("readable");
        let main = data.join("postgresql.conf");
        let text = std::fs::read_to_string(&main).expect("initdb wrote it");
        if !text.contains("include 'yibu.conf'") {
            std::fs::write(&main, text + "\ninclude 'yibu.conf'\n").expect("writable");
        }
        let (child, keep) = keeper(&folder);
        let cluster = Self { folder, child, keep, port, databases: AtomicU32::new(0) };
        cluster.wait();
        cluster
    }

    /// Starts the server again on its files after a [`Self::crash`] or its [`Self::end`].
    ///
    /// # Panics
    /// It does not start.
    pub fn restart(&mut self) {
        if let Some(mut keep) = self.keep.take() {
            // With a word the keeper leaves the files where they are.
            keep.write_all(b"again\n").expect("the keeper listens");
        }
        let _ = self.child.wait();
        (self.child, self.keep) = keeper(&self.folder);
        self.wait();
    }

    /// Waits until the server answers.
    fn wait(&self) {
        for _ in 0..600 {
            let ready = Command::new(binary("pg_isready"))
                .args(["--quiet", "--username=yibu", "--dbname=postgres", "--port"])
                .arg(self.port.to_string())
                .arg("--host")
                .arg(self.socket())
                .status()
                .expect("pg_isready runs");
            if ready.success() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("PostgreSQL does not start:\n{}", self.log());
    }

    /// The folder of its socket, for `host=`.
    pub fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// The port of its socket's name, and of loopback where it listens there.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The URL of one of its databases, through its socket.
    pub fn url(&self, database: &str) -> String {
        let socket = self.socket().display().to_string().replace('/', "%2F");
        format!("postgres://yibu@localhost:{}/{database}?host={socket}", self.port)
    }

    /// The URL of one of its databases, through loopback. It must have been asked for.
    pub fn tcp_url(&self, database: &str) -> String {
        format!("postgres://yibu@127.0.0.1:{}/{database}", self.port)
    }

    /// A new, empty database's URL.
    ///
    /// # Panics
    /// The server does not make it.
    pub fn database(&self) -> String {
        let name = format!("t{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.psql("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// Runs SQL and returns what `psql` prints, unaligned and without headings.
    ///
    /// # Panics
    /// The server refuses it.
    pub fn psql(&self, database: &str, sql: &str) -> String {
        let done = Command::new(binary("psql"))
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--username=yibu"])
            .args(["--set", "ON_ERROR_STOP=1", "--port", &self.port.to_string(), "--host"])
            .arg(self.socket())
            .args(["--dbname", database, "--command", sql])
            .output()
            .expect("psql runs");
        assert!(done.status.success(), "{sql}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }

    /// Kills the server and all that it started with SIGKILL, as a crash would.
    ///
    /// # Panics
    /// The server does not run.
    pub fn crash(&self) {
        let pid = self.postmaster();
        // A postmaster's children are not killed with it: each gets its own signal.
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        for process in [pid.as_str()].into_iter().chain(children.unwrap_or_default().split(' ')) {
            if !process.is_empty() {
                let _ = Command::new("kill").args(["-KILL", process]).status();
            }
        }
    }

    /// Ends the server in order, as an administrator does who starts it again. Returns when it has ended.
    ///
    /// # Panics
    /// The server does not run, or does not end.
    pub fn end(&self) {
        let pid = self.postmaster();
        let sent = Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
        assert!(sent.success(), "the server runs");
        let file = self.folder.path().join("data/postmaster.pid");
        for _ in 0..600 {
            // It takes its file away last.
            if !file.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("PostgreSQL does not end:\n{}", self.log());
    }

    /// Makes a standby the primary.
    ///
    /// # Panics
    /// It does not become one.
    pub fn promote(&self) {
        let done = self.psql("postgres", "SELECT pg_promote(true, 60)");
        assert_eq!(done, "t", "the standby is the primary now");
    }

    /// The process id of the server.
    ///
    /// # Panics
    /// The server does not run.
    pub fn postmaster(&self) -> String {
        let file = self.folder.path().join("data/postmaster.pid");
        let text = std::fs::read_to_string(file).expect("the server runs");
        text.lines().next().expect("a process id").to_owned()
    }

    /// What the server wrote to its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keep.take());
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback");
    listener.local_addr().expect("bound").port()
}

/// Starts the server under a keeper, which waits for its input to end: that happens with this process at the
/// latest. It then ends the server and removes its files.
fn keeper(folder: &TempDir) -> (Child, Option<ChildStdin>) {
    let keeper = format!(
        "'{}' -D '{folder}/data' >>'{folder}/log' 2>&1 & server=$!; echo started; read -r word; \
         kill -QUIT $server 2>/dev/null; wait $server; [ -n \"$word\" ] || rm -rf '{folder}'",
        binary("postgres").display(),
        folder = folder.path().display(),
    );
    let mut child = owned(folder, Path::new("/bin/sh"))
        .args(["-c", &keeper])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the keeper starts");
    let keep = child.stdin.take();
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a word");
    (child, keep)
}

/// A temporary folder that the cluster's owner may use.
fn room() -> TempDir {
    // Short: the name of a socket has to fit into 107 bytes.
    let folder = tempfile::Builder::new().prefix("yibu-pg").tempdir_in("/tmp").expect("a folder");
    if is_root() {
        let (user, group) = (id("-u"), id("-g"));
        chown(folder.path(), Some(user), Some(group)).expect("root may do that");
    }
    folder
}

/// One of PostgreSQL's programs, run by the cluster's owner.
fn as_owner(folder: &TempDir, program: &str) -> Command {
    owned(folder, &binary(program))
}

fn owned(folder: &TempDir, program: &Path) -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", ACCOUNT, "--regid", ACCOUNT, "--clear-groups", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(folder.path());
    command
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn id(which: &str) -> u32 {
    let child = Command::new("id").args([which, ACCOUNT]).stdout(Stdio::piped()).spawn();
    let mut text = String::new();
    let mut child = child.expect("id runs");
    child.stdout.take().expect("piped").read_to_string(&mut text).expect("text");
    let _ = child.wait();
    text.trim().parse().expect("the package of PostgreSQL makes its account")
}

/// The newest installed program of that name.
///
/// # Panics
/// PostgreSQL's server package is not installed.
pub fn binary(program: &str) -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = folders
        .filter_map(|entry| {
            let version: u32 = entry.file_name().to_str()?.parse().ok()?;
            let path = entry.path().join("bin").join(program);
            path.exists().then_some((version, path))
        })
        .max();
    newest.expect("PostgreSQL's server is installed (Debian: postgresql)").1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_serves_follows_and_is_promoted() {
        let primary = Cluster::start(&Settings::default());
        primary.psql("postgres", "CREATE TABLE t (n int); INSERT INTO t VALUES (7)");
        let standby = Cluster::standby_of(&primary, "second", &Settings::default());
        let folder = primary.socket().to_owned();
        primary.crash();
        standby.promote();
        assert_eq!(standby.psql("postgres", "SELECT n FROM t"), "7");
        assert!(standby.database().starts_with("postgres://yibu@localhost:5432/t0?host=%2Ftmp"));
        drop(primary);
        assert!(!folder.exists(), "its files are gone");
    }
}
