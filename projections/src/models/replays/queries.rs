//! Queries on finished matches. Who may see one is decided by whoever asks: those who took part, until it expires.

use super::super::read;
use super::NAME;
use super::record::{Participant, Record};
use crate::engine::{Row, Views, ViewsError, id};
use sqlx::{Executor, Row as _};
use yibu_domain::games::siguo::seat::BySeat;
use yibu_domain::kernel::{MatchId, PlayerId, Time};
use yibu_domain::matches::events::Outcome;

/// A finished match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Which.
    pub match_id: MatchId,
    /// When it started.
    pub started: Time,
    /// When it ended and was settled.
    pub ended: Time,
    /// How it ended.
    pub outcome: Outcome,
    /// Who took part in each seat, one after the other.
    pub seats: BySeat<Vec<Participant>>,
    /// When the players' retention is over.
    pub expires: Time,
    /// The log says that it is over.
    pub expired: bool,
}

/// Queries on finished matches.
#[derive(Clone)]
pub struct Replays {
    views: Views,
}

impl Replays {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// A finished match, expired or not; `None` while it runs, and where it never started.
    ///
    /// # Errors
    /// The store failed.
    pub async fn one(&self, match_id: MatchId) -> Result<Option<Replay>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT match_id, body FROM replays_g{} WHERE match_id = $1 AND ended IS NOT NULL",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(match_id.0.as_bytes().as_slice());
        let row = reading.connection().fetch_optional(query).await?;
        row.as_ref().map(replay).transpose()
    }

    /// The matches that a player took part in and still keeps, the latest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn of(&self, player: PlayerId, limit: u32) -> Result<Vec<Replay>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let generation = reading.generation();
        let sql = format!(
            "SELECT r.match_id, r.body FROM replays_players_g{generation} AS p
             JOIN replays_g{generation} AS r ON r.match_id = p.match_id
             WHERE p.player = $1 ORDER BY p.ended DESC, p.match_id LIMIT $2"
        );
        let query = sqlx::query(&sql).bind(player.0.as_bytes().as_slice()).bind(i64::from(limit));
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(replay).collect()
    }

    /// The matches whose retention is over after `from` and not after `until` and that have not expired yet, the
    /// earliest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn expiring(
        &self,
        from: Time,
        until: Time,
        limit: u32,
    ) -> Result<Vec<Replay>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT match_id, body FROM replays_g{}
             WHERE ended IS NOT NULL AND expired = 0 AND expires > $1 AND expires <= $2
             ORDER BY expires, match_id LIMIT $3",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(from.0).bind(until.0).bind(i64::from(limit));
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(replay).collect()
    }
}

/// A row of match and body.
fn replay(row: &Row) -> Result<Replay, ViewsError> {
    let record: Record = read(NAME, row.try_get(1)?)?;
    let expires = record.expires();
    let Record { started: Some(started), ended: Some(ended), outcome: Some(outcome), .. } = record
    else {
        return Err(ViewsError::Document(NAME));
    };
    Ok(Replay {
        match_id: MatchId(id(row, 0)?),
        started,
        ended,
        outcome,
        seats: record.seats,
        expires: expires.unwrap_or(ended),
        expired: record.expired,
    })
}
