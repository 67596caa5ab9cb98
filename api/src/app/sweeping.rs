//! Sweeps the accounts now and then: idle sessions end, old codes and counts go. Must not stop a server that
//! cannot sweep: the next time does it.

use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::Accounts;
use yibu_infrastructure::system::Clock;

/// How often.
const EVERY: Span = Span::hours(1);

/// Sweeps at once, for a server that never runs for long, and every hour until `stop`.
pub(super) async fn run(accounts: Accounts, clock: Arc<dyn Clock>, stop: CancellationToken) {
    loop {
        let next = clock.now() + EVERY;
        match accounts.sweep().await {
            Ok(0) => {}
            Ok(ended) => tracing::info!(ended, "idle sessions have ended"),
            Err(failure) => tracing::warn!(%failure, "the accounts could not be swept"),
        }
        if stop.run_until_cancelled(clock.until(next)).await.is_none() {
            return;
        }
    }
}
