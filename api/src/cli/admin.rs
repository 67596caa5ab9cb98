//! `yibu admin`: settings of the site, as events with a reason.

use super::folder::Folder;
use super::outage::{DeclareOutage, Release};
use super::{Outcome, console};
use crate::app::BUILD;
use crate::local::{self, Ask, AskFault};
use clap::{Args, Subcommand};
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::Reason;
use yibu_domain::site::SiteCommand;
use yibu_infrastructure::executor::Executor;

/// Change settings of the site
#[derive(Args)]
pub(super) struct Admin {
    #[command(subcommand)]
    setting: Setting,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Subcommand)]
enum Setting {
    /// Set how many matches a player may play at the same time
    ///
    /// Both limits are from 0 (no new ones) to 100. Matches that run are not touched.
    Limits {
        /// Full matches per player
        #[arg(long, value_name = "N")]
        full: i64,
        /// Seats taken over, per player
        #[arg(long, value_name = "N")]
        takeover: i64,
        /// Why, as a code of a-z, 0-9 and underscores, for instance load_test
        #[arg(long, value_name = "CODE")]
        reason: Reason,
    },
    Release(Release),
    Outage(DeclareOutage),
}

impl Admin {
    pub(super) async fn run(self) -> Outcome {
        match self.setting {
            Setting::Limits { full, takeover, reason } => {
                site(&self.folder, SiteCommand::SetLimits { full, takeover, reason }).await?;
                console::line(format!("limits: {full} full matches, {takeover} takeovers"));
                Ok(ExitCode::SUCCESS)
            }
            Setting::Release(command) => command.run(&self.folder).await,
            Setting::Outage(command) => command.run(&self.folder).await,
        }
    }
}

/// Gives the site a command, through the running server or without one.
pub(super) async fn site(
    folder: &Folder,
    command: SiteCommand,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let question = Ask::Site { command: command.clone() };
    match local::ask(folder.path(), &question, |_| {}).await {
        Ok(_) => return Ok(()),
        Err(AskFault::NoServer) => {}
        Err(fault) => return Err(fault.into()),
    }
    let opened = folder.write_log().await?;
    let log = Arc::clone(&opened.log);
    let executor =
        Executor::new(log, opened.clock, opened.entropy.clone(), "command-line", BUILD, 1);
    let done = local::site(&executor, &opened.entropy, command).await;
    opened.log.close().await;
    Ok(done?)
}
