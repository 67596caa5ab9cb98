//! Who is called what: nicknames by player and back, and the house players. Must not judge a name beyond
//! whether it is free.

use super::db::{Conn, Row};
use super::turns::Turn;
use super::{Accounts, Failure, Refusal, rows, skeletons};
use sqlx::Row as _;
use std::collections::HashMap;
use yibu_domain::kernel::{PlayerId, Time};
use yibu_domain::players::nickname::{self, Nickname};

/// Players asked for in one statement.
const AT_ONCE: usize = 200;

/// How a player is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The nickname as it is shown.
    pub nickname: String,
    /// Its revision number.
    pub revision: u32,
    /// Whether it is a house player.
    pub house: bool,
}

/// A house player, found or made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HousePlayer {
    /// The player.
    pub player: PlayerId,
    /// The revision number of the nickname.
    pub revision: u32,
    /// Whether the player's first event still has to be written and confirmed.
    pub pending: bool,
}

impl Accounts {
    /// The current nicknames of players. Players without one (erased, unknown) are left out.
    ///
    /// # Errors
    /// The database failed.
    pub async fn nickname_of(
        &self,
        players: &[PlayerId],
    ) -> Result<HashMap<PlayerId, Named>, Failure> {
        let mut names = HashMap::with_capacity(players.len());
        for some in players.chunks(AT_ONCE) {
            let sql = format!(
                "SELECT n.player, n.display, n.revision, p.house FROM nicknames n \
                 JOIN players p ON p.player = n.player WHERE n.until IS NULL AND n.player IN ({})",
                rows::marks(some.len(), 1)
            );
            let mut query = sqlx::query(&sql);
            for player in some {
                query = query.bind(rows::bytes(player.0));
            }
            for row in query.fetch_all(self.inner.db.reading()).await? {
                names.insert(rows::player(&row, "player")?, named(&row)?);
            }
        }
        Ok(names)
    }

    /// Nicknames as they were at given revisions, for history. Erased ones are left out.
    ///
    /// # Errors
    /// The database failed.
    pub async fn nickname_at(
        &self,
        revisions: &[(PlayerId, u32)],
    ) -> Result<HashMap<(PlayerId, u32), String>, Failure> {
        let mut names = HashMap::with_capacity(revisions.len());
        for some in revisions.chunks(AT_ONCE) {
            let sql = format!(
                "SELECT player, revision, display FROM nicknames \
                 WHERE (player, revision) IN (VALUES {})",
                rows::marks(some.len(), 2)
            );
            let mut query = sqlx::query(&sql);
            for (player, revision) in some {
                query = query.bind(rows::bytes(player.0)).bind(i64::from(*revision));
            }
            for row in query.fetch_all(self.inner.db.reading()).await? {
                let key = (rows::player(&row, "player")?, rows::count(&row, "revision")?);
                names.insert(key, row.try_get("display")?);
            }
        }
        Ok(names)
    }

    /// Who has this nickname now, in whatever case it is written.
    ///
    /// # Errors
    /// The database failed.
    pub async fn player_by_nickname(&self, text: &str) -> Result<Option<PlayerId>, Failure> {
        // Not every database takes a zero character, and no name has one.
        if text.chars().nth(nickname::MOST_CODE_POINTS * 4).is_some() || text.contains('\0') {
            return Ok(None);
        }
        let row = sqlx::query("SELECT player FROM nicknames WHERE folded = $1 AND until IS NULL")
            .bind(nickname::fold(text))
            .fetch_optional(self.inner.db.reading())
            .await?;
        Ok(row.map(|row| rows::player(&row, "player")).transpose()?)
    }

    /// The house player of that name, made when there is none. A house player has no address, no password
    /// and no session.
    ///
    /// # Errors
    /// Refusals: `NICKNAME_INVALID`; `NICKNAME_TAKEN` when a person has that name.
    pub async fn house_player(&self, name: &str) -> Result<HousePlayer, Failure> {
        let name = Nickname::parse_unreserved(name).map_err(Refusal::NicknameInvalid)?;
        let now = self.inner.clock.now();
        let player = self.inner.entropy.player_id();
        let revision = 1;
        let mut tx = self.inner.db.write(&[Turn::Nickname(&name.folded())]).await?;
        let found = sqlx::query(
            "SELECT p.player, p.house, p.recorded, n.revision FROM nicknames n \
             JOIN players p ON p.player = n.player WHERE n.folded = $1 AND n.until IS NULL",
        )
        .bind(name.folded())
        .fetch_optional(&mut *tx)
        .await?;
        if let Some(row) = found {
            if !rows::flag(&row, "house")? {
                return Err(Refusal::NicknameTaken.into());
            }
            return Ok(HousePlayer {
                player: rows::player(&row, "player")?,
                revision: rows::count(&row, "revision")?,
                pending: !rows::flag(&row, "recorded")?,
            });
        }
        sqlx::query("INSERT INTO players (player, house, created) VALUES ($1, 1, $2)")
            .bind(rows::bytes(player.0))
            .bind(now.0)
            .execute(&mut *tx)
            .await?;
        if !begin(&mut tx, player, revision, &name, now).await? {
            return Err(Refusal::NicknameTaken.into());
        }
        tx.commit().await?;
        Ok(HousePlayer { player, revision, pending: true })
    }
}

/// Gives a player without a nickname this one; `false` when somebody has it or one that looks like it.
pub(super) async fn begin(
    tx: &mut Conn,
    player: PlayerId,
    revision: u32,
    name: &Nickname,
    now: Time,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "INSERT INTO nicknames (player, revision, display, folded, skeleton, since) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
    )
    .bind(rows::bytes(player.0))
    .bind(i64::from(revision))
    .bind(name.as_str())
    .bind(name.folded())
    .bind(skeletons::of(name))
    .bind(now.0)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

fn named(row: &Row) -> Result<Named, sqlx::Error> {
    Ok(Named {
        nickname: row.try_get("display")?,
        revision: rows::count(row, "revision")?,
        house: rows::flag(row, "house")?,
    })
}
