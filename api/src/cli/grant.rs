//! `yibu admin grant`, `revoke` and `list`: who may act as administrator. Through the running server, or
//! without one; noted in the log either way.

use super::folder::Folder;
use super::{Outcome, console, replay};
use crate::app::BUILD;
pub(super) use crate::local::Change;
use crate::local::{self, Administrator, Answer, Ask, AskFault};
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::visible;
use yibu_infrastructure::accounts::{Accounts, AccountsDb, Settings};
use yibu_infrastructure::executor::Executor;
use yibu_infrastructure::mail::NoMail;

/// Does it and says who the administrators are now.
pub(super) async fn run(folder: &Folder, change: Change, json: bool) -> Outcome {
    let question = Ask::Administrators { change: change.clone() };
    let all = match local::ask(folder.site()?, &question, |_| {}).await {
        Ok(Answer::Administrators { all }) => all,
        Ok(_) => return Err("the server answered another question".into()),
        Err(AskFault::NoServer) => match change {
            Change::List => listed(folder).await?,
            change => alone(folder, &change).await?,
        },
        Err(fault) => return Err(fault.into()),
    };
    if json {
        console::json(&all)?;
    } else if all.is_empty() {
        console::line("no administrators");
    } else {
        for Administrator { player, email, granted } in &all {
            let email = visible(email.as_deref().unwrap_or("(account erased)"));
            console::line(format!("{player}  {email}  since {}", replay::instant(*granted)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Without a server, and without writing: whoever may only read the folder may ask.
async fn listed(
    folder: &Folder,
) -> Result<Vec<Administrator>, Box<dyn std::error::Error + Send + Sync>> {
    // Says what is there instead, where it is no data folder.
    let opened = folder.read_log().await?;
    opened.log.close().await;
    let db = AccountsDb::open_to_read(folder.accounts()).await?;
    let (clock, entropy) = (opened.clock, opened.entropy);
    let accounts =
        Accounts::open(db.clone(), Arc::new(NoMail), clock, entropy, Settings::default()).await?;
    let all = local::administrators_of(&accounts).await;
    db.close().await;
    Ok(all?)
}

async fn alone(
    folder: &Folder,
    change: &Change,
) -> Result<Vec<Administrator>, Box<dyn std::error::Error + Send + Sync>> {
    let opened = folder.write_log().await?;
    let db = AccountsDb::open(folder.accounts()).await?;
    let (clock, entropy) = (Arc::clone(&opened.clock), opened.entropy.clone());
    let accounts =
        Accounts::open(db.clone(), Arc::new(NoMail), clock, entropy, Settings::default()).await?;
    let (log, clock) = (Arc::clone(&opened.log), Arc::clone(&opened.clock));
    let site = Executor::new(log, clock, opened.entropy.clone(), "command-line", BUILD, 1);
    let done = local::administrators(&accounts, &site, &opened.entropy, change).await;
    db.close().await;
    opened.log.close().await;
    Ok(done?)
}
