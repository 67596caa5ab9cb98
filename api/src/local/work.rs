//! What both the server and a command without a server do with the stores: rebuilds and commands to the site and to players.
//! Must hold the stores' locks, by being called only by who opened them.

use super::{Administrator, Change, Progress, Rebuilt};
use crate::app::LogFeed;
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::Handle;
use yibu_domain::kernel::{Actor, PlayerId, Reason, Span, Time};
use yibu_domain::players::{Player, PlayerCommand};
use yibu_domain::site::{SITE, Site, SiteCommand};
use yibu_infrastructure::accounts::Accounts;
use yibu_infrastructure::executor::{Executor, Request};
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::system::Entropy;
use yibu_infrastructure::workers::archiving::{self, Moved};
use yibu_projections::Views;
use yibu_projections::engine::Rebuilding;

/// The names of read models that are meant, each once; all where none is named.
///
/// # Errors
/// An unknown name.
pub(super) fn wanted(views: &Views, names: &[String]) -> Result<Vec<String>, String> {
    let known = views.names();
    if let Some(odd) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("there is no read model {odd:?}; there are {}", known.join(", ")));
    }
    let meant = known.into_iter().map(str::to_owned);
    Ok(meant.filter(|name| names.is_empty() || names.contains(name)).collect())
}

/// Builds the named read models anew, all of them when none is named, while others go on reading. Goes on
/// even if the caller goes away.
///
/// # Errors
/// An unknown name, before anything is begun; or the first rebuild that stopped.
pub async fn rebuild(
    views: &Views,
    log: Arc<dyn EventLog>,
    names: Vec<String>,
    progress: impl Fn(Progress) + Send + Sync + 'static,
) -> Result<Vec<Rebuilt>, String> {
    let names = wanted(views, &names)?;
    let (views, runtime) = (views.clone(), Handle::current());
    // On a thread of its own: it is long work, and its future stays on one thread.
    let work = tokio::task::spawn_blocking(move || {
        let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
        let feed = Arc::new(LogFeed::new(log));
        runtime.block_on(yibu_projections::rebuild(&views, feed, &wanted, |at| {
            let Rebuilding { name, position, head } = at;
            progress(Progress { name: name.to_owned(), position, head, joined: false });
        }))
    });
    let answers = work.await.map_err(|error| error.to_string())?;
    let rebuilt = answers.into_iter().map(|answer| {
        let done = answer.map_err(|error| error.to_string())?;
        Ok(Rebuilt { name: done.name, position: done.position, same: done.same })
    });
    rebuilt.collect()
}

/// Gives the site a command as the server itself.
///
/// # Errors
/// Its refusal, or a fault.
pub async fn site(
    site: &Executor<Site>,
    entropy: &Entropy,
    command: SiteCommand,
) -> Result<(), String> {
    let request = Request::new(SITE, command, Actor::System, entropy.uuid());
    site.execute(request).await.map(|_| ()).map_err(|error| error.to_string())
}

/// Moves closed matches to the archive in `folder`: those whose last event is `days` days old at `now`.
///
/// # Errors
/// In words; what was moved before stays moved.
pub async fn archive(
    log: &dyn EventLog,
    folder: &Path,
    now: Time,
    days: u16,
    progress: impl Fn(Progress) + Send + Sync,
) -> Result<Moved, String> {
    let head = log.head().await.map_err(|error| error.to_string())?.position;
    let before = now - Span::hours(24 * i64::from(days));
    let name = || "archive".to_owned();
    let tell = |position| progress(Progress { name: name(), position, head, joined: false });
    let moved = archiving::archive(log, folder, before, tell).await;
    moved.map_err(|fault| fault.to_string())
}

/// Changes the administrators, in the log first, and gives those that there are now.
///
/// # Errors
/// In words: no account has the address, or a fault.
pub async fn administrators(
    accounts: &Accounts,
    site: &Executor<Site>,
    entropy: &Entropy,
    change: &Change,
) -> Result<Vec<Administrator>, String> {
    match change {
        Change::List => {}
        Change::Grant { email } => {
            let player = player(accounts, email).await?;
            self::site(site, entropy, SiteCommand::GrantAdmin { player }).await?;
            accounts.grant_admin(player).await.map_err(|failure| failure.to_string())?;
        }
        Change::Revoke { email } => {
            let player = player(accounts, email).await?;
            self::site(site, entropy, SiteCommand::RevokeAdmin { player }).await?;
            accounts.revoke_admin(player).await.map_err(|failure| failure.to_string())?;
        }
    }
    administrators_of(accounts).await
}

/// The administrators that there are.
///
/// # Errors
/// The accounts cannot be read.
pub async fn administrators_of(accounts: &Accounts) -> Result<Vec<Administrator>, String> {
    let all = accounts.admins().await.map_err(|failure| failure.to_string())?;
    let all = all.into_iter().map(|admin| Administrator {
        player: admin.player,
        email: admin.email,
        granted: admin.granted,
    });
    Ok(all.collect())
}

/// Suspends the player with this address, or lets one in again, in the log alone: the caller makes the accounts
/// follow.
///
/// # Errors
/// In words: no account has the address, or a fault.
pub async fn standing(
    accounts: &Accounts,
    players: &Executor<Player>,
    entropy: &Entropy,
    email: &str,
    suspended: bool,
    reason: Reason,
) -> Result<PlayerId, String> {
    let player = player(accounts, email).await?;
    let command = if suspended {
        PlayerCommand::Suspend { reason }
    } else {
        PlayerCommand::Reinstate { reason }
    };
    let request = Request::new(player.0, command, Actor::System, entropy.uuid());
    players.execute(request).await.map_err(|error| error.to_string())?;
    Ok(player)
}

async fn player(accounts: &Accounts, email: &str) -> Result<PlayerId, String> {
    let found = accounts.player_by_email(email).await.map_err(|failure| failure.to_string())?;
    found.ok_or_else(|| "no account has this address".to_owned())
}
