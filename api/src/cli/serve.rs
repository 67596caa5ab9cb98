//! `yibu serve`: starts the server from arguments and environment, says where it listens, and stops it on
//! a signal. Must not hold what a test needs: that is in `runtime`.

use super::folder::a_folder;
use super::given::Given;
use super::numbers::whole;
use super::{Outcome, console, elsewhere, settings};
use crate::app::ServeConfig;
use crate::settings::kinds::LogFormat;
use crate::settings::{Problems, Settings};
use crate::telemetry::Telemetry;
use crate::{house, local, runtime};
use clap::Args;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Entropy, SystemClock, private};

/// Serve the product
///
/// Keeps everything in the data folder, which one server at a time may use. Needs a mail server (mail.smtp_url,
/// mail.from), since nobody could register without. With --dev it needs none: it listens on this machine alone,
/// shows the mails that it would send under /dev/mail, offers an explorer of the API under /graphql, and
/// house players (陪练) sit down at tables that lack people. Stops on SIGTERM and SIGINT: commands under way
/// are finished, sockets are told to come again. The address is written to FOLDER/address. Every setting can
/// also stand in a file or in the environment: see `yibu settings`.
#[derive(Args)]
pub(super) struct Serve {
    #[command(flatten)]
    given: Given,
    /// Show the settings and judge them as a start would, without serving
    #[arg(long)]
    check: bool,
    /// In development mode, no house players
    #[arg(long)]
    no_house: bool,
    /// In development mode, how long house players think, in milliseconds
    #[arg(
        long,
        default_value_t = 1000,
        value_name = "MS",
        allow_negative_numbers = true,
        value_parser = whole::<u32>(0..)
    )]
    think: u32,
}

impl Serve {
    pub(super) async fn run(self) -> Outcome {
        let loaded = self.given.load()?;
        let settings = &loaded.settings;
        let lines = settings.tracing.format == LogFormat::Json && !self.check;
        if self.check {
            settings::print(&loaded);
        }
        let config = servable(settings)?;
        if self.check {
            return Ok(ExitCode::SUCCESS);
        }
        let telemetry = Telemetry::begin(&settings.tracing, &settings.otlp, &settings.base.node.0)?;
        let tell: fn(String) = if lines { line } else { |text| console::note(text) };
        let done = self.serving(settings, config, tell).await;
        let failed = done.as_ref().err().filter(|_| lines);
        let failed = failed.map(|error| console::explained(error.as_ref()));
        if let Some(problem) = &failed {
            tracing::error!("{problem}");
        }
        telemetry.end().await;
        if failed.is_some() { Ok(ExitCode::FAILURE) } else { done }
    }

    async fn serving(self, settings: &Settings, config: ServeConfig, tell: fn(String)) -> Outcome {
        let data = settings.base.data.clone();
        a_folder(&data)?;
        elsewhere::beginnable(&data)?;
        let stop = CancellationToken::new();
        let served = runtime::serve(config, stop.clone()).await?;
        let (address, app) = (served.addr, Arc::clone(&served.app));
        if let Some(ops) = served.ops {
            tell(format!("figures and health for operators: http://{ops}/metrics"));
        }

        let local = local::listen(&data, Arc::clone(&app), address);
        let local =
            local.map_err(|error| format!("the local socket in {}: {error}", data.display()))?;
        let (leaving, beside) = (CancellationToken::new(), TaskTracker::new());
        let dev = settings.base.dev;
        let house = dev && !self.no_house;
        if house {
            let think = Span(i64::from(self.think));
            let settings = house::Settings { think, ..house::Settings::default() };
            let house = house::House::open(app, settings).await?;
            beside.spawn(house.run(leaving.clone()));
        }
        write_address(&data, address)?;
        console::line(if dev { welcome(&data, address, house) } else { served_at(&data, address) });

        stop_signal()?.await;
        tell("stopping: commands under way are finished first".to_owned());
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
}

/// What a server is started with by these settings, or why it is not: of `serve`, of its --check and of `doctor`.
pub(super) fn servable(
    settings: &Settings,
) -> Result<ServeConfig, Box<dyn std::error::Error + Send + Sync>> {
    let mut problems: Vec<String> = settings.check_mail().err().into_iter().collect();
    match settings.serve_config(Arc::new(SystemClock::new()), Entropy::system()?) {
        Ok(config) => {
            problems.extend(config.judge().err().map(|fault| fault.to_string()));
            if problems.is_empty() {
                return Ok(config);
            }
        }
        // A file that cannot be read may have been named already.
        Err(problem) if problems.contains(&problem) => {}
        Err(problem) => problems.push(problem),
    }
    Err(if problems.len() == 1 { problems.remove(0).into() } else { Problems(problems).into() })
}

/// A note where every line of the standard error is an object.
#[expect(clippy::needless_pass_by_value, reason = "the shape of the other way")]
fn line(text: String) {
    tracing::info!("{text}");
}

fn served_at(data: &Path, address: SocketAddr) -> String {
    format!("Yibu serves http://{address}/ from {}.\nStop with Ctrl-C.", data.display())
}

fn welcome(data: &Path, address: SocketAddr, house: bool) -> String {
    let house = if house {
        "house players sit down after 3 seconds at a table that lacks people"
    } else {
        "no house players"
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
    // Left by a server that was killed.
    let _ = std::fs::remove_file(&making);
    writeln!(private().write(true).create_new(true).open(&making)?, "{address}")?;
    std::fs::rename(making, data.join("address"))
}

/// Listens for the wish to stop from now on; what it gives ends with the first.
pub(super) fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
