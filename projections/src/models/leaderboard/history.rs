//! One player's points entry by entry, and the list of results. For that player alone; whoever asks sees to it.

use super::super::read;
use super::queries::Leaderboard;
use super::{Entry, NAME};
use crate::engine::ViewsError;
use crate::engine::registry::{signed, unsigned};
use sqlx::{Executor, Row as _};
use yibu_domain::kernel::PlayerId;

/// An entry in its list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Booked {
    /// Its number in this list of the player's, the oldest 1, without gaps: it never changes.
    pub number: u64,
    /// The player's points after it.
    pub balance: i64,
    /// What was booked.
    pub entry: Entry,
}

impl Leaderboard {
    /// The entries that changed a player's points, before a number of the list (`None`: the newest), the newest
    /// first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ledger(
        &self,
        player: PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Booked>, ViewsError> {
        self.entries(player, "points <> 0", before, limit).await
    }

    /// The matches in which a player's part is over, settled or left, before a number of the list (`None`: the
    /// newest), the newest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn results(
        &self,
        player: PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Booked>, ViewsError> {
        self.entries(player, "match_id IS NOT NULL", before, limit).await
    }

    async fn entries(
        &self,
        player: PlayerId,
        which: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Booked>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        // The balance is that of all entries, the number that within the list.
        let sql = format!(
            "SELECT number, balance, facts FROM (
                SELECT ROW_NUMBER() OVER (ORDER BY position) AS number, balance, facts FROM (
                    SELECT position, points, match_id, facts,
                           CAST(SUM(points) OVER (ORDER BY position) AS BIGINT) AS balance
                    FROM leaderboard_entries_g{} WHERE player = $1
                ) AS every WHERE {which}
             ) AS listed WHERE number < $2 ORDER BY number DESC LIMIT $3",
            reading.generation()
        );
        let query = sqlx::query(&sql)
            .bind(player.0.as_bytes().as_slice())
            .bind(signed(before.unwrap_or(u64::MAX)))
            .bind(i64::from(limit));
        let rows = reading.connection().fetch_all(query).await?;
        let booked = rows.iter().map(|row| {
            Ok(Booked {
                number: unsigned(row.try_get(0)?),
                balance: row.try_get(1)?,
                entry: read(NAME, row.try_get(2)?)?,
            })
        });
        booked.collect()
    }
}
