//! `yibu replay --file`: the file that those who took part get, for operators. Through the running server, which holds
//! the nicknames, or without one. A match that runs has no file, and nothing here unseals it.

use super::super::folder::Folder;
use super::super::{Outcome, console};
use crate::app::replay_file::replay_file;
use crate::local::{self, Answer, Ask, AskFault};
use std::process::ExitCode;
use std::sync::Arc;
use yibu_domain::kernel::MatchId;
use yibu_infrastructure::accounts::{Accounts, AccountsDb, Settings};
use yibu_infrastructure::mail::NoMail;

pub(super) async fn run(folder: &Folder, match_id: MatchId) -> Outcome {
    let question = Ask::ReplayFile { match_id };
    let text = match local::ask(folder.site()?, &question, |_| {}).await {
        Ok(Answer::ReplayFile { text }) => text,
        Ok(_) => return Err("the server answered another question".into()),
        Err(AskFault::NoServer) => alone(folder, match_id).await?,
        Err(fault) => return Err(fault.into()),
    };
    let text = text.ok_or("there is a file only of a match that was started and has ended")?;
    console::document(text.trim_end());
    Ok(ExitCode::SUCCESS)
}

async fn alone(
    folder: &Folder,
    match_id: MatchId,
) -> Result<Option<String>, Box<dyn std::error::Error + Send + Sync>> {
    let opened = folder.read_log().await?;
    let db = AccountsDb::open_to_read(folder.accounts()).await?;
    let (clock, entropy) = (Arc::clone(&opened.clock), opened.entropy.clone());
    let accounts =
        Accounts::open(db.clone(), Arc::new(NoMail), clock, entropy, Settings::default()).await?;
    let made = replay_file(opened.log.as_ref(), &accounts, match_id).await;
    db.close().await;
    opened.log.close().await;
    Ok(made?.map(|file| file.text))
}
