//! Judging a typed password, slowed down against guessing: at a login, and when a person who is logged in changes
//! what an account hangs on. Must not say what follows from a right one.

use super::db::Conn;
use super::throttle::{self, BackOff, Bucket};
use super::{Accounts, Email, Failure, Origin, Refusal, password, rows};
use crate::mail::Locale;
use sqlx::Row as _;
use yibu_domain::kernel::PlayerId;

/// Which buckets an attempt fills.
pub(super) struct Guard {
    pub(super) own: Bucket,
    pub(super) rule: BackOff,
    /// `None` on a device that the owner has used: others in its network cannot lock it out.
    network: Option<Bucket>,
}

impl Guard {
    /// The guard of a player's password (a nil id where there is no player). On a device that the player never
    /// used, `other` is what is slowed down.
    pub(super) async fn of(
        on: &mut Conn,
        player: PlayerId,
        origin: &Origin,
        other: Bucket,
    ) -> Result<Self, sqlx::Error> {
        let mark = blake3::hash(&origin.shown_mark().unwrap_or_default());
        let known = sqlx::query("SELECT 1 FROM devices WHERE mark = $1 AND player = $2")
            .bind(mark.as_bytes().as_slice())
            .bind(rows::bytes(player.0))
            .fetch_optional(on)
            .await?
            .is_some();
        Ok(if known {
            let own = Bucket::new("device", &[mark.as_bytes(), player.0.as_bytes()]);
            Self { own, rule: throttle::OWN_DEVICE, network: None }
        } else {
            let network = Bucket::new("network", &[origin.network().as_bytes()]);
            Self { own: other, rule: throttle::ADDRESS, network: Some(network) }
        })
    }
}

/// An account whose password was typed rightly, as it was then. Whoever changes something says `password = …` of
/// this one in the same statement: it may be another by then.
pub(super) struct Proven {
    pub(super) player: PlayerId,
    pub(super) email: Email,
    pub(super) locale: Locale,
    /// The PHC string that was compared with.
    pub(super) password: String,
}

impl Accounts {
    /// Whether the password fits; without a stored one never, after the same work.
    pub(super) async fn judge(
        &self,
        guard: &Guard,
        typed: &str,
        stored: Option<String>,
    ) -> Result<bool, Failure> {
        let inner = &self.inner;
        let mut tx = inner.db.write(&[guard.own.turn()]).await?;
        let now = inner.clock.now();
        let mut wait = throttle::shut(&mut tx, guard.own, now).await?;
        if let Some(network) = guard.network {
            wait = wait.max(throttle::shut(&mut tx, network, now).await?);
        }
        if let Some(retry_after) = wait {
            return Err(Refusal::LoginThrottled { retry_after }.into());
        }
        // The attempt counts before it is judged: many at the same instant are as many failures.
        throttle::fill(&mut tx, guard.own, guard.rule, now).await?;
        tx.commit().await?;

        // A longer text than any password is compared, too, but not all of it.
        let typed: String = typed.chars().take(password::MOST_CHARACTERS * 16).collect();
        let fits = inner.hasher.verify(password::normal(&typed), stored).await?;
        if !fits {
            let now = inner.clock.now();
            let mut tx = inner.db.write(&[guard.own.turn()]).await?;
            if let Some(network) = guard.network {
                throttle::fill(&mut tx, network, throttle::NETWORK, now).await?;
            }
            tx.commit().await?;
        }
        Ok(fits)
    }

    /// Judges the current password of a person who is logged in.
    pub(super) async fn prove(
        &self,
        player: PlayerId,
        current: &str,
        origin: &Origin,
    ) -> Result<Proven, Failure> {
        let inner = &self.inner;
        let mut on = inner.db.reading().acquire().await?;
        let row = sqlx::query(
            "SELECT email, password, locale FROM accounts WHERE player = $1 \
             AND NOT EXISTS (SELECT 1 FROM deletions WHERE deletions.player = accounts.player)",
        )
        .bind(rows::bytes(player.0))
        .fetch_optional(&mut *on)
        .await?;
        // The session was ended a moment ago, with the account.
        let row = row.ok_or(Refusal::SessionEnded)?;
        let other = Bucket::new("account", &[player.0.as_bytes()]);
        let guard = Guard::of(&mut on, player, origin, other).await?;
        drop(on);
        let password: String = row.try_get("password")?;
        let email = Email::parse(&row.try_get::<String, _>("email")?)?;
        let locale = row.try_get::<String, _>("locale")?.parse().unwrap_or_default();
        if !self.judge(&guard, current, Some(password.clone())).await? {
            return Err(Refusal::PasswordWrong.into());
        }
        let mut tx = inner.db.write(&[guard.own.turn()]).await?;
        throttle::empty(&mut tx, guard.own).await?;
        tx.commit().await?;
        Ok(Proven { player, email, locale, password })
    }
}
