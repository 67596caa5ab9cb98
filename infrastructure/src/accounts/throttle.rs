//! Slows down guessing: each failed login fills a bucket, a full bucket is shut for a time that doubles.
//! Knows no account: a bucket is the hash of a name that the caller chooses.

use super::db::Conn;
use super::rows;
use super::turns::Turn;
use yibu_domain::kernel::{Span, Time};

/// A bucket without failures for so long is empty again.
pub(super) const FORGET: Span = Span::hours(24);

/// How a kind of bucket fills and for how long it is shut.
#[derive(Clone, Copy)]
pub(super) struct BackOff {
    /// Failures that cost nothing.
    pub(super) free: u32,
    /// How long the bucket is shut after the last free failure; doubled by each further one.
    pub(super) first: Span,
    /// The longest that it is shut.
    pub(super) longest: Span,
}

/// Attempts on one address from devices that its owner never used.
pub(super) const ADDRESS: BackOff =
    BackOff { free: 5, first: Span::seconds(30), longest: Span::seconds(15 * 60) };

/// Attempts on one account from one device of its owner.
pub(super) const OWN_DEVICE: BackOff =
    BackOff { free: 10, first: Span::seconds(30), longest: Span::seconds(15 * 60) };

/// Attempts from one network, on whatever address.
pub(super) const NETWORK: BackOff =
    BackOff { free: 50, first: Span::seconds(30), longest: Span::hours(1) };

/// The name of a bucket.
#[derive(Clone, Copy)]
pub(super) struct Bucket([u8; 32]);

impl Bucket {
    pub(super) fn new(kind: &str, parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("yibu accounts bucket 1");
        for part in std::iter::once(&kind.as_bytes()).chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(*hasher.finalize().as_bytes())
    }

    /// The turn of those that read it and then fill it.
    pub(super) const fn turn(&self) -> Turn<'_> {
        Turn::Bucket(&self.0)
    }
}

impl BackOff {
    fn shut_for(self, failures: u32) -> Option<Span> {
        let beyond = failures.checked_sub(self.free)?;
        let doubled = self.first.0.saturating_mul(1 << beyond.min(30));
        Some(Span(doubled.min(self.longest.0)))
    }
}

/// How long the bucket is still shut.
pub(super) async fn shut(
    tx: &mut Conn,
    bucket: Bucket,
    now: Time,
) -> Result<Option<Span>, sqlx::Error> {
    let row = sqlx::query("SELECT shut FROM login_failures WHERE bucket = $1 AND shut > $2")
        .bind(bucket.0.as_slice())
        .bind(now.0)
        .fetch_optional(tx)
        .await?;
    row.map(|row| Ok(rows::time(&row, "shut")? - now)).transpose()
}

/// Puts one failure into the bucket.
pub(super) async fn fill(
    tx: &mut Conn,
    bucket: Bucket,
    rule: BackOff,
    now: Time,
) -> Result<(), sqlx::Error> {
    let row = sqlx::query(
        "INSERT INTO login_failures (bucket, failures, last, shut) VALUES ($1, 1, $2, 0) \
         ON CONFLICT (bucket) DO UPDATE SET last = $2, \
         failures = CASE WHEN login_failures.last <= $3 THEN 1 ELSE login_failures.failures + 1 END \
         RETURNING failures",
    )
    .bind(bucket.0.as_slice())
    .bind(now.0)
    .bind((now - FORGET).0)
    .fetch_one(&mut *tx)
    .await?;
    if let Some(span) = rule.shut_for(rows::count(&row, "failures")?) {
        sqlx::query("UPDATE login_failures SET shut = $2 WHERE bucket = $1")
            .bind(bucket.0.as_slice())
            .bind((now + span).0)
            .execute(tx)
            .await?;
    }
    Ok(())
}

/// Empties the bucket.
pub(super) async fn empty(tx: &mut Conn, bucket: Bucket) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM login_failures WHERE bucket = $1")
        .bind(bucket.0.as_slice())
        .execute(tx)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_its_bound() {
        let waits: Vec<_> = [1, 4, 5, 6, 7, 9, 10, 11, 1000, u32::MAX]
            .into_iter()
            .map(|failures| ADDRESS.shut_for(failures).map(|span| span.0 / 1000))
            .collect();
        let seconds = [30, 60, 120, 480, 900, 900, 900, 900].map(Some);
        assert_eq!(waits, [&[None, None][..], &seconds[..]].concat());
    }

    #[test]
    fn buckets_of_different_names_are_different() {
        assert_ne!(Bucket::new("a", &[b"bc"]).0, Bucket::new("a", &[b"b", b"c"]).0);
        assert_ne!(Bucket::new("ab", &[b"c"]).0, Bucket::new("a", &[b"bc"]).0);
    }
}
