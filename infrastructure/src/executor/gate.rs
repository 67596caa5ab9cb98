//! What stands before every command of a match. The executor knows only that it may have to wait here.

use async_trait::async_trait;
use yibu_domain::kernel::Time;

/// Lets commands and deadlines through while the clocks of matches can be trusted.
#[async_trait]
pub trait Gate: Send + Sync + 'static {
    /// The cheap question: may everything go on at `now`?
    fn is_open(&self, now: Time) -> bool;

    /// Does what must be done before anything may go on, together with everybody else who waits for it.
    ///
    /// # Errors
    /// It could not be done; the next caller tries again.
    async fn open(&self) -> Result<(), String>;
}
