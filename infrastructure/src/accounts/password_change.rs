//! Changing the password and the language of mails. The session that asks stays, all others end.

use super::commands::{Asker, Command, remember};
use super::outbox::Posting;
use super::sessions::end_others;
use super::turns::Turn;
use super::{Accounts, Failure, Refusal, password, rows};
use crate::mail::Locale;

impl Accounts {
    /// Changes the password. The address is told.
    ///
    /// # Errors
    /// Refusals: `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON`, `LOGIN_THROTTLED`,
    /// `PASSWORD_WRONG`, `IDEMPOTENCY_CONFLICT`.
    pub async fn change_password(
        &self,
        asker: Asker<'_>,
        current: &str,
        new: &str,
    ) -> Result<(), Failure> {
        let secret = [current, new];
        let command = Command::of(&asker, "change_password", &[], &secret);
        let work = async {
            let inner = &self.inner;
            let new = password::judge(new)?;
            let proven = self.prove(command.player, current, asker.origin).await?;
            let hash = inner.hasher.hash(new).await?;
            let input = self.input(&command).await?;
            let turns = [Turn::Account(proven.player), Turn::Ends];
            let mut tx = inner.db.write(&turns).await?;
            let now = inner.clock.now();
            let sql = "UPDATE accounts SET password = $3 WHERE player = $1 AND password = $2";
            let done = sqlx::query(sql)
                .bind(rows::bytes(proven.player.0))
                .bind(&proven.password)
                .bind(hash)
                .execute(&mut *tx)
                .await?;
            if done.rows_affected() == 0 {
                return Err(Refusal::PasswordWrong.into());
            }
            // A link that was mailed before opens the account no more.
            sqlx::query("DELETE FROM resets WHERE address = $1")
                .bind(proven.email.key())
                .execute(&mut *tx)
                .await?;
            let (player, told) = (proven.player, Posting::PasswordChanged);
            self.security_mail(&mut tx, player, &proven.email, &told, now).await?;
            remember(&mut tx, &command, &input, now).await?;
            let ended = end_others(&mut tx, player, Some(asker.session.id), now).await?;
            self.finish(tx, ended).await?;
            Ok(())
        };
        self.once(&command, work).await
    }

    /// Changes the language of mails.
    ///
    /// # Errors
    /// Refusal: `IDEMPOTENCY_CONFLICT`.
    pub async fn change_locale(&self, asker: Asker<'_>, locale: Locale) -> Result<(), Failure> {
        let plain = [locale.tag()];
        let command = Command::of(&asker, "change_locale", &plain, &[]);
        let work = async {
            let inner = &self.inner;
            let input = self.input(&command).await?;
            let mut tx = inner.db.write(&[]).await?;
            sqlx::query("UPDATE accounts SET locale = $2 WHERE player = $1")
                .bind(rows::bytes(command.player.0))
                .bind(locale.tag())
                .execute(&mut *tx)
                .await?;
            remember(&mut tx, &command, &input, inner.clock.now()).await?;
            tx.commit().await?;
            Ok(())
        };
        self.once(&command, work).await
    }
}
