//! A forgotten password: a link by mail, good once and for half an hour. The answer is the same, in words and in
//! work, whether the address has an account or not.

use super::outbox::Posting;
use super::sends::Offer;
use super::sessions::end_others;
use super::throttle::{self, Bucket};
use super::turns::Turn;
use super::{Accounts, Email, Failure, Origin, Refusal, password, rows};
use crate::mail::{Locale, MailKind};
use sqlx::Row as _;
use yibu_domain::kernel::{PlayerId, Span, Time};

/// How long a reset link is good.
pub const RESET_LIFE: Span = Span::seconds(30 * 60);

/// What a token is found by.
type TokenHash = [u8; 32];

impl Accounts {
    /// Mails a link that sets a new password: `page`, followed by the token as its fragment, which browsers send to
    /// no server. An earlier link is void. To an address without an account goes the news that it has none. Returns
    /// how long the link is good.
    ///
    /// # Errors
    /// Refusals: `MAIL_UNAVAILABLE`, `EMAIL_INVALID`, `CODE_RATE_LIMITED`.
    pub async fn request_reset(
        &self,
        email: &str,
        locale: Locale,
        page: &str,
        origin: &Origin,
    ) -> Result<Span, Failure> {
        self.mail_ready()?;
        let email = Email::parse(email)?;
        // 128 bits; an address without an account gets a row, too, of a token that nobody knows.
        let (token, decoy) = (self.inner.entropy.salt(), self.inner.entropy.bytes32().0);
        let mut offer = Offer::begin(self, &email, "reset", origin).await?;
        let stored = if offer.registered { hash(&token) } else { hash(&decoy) };
        sqlx::query(
            "INSERT INTO resets (address, token, expires) VALUES ($1, $2, $3) \
             ON CONFLICT (address) DO UPDATE SET token = excluded.token, expires = excluded.expires",
        )
        .bind(email.key())
        .bind(stored.as_slice())
        .bind((offer.now + RESET_LIFE).0)
        .execute(&mut *offer.tx)
        .await?;
        let kind = if offer.registered {
            MailKind::PasswordReset {
                link: format!("{page}#token={}", hex::encode(token)),
                minutes: u32::try_from(RESET_LIFE.0 / 60_000).unwrap_or(u32::MAX),
            }
        } else {
            MailKind::NoAccount
        };
        offer.send(locale, kind).await?;
        Ok(RESET_LIFE)
    }

    /// Sets a new password by the token of a link. All sessions end; the address is told.
    ///
    /// # Errors
    /// Refusals: `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON`, `RESET_INVALID`.
    pub async fn reset_password(&self, token: &str, new: &str) -> Result<(), Failure> {
        let inner = &self.inner;
        let new = password::judge(new)?;
        let mut bytes = [0; 16];
        hex::decode_to_slice(token, &mut bytes).map_err(|_| Refusal::ResetInvalid)?;
        let token = hash(&bytes);
        // Judged before the costly hash, and again with the change itself.
        let (player, address) = self.owner_of(&token, inner.clock.now()).await?;
        let password = inner.hasher.hash(new).await?;

        let bucket = Bucket::new("address", &[address.as_bytes()]);
        let turns = [Turn::Account(player), bucket.turn(), Turn::Ends];
        let mut tx = inner.db.write(&turns).await?;
        let now = inner.clock.now();
        let used = sqlx::query("DELETE FROM resets WHERE token = $1 AND expires > $2")
            .bind(token.as_slice())
            .bind(now.0)
            .execute(&mut *tx)
            .await?;
        if used.rows_affected() == 0 {
            return Err(Refusal::ResetInvalid.into());
        }
        let row = sqlx::query(
            "UPDATE accounts SET password = $3 WHERE player = $1 AND email_key = $2 RETURNING email",
        )
        .bind(rows::bytes(player.0))
        .bind(&address)
        .bind(password)
        .fetch_optional(&mut *tx)
        .await?;
        let row = row.ok_or(Refusal::ResetInvalid)?;
        let email = Email::parse(&row.try_get::<String, _>("email")?)?;
        // Whoever reads the address's mail is not to wait for what others guessed.
        throttle::empty(&mut tx, bucket).await?;
        self.security_mail(&mut tx, player, &email, &Posting::PasswordChanged, now).await?;
        let ended = end_others(&mut tx, player, None, now).await?;
        self.finish(tx, ended).await?;
        Ok(())
    }

    /// Whose account a token opens, and by which address.
    async fn owner_of(&self, token: &TokenHash, now: Time) -> Result<(PlayerId, String), Failure> {
        let row = sqlx::query(
            "SELECT a.player, r.address FROM resets r JOIN accounts a ON a.email_key = r.address \
             WHERE r.token = $1 AND r.expires > $2",
        )
        .bind(token.as_slice())
        .bind(now.0)
        .fetch_optional(self.inner.db.reading())
        .await?;
        let row = row.ok_or(Refusal::ResetInvalid)?;
        Ok((rows::player(&row, "player")?, row.try_get("address")?))
    }
}

fn hash(token: &[u8]) -> TokenHash {
    blake3::derive_key("yibu accounts reset 1", token)
}
