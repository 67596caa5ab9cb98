//! Queries on the schedule, for the planner of mails and for in-app notices.

use super::super::read;
use super::NAME;
use super::table::{Mark, MarkKind, Running, Table};
use crate::engine::{Row, Views, ViewsError, id};
use sqlx::{Executor, Row as _};
use yibu_domain::kernel::{MatchId, PlayerId, Time};
use yibu_domain::matches::events::TurnKind;

const COLUMNS: &str = "match_id, due, what, player, turn, kind, deadline";

/// Queries on the schedule.
#[derive(Clone)]
pub struct NotificationSchedule {
    views: Views,
}

impl NotificationSchedule {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// The marks after `from` and not after `until`, the earliest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn between(
        &self,
        from: Time,
        until: Time,
        limit: u32,
    ) -> Result<Vec<Mark>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT {COLUMNS} FROM notification_schedule_marks_g{}
             WHERE due > $1 AND due <= $2 ORDER BY due, match_id, slot LIMIT $3",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(from.0).bind(until.0).bind(i64::from(limit));
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(mark).collect()
    }

    /// Every mark of the clocks that concern a person now, the earliest first, those that are over included.
    ///
    /// # Errors
    /// The store failed.
    pub async fn of(&self, player: PlayerId) -> Result<Vec<Mark>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT {COLUMNS} FROM notification_schedule_marks_g{}
             WHERE player = $1 ORDER BY due, match_id, slot",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(player.0.as_bytes().as_slice());
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(mark).collect()
    }

    /// The next instant after `after` that has a mark.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next(&self, after: Time) -> Result<Option<Time>, ViewsError> {
        let next = self.between(after, Time(i64::MAX), 1).await?;
        Ok(next.first().map(|mark| mark.due))
    }

    /// The clock that runs in a match, if one does.
    ///
    /// # Errors
    /// The store failed.
    pub async fn running(&self, match_id: MatchId) -> Result<Option<Running>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT body FROM notification_schedule_g{} WHERE match_id = $1",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(match_id.0.as_bytes().as_slice());
        let Some(row) = reading.connection().fetch_optional(query).await? else { return Ok(None) };
        Ok(read::<Table>(NAME, row.try_get(0)?)?.clock)
    }
}

fn mark(row: &Row) -> Result<Mark, ViewsError> {
    let kind = match row.try_get::<i64, _>(2)? {
        0 => MarkKind::Started,
        1 => MarkKind::FourHours,
        2 => MarkKind::OneHour,
        3 => MarkKind::Deadline,
        _ => return Err(ViewsError::Document(NAME)),
    };
    let turn_kind = match row.try_get::<i64, _>(5)? {
        0 => TurnKind::Normal,
        1 => TurnKind::TakeoverFirst,
        2 => TurnKind::Vacant,
        _ => return Err(ViewsError::Document(NAME)),
    };
    let turn = u32::try_from(row.try_get::<i64, _>(4)?);
    Ok(Mark {
        due: Time(row.try_get(1)?),
        kind,
        match_id: MatchId(id(row, 0)?),
        player: PlayerId(id(row, 3)?),
        turn: turn.map_err(|_| ViewsError::Document(NAME))?,
        turn_kind,
        deadline: Time(row.try_get(6)?),
    })
}
