//! The follower of the whole log: rolls the hash over the events in the order of their positions, keeps where it
//! has come to in Postgres, and wakes readers. The hash depends on the events alone, so that every node may
//! follow, and it does not matter whose row is the last.

use super::Node;
use super::claims::CHANNEL;
use super::memos::signed;
use crate::log::chain::Roller;
use crate::log::port::{Head, ReadError};
use sqlx::postgres::PgListener;
use sqlx::{PgPool, Row};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Events in one bite.
const PAGE: usize = 1024;

/// How long a word from another node may be missed.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Where some node has come to.
pub(super) async fn kept(pool: &PgPool) -> sqlx::Result<Head> {
    let row = sqlx::query("SELECT position, hash FROM es_head").fetch_one(pool).await?;
    let hash: Vec<u8> = row.try_get(1)?;
    let hash = hash.try_into().map_err(|_| sqlx::Error::Decode("not a hash".into()))?;
    Ok(Head { position: row.try_get::<i64, _>(0)?.unsigned_abs(), hash })
}

impl Node {
    /// Goes on to the log's end of now.
    pub(super) async fn catch_up(&self) -> Result<Head, ReadError> {
        let mut head = self.head.lock().await;
        let mut roller = Roller::at(*head);
        loop {
            let page = self.server.all(roller.head().position, PAGE).await?;
            for event in &page {
                roller.push(event).map_err(|error| ReadError::Failed(error.to_string()))?;
            }
            if page.len() < PAGE {
                break;
            }
        }
        let end = roller.head();
        if end != *head {
            if self.writes {
                sqlx::query("UPDATE es_head SET position = $1, hash = $2 WHERE position < $1")
                    .bind(signed(end.position))
                    .bind(end.hash.as_slice())
                    .execute(&self.pool)
                    .await
                    .map_err(super::unread_claims)?;
            }
            *head = end;
        }
        self.grew(end.position);
        Ok(end)
    }

    /// Follows until it is stopped: at a word from any node, and once a second without one.
    pub(super) async fn keep_following(&self, stop: &CancellationToken) {
        let mut fine = true;
        loop {
            let following = async {
                let mut words = PgListener::connect_with(&self.pool).await?;
                words.listen(CHANNEL).await?;
                loop {
                    self.catch_up()
                        .await
                        .map_err(|error| sqlx::Error::Protocol(error.to_string()))?;
                    // A lost connection is a word too.
                    if let Ok(word) = tokio::time::timeout(LOOK_AGAIN, words.try_recv()).await {
                        word?;
                    }
                    while words.next_buffered().is_some() {}
                }
            };
            let failed: Result<(), sqlx::Error> = tokio::select! {
                () = stop.cancelled() => return,
                failed = following => failed,
            };
            if let Err(error) = failed
                && std::mem::replace(&mut fine, false)
            {
                tracing::warn!(%error, "the log cannot be followed; this is tried again each second");
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK_AGAIN) => {}
            }
        }
    }
}
