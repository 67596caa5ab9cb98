//! Six-digit codes by mail: who may ask for one, and what becomes of a try. The answer is the same, in words
//! and in work, whether the address has an account or not.

use super::db::Conn;
use super::sends::Offer;
use super::{Accounts, Email, Failure, Origin, Refusal, rows};
use crate::mail::{Locale, MailKind};
use sqlx::Row as _;
use yibu_domain::kernel::{PlayerId, Span, Time};

/// How long a code is valid.
pub const CODE_LIFE: Span = Span::seconds(10 * 60);

/// How often a code may be tried.
pub const CODE_TRIES: u32 = 5;

/// The longest window of any cap on mails; older ones no longer matter.
pub(super) const DAY: Span = Span::hours(24);

/// What a code is for. A code for one purpose is none for another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A new account.
    Register,
    /// A new address for this player's account, and for nobody else's.
    ChangeEmail(PlayerId),
}

impl Purpose {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::ChangeEmail(_) => "change_email",
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
        self.mail_ready()?;
        let email = Email::parse(email)?;
        self.send_code(&email, Purpose::Register, locale, origin).await
    }

    /// Mails a code to an address that must have no account; to one that has, the news that it has.
    pub(super) async fn send_code(
        &self,
        email: &Email,
        purpose: Purpose,
        locale: Locale,
        origin: &Origin,
    ) -> Result<CodeSent, Failure> {
        let inner = &self.inner;
        let (salt, code) = (inner.entropy.salt(), self.draw_code());
        // An address with an account gets a row, too, of a code that nobody knows.
        let decoy = inner.entropy.bytes32().to_string();
        let mut offer = Offer::begin(self, email, purpose.name(), origin).await?;
        let secret = if offer.registered { &decoy } else { &code };
        put(&mut offer.tx, email, purpose, &salt, secret, offer.now).await?;
        let kind = match (offer.registered, purpose) {
            (false, _) => MailKind::VerificationCode {
                code,
                minutes: u32::try_from(CODE_LIFE.0 / 60_000).unwrap_or(u32::MAX),
            },
            (true, Purpose::Register) => MailKind::AlreadyRegistered,
            (true, Purpose::ChangeEmail(_)) => MailKind::AddressInUse,
        };
        let next_after = offer.send(locale, kind).await?;
        Ok(CodeSent { valid_for: CODE_LIFE, next_after })
    }

    fn draw_code(&self) -> String {
        let [a, b, c, d, e, f, g, h, ..] = self.inner.entropy.bytes32().0;
        // 2^64 is so much larger than 10^6 that no code is likelier than another in any way that counts.
        format!("{:06}", u64::from_le_bytes([a, b, c, d, e, f, g, h]) % 1_000_000)
    }
}

/// Puts a code in force, in place of an earlier one.
async fn put(
    tx: &mut Conn,
    email: &Email,
    purpose: Purpose,
    salt: &[u8],
    secret: &str,
    now: Time,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO codes (address, purpose, salt, hash, expires, tries_left) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (address, purpose) DO UPDATE SET \
         salt = excluded.salt, hash = excluded.hash, expires = excluded.expires, \
         tries_left = excluded.tries_left",
    )
    .bind(email.key())
    .bind(purpose.name())
    .bind(salt)
    .bind(hash(salt, email, purpose, secret).as_bytes().as_slice())
    .bind((now + CODE_LIFE).0)
    .bind(i64::from(CODE_TRIES))
    .execute(tx)
    .await?;
    Ok(())
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
    // Whoever reads another's mail cannot be made to type in what that person asked for.
    if let Purpose::ChangeEmail(player) = purpose {
        hasher.update(player.0.as_bytes());
    }
    hasher.finalize()
}
