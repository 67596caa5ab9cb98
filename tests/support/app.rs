//! A whole server in this process, for one test: a private folder, a free port, a clock that the test turns,
//! seeded chance, mails that can be read.

use super::client::Client;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use yibu_api::app::{App, LogStore, Mail, Operations, ServeConfig, StartFault};
use yibu_api::http;
use yibu_api::http::limits::{ClassQuotas, Quota, Quotas};
use yibu_api::runtime::{Served, serve};
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::accounts::{self, CodeCaps, Hashing};
use yibu_infrastructure::executor;
use yibu_infrastructure::system::{Entropy, ManualClock};

/// When every test begins.
pub const BEGINNING: Time = Time(1_790_000_000_000);

/// Shorter than any gap between signs of service that counts as an outage.
const STEP: Span = Span::seconds(50);

/// A server of the test's own.
pub struct TestApp {
    /// Its clock. Turning it by a minute or more at once is an outage; see [`TestApp::pass`].
    pub clock: ManualClock,
    /// Where it listens.
    pub addr: SocketAddr,
    /// The folder of its stores.
    pub folder: TempDir,
    served: Option<Served>,
    shutdown: CancellationToken,
    config: ServeConfig,
}

impl TestApp {
    /// A fresh server with its log in memory.
    pub async fn start() -> Self {
        Self::with_log(LogStore::Memory).await
    }

    /// A fresh server.
    pub async fn with_log(log: LogStore) -> Self {
        Self::with(|config| config.log = log).await
    }

    /// A fresh server that is started with something else than the others.
    pub async fn with(change: impl FnOnce(&mut ServeConfig)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::over_with(folder, ManualClock::at(BEGINNING), change).await
    }

    /// A fresh server that shares its clock with others.
    pub async fn on(clock: ManualClock, change: impl FnOnce(&mut ServeConfig)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::over_with(folder, clock, change).await
    }

    /// A server over a folder that another one left.
    pub async fn over(folder: TempDir, log: LogStore, clock: ManualClock) -> Self {
        Self::over_with(folder, clock, |config| config.log = log).await
    }

    async fn over_with(
        folder: TempDir,
        clock: ManualClock,
        change: impl FnOnce(&mut ServeConfig),
    ) -> Self {
        let mut config = config(&folder, clock.clone(), LogStore::Memory);
        change(&mut config);
        let (served, shutdown) = run(&config).await;
        Self { clock, addr: served.addr, folder, served: Some(served), shutdown, config }
    }

    /// The inside.
    pub fn app(&self) -> &Arc<App> {
        &self.served.as_ref().expect("the server runs").app
    }

    /// Where the operators' door is.
    pub fn ops(&self) -> SocketAddr {
        let served = self.served.as_ref().expect("the server runs");
        served.ops.expect("it has a door for operators")
    }

    /// A visitor.
    pub fn visitor(&self) -> Client {
        Client::new(self.addr)
    }

    /// A person who has just registered with the code from the mail.
    pub async fn player(&self, nickname: &str) -> Client {
        let client = self.visitor();
        let email = format!("{nickname}@example.org");
        client.request_code(&email).await;
        let code = self.code(&email).await;
        client.register(&email, &code, nickname).await;
        client
    }

    /// The code in the newest mail to an address.
    pub async fn code(&self, email: &str) -> String {
        let mailbox = self.app().mailbox().expect("tests have a mailbox");
        let letter = mailbox.latest_to(email).await.expect("readable").expect("a mail");
        let digits = |word: &&str| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit());
        let mut words = letter.plain.split(|c: char| !c.is_ascii_digit());
        words.find(digits).expect("a code in the mail").to_owned()
    }

    /// Lets time pass while the server serves: in steps that are no outage.
    pub async fn pass(&self, span: Span) {
        let end = yibu_infrastructure::system::Clock::now(&self.clock) + span;
        while yibu_infrastructure::system::Clock::now(&self.clock) < end {
            let next = yibu_infrastructure::system::Clock::now(&self.clock) + STEP;
            self.clock.set(next.min(end));
            self.app().outages().beat().await.expect("a sign of service");
        }
    }

    /// Stops the server and starts it again over the same folder.
    pub async fn restart(&mut self) {
        self.stop().await;
        let (served, shutdown) = run(&self.config).await;
        (self.addr, self.served, self.shutdown) = (served.addr, Some(served), shutdown);
    }

    /// Why a server does not start over the folder of this one, which was stopped.
    pub async fn refused(&self) -> StartFault {
        let started = serve(self.config.clone(), CancellationToken::new()).await;
        started.map(|served| served.addr).expect_err("the server does not start")
    }

    /// Stops the server as an operator would.
    pub async fn stop(&mut self) {
        self.shutdown.cancel();
        if let Some(served) = self.served.take() {
            let inside = Arc::downgrade(&served.app);
            served.stopped().await;
            // The last connections let go of the stores a moment later.
            while inside.strong_count() > 0 {
                tokio::task::yield_now().await;
            }
        }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

async fn run(config: &ServeConfig) -> (Served, CancellationToken) {
    let shutdown = CancellationToken::new();
    let served = serve(config.clone(), shutdown.clone()).await.expect("the server starts");
    (served, shutdown)
}

fn config(folder: &TempDir, clock: ManualClock, log: LogStore) -> ServeConfig {
    let plenty = Quota::new(1_000_000, 1_000_000);
    let plenty = ClassQuotas { account: plenty, network: plenty };
    let doors = http::Settings {
        quotas: Quotas {
            login: plenty,
            register: plenty,
            code: plenty,
            matching: plenty,
            mutation: plenty,
            query: plenty,
            connection: plenty,
        },
        ..http::Settings::default()
    };
    let many = u32::MAX;
    ServeConfig {
        data: folder.path().to_owned(),
        log,
        listen: (Ipv4Addr::LOCALHOST, 0).into(),
        development: true,
        tls: false,
        mail: Mail::Development,
        doors,
        accounts: accounts::Settings {
            hashing: Hashing::CHEAP,
            code_caps: CodeCaps { network_hour: many, network_day: many, all_hour: many },
            ..accounts::Settings::default()
        },
        executor: executor::Settings { grace: Span(0), ..executor::Settings::default() },
        clock: Arc::new(clock),
        entropy: Entropy::seeded(1),
        node: "test".to_owned(),
        operations: Operations::default(),
    }
}
