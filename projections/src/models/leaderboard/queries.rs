//! Who stands where: pages of the leaderboard, ranks and statistics. Lists players who took part in a match and are
//! neither suspended nor deleted; knows no names.

use super::{NAME, RECORD, Standing, day};
use crate::engine::registry::unsigned;
use crate::engine::{Conn, Row, Views, ViewsError, id};
use sqlx::{Connection, Executor, Row as _};
use yibu_domain::kernel::{PlayerId, Time};
use yibu_domain::players::Record;

/// How many UTC days the shorter period has, today's included.
const DAYS: i64 = 30;

/// What comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Points, then wins.
    Points,
    /// Wins, then points.
    Wins,
}

/// Which time is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Period {
    /// From the beginning.
    AllTime,
    /// The UTC day of `now` and the 29 before it.
    ThirtyDays {
        /// The instant of asking.
        now: Time,
    },
}

/// A player's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// From 1. Whoever has the same points and wins shares a rank.
    pub rank: u64,
    /// Who.
    pub player: PlayerId,
    /// What was earned in the period.
    pub record: Record,
}

/// A place in the list: what is compared first, what next, and who.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark(pub i64, pub i64, pub PlayerId);

/// What a player earned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// How the player stands now.
    pub standing: Standing,
    /// What was earned in the period; nothing for an unknown player.
    pub record: Record,
}

impl Order {
    /// The columns that are compared.
    fn keys(self) -> &'static str {
        match self {
            Self::Points => "points, wins",
            Self::Wins => "wins, points",
        }
    }
}

impl Ranked {
    /// Where the player stands in the list of an order.
    pub fn mark(&self, order: Order) -> Mark {
        let (points, wins) = (self.record.points, i64::from(self.record.wins));
        match order {
            Order::Points => Mark(points, wins, self.player),
            Order::Wins => Mark(wins, points, self.player),
        }
    }
}

/// Queries on points and statistics.
#[derive(Clone)]
pub struct Leaderboard {
    pub(super) views: Views,
}

impl Leaderboard {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// The best players after a place in the list (`None`: from the first), at most `limit`. Players who are
    /// equal in both numbers come in a fixed order of their ids.
    ///
    /// # Errors
    /// The store failed.
    pub async fn page(
        &self,
        order: Order,
        period: Period,
        after: Option<Mark>,
        limit: u32,
    ) -> Result<Vec<Ranked>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let source = listed(reading.generation(), period);
        let mut tx = reading.connection().begin().await?;
        let last = PlayerId(uuid::Uuid::max());
        let Mark(first, second, player) = after.unwrap_or(Mark(i64::MAX, i64::MAX, last));
        let keys = order.keys();
        let sql = format!(
            "SELECT player, {} FROM {source} WHERE ({keys}, player) < ($1, $2, $3)
             ORDER BY {} DESC, player DESC LIMIT $4",
            RECORD.join(", "),
            keys.replace(',', " DESC,")
        );
        let query = sqlx::query(&sql)
            .bind(first)
            .bind(second)
            .bind(player.0.as_bytes().as_slice())
            .bind(i64::from(limit));
        let rows = tx.fetch_all(query).await?;
        let mut page: Vec<Ranked> = Vec::with_capacity(rows.len());
        let mut before = 0;
        for row in &rows {
            let mut ranked = ranked(row)?;
            let Mark(first, second, _) = ranked.mark(order);
            ranked.rank = match page.last() {
                None => {
                    let (better, ahead) = ahead(&mut tx, &source, order, &ranked).await?;
                    before = ahead;
                    better + 1
                }
                Some(other) => {
                    let Mark(one, two, _) = other.mark(order);
                    if (one, two) == (first, second) { other.rank } else { before + 1 }
                }
            };
            before += 1;
            page.push(ranked);
        }
        Ok(page)
    }

    /// A player's rank; `None` when the player is not listed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn rank(
        &self,
        player: PlayerId,
        order: Order,
        period: Period,
    ) -> Result<Option<Ranked>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let source = listed(reading.generation(), period);
        let mut tx = reading.connection().begin().await?;
        let sql = format!("SELECT player, {} FROM {source} WHERE player = $1", RECORD.join(", "));
        let query = sqlx::query(&sql).bind(player.0.as_bytes().as_slice());
        let Some(row) = tx.fetch_optional(query).await? else { return Ok(None) };
        let found = ranked(&row)?;
        let (better, _) = ahead(&mut tx, &source, order, &found).await?;
        Ok(Some(Ranked { rank: better + 1, ..found }))
    }

    /// How many players are listed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn total(&self, period: Period) -> Result<u64, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!("SELECT COUNT(*) FROM {}", listed(reading.generation(), period));
        Ok(unsigned(reading.connection().fetch_one(sql.as_str()).await?.try_get(0)?))
    }

    /// Everybody who is suspended, by id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn suspended(&self) -> Result<Vec<PlayerId>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT player FROM leaderboard_g{} WHERE standing = $1 ORDER BY player",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(Standing::Suspended.code());
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(|row| Ok(PlayerId(id(row, 0)?))).collect()
    }

    /// What a player earned, listed or not.
    ///
    /// # Errors
    /// The store failed.
    pub async fn statistics(
        &self,
        player: PlayerId,
        period: Period,
    ) -> Result<Statistics, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let generation = reading.generation();
        let mut tx = reading.connection().begin().await?;
        let who = player.0.as_bytes().as_slice();
        let sql = format!("SELECT standing FROM leaderboard_g{generation} WHERE player = $1");
        let row = tx.fetch_optional(sqlx::query(&sql).bind(who)).await?;
        let standing = match row {
            Some(row) => Standing::read(row.try_get(0)?).ok_or(ViewsError::Document(NAME))?,
            None => Standing::Listed,
        };
        let sql = format!(
            "SELECT player, {} FROM {} WHERE player = $1",
            RECORD.join(", "),
            counted(generation, period, "t.standing >= 0")
        );
        let row = tx.fetch_optional(sqlx::query(&sql).bind(who)).await?;
        let found = row.as_ref().map(ranked).transpose()?;
        Ok(Statistics { standing, record: found.map(|found| found.record).unwrap_or_default() })
    }
}

/// The rows of a period, one a player: what to select from.
fn counted(generation: u64, period: Period, which: &str) -> String {
    match period {
        Period::AllTime => {
            let columns = RECORD.join(", ");
            format!(
                "(SELECT t.player, {columns} FROM leaderboard_g{generation} AS t WHERE {which}) AS counted"
            )
        }
        Period::ThirtyDays { now } => {
            let sums = RECORD.map(|name| format!("CAST(SUM(d.{name}) AS BIGINT) AS {name}"));
            let (first, last) = (day(now) - DAYS + 1, day(now));
            format!(
                "(SELECT d.player, {} FROM leaderboard_days_g{generation} AS d
                  JOIN leaderboard_g{generation} AS t ON t.player = d.player
                  WHERE d.day BETWEEN {first} AND {last} AND {which} GROUP BY d.player) AS counted",
                sums.join(", ")
            )
        }
    }
}

/// The same of the players who are listed.
fn listed(generation: u64, period: Period) -> String {
    counted(generation, period, "t.standing = 0 AND t.matches > 0")
}

/// How many players are better, and how many stand before this one in the list.
async fn ahead(
    on: &mut Conn,
    source: &str,
    order: Order,
    who: &Ranked,
) -> Result<(u64, u64), sqlx::Error> {
    let keys = order.keys();
    let sql = format!(
        "SELECT CAST(COALESCE(SUM(CASE WHEN ({keys}) > ($1, $2) THEN 1 ELSE 0 END), 0) AS BIGINT), COUNT(*)
         FROM {source} WHERE ({keys}, player) > ($3, $4, $5)"
    );
    let Mark(first, second, player) = who.mark(order);
    let query = sqlx::query(&sql)
        .bind(first)
        .bind(second)
        .bind(first)
        .bind(second)
        .bind(player.0.as_bytes().as_slice());
    let row = on.fetch_one(query).await?;
    Ok((unsigned(row.try_get(0)?), unsigned(row.try_get(1)?)))
}

/// A row of the player and the record; the rank is found apart.
fn ranked(row: &Row) -> Result<Ranked, ViewsError> {
    let count = |column: usize| -> Result<u32, ViewsError> {
        u32::try_from(row.try_get::<i64, _>(column)?).map_err(|_| ViewsError::Document(NAME))
    };
    let record = Record {
        points: row.try_get(1)?,
        matches: count(2)?,
        wins: count(3)?,
        losses: count(4)?,
        draws: count(5)?,
        no_results: count(6)?,
        leaves: count(7)?,
        timeouts: count(8)?,
        takeovers: count(9)?,
    };
    Ok(Ranked { rank: 0, player: PlayerId(id(row, 0)?), record })
}
