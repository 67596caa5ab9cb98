//! What an account's owner may see of it, and finding an account by its address, which only
//! administrators and the command line may ask. Gives no password hash.

use super::{Accounts, Email, Failure, rows};
use crate::mail::Locale;
use sqlx::Row as _;
use yibu_domain::kernel::{PlayerId, Time};

/// An account as its owner sees it.
#[derive(Clone, PartialEq, Eq)]
pub struct Person {
    /// The player.
    pub player: PlayerId,
    /// The verified address.
    pub email: String,
    /// The language of mails.
    pub locale: Locale,
    /// When the account was made.
    pub created: Time,
}

impl Accounts {
    /// The account of a player; `None` for house players and erased ones.
    ///
    /// # Errors
    /// The database failed.
    pub async fn person(&self, player: PlayerId) -> Result<Option<Person>, Failure> {
        let row =
            sqlx::query("SELECT player, email, locale, created FROM accounts WHERE player = $1")
                .bind(rows::bytes(player.0))
                .fetch_optional(self.inner.db.reading())
                .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Person {
            player,
            email: row.try_get("email")?,
            locale: row.try_get::<String, _>("locale")?.parse().unwrap_or_default(),
            created: rows::time(&row, "created")?,
        }))
    }

    /// Whose address this is. Must not be answered to clients.
    ///
    /// # Errors
    /// Refusal: `EMAIL_INVALID`.
    pub async fn player_by_email(&self, email: &str) -> Result<Option<PlayerId>, Failure> {
        let email = Email::parse(email)?;
        let row = sqlx::query("SELECT player FROM accounts WHERE email_key = $1")
            .bind(email.key())
            .fetch_optional(self.inner.db.reading())
            .await?;
        Ok(row.map(|row| rows::player(&row, "player")).transpose()?)
    }
}
