//! Sessions: opaque tokens, stored as hashes, that end when they are told to or after 30 idle days. An
//! ended session is worth nothing from the moment on at which its end was answered, at whatever node.

use super::db::{Conn, Row};
use super::live::{STORE_EVERY, TokenHash, Used};
use super::turns::{Turn, Tx};
use super::{Accounts, Broken, Failure, Origin, ends, rows};
use sqlx::Row as _;
use std::fmt;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Span, Time};

/// A session that was not used for so long is over.
pub const IDLE: Span = Span::hours(30 * 24);

/// What is read of a session. By name: a column that a newer program adds must not reach this one.
const COLUMNS: &str = "id, player, created, last_seen, device, network";

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
        // Where others may end it, memory does not tell whether a session stands.
        let known = match inner.db.shared() {
            Some(_) => Err(inner.live.endings()),
            None => inner.live.use_now(&hash, now, IDLE),
        };
        let found = match known {
            Ok(used) => Some(used),
            Err(endings) => self.look_up(hash, now, endings).await?,
        };
        let Some(Used { mut session, store }) = found else { return Ok(None) };
        if now - session.last_seen >= IDLE {
            self.end(vec![session.id], Some(now - IDLE)).await?;
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

    /// The session of a token as the database knows it, and memory its last use.
    async fn look_up(
        &self,
        hash: TokenHash,
        now: Time,
        endings: u64,
    ) -> Result<Option<Used>, Failure> {
        let live = &self.inner.live;
        let row = sqlx::query(&format!("SELECT {COLUMNS} FROM sessions WHERE token = $1"))
            .bind(hash.as_slice())
            .fetch_optional(self.inner.db.reading())
            .await?;
        let Some(row) = row else {
            live.end_of(&hash);
            return Ok(None);
        };
        let mut session = session(&row)?;
        let stored = session.last_seen;
        if let Some(seen) = live.last_seen(session.id) {
            session.last_seen = stored.max(seen);
        }
        if now - session.last_seen >= IDLE {
            return Ok(Some(Used { session, store: false }));
        }
        session.last_seen = session.last_seen.max(now);
        let store = now - stored >= STORE_EVERY;
        live.remember(hash, session.clone(), if store { now } else { stored }, endings);
        Ok(Some(Used { session, store }))
    }

    /// A signal that fires when the session ends, at once when it has ended. For connections that outlive
    /// a request. Where another node ends it, the signal fires some milliseconds later, a second at most.
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
        let found = sqlx::query(&format!("SELECT {COLUMNS} FROM sessions WHERE player = $1"))
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
        self.end(vec![id], None).await?;
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
            let inner = &accounts.inner;
            let mut tx = inner.db.write(&[Turn::Ends]).await?;
            let ended = end_others(&mut tx, player, keep, inner.clock.now()).await?;
            tx.commit().await?;
            inner.live.end(&ended);
            Ok(ended.len())
        };
        to_the_end(work).await
    }

    /// Ends sessions whoever they belong to, or those of them alone that were not used after an instant: gone
    /// from the database first, then from memory. Returns how many ended.
    pub(super) async fn end(
        &self,
        ids: Vec<SessionId>,
        unused_since: Option<Time>,
    ) -> Result<usize, Failure> {
        let accounts = self.clone();
        let work = async move {
            let inner = &accounts.inner;
            let mut tx = inner.db.write(&[Turn::Ends]).await?;
            let mut ended = Vec::with_capacity(ids.len());
            for id in ids {
                let gone = sqlx::query("DELETE FROM sessions WHERE id = $1 AND last_seen <= $2")
                    .bind(rows::bytes(id.0))
                    .bind(unused_since.map_or(i64::MAX, |since| since.0))
                    .execute(&mut *tx)
                    .await?;
                // What somebody else has ended is not to be found here either.
                if gone.rows_affected() > 0 || unused_since.is_none() {
                    ended.push(id);
                }
            }
            ends::note(&mut tx, &ended, inner.clock.now()).await?;
            tx.commit().await?;
            inner.live.end(&ended);
            Ok(ended.len())
        };
        to_the_end(work).await
    }

    /// Commits a transaction that ended sessions and tells their ends, though the caller go away. Returns how many
    /// ended.
    pub(super) async fn finish(&self, tx: Tx, ended: Vec<SessionId>) -> Result<usize, Failure> {
        let accounts = self.clone();
        to_the_end(async move {
            tx.commit().await?;
            accounts.inner.live.end(&ended);
            Ok(ended.len())
        })
        .await
    }

    pub(super) async fn begin_session(
        &self,
        tx: &mut Conn,
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
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "INSERT INTO networks (network, player, last_seen) VALUES ($1, $2, $3) \
             ON CONFLICT (network, player) DO UPDATE SET last_seen = excluded.last_seen",
        )
        .bind(&session.network)
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

/// Ends all sessions of a player but one, in a transaction that has the turn [`Turn::Ends`] and is committed by
/// [`Accounts::finish`].
pub(super) async fn end_others(
    tx: &mut Tx,
    player: PlayerId,
    keep: Option<SessionId>,
    now: Time,
) -> Result<Vec<SessionId>, sqlx::Error> {
    let gone = sqlx::query("DELETE FROM sessions WHERE player = $1 AND id <> $2 RETURNING id")
        .bind(rows::bytes(player.0))
        .bind(rows::bytes(keep.map(|id| id.0).unwrap_or_default()))
        .fetch_all(&mut **tx)
        .await?;
    let ended = gone.iter().map(|row| rows::id(row, "id").map(SessionId));
    let ended = ended.collect::<Result<Vec<_>, _>>()?;
    ends::note(tx, &ended, now).await?;
    Ok(ended)
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

fn session(row: &Row) -> Result<Session, sqlx::Error> {
    Ok(Session {
        id: SessionId(rows::id(row, "id")?),
        player: rows::player(row, "player")?,
        created: rows::time(row, "created")?,
        last_seen: rows::time(row, "last_seen")?,
        device: row.try_get("device")?,
        network: row.try_get("network")?,
    })
}
