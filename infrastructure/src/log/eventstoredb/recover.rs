//! Finds commits that a crash or a silent server left between their steps, and brings them to their end. Any
//! node may do so for any other, also while that one lives: the same bytes are sent to the same revision again,
//! which stores them now, finds them stored, or is refused for good.

use super::Node;
use super::append::Answer;
use super::claims::{self, Fate};
use super::memos;
use super::reservation::Reservation;
use sqlx::{PgConnection, Row};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use yibu_domain::kernel::{Span, Time};

/// How often is looked.
const EVERY: Span = Span::seconds(2);

/// Younger reservations are most likely on their way still.
const LEFT_ALONE: Span = Span::seconds(5);

impl Node {
    /// Looks again and again until it is stopped.
    pub(super) async fn keep_recovering(&self, stop: &CancellationToken) {
        loop {
            let next = self.clock.now() + EVERY;
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.clock.until(next) => {}
            }
            let now = self.clock.now();
            if let Err(problem) = self.recover(now - LEFT_ALONE).await {
                tracing::warn!(problem, "reservations cannot be recovered now");
            }
            if let Err(error) = memos::prune(&self.pool, now).await {
                tracing::warn!(%error, "old memos cannot be pruned");
            }
        }
    }

    /// Settles what was reserved at `before` or earlier, as far as no other node is at it.
    pub(super) async fn recover(&self, before: Time) -> Result<(), String> {
        let (mut after, mut outcome) = (Uuid::nil(), Ok(()));
        while let Some((id, settled)) = self.recover_next(after, before).await? {
            // One that cannot be settled does not keep the others waiting.
            (after, outcome) = (id, outcome.and(settled));
        }
        outcome
    }

    /// The next reservation after `after`, and what became of it.
    async fn recover_next(
        &self,
        after: Uuid,
        before: Time,
    ) -> Result<Option<(Uuid, Result<(), String>)>, String> {
        // The row stays locked while the server is asked: whoever settles it meanwhile waits.
        let mut transaction = self.pool.begin().await.map_err(text)?;
        let connection: &mut PgConnection = &mut transaction;
        let found = sqlx::query(
            "SELECT id, body FROM es_reservations WHERE id > $1 AND reserved <= $2 \
             ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED",
        )
        .bind(after)
        .bind(before.0)
        .fetch_optional(&mut *connection)
        .await
        .map_err(text)?;
        let Some(row) = found else {
            return Ok(None);
        };
        let id: Uuid = row.try_get(0).map_err(text)?;
        let body: &str = row.try_get(1).map_err(text)?;
        let reservation: Reservation = serde_json::from_str(body)
            .map_err(|error| format!("reservation {id}, column {}", error.column()))?;
        let fate = match self.send(&reservation).await {
            Answer::Stored(receipt) => Fate::Stands(receipt),
            Answer::Passed(_) | Answer::Unfit(_) => Fate::Refused,
            Answer::InDoubt(error) => return Ok(Some((id, Err(error.to_string())))),
        };
        claims::settle(connection, &reservation, fate).await.map_err(text)?;
        transaction.commit().await.map_err(text)?;
        let stream = &reservation.stream;
        match fate {
            Fate::Stands(receipt) => {
                self.grew(receipt.position);
                tracing::info!(stream, version = receipt.version, "a commit was recovered");
            }
            Fate::Refused => tracing::info!(stream, "a reservation was freed"),
        }
        Ok(Some((id, Ok(()))))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
fn text(error: sqlx::Error) -> String {
    error.to_string()
}
