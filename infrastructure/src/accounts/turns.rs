//! How writers keep out of each other's way. What is read and then changed by what was read needs a turn, so
//! that caps, tries and names are exact however many processes write: in a file there is one writer anyway, in
//! PostgreSQL a turn is an advisory lock to the end of the transaction. Must not know any table.

use super::db::Conn;
use sqlx::{Any, AnyPool, Transaction};
use std::ops::{Deref, DerefMut};
use yibu_domain::kernel::PlayerId;

/// What transactions take turns for. One that needs several names them in this order, so that no two wait for
/// each other.
#[derive(Clone, Copy)]
pub(crate) enum Turn<'a> {
    /// Bringing the tables up to date.
    Schema,
    /// Sending code mails, which are capped in all.
    Codes,
    /// What an address may do: its code, its tries, its account.
    Address(&'a str),
    /// A player's account: its password, its sessions as they begin, whether it is barred or going.
    Account(PlayerId),
    /// Giving a nickname up for another, and filling in what old ones lack.
    Nicknames,
    /// Taking a nickname, in its folded form, where finding it taken is no refusal.
    Nickname(&'a str),
    /// A bucket of failed logins.
    Bucket(&'a [u8]),
    /// Making a key.
    Key(&'a str),
    /// Ending sessions.
    Ends,
    /// Taking a mail from the outbox.
    Outbox,
    /// Changing what people's reminders depend on.
    Desks,
    /// Finding a table or a vacancy.
    Matching,
}

impl Turn<'_> {
    /// The number of its lock. That two of 2^64 meet costs a needless wait.
    fn number(self) -> i64 {
        let (kind, name): (&str, &[u8]) = match &self {
            Self::Schema => ("schema", b""),
            Self::Codes => ("codes", b""),
            Self::Address(key) => ("address", key.as_bytes()),
            Self::Account(player) => ("account", player.0.as_bytes()),
            Self::Nicknames => ("nicknames", b""),
            Self::Nickname(folded) => ("nickname", folded.as_bytes()),
            Self::Bucket(bucket) => ("bucket", *bucket),
            Self::Key(name) => ("key", name.as_bytes()),
            Self::Ends => ("ends", b""),
            Self::Outbox => ("outbox", b""),
            Self::Desks => ("desks", b""),
            Self::Matching => ("matching", b""),
        };
        let mut hasher = blake3::Hasher::new_derive_key("yibu accounts turn 1");
        hasher.update(&[u8::try_from(kind.len()).unwrap_or(u8::MAX)]);
        hasher.update(kind.as_bytes()).update(name);
        let mut number = [0; 8];
        hasher.finalize_xof().fill(&mut number);
        i64::from_le_bytes(number)
    }
}

/// A transaction that writes. Dropped without [`Tx::commit`], it changes nothing.
pub(crate) struct Tx {
    inner: Transaction<'static, Any>,
    shared: bool,
}

impl Tx {
    /// The transaction of the one writer.
    pub(super) fn alone(inner: Transaction<'static, Any>) -> Self {
        Self { inner, shared: false }
    }

    /// A transaction among those of other processes, begun when it has its turns.
    pub(super) async fn among_others(
        pool: &AnyPool,
        turns: &[Turn<'_>],
    ) -> Result<Self, sqlx::Error> {
        // Each statement sees what was committed before it began, hence all that the turn before did.
        let inner = pool.begin_with("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
        let mut tx = Self { inner, shared: true };
        for turn in turns {
            tx.take(*turn).await?;
        }
        Ok(tx)
    }

    /// The same for a turn during which slow work is done elsewhere: whoever waits gives up after ten seconds, and
    /// whoever holds it without a word loses it after thirty.
    pub(super) async fn in_time(pool: &AnyPool, turn: Turn<'_>) -> Result<Self, sqlx::Error> {
        let inner = pool.begin_with("BEGIN ISOLATION LEVEL READ COMMITTED").await?;
        let mut tx = Self { inner, shared: true };
        for bound in ["lock_timeout = '10s'", "idle_in_transaction_session_timeout = '30s'"] {
            sqlx::query(&format!("SET LOCAL {bound}")).execute(&mut *tx.inner).await?;
        }
        tx.take(turn).await?;
        Ok(tx)
    }

    async fn take(&mut self, turn: Turn<'_>) -> Result<(), sqlx::Error> {
        sqlx::query("SELECT pg_advisory_xact_lock($1)")
            .bind(turn.number())
            .execute(&mut *self.inner)
            .await?;
        Ok(())
    }

    /// Whether other processes have to be told of what is done here.
    pub(super) const fn is_shared(&self) -> bool {
        self.shared
    }

    /// Makes the changes last. Where this fails, they may or may not have been made.
    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        self.inner.commit().await
    }
}

impl Deref for Tx {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        &self.inner
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn different_turns_have_different_locks() {
        let turns = [
            Turn::Schema,
            Turn::Codes,
            Turn::Ends,
            Turn::Outbox,
            Turn::Desks,
            Turn::Matching,
            Turn::Address("a"),
            Turn::Address("b"),
            Turn::Account(PlayerId(uuid::Uuid::from_u128(1))),
            Turn::Account(PlayerId(uuid::Uuid::from_u128(2))),
            Turn::Nicknames,
            Turn::Nickname("a"),
            Turn::Bucket(b"a"),
            Turn::Key("a"),
        ];
        let numbers: HashSet<i64> = turns.iter().map(|turn| turn.number()).collect();
        assert_eq!(numbers.len(), turns.len());
        assert_eq!(Turn::Address("a").number(), Turn::Address("a").number());
    }
}
