//! Learns that other nodes wrote: by NOTIFY, which is only a hint and can be lost with its connection, and by
//! a look at the head every second, which cannot and which tells whether the database answers. Must not decide
//! anything: readers ask the log itself.

use super::batch::CHANNEL;
use super::reads;
use super::writer::grow;
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// How often to look, and how long to wait before a lost connection is made anew.
const EVERY: Duration = Duration::from_secs(1);

/// What is looked at, and where it is said whether that answers.
pub(super) struct Look {
    pub(super) pool: PgPool,
    pub(super) answers: Arc<AtomicBool>,
}

/// Tells of growth until the writer has `ended`.
pub(super) async fn follow(
    options: PgConnectOptions,
    look: Look,
    grown: watch::Sender<u64>,
    mut ended: watch::Receiver<()>,
) {
    let ended = async { while ended.changed().await.is_ok() {} };
    tokio::select! {
        () = ended => {}
        () = hear(options, &grown) => {}
        () = look.on(&grown) => {}
    }
}

async fn hear(options: PgConnectOptions, grown: &watch::Sender<u64>) {
    loop {
        if let Err(error) = listen(options.clone(), grown).await {
            tracing::debug!(%error, "the log's notifications are not heard");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Ends with an error when the connection is lost.
async fn listen(options: PgConnectOptions, grown: &watch::Sender<u64>) -> Result<(), sqlx::Error> {
    // A pool of one, for that is what the listener wants.
    let pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    let pool = pool.connect_with(options).await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    loop {
        // None: the connection was lost and made anew. The next look makes up for what was missed.
        if let Some(notification) = listener.try_recv().await?
            && let Ok(position) = notification.payload().parse()
        {
            grow(grown, position);
        }
    }
}

impl Look {
    async fn on(&self, grown: &watch::Sender<u64>) {
        loop {
            tokio::time::sleep(EVERY).await;
            // A pool tries for longer to reach a server that is away: that it is must be known soon.
            let head = timeout(EVERY, reads::head(&self.pool)).await;
            self.answers.store(matches!(head, Ok(Ok(_))), Ordering::Release);
            if let Ok(Ok(head)) = head {
                grow(grown, head.position);
            }
        }
    }
}
