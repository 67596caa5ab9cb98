//! Sweeps the accounts now and then: idle sessions end, old codes and counts go, and so do the marks on pieces of
//! matches whose retention is over. Must not stop a server that cannot sweep: the next time does it.

use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::Span;
use yibu_domain::matches::RuleSet;
use yibu_infrastructure::accounts::Accounts;
use yibu_infrastructure::executor::MatchExecutor;
use yibu_infrastructure::system::Clock;

/// How often.
const EVERY: Span = Span::hours(1);

/// Sweeps at once, for a server that never runs for long, and every hour until `stop`.
pub(super) async fn run(
    accounts: Accounts,
    matches: MatchExecutor,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    loop {
        let next = clock.now() + EVERY;
        match accounts.sweep().await {
            Ok(0) => {}
            Ok(ended) => tracing::info!(ended, "idle sessions have ended"),
            Err(failure) => tracing::warn!(%failure, "the accounts could not be swept"),
        }
        let marks = stop.run_until_cancelled(forget_marks(&accounts, &matches, clock.as_ref()));
        if let Some(Err(problem)) = marks.await {
            tracing::warn!(problem, "marks of ended matches could not be erased");
        }
        if stop.run_until_cancelled(clock.until(next)).await.is_none() {
            return;
        }
    }
}

/// Erases the marks of matches that players see no more. In those, nothing was noted for the whole retention.
async fn forget_marks(
    accounts: &Accounts,
    matches: &MatchExecutor,
    clock: &dyn Clock,
) -> Result<(), String> {
    let before = clock.now() - RuleSet::formal(Span(0)).retention;
    let marked = accounts.marked_matches(before).await.map_err(|failure| failure.to_string())?;
    for id in marked {
        let state = matches.state(id).await.map_err(|unread| unread.to_string())?;
        let public = state.as_deref().and_then(|state| Some(&state.live()?.sheet.public));
        if public.is_none_or(|public| public.record_expired) {
            accounts.drop_marks(id).await.map_err(|failure| failure.to_string())?;
        }
    }
    Ok(())
}
