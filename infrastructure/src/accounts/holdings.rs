//! Everything that the accounts hold of a person, for that person's own export. Gives no hash of a password, a
//! session or a mark: they are of no use to anybody but whoever steals them.

use super::db::Row;
use super::reminders::Notice;
use super::{Accounts, Failure, Person, Session, marks, rows};
use sqlx::Row as _;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::kernel::{MatchId, PlayerId, Time};
use yibu_domain::matches::Mark;
use yibu_domain::reminders;

/// What the accounts hold of a person.
pub struct Holdings {
    /// Address, language, age of the account.
    pub person: Option<Person>,
    /// Every nickname, the first one first.
    pub nicknames: Vec<HeldNickname>,
    /// The sessions of now.
    pub sessions: Vec<Session>,
    /// The devices that logged in, the first one first.
    pub devices: Vec<HeldDevice>,
    /// The networks that logged in of late, by their names, with the last time.
    pub networks: Vec<(String, Time)>,
    /// Changes of the account that are remembered by their keys: when each was made.
    pub changes: Vec<Time>,
    /// What is set about turn mails.
    pub reminders: reminders::Settings,
    /// The notices that are kept, the latest first.
    pub notices: Vec<Notice>,
    /// The private marks on others' pieces, by match.
    pub marks: Vec<HeldMark>,
}

/// A private mark, on whatever became of the piece.
pub struct HeldMark {
    /// In which match.
    pub match_id: MatchId,
    /// The piece.
    pub piece: Pos,
    /// What was noted.
    pub mark: Mark,
    /// When.
    pub at: Time,
}

/// A nickname that the person has or had.
pub struct HeldNickname {
    /// As it is shown.
    pub nickname: String,
    /// Since when.
    pub since: Time,
    /// Until when; `None` for the one of now.
    pub until: Option<Time>,
}

/// A device, known by its mark alone.
pub struct HeldDevice {
    /// The first login.
    pub first: Time,
    /// The last one.
    pub last: Time,
}

impl Accounts {
    /// What the accounts hold of a player.
    ///
    /// # Errors
    /// The database failed.
    pub async fn holdings(&self, player: PlayerId) -> Result<Holdings, Failure> {
        Ok(Holdings {
            person: self.person(player).await?,
            nicknames: self
                .held(
                    player,
                    "SELECT display, since, until FROM nicknames WHERE player = $1 ORDER BY revision",
                    |row| {
                        Ok(HeldNickname {
                            nickname: row.try_get("display")?,
                            since: rows::time(row, "since")?,
                            until: row.try_get::<Option<i64>, _>("until")?.map(Time),
                        })
                    },
                )
                .await?,
            sessions: self.list_sessions(player).await?,
            devices: self
                .held(
                    player,
                    "SELECT first_seen, last_seen FROM devices WHERE player = $1 ORDER BY first_seen",
                    |row| {
                        let (first, last) = ("first_seen", "last_seen");
                        Ok(HeldDevice { first: rows::time(row, first)?, last: rows::time(row, last)? })
                    },
                )
                .await?,
            networks: self
                .held(
                    player,
                    "SELECT network, last_seen FROM networks WHERE player = $1 ORDER BY network",
                    |row| Ok((row.try_get("network")?, rows::time(row, "last_seen")?)),
                )
                .await?,
            changes: self
                .held(
                    player,
                    "SELECT at FROM account_commands WHERE player = $1 ORDER BY at",
                    |row| rows::time(row, "at"),
                )
                .await?,
            reminders: self.reminder_settings(player).await?,
            notices: self.notices(player, None, u32::MAX).await?,
            marks: self
                .held(
                    player,
                    "SELECT match_id, handle, mark, colour, at FROM marks WHERE player = $1 \
                     ORDER BY match_id, handle",
                    held_mark,
                )
                .await?
                .into_iter()
                .flatten()
                .collect(),
        })
    }

    async fn held<T>(
        &self,
        player: PlayerId,
        sql: &str,
        read: impl Fn(&Row) -> Result<T, sqlx::Error>,
    ) -> Result<Vec<T>, Failure> {
        let query = sqlx::query(sql).bind(rows::bytes(player.0));
        let found = query.fetch_all(self.inner.db.reading()).await?;
        Ok(found.iter().map(read).collect::<Result<_, _>>()?)
    }
}

fn held_mark(row: &Row) -> Result<Option<HeldMark>, sqlx::Error> {
    let (match_id, at) = (MatchId(rows::id(row, "match_id")?), rows::time(row, "at")?);
    let noted = marks::noted(row)?;
    Ok(noted.map(|(piece, mark)| HeldMark { match_id, piece, mark, at }))
}
