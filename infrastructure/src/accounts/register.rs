//! New accounts. The account comes first and is marked as not yet recorded; the caller then writes the
//! player's first event and confirms it. A crash between the two loses and doubles nothing.

use super::codes::{self, Purpose};
use super::sessions::NewSession;
use super::turns::Turn;
use super::{Accounts, Email, Failure, Origin, Refusal, Session, SessionToken, password, rows};
use crate::mail::Locale;
use yibu_domain::kernel::{PlayerId, Time};
use yibu_domain::players::nickname::Nickname;

/// The nickname that an account begins with.
const FIRST_REVISION: u32 = 1;

/// What somebody who wants an account says.
#[derive(Clone)]
pub struct Registration<'a> {
    /// The address that a code was mailed to.
    pub email: &'a str,
    /// The code from that mail.
    pub code: &'a str,
    /// The wished nickname.
    pub nickname: &'a str,
    /// The chosen password.
    pub password: &'a str,
    /// The language of later mails.
    pub locale: Locale,
}

/// A new account, with its first session.
#[derive(Debug)]
pub struct Registered {
    /// The new player.
    pub player: PlayerId,
    /// The nickname as it is shown.
    pub nickname: String,
    /// The revision number of the nickname, for the event.
    pub revision: u32,
    /// The session.
    pub session: Session,
    /// The session's token, to be given to the client and kept nowhere.
    pub token: SessionToken,
    /// The device mark to be kept on the client for a year or longer.
    pub mark: String,
}

/// A player whose first event is not known to be in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PendingRegistration {
    /// The player.
    pub player: PlayerId,
    /// The revision number of the nickname that the player began with.
    pub revision: u32,
    /// Whether it is a house player.
    pub house: bool,
    /// When the account was made.
    pub at: Time,
}

impl Accounts {
    /// Makes an account and its first session. The caller appends the player's first event to a stream
    /// that must not exist yet, then calls [`Accounts::confirm_recorded`].
    ///
    /// The code stays in force until the account is made: a taken nickname does not cost it.
    ///
    /// # Errors
    /// Refusals, in this order: `MAIL_UNAVAILABLE`, `EMAIL_INVALID`, `NICKNAME_INVALID`,
    /// `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON`, `CODE_WRONG`, `CODE_EXPIRED`,
    /// `CODE_TRIES_USED`, `NICKNAME_TAKEN`.
    pub async fn register(
        &self,
        wish: Registration<'_>,
        origin: &Origin,
    ) -> Result<Registered, Failure> {
        let inner = &self.inner;
        self.mail_ready()?;
        let email = Email::parse(wish.email)?;
        let nickname = Nickname::parse(wish.nickname).map_err(Refusal::NicknameInvalid)?;
        let password = password::judge(wish.password)?;

        // The code is judged before the costly hash, and again with the change itself.
        self.try_code(&email, wish.code).await?;
        let hash = inner.hasher.hash(password).await?;

        let now = inner.clock.now();
        let player = inner.entropy.player_id();
        let mut tx = inner.db.write(&[Turn::Address(email.key())]).await?;
        codes::attempt(&mut tx, &email, Purpose::Register, wish.code, now).await??;
        sqlx::query("INSERT INTO players (player, house, created) VALUES ($1, 0, $2)")
            .bind(rows::bytes(player.0))
            .bind(now.0)
            .execute(&mut *tx)
            .await?;
        if !super::names::begin(&mut tx, player, FIRST_REVISION, &nickname, now).await? {
            return Err(Refusal::NicknameTaken.into());
        }
        let made = sqlx::query(
            "INSERT INTO accounts (player, email, email_key, password, locale, created) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email_key) DO NOTHING",
        )
        .bind(rows::bytes(player.0))
        .bind(email.as_str())
        .bind(email.key())
        .bind(hash)
        .bind(wish.locale.tag())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        if made.rows_affected() == 0 {
            // Whoever made the account used up the code: without one, any code is wrong.
            return Err(Refusal::CodeWrong.into());
        }
        codes::consume(&mut tx, &email, Purpose::Register).await?;
        let NewSession { session, token, mark } =
            self.begin_session(&mut tx, player, origin, now).await?;
        tx.commit().await?;
        Ok(Registered {
            player,
            nickname: nickname.as_str().to_owned(),
            revision: FIRST_REVISION,
            session,
            token,
            mark,
        })
    }

    /// The players whose first event is not known to be in the log, oldest first. To be finished at the
    /// start: append to a stream that must not exist yet (an existing one means done), then confirm.
    ///
    /// # Errors
    /// The database failed.
    pub async fn pending_registrations(&self) -> Result<Vec<PendingRegistration>, Failure> {
        let found = sqlx::query(
            "SELECT p.player, p.house, p.created, n.revision FROM players p \
             JOIN nicknames n ON n.player = p.player AND n.revision = $1 \
             WHERE p.recorded = 0 ORDER BY p.created, p.player",
        )
        .bind(i64::from(FIRST_REVISION))
        .fetch_all(self.inner.db.reading())
        .await?;
        found
            .iter()
            .map(|row| {
                Ok(PendingRegistration {
                    player: rows::player(row, "player")?,
                    revision: rows::count(row, "revision")?,
                    house: rows::flag(row, "house")?,
                    at: rows::time(row, "created")?,
                })
            })
            .collect()
    }

    /// Notes that the log has the player's first event. May be repeated.
    ///
    /// # Errors
    /// The database failed.
    pub async fn confirm_recorded(&self, player: PlayerId) -> Result<(), Failure> {
        sqlx::query("UPDATE players SET recorded = 1 WHERE player = $1 AND recorded = 0")
            .bind(rows::bytes(player.0))
            .execute(self.inner.db.writing())
            .await?;
        Ok(())
    }

    async fn try_code(&self, email: &Email, code: &str) -> Result<(), Failure> {
        let mut tx = self.inner.db.write(&[Turn::Address(email.key())]).await?;
        let now = self.inner.clock.now();
        let tried = codes::attempt(&mut tx, email, Purpose::Register, code, now).await?;
        tx.commit().await?;
        Ok(tried?)
    }
}
