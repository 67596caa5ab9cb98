//! How the mails fare that are to be sent, for administrators. Must not know who sends them, or what is in them.

use async_trait::async_trait;
use yibu_domain::kernel::Time;

/// The mails of a site, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MailQueueFigures {
    /// Mails to be sent that no try failed for.
    pub waiting: u64,
    /// Mails to be sent for which a try failed.
    pub delayed: u64,
    /// Since when the oldest of them was to go; `None` where none is late.
    pub oldest: Option<Time>,
    /// Sent in the last day.
    pub sent_last_day: u64,
    /// Given up in the last day.
    pub failed_last_day: u64,
}

/// Whoever counts the mails.
#[async_trait]
pub trait MailFigures: Send + Sync {
    /// The numbers at `now`.
    ///
    /// # Errors
    /// In words: they cannot be told.
    async fn figures(&self, now: Time) -> Result<MailQueueFigures, String>;
}

/// A site whose mails are handed over while their sender waits: nothing is ever queued.
pub struct Unqueued;

#[async_trait]
impl MailFigures for Unqueued {
    async fn figures(&self, _now: Time) -> Result<MailQueueFigures, String> {
        Ok(MailQueueFigures::default())
    }
}
