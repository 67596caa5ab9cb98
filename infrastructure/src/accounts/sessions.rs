//! Sessions: opaque tokens, stored as hashes, that end when they are told to or after 30 idle days. An
//! ended session is worth nothing from the moment on at which its end was answered.

use super::live::{STORE_EVERY, TokenHash};
use super::{Accounts, Broken, Failure, Origin, rows};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use std::fmt;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Span, Time};

/// A session that was not used for so long is over.
pub const IDLE: Span = Span::hours(30 * 24);

/// A session's public name; worth nothing as a credential.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SessionId(pub Uuid);

/// A session's credential: 256 random bits as 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    /// The text for a cookie or a bearer header.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// Does not print the token.
impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(…)")
    }
}

/// One session of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Its public name.
    pub id: SessionId,
    /// Whose it is.
    pub player: PlayerId,
    /// When it began.
    pub created: Time,
    /// When it was last used.
    pub last_seen: Time,
    /// The device's label.
    pub device: String,
    /// The network that it began in (an IPv4 address or an IPv6 /64).
    pub network: String,
}

/// A session just begun.
pub(super) struct NewSession {
    pub(super) session: Session,
    pub(super) token: SessionToken,
    pub(super) mark: String,
}

impl Accounts {
    /// The session that a token stands for, marked as used now; `None` when there is none, or no longer.
    ///
    /// # Errors
    /// The database failed.
    pub async fn authenticate(&self, token: &str) -> Result<Option<Session>, Failure> {
        let inner = &self.inner;
        let Some(hash) = hash_of(token) else {
            return Ok(None);
        };
        let now = inner.clock.now();
        let (mut session, store) = match inner.live.use_now(&hash, now, IDLE) {
            Ok(used) => (used.session, used.store),
            Err(endings) => {
                let row = sqlx::query("SELECT * FROM sessions WHERE token = $1")
                    .bind(hash.as_slice())
                    .fetch_optional(inner.db.reading())
                    .await?;
                let Some(row) = row else { return Ok(None) };
                let mut session = session(&row)?;
                let stored = session.last_seen;
                let store = now - stored >= STORE_EVERY && now - stored < IDLE;
                if now - stored < IDLE {
                    session.last_seen = stored.max(now);
                    let stored = if store { now } else { stored };
                    inner.live.remember(hash, session.clone(), stored, endings);
                }
                (session, store)
            }
        };
        if now - session.last_seen >= IDLE {
            self.end(vec![session.id]).await?;
            return Ok(None);
        }
        if store {
            sqlx::query("UPDATE sessions SET last_seen = $2 WHERE id = $1 AND last_seen < $2")
                .bind(rows::bytes(session.id.0))
                .bind(now.0)
                .execute(inner.db.writing())
                .await?;
        }
        session.last_seen = session.last_seen.max(now);
        Ok(Some(session))
    }

    /// A signal that fires when the session ends, at once when it has ended. For connections that outlive
    /// a request.
    ///
    /// # Errors
    /// The database failed.
    pub async fn watch(&self, id: SessionId) -> Result<CancellationToken, Failure> {
        // The signal first, the look second: an end between the two finds the signal.
        let signal = self.inner.live.signal(id);
        let row = sqlx::query("SELECT 1 FROM sessions WHERE id = $1")
            .bind(rows::bytes(id.0))
            .fetch_optional(self.inner.db.reading())
            .await?;
        if row.is_none() {
            self.inner.live.end(&[id]);
        }
        Ok(signal)
    }

    /// Marks a session as in use, for connections that outlive a request.
    pub fn touch(&self, id: SessionId) {
        self.inner.live.touch(id, self.inner.clock.now());
    }

    /// The player's sessions, last used first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list_sessions(&self, player: PlayerId) -> Result<Vec<Session>, Failure> {
        let found = sqlx::query("SELECT * FROM sessions WHERE player = $1")
            .bind(rows::bytes(player.0))
            .fetch_all(self.inner.db.reading())
            .await?;
        let now = self.inner.clock.now();
        let mut sessions = Vec::with_capacity(found.len());
        for row in &found {
            let mut session = session(row)?;
            if let Some(seen) = self.inner.live.last_seen(session.id) {
                session.last_seen = session.last_seen.max(seen);
            }
            if now - session.last_seen < IDLE {
                sessions.push(session);
            }
        }
        sessions.sort_by_key(|session| std::cmp::Reverse((session.last_seen, session.created)));
        Ok(sessions)
    }

    /// Ends one session of the player; `false` when the player has none of that name.
    ///
    /// # Errors
    /// The database failed.
    pub async fn end_session(&self, player: PlayerId, id: SessionId) -> Result<bool, Failure> {
        let row = sqlx::query("SELECT 1 FROM sessions WHERE id = $1 AND player = $2")
            .bind(rows::bytes(id.0))
            .bind(rows::bytes(player.0))
            .fetch_optional(self.inner.db.reading())
            .await?;
        if row.is_none() {
            return Ok(false);
        }
        self.end(vec![id]).await?;
        Ok(true)
    }

    /// Ends all sessions of the player but the one to keep. Returns how many ended.
    ///
    /// # Errors
    /// The database failed.
    pub async fn end_other_sessions(
        &self,
        player: PlayerId,
        keep: Option<SessionId>,
    ) -> Result<usize, Failure> {
        let accounts = self.clone();
        let work = async move {
            let ended =
                sqlx::query("DELETE FROM sessions WHERE player = $1 AND id <> $2 RETURNING id")
                    .bind(rows::bytes(player.0))
                    .bind(rows::bytes(keep.map(|id| id.0).unwrap_or_default()))
                    .fetch_all(accounts.inner.db.writing())
                    .await?
                    .iter()
                    .map(|row| rows::id(row, "id").map(SessionId))
                    .collect::<Result<Vec<_>, _>>()?;
            accounts.inner.live.end(&ended);
            Ok(ended.len())
        };
        to_the_end(work).await
    }

    /// Ends sessions whoever they belong to: gone from the database first, then from memory.
    pub(super) async fn end(&self, ids: Vec<SessionId>) -> Result<(), Failure> {
        let accounts = self.clone();
        let work = async move {
            let mut tx = accounts.inner.db.writing().begin().await?;
            for id in &ids {
                sqlx::query("DELETE FROM sessions WHERE id = $1")
                    .bind(rows::bytes(id.0))
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await?;
            accounts.inner.live.end(&ids);
            Ok(())
        };
        to_the_end(work).await
    }

    pub(super) async fn begin_session(
        &self,
        tx: &mut SqliteConnection,
        player: PlayerId,
        origin: &Origin,
        now: Time,
    ) -> Result<NewSession, sqlx::Error> {
        let secret = self.inner.entropy.bytes32().0;
        // A shown mark is kept even when it is new to this account: that two accounts share a device
        // matters later.
        let fresh = self.inner.entropy.bytes32().0;
        let mark = origin.shown_mark().unwrap_or(fresh);
        let session = Session {
            id: SessionId(self.inner.entropy.uuid()),
            player,
            created: now,
            last_seen: now,
            device: origin.label(),
            network: origin.network(),
        };
        sqlx::query(
            "INSERT INTO sessions (id, token, player, created, last_seen, device, network) \
             VALUES ($1, $2, $3, $4, $4, $5, $6)",
        )
        .bind(rows::bytes(session.id.0))
        .bind(blake3::hash(&secret).as_bytes().as_slice())
        .bind(rows::bytes(player.0))
        .bind(now.0)
        .bind(&session.device)
        .bind(&session.network)
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "INSERT INTO devices (mark, player, first_seen, last_seen) VALUES ($1, $2, $3, $3) \
             ON CONFLICT (mark, player) DO UPDATE SET last_seen = excluded.last_seen",
        )
        .bind(blake3::hash(&mark).as_bytes().as_slice())
        .bind(rows::bytes(player.0))
        .bind(now.0)
        .execute(tx)
        .await?;
        Ok(NewSession {
            session,
            token: SessionToken(hex::encode(secret)),
            mark: hex::encode(mark),
        })
    }
}

/// Runs work whose second half must follow its first even when the caller goes away.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, sqlx::Error>> + Send + 'static,
) -> Result<T, Failure> {
    Ok(tokio::spawn(work).await.map_err(|_| Broken::Stopped)??)
}

/// What a token is found by; `None` for a text that cannot be a token.
fn hash_of(token: &str) -> Option<TokenHash> {
    let mut secret = [0; 32];
    hex::decode_to_slice(token, &mut secret).ok()?;
    Some(*blake3::hash(&secret).as_bytes())
}

fn session(row: &SqliteRow) -> Result<Session, sqlx::Error> {
    Ok(Session {
        id: SessionId(rows::id(row, "id")?),
        player: rows::player(row, "player")?,
        created: rows::time(row, "created")?,
        last_seen: rows::time(row, "last_seen")?,
        device: row.try_get("device")?,
        network: row.try_get("network")?,
    })
}
