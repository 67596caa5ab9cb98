//! `yibu admin`: settings of the site and what becomes of its people, as events with a reason.

use super::announce::{Announce, Wait};
use super::folder::{Folder, Named};
use super::grant::{self, Change};
use super::numbers::whole;
use super::outage::{DeclareOutage, ListOutages, Release};
use super::standing::{self, Standing};
use super::{Outcome, console};
use crate::app::BUILD;
use crate::local::{self, Ask, AskFault};
use clap::{Args, Subcommand};
use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::Reason;
use yibu_domain::site::SiteCommand;
use yibu_infrastructure::executor::Executor;

/// Change settings of the site, its administrators, and who is barred
#[derive(Args)]
pub(super) struct Admin {
    #[command(subcommand)]
    setting: Setting,
    /// Print the result as JSON; times are in milliseconds since 1970
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

#[derive(Subcommand)]
enum Setting {
    /// Set how many matches a player may play at the same time
    ///
    /// Both limits are from 0 (no new ones) to 100. Matches that run are not touched.
    Limits {
        /// Full matches per player
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64>(0..=100))]
        full: i64,
        /// Seats taken over, per player
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64>(0..=100))]
        takeover: i64,
        /// Why, as a code of a-z, 0-9 and underscores, for instance load_test
        #[arg(long, value_name = "CODE")]
        reason: Reason,
    },
    Release(Release),
    Wait(Wait),
    Announce(Announce),
    Outage(DeclareOutage),
    Outages(ListOutages),
    /// Make a player an administrator
    ///
    /// It is noted in the log. Administrators are made here and nowhere else.
    Grant {
        /// The address of the player's account
        #[arg(value_name = "EMAIL")]
        email: String,
    },
    /// Make an administrator a player like others again
    Revoke {
        /// The address of the administrator's account
        #[arg(value_name = "EMAIL")]
        email: String,
    },
    /// Bar a player: sessions end, logging in is refused, every seat is left
    ///
    /// It is noted in the log. Without a server, the seats are left once one runs.
    Suspend(Standing),
    /// Let a suspended player in again
    Reinstate(Standing),
    /// List the administrators
    List,
}

impl Admin {
    pub(super) async fn run(self) -> Outcome {
        let (folder, json) = (&self.folder.find()?, self.json);
        match self.setting {
            Setting::Limits { full, takeover, reason } => {
                site(folder, SiteCommand::SetLimits { full, takeover, reason }).await?;
                if json {
                    console::json(&json!({ "fullLimit": full, "takeoverLimit": takeover }))?;
                } else {
                    console::line(format!(
                        "limits: full matches {full}, takeovers {takeover}, for each player"
                    ));
                }
                Ok(ExitCode::SUCCESS)
            }
            Setting::Release(command) => command.run(folder, json).await,
            Setting::Wait(command) => command.run(folder, json).await,
            Setting::Announce(command) => command.run(folder, json).await,
            Setting::Outage(command) => command.run(folder, json).await,
            Setting::Outages(ListOutages) => ListOutages::run(folder, json).await,
            Setting::Grant { email } => grant::run(folder, Change::Grant { email }, json).await,
            Setting::Revoke { email } => grant::run(folder, Change::Revoke { email }, json).await,
            Setting::Suspend(command) => standing::run(folder, command, true, json).await,
            Setting::Reinstate(command) => standing::run(folder, command, false, json).await,
            Setting::List => grant::run(folder, Change::List, json).await,
        }
    }
}

/// Gives the site a command, through the running server or without one.
pub(super) async fn site(
    folder: &Folder,
    command: SiteCommand,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let question = Ask::Site { command: command.clone() };
    match local::ask(folder.site()?, &question, |_| {}).await {
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
