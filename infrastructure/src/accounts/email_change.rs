//! Changing the address: the current password, and a code that was mailed to the new one. The old one is told. An
//! address that has an account is answered like one that has none.

use super::codes::{self, CodeSent, Purpose};
use super::commands::{Asker, Command, remember};
use super::outbox::Posting;
use super::sessions::end_others;
use super::turns::Turn;
use super::{Accounts, Email, Failure, Origin, Refusal, Session, rows};

impl Accounts {
    /// Mails a code to the address that shall be the account's; earlier codes are void.
    ///
    /// # Errors
    /// Refusals: `MAIL_UNAVAILABLE`, `EMAIL_INVALID`, `LOGIN_THROTTLED`, `PASSWORD_WRONG`, `CODE_RATE_LIMITED`.
    pub async fn request_email_change(
        &self,
        session: &Session,
        email: &str,
        current: &str,
        origin: &Origin,
    ) -> Result<CodeSent, Failure> {
        self.mail_ready()?;
        let email = Email::parse(email)?;
        let proven = self.prove(session.player, current, origin).await?;
        let purpose = Purpose::ChangeEmail(session.player);
        self.send_code(&email, purpose, proven.locale, origin).await
    }

    /// Changes the address. The session that asks stays, all others end. The old address is told.
    ///
    /// # Errors
    /// Refusals: `EMAIL_INVALID`, `LOGIN_THROTTLED`, `PASSWORD_WRONG`, `CODE_WRONG`, `CODE_EXPIRED`,
    /// `CODE_TRIES_USED`, `IDEMPOTENCY_CONFLICT`.
    pub async fn change_email(
        &self,
        asker: Asker<'_>,
        email: &str,
        code: &str,
        current: &str,
    ) -> Result<(), Failure> {
        let email = Email::parse(email)?;
        let plain = [email.as_str(), code];
        let secret = [current];
        let command = Command::of(&asker, "change_email", &plain, &secret);
        let work = async {
            let inner = &self.inner;
            let purpose = Purpose::ChangeEmail(command.player);
            let proven = self.prove(command.player, current, asker.origin).await?;
            let input = self.input(&command).await?;

            let mut keys = [proven.email.key(), email.key()];
            keys.sort_unstable();
            let [first, second] = keys.map(Turn::Address);
            let turns = [first, second, Turn::Account(proven.player), Turn::Ends];
            let mut tx = inner.db.write(&turns).await?;
            let now = inner.clock.now();
            if let Err(refusal) = codes::attempt(&mut tx, &email, purpose, code, now).await? {
                // A wrong one costs a try.
                tx.commit().await?;
                return Err(refusal.into());
            }
            let sql = "SELECT 1 FROM accounts WHERE email_key = $1 AND player <> $2";
            let taken = sqlx::query(sql)
                .bind(email.key())
                .bind(rows::bytes(proven.player.0))
                .fetch_optional(&mut *tx)
                .await?;
            if taken.is_some() {
                // Registered since the code was mailed: from then on any code is wrong.
                return Err(Refusal::CodeWrong.into());
            }
            let done = sqlx::query(
                "UPDATE accounts SET email = $3, email_key = $4 WHERE player = $1 AND password = $2",
            )
            .bind(rows::bytes(proven.player.0))
            .bind(&proven.password)
            .bind(email.as_str())
            .bind(email.key())
            .execute(&mut *tx)
            .await?;
            if done.rows_affected() == 0 {
                return Err(Refusal::PasswordWrong.into());
            }
            codes::consume(&mut tx, &email, purpose).await?;
            // A link that was mailed to the old address opens nothing more.
            sqlx::query("DELETE FROM resets WHERE address = $1")
                .bind(proven.email.key())
                .execute(&mut *tx)
                .await?;
            let told = Posting::EmailChanged { new_masked: email.masked() };
            self.security_mail(&mut tx, proven.player, &proven.email, &told, now).await?;
            remember(&mut tx, &command, &input, now).await?;
            let ended = end_others(&mut tx, proven.player, Some(asker.session.id), now).await?;
            self.finish(tx, ended).await?;
            Ok(())
        };
        self.once(&command, work).await
    }
}
