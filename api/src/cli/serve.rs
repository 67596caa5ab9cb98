//! `yibu serve`: starts the server from arguments and environment, says where it listens, and stops it on
//! a signal. Must not hold what a test needs: that is in `runtime`.

use super::folder::Folder;
use super::{Outcome, console};
use crate::app::{LogStore, Mail, ServeConfig};
use crate::http;
use crate::http::limits::{ClassQuotas, Quota, Quotas};
use crate::{house, local, runtime};
use clap::{Args, ValueEnum};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Entropy, SystemClock};
use yibu_infrastructure::{accounts, executor};

/// Serve the product
///
/// Keeps everything in the data folder, which one server at a time may use. With --dev it listens on this
/// machine alone, shows the mails that it would send under /dev/mail, offers an explorer of the API under /graphql, and
/// house players (陪练) sit down at tables that lack people. Stops on SIGTERM and SIGINT: commands under way
/// are finished, sockets are told to come again. The address is written to FOLDER/address.
#[derive(Args)]
pub(super) struct Serve {
    #[command(flatten)]
    folder: Folder,
    /// The address to listen on; port 0 takes a free one
    #[arg(long, env = "YIBU_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// Development mode: this machine only
    #[arg(long, env = "YIBU_DEV")]
    dev: bool,
    /// In development mode, no house players
    #[arg(long, requires = "dev")]
    no_house: bool,
    /// In development mode, how long house players think, in milliseconds
    #[arg(long, requires = "dev", default_value_t = 1000, value_name = "MS")]
    think: u32,
    /// This node's name in the log
    #[arg(long, env = "YIBU_NODE", default_value = "node-1", value_name = "NAME")]
    node: String,
    /// How the program's own log is written, on the standard error
    #[arg(long, env = "YIBU_LOG_FORMAT", value_enum, default_value_t = LogFormat::Pretty)]
    log_format: LogFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// For a person
    Pretty,
    /// One JSON object a line
    Json,
}

impl Serve {
    pub(super) async fn run(self) -> Outcome {
        if !self.dev {
            return Err(
                "nobody could register: this version cannot send mail yet. Start it with --dev, which \
                 shows the mails under /dev/mail and listens on this machine only"
                    .into(),
            );
        }
        listen_to_tracing(self.log_format);
        let data = self.folder.data.clone();
        let stop = CancellationToken::new();
        let served = runtime::serve(self.config()?, stop.clone()).await?;
        let (address, app) = (served.addr, Arc::clone(&served.app));

        let local = local::listen(&data, Arc::clone(&app), address);
        let local =
            local.map_err(|error| format!("the local socket in {}: {error}", data.display()))?;
        let (leaving, beside) = (CancellationToken::new(), TaskTracker::new());
        if !self.no_house {
            let think = Span(i64::from(self.think));
            let settings = house::Settings { think, ..house::Settings::default() };
            let house = house::House::open(app, settings).await?;
            beside.spawn(house.run(leaving.clone()));
        }
        write_address(&data, address)?;
        console::line(welcome(&data, address, self.no_house));

        wait_for_signal().await?;
        console::note("stopping: commands under way are finished first");
        leaving.cancel();
        beside.close();
        beside.wait().await;
        local.stop().await;
        stop.cancel();
        served.stopped().await;
        // A reader may have taken it away.
        let _ = std::fs::remove_file(data.join("address"));
        Ok(ExitCode::SUCCESS)
    }

    fn config(&self) -> Result<ServeConfig, Box<dyn std::error::Error + Send + Sync>> {
        // One developer's machine is one network: what protects a site from one address is in the way here.
        let much = ClassQuotas { account: PLENTY, network: PLENTY };
        let quotas = Quotas {
            login: much,
            register: much,
            code: much,
            matching: much,
            mutation: much,
            query: much,
            connection: much,
        };
        let doors = http::Settings { explorer: true, quotas, ..http::Settings::default() };
        let many = 1_000_000;
        let code_caps =
            accounts::CodeCaps { network_hour: many, network_day: many, all_hour: many };
        Ok(ServeConfig {
            data: self.folder.data.clone(),
            log: LogStore::Sqlite,
            listen: self.listen,
            development: self.dev,
            tls: false,
            mail: Mail::Development,
            doors,
            accounts: accounts::Settings { code_caps, ..accounts::Settings::default() },
            executor: executor::Settings::default(),
            clock: Arc::new(SystemClock::new()),
            entropy: Entropy::system()?,
            node: self.node.clone(),
        })
    }
}

const PLENTY: Quota = Quota::new(1_000_000, 1_000_000);

fn welcome(data: &Path, address: SocketAddr, no_house: bool) -> String {
    let house = if no_house {
        "no house players"
    } else {
        "house players sit down after 3 seconds at a table that lacks people"
    };
    format!(
        "Yibu serves http://{address}/ from {} (development mode).\n  \
         http://{address}/graphql    try the API in a browser\n  \
         http://{address}/dev/mail   mails, with the codes for registering\n  \
         {house}; `yibu simulate 3 --url http://{address}` plays whole matches.\n\
         Stop with Ctrl-C.",
        data.display()
    )
}

/// Tells tools where this server listens. Complete or not there at all.
fn write_address(data: &Path, address: SocketAddr) -> std::io::Result<()> {
    let making = data.join(".address");
    std::fs::write(&making, format!("{address}\n"))?;
    std::fs::rename(making, data.join("address"))
}

async fn wait_for_signal() -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

fn listen_to_tracing(format: LogFormat) {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("YIBU_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let to = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Set already only where somebody embeds this program; theirs is as good.
    let _ = match format {
        LogFormat::Pretty => to.compact().try_init(),
        LogFormat::Json => to.json().try_init(),
    };
}
