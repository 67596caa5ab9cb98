//! Whether a log and the accounts beside it belong together: each knows whom the other knows. One of the two alone
//! is a site that has lost half of itself, and must not be served. Must not repair anything.

use yibu_domain::players::Player;
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::port::{EventLog, ReadError};
use yibu_infrastructure::reach::cause;

/// Events read at a time.
const PAGE: usize = 256;

/// Whether a player ever registered here. The first ones stand near the log's beginning: no match is without them.
///
/// # Errors
/// The log cannot be read.
async fn knows_players(log: &dyn EventLog) -> Result<bool, ReadError> {
    let mut after = 0;
    loop {
        let page = log.read_all(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(false) };
        after = last.position;
        let mut ids = page.iter().filter_map(|event| aggregate_id::<Player>(&event.stream));
        if ids.any(|id| !id.is_nil()) {
            return Ok(true);
        }
    }
}

/// What speaks for the accounts that belong to a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Belonging {
    /// Neither knows a player yet.
    Young,
    /// Both know players.
    Together,
    /// Only one does: which is missing, and what helps.
    Apart(String),
}

/// One of the two cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The log.
    #[error(transparent)]
    Log(#[from] ReadError),
    /// The accounts.
    #[error("the accounts cannot be read: {}", cause(.0))]
    Accounts(sqlx::Error),
}

/// Looks at both. Safe beside other nodes: whoever registers has an account before the log hears of it, and the log
/// is begun before anybody can register.
///
/// # Errors
/// One of them cannot be read.
pub async fn belonging(log: &dyn EventLog, accounts: &Place) -> Result<Belonging, Unread> {
    let known = knows_players(log).await?;
    let there = accounts.has_players().await.map_err(Unread::Accounts)?;
    match (known, there) {
        (true, false) => {
            let missing = match accounts {
                Place::Folder(folder) if !folder.join("accounts.db").exists() => {
                    "accounts.db is missing"
                }
                Place::Folder(_) => "accounts.db knows nobody",
                Place::Postgres(_) => "the database holds no accounts",
            };
            Ok(Belonging::Apart(format!(
                "{missing}, though the log knows players: restore the accounts from a backup, or bring them along \
                 with `yibu import-accounts` from where the log came"
            )))
        }
        (false, true) if log.head().await?.position == 0 => {
            Ok(Belonging::Apart(
                "the log is empty, though there are accounts: restore the log from a backup, or bring it along with \
                 `yibu import-log`. To begin anew, take the accounts away"
                    .to_owned(),
            ))
        }
        (false, false) => Ok(Belonging::Young),
        (true, true) | (false, true) => Ok(Belonging::Together),
    }
}
