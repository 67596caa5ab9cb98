//! Sweeps out what time has ended: idle sessions, old codes, counts that no longer matter. To be called now
//! and then; nothing depends on how often.

use super::codes::DAY;
use super::commands::REMEMBERED;
use super::sessions::{IDLE, SessionId};
use super::throttle::FORGET;
use super::{Accounts, Failure, outbox, reminders, rows};

/// Sessions ended in one transaction: logging out does not wait for long.
const AT_ONCE: usize = 200;

impl Accounts {
    /// Ends idle sessions (their signals fire) and erases what is no longer needed. Returns how many
    /// sessions ended.
    ///
    /// # Errors
    /// The database failed; what was swept stays swept.
    pub async fn sweep(&self) -> Result<usize, Failure> {
        let inner = &self.inner;
        let now = inner.clock.now();
        for (statement, before) in [
            // Kept for a day, so that a late try is told that the code is old.
            ("DELETE FROM codes WHERE expires <= $1", now - DAY),
            ("DELETE FROM code_sends WHERE at <= $1", now - DAY),
            ("DELETE FROM login_failures WHERE last <= $1", now - FORGET),
            ("DELETE FROM outbox WHERE ended <= $1", now - outbox::KEPT),
            ("DELETE FROM notices WHERE at <= $1", now - reminders::NOTICES_KEPT),
            ("DELETE FROM account_commands WHERE at <= $1", now - REMEMBERED),
            ("DELETE FROM resets WHERE expires <= $1", now),
            ("DELETE FROM networks WHERE last_seen <= $1", now - IDLE),
        ] {
            sqlx::query(statement).bind(before.0).execute(inner.db.writing()).await?;
        }
        let found = sqlx::query("SELECT id, last_seen FROM sessions WHERE last_seen <= $1")
            .bind((now - IDLE).0)
            .fetch_all(inner.db.reading())
            .await?;
        let mut over = Vec::new();
        for row in &found {
            let id = SessionId(rows::id(row, "id")?);
            match inner.live.last_seen(id) {
                // Used since it was last stored.
                Some(seen) if now - seen < IDLE => {
                    sqlx::query(
                        "UPDATE sessions SET last_seen = $2 WHERE id = $1 AND last_seen < $2",
                    )
                    .bind(rows::bytes(id.0))
                    .bind(seen.0)
                    .execute(inner.db.writing())
                    .await?;
                }
                _ => over.push(id),
            }
        }
        let mut ended = 0;
        for some in over.chunks(AT_ONCE) {
            ended += self.end(some.to_vec(), Some(now - IDLE)).await?;
        }
        Ok(ended)
    }
}
