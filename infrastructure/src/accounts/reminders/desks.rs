//! The rows of desks. Whoever changes one has the turn [`Desks`](super::super::turns::Turn::Desks), so that no
//! two work on the same desk.

use super::super::db::{Conn, Row};
use super::super::rows;
use super::calls::Done;
use super::notices::News;
use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use std::collections::HashMap;
use yibu_domain::kernel::{PlayerId, Time};
use yibu_domain::reminders::{Desk, Happening, TurnRef};

/// So many marks of "seen" wait for the planner at the most; one does at a time.
const EARLY: usize = 16;

/// Players in one statement.
const AT_ONCE: usize = 500;

/// A person's desk, out of its row.
pub(crate) struct Kept {
    pub(crate) player: PlayerId,
    /// When it is to be looked at next.
    pub(crate) wake: Option<Time>,
    /// The number of the latest notice.
    pub(super) latest: u64,
    /// What the person is to be told in the app, with its instant.
    pub(super) news: Vec<(News, Time)>,
    /// Own turns that the person has before the eyes: what was told of them is read.
    pub(super) seen: Vec<TurnRef>,
    /// What was told and calls for nothing any more.
    pub(super) done: Vec<Done>,
    body: Body,
}

/// What stands in the row's `body`.
#[derive(Default, Serialize, Deserialize)]
struct Body {
    desk: Desk,
    /// Turns that the person had open before the planner knew of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    early: Vec<TurnRef>,
}

impl Kept {
    fn new(player: PlayerId) -> Self {
        let (news, seen, done) = (Vec::new(), Vec::new(), Vec::new());
        Self { player, wake: None, latest: 0, news, seen, done, body: Body::default() }
    }

    fn read(row: &Row) -> Result<Self, sqlx::Error> {
        let player = rows::player(row, "player")?;
        if row.try_get::<Option<String>, _>("body")?.is_none() {
            return Ok(Self::new(player));
        }
        Ok(Self {
            wake: row.try_get::<Option<i64>, _>("wake")?.map(Time),
            latest: rows::number(row, "notices")?,
            body: rows::json(row, "body")?,
            ..Self::new(player)
        })
    }

    /// The desk itself, to look at.
    pub(crate) fn desk(&mut self) -> &mut Desk {
        &mut self.body.desk
    }

    /// Notes what happened at `at`. A turn may have been seen before the planner comes to its start, and is noted
    /// as seen then.
    pub(crate) fn note(&mut self, at: Time, happening: Happening) {
        let Body { desk, early } = &mut self.body;
        desk.note(at, happening);
        match happening {
            Happening::Started { match_id, turn, .. } => {
                let turn = TurnRef { match_id, turn };
                if early.contains(&turn) {
                    desk.note(at, Happening::Seen(turn));
                    self.seen.push(turn);
                }
                early.retain(|seen| seen.match_id != match_id || seen.turn > turn.turn);
            }
            Happening::Seen(turn) if desk.runs(turn) => self.seen.push(turn),
            Happening::Seen(turn) if !early.contains(&turn) => {
                early.push(turn);
                early.drain(..early.len().saturating_sub(EARLY));
            }
            _ => {}
        }
    }

    /// Something to tell in the app.
    pub(crate) fn tell(&mut self, news: News, at: Time) {
        self.news.push((news, at));
    }
}

/// The desks of these players. Who has no row has the desk that everybody begins with; who has no account has none.
pub(super) async fn load(
    on: &mut Conn,
    players: &[PlayerId],
) -> Result<HashMap<PlayerId, Kept>, sqlx::Error> {
    let mut found = HashMap::new();
    for some in players.chunks(AT_ONCE) {
        let sql = format!(
            "SELECT a.player, d.body, d.wake, d.notices FROM accounts a \
             LEFT JOIN desks d ON d.player = a.player WHERE a.player IN ({})",
            rows::marks(some.len(), 1)
        );
        let ids = some.iter().map(|player| rows::bytes(player.0));
        let query = ids.fold(sqlx::query(&sql), sqlx::query::Query::bind);
        for row in query.fetch_all(&mut *on).await? {
            let kept = Kept::read(&row)?;
            found.insert(kept.player, kept);
        }
    }
    Ok(found)
}

/// The desks that are to be looked at by `now`, the longest due first, at most `limit`.
pub(super) async fn due(on: &mut Conn, now: Time, limit: u32) -> Result<Vec<Kept>, sqlx::Error> {
    let sql = "SELECT player, body, wake, notices FROM desks WHERE wake <= $1 \
               ORDER BY wake, player LIMIT $2";
    let found = sqlx::query(sql).bind(now.0).bind(i64::from(limit)).fetch_all(on).await?;
    found.iter().map(Kept::read).collect()
}

/// Every desk that has a row.
pub(super) async fn all(on: &mut Conn) -> Result<Vec<Kept>, sqlx::Error> {
    let sql = "SELECT player, body, wake, notices FROM desks ORDER BY player";
    sqlx::query(sql).fetch_all(on).await?.iter().map(Kept::read).collect()
}

/// Writes desks back, with their news.
pub(super) async fn save(on: &mut Conn, desks: &mut [Kept]) -> Result<(), sqlx::Error> {
    super::notices::give(on, desks).await?;
    super::calls::settle(on, desks).await?;
    let bodies = desks.iter().map(|kept| Ok((kept, rows::text(&kept.body)?)));
    let bodies = bodies.collect::<Result<Vec<_>, sqlx::Error>>()?;
    let into = "desks (player, body, wake, notices, reads)";
    let then = "ON CONFLICT (player) DO UPDATE SET body = excluded.body, wake = excluded.wake, \
                notices = excluded.notices, reads = desks.reads + excluded.reads";
    rows::insert(on, (into, 5, then), &bodies, |query, (kept, body)| {
        query
            .bind(rows::bytes(kept.player.0))
            .bind(body.as_str())
            .bind(kept.wake.map(|wake| wake.0))
            .bind(rows::signed(kept.latest))
            .bind(i64::from(kept.settles()))
    })
    .await
}
