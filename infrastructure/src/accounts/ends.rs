//! Ends of sessions from one node to the others, so that what is open for an ended session closes everywhere.
//! A notification is only a hint; each node also looks every second. Must not be what a request relies on:
//! where several nodes share the accounts, each asks the database itself.

use super::codes::DAY;
use super::turns::Tx;
use super::{AccountsDb, Inner, SessionId, rows};
use sqlx::Row as _;
use sqlx::postgres::PgListener;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};
use yibu_domain::kernel::Time;

/// Where the hint is given.
const CHANNEL: &str = "yibu_session_ends";

/// The longest that a node does not look.
const LOOK: Duration = Duration::from_secs(1);

/// Whoever has not looked for so long takes nothing for granted. Far below the time that ends are kept.
const LONG: Duration = Duration::from_secs(60);

/// Ends and sessions read in one statement.
const AT_ONCE: i64 = 500;

/// Tells the other nodes, where there are any, within the transaction that ends the sessions. It has the turn.
pub(super) async fn note(tx: &mut Tx, ended: &[SessionId], now: Time) -> Result<(), sqlx::Error> {
    if !tx.is_shared() || ended.is_empty() {
        return Ok(());
    }
    for id in ended {
        sqlx::query("INSERT INTO session_ends (session, at) VALUES ($1, $2)")
            .bind(rows::bytes(id.0))
            .bind(now.0)
            .execute(&mut **tx)
            .await?;
    }
    sqlx::query("DELETE FROM session_ends WHERE at <= $1")
        .bind((now - DAY).0)
        .execute(&mut **tx)
        .await?;
    sqlx::query("SELECT pg_notify($1, '')").bind(CHANNEL).execute(&mut **tx).await?;
    Ok(())
}

/// Follows what other nodes end, until the database closes or the accounts are let go.
pub(super) fn follow(inner: &Arc<Inner>) {
    let Some(url) = inner.db.shared() else { return };
    let (url, closing) = (url.to_owned(), inner.db.closing());
    let accounts = Arc::downgrade(inner);
    tokio::spawn(async move {
        let hints = Hints::default();
        tokio::select! {
            () = closing.cancelled() => {}
            () = look(accounts, &hints) => {}
            () = listen(&url, &hints) => {}
        }
    });
}

/// What listening tells looking.
#[derive(Default)]
struct Hints {
    something: Notify,
    /// The connection is a new one: the database may be another, which never heard of what ended a moment ago.
    doubt: AtomicBool,
}

impl Hints {
    fn doubt(&self) {
        self.doubt.store(true, Ordering::Release);
        self.something.notify_one();
    }
}

/// Passes hints on. Without them, looking goes on all the same.
async fn listen(url: &str, hints: &Hints) {
    loop {
        let heard: Result<(), sqlx::Error> = async {
            let mut listener = PgListener::connect(url).await?;
            listener.listen(CHANNEL).await?;
            hints.doubt();
            loop {
                match listener.try_recv().await? {
                    Some(_) => hints.something.notify_one(),
                    // The connection was lost and has been made anew.
                    None => hints.doubt(),
                }
            }
        }
        .await;
        if let Err(error) = heard {
            tracing::warn!(error = &error as &dyn std::error::Error, "no hints of ended sessions");
        }
        sleep(LOOK).await;
    }
}

async fn look(accounts: Weak<Inner>, hints: &Hints) {
    // The last end that was seen; none while others may have been missed.
    let mut seen = None;
    let mut looked = Instant::now();
    loop {
        let Some(inner) = accounts.upgrade() else { return };
        let doubt = hints.doubt.swap(false, Ordering::AcqRel) || looked.elapsed() >= LONG;
        let sure = seen.filter(|_| !doubt);
        let step = match sure {
            Some(last) => inner.follow_from(last).await,
            None => inner.look_at_all().await,
        };
        seen = match step {
            Ok(last) => {
                looked = Instant::now();
                Some(last)
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "cannot see which sessions other nodes ended");
                None
            }
        };
        drop(inner);
        tokio::select! {
            () = hints.something.notified() => {}
            () = sleep(LOOK) => {}
        }
    }
}

impl Inner {
    /// Lets go of what ended after `last`, and returns the last end that there is.
    async fn follow_from(&self, mut last: i64) -> Result<i64, sqlx::Error> {
        loop {
            let found = sqlx::query(
                "SELECT number, session FROM session_ends WHERE number > $1 ORDER BY number LIMIT $2",
            )
            .bind(last)
            .bind(AT_ONCE)
            .fetch_all(self.db.reading())
            .await?;
            let Some(newest) = found.last() else { return Ok(last) };
            last = newest.try_get("number")?;
            let ended: Result<Vec<_>, _> =
                found.iter().map(|row| rows::id(row, "session").map(SessionId)).collect();
            self.live.end(&ended?);
        }
    }

    /// Looks which of the sessions that are watched here still stand, and lets go of the others.
    async fn look_at_all(&self) -> Result<i64, sqlx::Error> {
        // The number first: what ends meanwhile is seen twice rather than never.
        let last = newest(&self.db).await?;
        for some in self.live.watched().chunks(usize::try_from(AT_ONCE).unwrap_or(1)) {
            let sql =
                format!("SELECT id FROM sessions WHERE id IN ({})", rows::marks(some.len(), 1));
            let mut query = sqlx::query(&sql);
            for id in some {
                query = query.bind(rows::bytes(id.0));
            }
            let found = query.fetch_all(self.db.reading()).await?;
            let stand: Result<HashSet<_>, _> =
                found.iter().map(|row| rows::id(row, "id").map(SessionId)).collect();
            let stand = stand?;
            let gone: Vec<_> = some.iter().copied().filter(|id| !stand.contains(id)).collect();
            self.live.end(&gone);
        }
        Ok(last)
    }
}

async fn newest(db: &AccountsDb) -> Result<i64, sqlx::Error> {
    let row = sqlx::query("SELECT coalesce(max(number), 0) AS number FROM session_ends")
        .fetch_one(db.reading())
        .await?;
    row.try_get("number")
}
