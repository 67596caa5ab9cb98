//! Six-digit codes by mail: who may ask for one, and what becomes of a try. The answer is the same, in words
//! and in work, whether the address has an account or not.

use super::db::Conn;
use super::turns::Turn;
use super::{Accounts, Broken, Email, Failure, Origin, Refusal, rows};
use crate::mail::{Letter, Locale, Mail, MailKind};
use sqlx::Row as _;
use yibu_domain::kernel::{Span, Time};

/// How long a code is valid.
pub const CODE_LIFE: Span = Span::seconds(10 * 60);

/// How often a code may be tried.
pub const CODE_TRIES: u32 = 5;

/// The caps of one address over all purposes: so many mails in so long.
const ADDRESS_CAPS: [(u32, Span); 3] = [(1, MINUTE), (5, HOUR), (10, DAY)];
const MINUTE: Span = Span::seconds(60);
const HOUR: Span = Span::hours(1);
/// The longest window of any cap; older mails no longer matter.
pub(super) const DAY: Span = Span::hours(24);

/// What a code is for. A code for one purpose is none for another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A new account.
    Register,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
        }
    }
}

/// A mail was sent: a code, or, to an address with an account, the news that it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeSent {
    /// How long a code is valid.
    pub valid_for: Span,
    /// How long until this address may be sent another.
    pub next_after: Span,
}

impl Accounts {
    /// Mails a code for a new account to the address; earlier codes are void.
    ///
    /// # Errors
    /// Refusals: `MAIL_UNAVAILABLE`, `EMAIL_INVALID`, `CODE_RATE_LIMITED`.
    pub async fn request_code(
        &self,
        email: &str,
        locale: Locale,
        origin: &Origin,
    ) -> Result<CodeSent, Failure> {
        let inner = &self.inner;
        if !inner.mailbox.is_set_up() {
            return Err(Refusal::MailUnavailable.into());
        }
        let email = Email::parse(email)?;
        let now = inner.clock.now();
        let purpose = Purpose::Register;
        let (job, salt, code) = (inner.entropy.uuid(), inner.entropy.salt(), self.draw_code());
        // An address with an account gets a row, too, of a code that nobody knows.
        let decoy = inner.entropy.bytes32().to_string();

        let mut tx = inner.db.write(&[Turn::Codes, Turn::Address(email.key())]).await?;
        let network = origin.network();
        if let Some(retry_after) = self.capped(&mut tx, &email, &network, now).await? {
            return Err(Refusal::CodeRateLimited { retry_after }.into());
        }
        let registered = sqlx::query("SELECT 1 FROM accounts WHERE email_key = $1")
            .bind(email.key())
            .fetch_optional(&mut *tx)
            .await?
            .is_some();
        sqlx::query(
            "INSERT INTO code_sends (id, address, network, purpose, at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(rows::bytes(job))
        .bind(email.key())
        .bind(&network)
        .bind(purpose.name())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        let secret = if registered { &decoy } else { &code };
        sqlx::query(
            "INSERT INTO codes (address, purpose, salt, hash, expires, tries_left) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (address, purpose) DO UPDATE SET \
             salt = excluded.salt, hash = excluded.hash, expires = excluded.expires, \
             tries_left = excluded.tries_left",
        )
        .bind(email.key())
        .bind(purpose.name())
        .bind(salt.as_slice())
        .bind(hash(&salt, &email, purpose, secret).as_bytes().as_slice())
        .bind((now + CODE_LIFE).0)
        .bind(i64::from(CODE_TRIES))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;

        let kind = if registered {
            MailKind::AlreadyRegistered
        } else {
            MailKind::VerificationCode {
                code,
                minutes: u32::try_from(CODE_LIFE.0 / MINUTE.0).unwrap_or(u32::MAX),
            }
        };
        let mail = Mail { to: email.as_str().to_owned(), locale, kind };
        let letter =
            Letter::write(&mail, job, inner.mailbox.from(), now).map_err(Broken::Letter)?;
        if let Err(error) = inner.mailbox.deliver(&letter).await {
            tracing::error!(error = &error as &dyn std::error::Error, "a letter was not taken");
            // What was not mailed does not count against the address.
            sqlx::query("DELETE FROM code_sends WHERE id = $1")
                .bind(rows::bytes(job))
                .execute(inner.db.writing())
                .await?;
            return Err(Refusal::MailUnavailable.into());
        }
        Ok(CodeSent { valid_for: CODE_LIFE, next_after: MINUTE })
    }

    /// How long until all caps allow another mail; `None` when they do now.
    async fn capped(
        &self,
        tx: &mut Conn,
        email: &Email,
        network: &str,
        now: Time,
    ) -> Result<Option<Span>, sqlx::Error> {
        let caps = self.inner.settings.code_caps;
        let mut wait = None;
        for (most, window) in ADDRESS_CAPS {
            let scope = "SELECT at FROM code_sends WHERE address = $1";
            wait = wait.max(full(tx, scope, email.key(), most, window, now).await?);
        }
        for (most, window) in [(caps.network_hour, HOUR), (caps.network_day, DAY)] {
            let scope = "SELECT at FROM code_sends WHERE network = $1";
            wait = wait.max(full(tx, scope, network, most, window, now).await?);
        }
        let scope = "SELECT at FROM code_sends WHERE $1 = ''";
        Ok(wait.max(full(tx, scope, "", caps.all_hour, HOUR, now).await?))
    }

    fn draw_code(&self) -> String {
        let [a, b, c, d, e, f, g, h, ..] = self.inner.entropy.bytes32().0;
        // 2^64 is so much larger than 10^6 that no code is likelier than another in any way that counts.
        format!("{:06}", u64::from_le_bytes([a, b, c, d, e, f, g, h]) % 1_000_000)
    }
}

/// How long until fewer than `most` mails of the scope lie in the window that ends now.
async fn full(
    tx: &mut Conn,
    scope: &str,
    value: &str,
    most: u32,
    window: Span,
    now: Time,
) -> Result<Option<Span>, sqlx::Error> {
    let Some(before) = most.checked_sub(1) else {
        return Ok(Some(window));
    };
    let query = format!("{scope} AND at > $2 ORDER BY at DESC LIMIT 1 OFFSET $3");
    let row = sqlx::query(&query)
        .bind(value)
        .bind((now - window).0)
        .bind(i64::from(before))
        .fetch_optional(tx)
        .await?;
    row.map(|row| Ok((rows::time(&row, "at")? + window) - now)).transpose()
}

/// One try at the code in force. A wrong one costs a try, so that the caller must commit; the right one
/// stays in force until [`consume`].
pub(super) async fn attempt(
    tx: &mut Conn,
    email: &Email,
    purpose: Purpose,
    typed: &str,
    now: Time,
) -> Result<Result<(), Refusal>, sqlx::Error> {
    let found = sqlx::query(
        "SELECT salt, hash, expires, tries_left FROM codes WHERE address = $1 AND purpose = $2",
    )
    .bind(email.key())
    .bind(purpose.name())
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = found else {
        return Ok(Err(Refusal::CodeWrong));
    };
    if now >= rows::time(&row, "expires")? {
        return Ok(Err(Refusal::CodeExpired));
    }
    if row.try_get::<i64, _>("tries_left")? <= 0 {
        return Ok(Err(Refusal::CodeTriesUsed));
    }
    let (salt, stored): (Vec<u8>, Vec<u8>) = (row.try_get("salt")?, row.try_get("hash")?);
    let typed: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    // `blake3::Hash` compares in constant time.
    if hash(&salt, email, purpose, &typed) == *stored.as_slice() {
        return Ok(Ok(()));
    }
    sqlx::query("UPDATE codes SET tries_left = tries_left - 1 WHERE address = $1 AND purpose = $2")
        .bind(email.key())
        .bind(purpose.name())
        .execute(tx)
        .await?;
    Ok(Err(Refusal::CodeWrong))
}

/// Voids the code in force: it did its work.
pub(super) async fn consume(
    tx: &mut Conn,
    email: &Email,
    purpose: Purpose,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM codes WHERE address = $1 AND purpose = $2")
        .bind(email.key())
        .bind(purpose.name())
        .execute(tx)
        .await?;
    Ok(())
}

fn hash(salt: &[u8], email: &Email, purpose: Purpose, code: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_derive_key("yibu accounts code 1");
    for part in [salt, email.key().as_bytes(), purpose.name().as_bytes(), code.as_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize()
}
