//! `yibu admin suspend` and `reinstate`: the way back for a site whose administrators cannot log in. Through the
//! running server, or without one; noted in the log either way.

use super::folder::Folder;
use super::{Outcome, console};
use crate::app::BUILD;
use crate::local::{self, Answer, Ask, AskFault};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::{PlayerId, Reason};
use yibu_infrastructure::accounts::{Accounts, AccountsDb, Settings};
use yibu_infrastructure::executor::Executor;
use yibu_infrastructure::mail::NoMail;

/// Whom, and why.
#[derive(Args)]
pub(super) struct Standing {
    /// The address of the player's account
    #[arg(value_name = "EMAIL")]
    email: String,
    /// Why, as a code of a-z, 0-9 and underscores, for instance fair_play
    #[arg(long, value_name = "CODE")]
    reason: Reason,
}

/// Does it and says of whom.
pub(super) async fn run(folder: &Folder, whom: Standing, suspended: bool, json: bool) -> Outcome {
    let (email, reason) = (whom.email.clone(), whom.reason.clone());
    let question = Ask::Standing { email, suspended, reason };
    let player = match local::ask(folder.site()?, &question, |_| {}).await {
        Ok(Answer::Standing { player }) => player,
        Ok(_) => return Err("the server answered another question".into()),
        Err(AskFault::NoServer) => alone(folder, whom, suspended).await?,
        Err(fault) => return Err(fault.into()),
    };
    if json {
        console::json(&json!({ "player": player, "suspended": suspended }))?;
    } else {
        let now = if suspended { "suspended" } else { "not suspended" };
        console::line(format!("{player} is {now}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Without a server. Seats are left by the next one: it looks for whoever is barred and may still sit.
async fn alone(
    folder: &Folder,
    whom: Standing,
    suspended: bool,
) -> Result<PlayerId, Box<dyn std::error::Error + Send + Sync>> {
    let opened = folder.write_log().await?;
    let db = AccountsDb::open(folder.accounts()).await?;
    let (clock, entropy) = (Arc::clone(&opened.clock), opened.entropy.clone());
    let accounts =
        Accounts::open(db.clone(), Arc::new(NoMail), clock, entropy, Settings::default()).await?;
    let (log, clock) = (Arc::clone(&opened.log), Arc::clone(&opened.clock));
    let players = Executor::new(log, clock, opened.entropy.clone(), "command-line", BUILD, 1);
    let Standing { email, reason } = whom;
    let done =
        local::standing(&accounts, &players, &opened.entropy, &email, suspended, reason).await;
    let done = match done {
        Ok(player) if suspended => accounts.suspend(player).await.map(|()| player),
        Ok(player) => accounts.reinstate(player).await.map(|()| player),
        Err(problem) => {
            db.close().await;
            opened.log.close().await;
            return Err(problem.into());
        }
    };
    db.close().await;
    opened.log.close().await;
    Ok(done?)
}
