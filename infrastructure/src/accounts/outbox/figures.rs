//! How the outbox fares, in numbers: for operators and administrators. Names no mail and nobody.

use super::super::codes::DAY;
use super::super::{Broken, rows};
use super::Outbox;
use sqlx::Row as _;
use yibu_domain::kernel::Time;

/// How the outbox fares at an instant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OutboxFigures {
    /// Open mails that no try failed for, those that are to go later included.
    pub waiting: u64,
    /// Open mails for which a try failed.
    pub retrying: u64,
    /// Since when the oldest open mail was to go; `None` where none is late.
    pub oldest: Option<Time>,
    /// Mails sent in the last day.
    pub sent: u64,
    /// Codes and links that were handed over in the last day without lying in the outbox.
    pub handed_over: u64,
    /// Mails given up in the last day: refused by the receiver's server, or expired.
    pub failed: u64,
}

impl Outbox {
    /// How it fares at `now`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn figures(&self, now: Time) -> Result<OutboxFigures, Broken> {
        let row = sqlx::query(
            "SELECT COUNT(*) FILTER (WHERE ended IS NULL AND tries = 0) AS waiting, \
             COUNT(*) FILTER (WHERE ended IS NULL AND tries > 0) AS retrying, \
             MIN(since) FILTER (WHERE ended IS NULL AND since <= $1) AS oldest, \
             COUNT(*) FILTER (WHERE outcome = 'sent') AS sent, \
             COUNT(*) FILTER (WHERE outcome IN ('refused', 'expired')) AS failed, \
             (SELECT COUNT(*) FROM code_sends WHERE at > $2) AS handed_over \
             FROM outbox WHERE ended IS NULL OR ended > $2",
        )
        .bind(now.0)
        .bind((now - DAY).0)
        .fetch_one(self.db.reading())
        .await?;
        let count = |column| rows::count(&row, column).map(u64::from);
        Ok(OutboxFigures {
            waiting: count("waiting")?,
            retrying: count("retrying")?,
            oldest: row.try_get::<Option<i64>, _>("oldest")?.map(Time),
            sent: count("sent")?,
            handed_over: count("handed_over")?,
            failed: count("failed")?,
        })
    }
}
