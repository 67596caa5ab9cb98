//! Keeping up with workers of other processes: readers go over to the generation that those serve, and whoever
//! listens here is told of what they committed. Must not write.

use super::bulk::id;
use super::fault::ViewsError;
use super::projection::Changed;
use super::registry::{self, Registered, signed, unsigned};
use super::store::Conn;
use super::views::{Slot, Views};
use sqlx::postgres::{PgListener, PgNotification};
use sqlx::{Connection, Executor, Row as _};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::MatchId;

/// The bell is only a hint; this often a follower looks without it.
pub(super) const LOOK: Duration = Duration::from_millis(200);
/// The pause before the bell is mounted again.
const PAUSE: Duration = Duration::from_secs(1);
/// Where commits are told.
const CHANNEL: &str = "yibu_views";
/// Changes read at a time.
const CHANGES: i64 = 1_000;

impl Views {
    /// Takes in what the worker of another process has done: what changed is told, then how far it is. Says what
    /// is served now.
    pub(super) async fn look(&self, slot: &Slot) -> Result<Option<Registered>, ViewsError> {
        let _telling = slot.telling.lock().await;
        let before = slot.progress.borrow().clone();
        let (active, changed) = {
            let mut on = self.reading().await?;
            // One snapshot: the rows are those of the checkpoint.
            let mut tx = on.begin().await?;
            let active = registry::served(&mut tx, slot.projection.as_ref()).await?;
            let Some(active) = active else { return Ok(None) };
            let news = active.checkpoint > before.checkpoint;
            let changed = match slot.projection.changed_since().filter(|_| news) {
                Some(sql) => {
                    let sql = sql.replace("{g}", &active.generation.to_string());
                    changed_since(&mut tx, &sql, before.checkpoint).await?
                }
                None => Vec::new(),
            };
            tx.commit().await?;
            (active, changed)
        };
        if active.generation != before.generation {
            slot.serve(active.generation).await;
        }
        self.pulse(changed);
        slot.reached(active.generation, active.checkpoint);
        Ok(Some(active))
    }

    /// Rings the bells when another process says that it committed, until asked to stop. Nobody depends on it.
    pub(super) async fn hear(self, stop: CancellationToken) {
        let Some(url) = self.store().told_at.clone() else { return };
        let hearing = async {
            loop {
                if let Err(error) = self.ring(&url).await {
                    tracing::warn!(%error, "news of other processes come late for a while");
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        stop.run_until_cancelled(hearing).await;
    }

    async fn ring(&self, url: &str) -> Result<(), sqlx::Error> {
        let mut listener = PgListener::connect(url).await?;
        listener.listen(CHANNEL).await?;
        loop {
            let told = listener.try_recv().await?;
            // Nothing told: the connection was lost for a while, and whatever was said with it.
            let names = told.as_ref().map(PgNotification::payload);
            for slot in self.slots() {
                if names.is_none_or(|name| name == slot.projection.name()) {
                    slot.bell.notify_one();
                }
            }
        }
    }
}

async fn changed_since(
    tx: &mut Conn,
    sql: &str,
    mut after: u64,
) -> Result<Vec<Changed>, sqlx::Error> {
    let mut changed = Vec::new();
    loop {
        let rows = tx.fetch_all(sqlx::query(sql).bind(signed(after)).bind(CHANGES)).await?;
        for row in &rows {
            let (version, position) = (unsigned(row.try_get(1)?), unsigned(row.try_get(2)?));
            changed.push(Changed { match_id: MatchId(id(row, 0)?), version, position });
            after = position;
        }
        if rows.is_empty() {
            return Ok(changed);
        }
    }
}
