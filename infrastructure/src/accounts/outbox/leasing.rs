//! Taking open mails, one node at a time each, and noting what became of them. Must not judge what becomes of
//! them.

use super::super::turns::Turn;
use super::super::{Broken, db::Row, rows};
use super::{Outbox, Posting};
use crate::mail::Locale;
use sqlx::Row as _;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Time};

/// One mail of the outbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its id, of which the Message-ID is made.
    pub id: Uuid,
    /// Whom it is for.
    pub player: PlayerId,
    /// Where it goes.
    pub to: Destination,
    /// The player's language when it was posted; `None` where there was no account.
    pub locale: Option<Locale>,
    /// What it says.
    pub posting: Posting,
    /// When it is given up.
    pub expires: Time,
    /// How many tries failed.
    pub tries: u32,
}

/// Where a mail goes.
#[derive(Clone, PartialEq, Eq)]
pub enum Destination {
    /// To the address that is verified when it is sent.
    Verified,
    /// To this one.
    Address(String),
}

/// Shows no address.
impl std::fmt::Debug for Destination {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Verified => "Verified",
            Self::Address(_) => "Address(…)",
        })
    }
}

/// A mail that is ours until the lease is over.
#[derive(Debug)]
pub struct Lease {
    /// The mail.
    pub job: Job,
    fence: i64,
}

/// How a mail ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A mail server took it.
    Sent,
    /// There was nothing left to say, or nobody to say it to.
    Dropped,
    /// The receiver's server will never take it.
    Refused,
    /// It was tried to its end.
    Expired,
}

impl End {
    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Dropped => "dropped",
            Self::Refused => "refused",
            Self::Expired => "expired",
        }
    }
}

impl Outbox {
    /// Takes the mail that is due longest until `until`; `None` where none is due. Whoever crashes lets it go
    /// then.
    ///
    /// # Errors
    /// The database failed.
    pub async fn lease(&self, now: Time, until: Time) -> Result<Option<Lease>, Broken> {
        let mut tx = self.db.write(&[Turn::Outbox]).await?;
        let row = sqlx::query(
            "UPDATE outbox SET due = $2, fence = fence + 1 WHERE id = \
             (SELECT id FROM outbox WHERE ended IS NULL AND due <= $1 ORDER BY due, id LIMIT 1) \
             RETURNING id, player, recipient, locale, body, expires, tries, fence",
        )
        .bind(now.0)
        .bind(until.0)
        .fetch_optional(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(row.as_ref().map(leased).transpose()?)
    }

    /// Keeps a lease until `until`. No more ours: `false`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep(&self, lease: &Lease, until: Time) -> Result<bool, Broken> {
        let sql = "UPDATE outbox SET due = $3 WHERE id = $1 AND fence = $2 AND ended IS NULL";
        Ok(self.change(sql, lease, until).await?)
    }

    /// A try failed: the next is at `at`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn try_again(&self, lease: &Lease, at: Time) -> Result<(), Broken> {
        let sql = "UPDATE outbox SET due = $3, tries = tries + 1 \
                   WHERE id = $1 AND fence = $2 AND ended IS NULL";
        self.change(sql, lease, at).await?;
        Ok(())
    }

    /// The mail is not to go before `at`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn hold(&self, lease: &Lease, at: Time) -> Result<(), Broken> {
        let sql = "UPDATE outbox SET due = $3, since = $3 \
                   WHERE id = $1 AND fence = $2 AND ended IS NULL";
        self.change(sql, lease, at).await?;
        Ok(())
    }

    /// The mail ended. That it was sent is noted though the lease was lost: whoever has it now may yet find out
    /// in time.
    ///
    /// # Errors
    /// The database failed; the mail is still open then.
    pub async fn end(&self, lease: &Lease, end: End, now: Time) -> Result<(), Broken> {
        let sent = end == End::Sent;
        sqlx::query(
            "UPDATE outbox SET ended = $3, outcome = $4, recipient = NULL \
             WHERE id = $1 AND (fence = $2 OR $5 = 1) AND ended IS NULL",
        )
        .bind(rows::bytes(lease.job.id))
        .bind(lease.fence)
        .bind(now.0)
        .bind(end.name())
        .bind(i64::from(sent))
        .execute(self.db.writing())
        .await?;
        Ok(())
    }

    async fn change(&self, sql: &str, lease: &Lease, at: Time) -> Result<bool, sqlx::Error> {
        let changed = sqlx::query(sql)
            .bind(rows::bytes(lease.job.id))
            .bind(lease.fence)
            .bind(at.0)
            .execute(self.db.writing())
            .await?;
        Ok(changed.rows_affected() > 0)
    }
}

fn leased(row: &Row) -> Result<Lease, sqlx::Error> {
    let body: String = row.try_get("body")?;
    let posting = serde_json::from_str(&body).map_err(|error| sqlx::Error::ColumnDecode {
        index: "body".to_owned(),
        source: Box::new(error),
    })?;
    let to = row.try_get::<Option<String>, _>("recipient")?;
    let locale = row.try_get::<Option<String>, _>("locale")?;
    Ok(Lease {
        job: Job {
            id: rows::id(row, "id")?,
            player: rows::player(row, "player")?,
            to: to.map_or(Destination::Verified, Destination::Address),
            locale: locale.and_then(|locale| locale.parse().ok()),
            posting,
            expires: rows::time(row, "expires")?,
            tries: rows::count(row, "tries")?,
        },
        fence: row.try_get("fence")?,
    })
}
