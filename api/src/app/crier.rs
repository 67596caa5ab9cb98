//! Keeps at hand what is announced to everybody, so that open pages hear of a change from whichever node made it. Must
//! not announce anything itself.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use yibu_domain::site::{Announcement, SITE, Site};
use yibu_infrastructure::executor::Executor;
use yibu_infrastructure::log::port::EventLog;

/// However often the log grows, it is looked at no more often than this.
const PAUSE: Duration = Duration::from_secs(1);

/// The longest that a look which failed stays the last one.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Follows what is announced until `stop`.
pub(super) async fn run(
    log: Arc<dyn EventLog>,
    site: Executor<Site>,
    said: watch::Sender<Option<Announcement>>,
    stop: CancellationToken,
) {
    let mut changes = log.changes();
    let follow = async {
        loop {
            changes.borrow_and_update();
            match site.state(SITE).await {
                Ok(state) => {
                    said.send_if_modified(|said| {
                        let other = *said != state.announcement;
                        said.clone_from(&state.announcement);
                        other
                    });
                }
                Err(fault) => tracing::warn!(%fault, "what is announced cannot be read now"),
            }
            sleep(PAUSE).await;
            tokio::select! {
                () = sleep(LOOK_AGAIN) => {}
                grown = changes.changed() => if grown.is_err() { return },
            }
        }
    };
    stop.run_until_cancelled(follow).await;
}
