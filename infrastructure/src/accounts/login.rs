//! Logging in by address and password. Address known or unknown: the same statements, the same hash, the
//! same answer.

use super::db::Conn;
use super::sessions::NewSession;
use super::throttle::{self, Bucket};
use super::{Accounts, Email, Failure, Origin, Refusal, Session, SessionToken, password, rows};
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
    own: Bucket,
    own_rule: throttle::BackOff,
    /// `None` on a device that the owner has used: others in its network cannot lock it out.
    network: Option<Bucket>,
}

impl Accounts {
    /// Begins a session.
    ///
    /// # Errors
    /// Refusals: `EMAIL_INVALID`, `LOGIN_THROTTLED`, `CREDENTIALS_WRONG`.
    pub async fn login(
        &self,
        email: &str,
        password: &str,
        origin: &Origin,
    ) -> Result<LoggedIn, Failure> {
        let inner = &self.inner;
        let email = Email::parse(email)?;
        let found = find(&mut *inner.db.reading().acquire().await?, &email, origin).await?;
        let mut tx = inner.db.write(&[found.own.turn()]).await?;
        let now = inner.clock.now();
        let mut wait = throttle::shut(&mut tx, found.own, now).await?;
        if let Some(network) = found.network {
            wait = wait.max(throttle::shut(&mut tx, network, now).await?);
        }
        if let Some(retry_after) = wait {
            return Err(Refusal::LoginThrottled { retry_after }.into());
        }
        // The attempt counts before it is judged: many at the same instant are as many failures.
        throttle::fill(&mut tx, found.own, found.own_rule, now).await?;
        tx.commit().await?;

        // A longer text than any password is compared, too, but not all of it.
        let typed: String = password.chars().take(password::MOST_CHARACTERS * 16).collect();
        let fits = inner.hasher.verify(password::normal(&typed), found.hash).await?;

        let now = inner.clock.now();
        let mut tx = inner.db.write(&[found.own.turn()]).await?;
        let (true, Some(player)) = (fits, found.player) else {
            if let Some(network) = found.network {
                throttle::fill(&mut tx, network, throttle::NETWORK, now).await?;
            }
            tx.commit().await?;
            return Err(Refusal::CredentialsWrong.into());
        };
        throttle::empty(&mut tx, found.own).await?;
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
    let id = player.map(|player| player.0).unwrap_or_default();
    let mark = blake3::hash(&origin.shown_mark().unwrap_or_default());
    let known = sqlx::query("SELECT 1 FROM devices WHERE mark = $1 AND player = $2")
        .bind(mark.as_bytes().as_slice())
        .bind(rows::bytes(id))
        .fetch_optional(on)
        .await?
        .is_some();
    let (own, own_rule) = if known {
        let bucket = Bucket::new("device", &[mark.as_bytes(), id.as_bytes()]);
        (bucket, throttle::OWN_DEVICE)
    } else {
        let bucket = Bucket::new("address", &[email.key().as_bytes()]);
        (bucket, throttle::ADDRESS)
    };
    let network = Bucket::new("network", &[origin.network().as_bytes()]);
    Ok(Found { player, hash, own, own_rule, network: (!known).then_some(network) })
}
