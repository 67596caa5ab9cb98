//! Logging in by address and password. Address known or unknown: the same statements, the same hash, the
//! same answer.

use super::db::Conn;
use super::proof::Guard;
use super::sessions::NewSession;
use super::throttle::{self, Bucket};
use super::turns::Turn;
use super::{Accounts, Email, Failure, Origin, Refusal, Session, SessionToken, rows};
use sqlx::Row as _;
use yibu_domain::kernel::PlayerId;

/// A new session of an account.
#[derive(Debug)]
pub struct LoggedIn {
    /// The player.
    pub player: PlayerId,
    /// The session.
    pub session: Session,
    /// The session's token, to be given to the client and kept nowhere.
    pub token: SessionToken,
    /// The device mark to be kept on the client for a year or longer.
    pub mark: String,
}

/// What the address leads to, if to anything.
struct Found {
    player: Option<PlayerId>,
    hash: Option<String>,
    guard: Guard,
}

impl Accounts {
    /// Begins a session.
    ///
    /// # Errors
    /// Refusals: `EMAIL_INVALID`, `LOGIN_THROTTLED`, `CREDENTIALS_WRONG`, and, to the right password alone,
    /// `ACCOUNT_SUSPENDED`.
    pub async fn login(
        &self,
        email: &str,
        password: &str,
        origin: &Origin,
    ) -> Result<LoggedIn, Failure> {
        let inner = &self.inner;
        let email = Email::parse(email)?;
        let found = find(&mut *inner.db.reading().acquire().await?, &email, origin).await?;
        let fits = self.judge(&found.guard, password, found.hash.clone()).await?;
        let (true, Some(player), Some(hash)) = (fits, found.player, found.hash) else {
            return Err(Refusal::CredentialsWrong.into());
        };

        let own = found.guard.own;
        let mut tx = inner.db.write(&[Turn::Account(player), own.turn()]).await?;
        let now = inner.clock.now();
        // What was judged may have been changed meanwhile, and its sessions ended.
        let row = sqlx::query(
            "SELECT a.password, s.since, d.asked FROM accounts a \
             LEFT JOIN suspensions s ON s.player = a.player \
             LEFT JOIN deletions d ON d.player = a.player WHERE a.player = $1 AND a.email_key = $2",
        )
        .bind(rows::bytes(player.0))
        .bind(email.key())
        .fetch_optional(&mut *tx)
        .await?;
        let row = row.ok_or(Refusal::CredentialsWrong)?;
        let same = row.try_get::<String, _>("password")? == hash;
        if !same || row.try_get::<Option<i64>, _>("asked")?.is_some() {
            return Err(Refusal::CredentialsWrong.into());
        }
        throttle::empty(&mut tx, own).await?;
        if row.try_get::<Option<i64>, _>("since")?.is_some() {
            tx.commit().await?;
            return Err(Refusal::AccountSuspended.into());
        }
        let NewSession { session, token, mark } =
            self.begin_session(&mut tx, player, origin, now).await?;
        tx.commit().await?;
        Ok(LoggedIn { player, session, token, mark })
    }
}

async fn find(on: &mut Conn, email: &Email, origin: &Origin) -> Result<Found, sqlx::Error> {
    let account = sqlx::query("SELECT player, password FROM accounts WHERE email_key = $1")
        .bind(email.key())
        .fetch_optional(&mut *on)
        .await?;
    let player = account.as_ref().map(|row| rows::player(row, "player")).transpose()?;
    let hash = account.map(|row| row.try_get("password")).transpose()?;
    let other = Bucket::new("address", &[email.key().as_bytes()]);
    let guard = Guard::of(on, player.unwrap_or(PlayerId(uuid::Uuid::nil())), origin, other).await?;
    Ok(Found { player, hash, guard })
}
