//! Changes of accounts that may be sent twice: by the key that their sender gave them, each is done once. Must not
//! know what a change is; keeps no password, in whatever form it could be guessed from cheaply.

use super::db::Conn;
use super::{Accounts, Broken, Failure, Origin, Refusal, Session, rows};
use sqlx::Row as _;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Span, Time};

/// How long a key is remembered.
pub(super) const REMEMBERED: Span = Span::hours(7 * 24);

/// What came of every change that is remembered: a refused one changed nothing and is judged anew.
const RESULT: &str = "OK";

/// Somebody who is logged in and asks for a change of the own account.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// The session that asks; it stays where others end.
    pub session: &'a Session,
    /// Where the request comes from.
    pub origin: &'a Origin,
    /// The sender's own name for the change (idempotency key).
    pub key: Uuid,
}

/// A change under its key.
pub(super) struct Command<'a> {
    pub(super) player: PlayerId,
    pub(super) key: Uuid,
    /// Its kind; stable.
    pub(super) kind: &'static str,
    /// What may be hashed as it stands.
    pub(super) plain: &'a [&'a str],
    /// Passwords.
    pub(super) secret: &'a [&'a str],
}

impl<'a> Command<'a> {
    /// A change that the asker asks for.
    pub(super) fn of(
        asker: &Asker<'_>,
        kind: &'static str,
        plain: &'a [&'a str],
        secret: &'a [&'a str],
    ) -> Self {
        Self { player: asker.session.player, key: asker.key, kind, plain, secret }
    }
}

impl Accounts {
    /// Does a change that was not done before under its key. `work` ends with [`remember`] in its transaction.
    pub(super) async fn once(
        &self,
        command: &Command<'_>,
        work: impl Future<Output = Result<(), Failure>>,
    ) -> Result<(), Failure> {
        if self.repeated(command).await? {
            return Ok(());
        }
        match work.await {
            // Sent twice at the same instant, the other one may have done it: what was asked is refused now.
            Err(Failure::Refused(refusal)) => {
                if self.repeated(command).await? {
                    Ok(())
                } else {
                    Err(refusal.into())
                }
            }
            done => done,
        }
    }

    /// Whether the change was done before; a refusal where the key was used for another.
    async fn repeated(&self, command: &Command<'_>) -> Result<bool, Failure> {
        let row = sqlx::query("SELECT input FROM account_commands WHERE player = $1 AND key = $2")
            .bind(rows::bytes(command.player.0))
            .bind(rows::bytes(command.key))
            .fetch_optional(self.inner.db.reading())
            .await?;
        let Some(row) = row else { return Ok(false) };
        let stored: Vec<u8> = row.try_get("input")?;
        if stored == self.input(command).await? {
            Ok(true)
        } else {
            Err(Refusal::IdempotencyConflict.into())
        }
    }

    /// The hash of what was asked. With passwords in it, it costs what a password's hash costs.
    pub(super) async fn input(&self, command: &Command<'_>) -> Result<Vec<u8>, Broken> {
        let mut hasher = blake3::Hasher::new_derive_key("yibu accounts command 1");
        let mut take = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        take(command.kind.as_bytes());
        for part in command.plain {
            take(part.as_bytes());
        }
        if !command.secret.is_empty() {
            let mut salt = blake3::Hasher::new_derive_key("yibu accounts command salt 1");
            salt.update(command.player.0.as_bytes()).update(command.key.as_bytes());
            let mut bytes = [0; 16];
            salt.finalize_xof().fill(&mut bytes);
            // JSON keeps the parts apart.
            let secret = serde_json::to_string(command.secret)
                .map_err(|error| Broken::Hashing(error.to_string()))?;
            take(self.inner.hasher.digest(secret, bytes).await?.as_bytes());
        }
        Ok(hasher.finalize().as_bytes().to_vec())
    }
}

/// Remembers a change in the transaction that makes it. Whoever was second with the same key changes nothing.
pub(super) async fn remember(
    tx: &mut Conn,
    command: &Command<'_>,
    input: &[u8],
    now: Time,
) -> Result<(), Failure> {
    let done = sqlx::query(
        "INSERT INTO account_commands (player, key, input, result, at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT DO NOTHING",
    )
    .bind(rows::bytes(command.player.0))
    .bind(rows::bytes(command.key))
    .bind(input)
    .bind(RESULT)
    .bind(now.0)
    .execute(tx)
    .await?;
    if done.rows_affected() == 1 { Ok(()) } else { Err(Refusal::IdempotencyConflict.into()) }
}
