//! What both the server and a command without a server do with the stores: rebuilds and commands to the site.
//! Must hold the stores' locks, by being called only by who opened them.

use super::{Progress, Rebuilt};
use crate::app::LogFeed;
use std::sync::Arc;
use tokio::runtime::Handle;
use yibu_domain::kernel::Actor;
use yibu_domain::site::{SITE, Site, SiteCommand};
use yibu_infrastructure::executor::{Executor, Request};
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::system::Entropy;
use yibu_projections::Views;

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
    let known = views.names();
    if let Some(odd) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("there is no read model {odd:?}; there are {}", known.join(", ")));
    }
    let (views, runtime) = (views.clone(), Handle::current());
    // On a thread of its own: it is long work, and its future stays on one thread.
    let work = tokio::task::spawn_blocking(move || {
        let wanted: Vec<&str> =
            if names.is_empty() { known } else { names.iter().map(String::as_str).collect() };
        let feed = Arc::new(LogFeed::new(log));
        runtime.block_on(yibu_projections::rebuild(&views, feed, &wanted, |at| {
            progress(Progress { name: at.name.to_owned(), position: at.position, head: at.head });
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
