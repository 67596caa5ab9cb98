//! The public actions of each match in order: what every viewer of it may read. Built from the events'
//! public parts alone. Who may ask is decided by whoever asks `match_views` first.

use super::{gap, of_matches, read, written};
use crate::engine::registry::{signed, unsigned};
use crate::engine::{
    Bound, Fault, Fed, Fold, Insert, Lookup, Memory, Projection, Views, ViewsError, id,
};
use async_trait::async_trait;
use sqlx::{Executor, Row, SqliteConnection};
use std::collections::HashMap;
use yibu_domain::kernel::{MatchId, Time};
use yibu_domain::matches::events::Action;

const NAME: &str = "match_actions";
/// Counters kept in memory between flushes.
const COUNTERS: usize = 65_536;

/// The read model as the engine knows it.
pub struct Model;

impl Projection for Model {
    fn name(&self) -> &'static str {
        NAME
    }

    fn shape(&self) -> u32 {
        1
    }

    fn tables(&self) -> &'static [&'static str] {
        &["match_actions"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../migrations/views/match_actions.sql")
    }

    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        let table = format!("match_actions_g{generation}");
        Box::new(Folding {
            views: views.clone(),
            memory: Memory::new(COUNTERS),
            rows: Vec::new(),
            insert: Insert::new(&table, &["match_id", "version", "at", "kind", "body"], ""),
            load: Lookup::new(
                &format!("SELECT match_id, MAX(version) FROM {table}"),
                "GROUP BY match_id",
            ),
        })
    }
}

struct Folding {
    views: Views,
    /// How many public events each match has had.
    memory: Memory<u64>,
    rows: Vec<ActionRow>,
    insert: Insert,
    load: Lookup,
}

struct ActionRow {
    id: MatchId,
    version: u64,
    at: Time,
    body: String,
}

impl ActionRow {
    /// The body begins with its kind; see the test below.
    fn kind(&self) -> &str {
        self.body.split('"').nth(3).unwrap_or_default()
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        let missing = self.memory.missing(batch);
        if !missing.is_empty() {
            let mut on = self.views.reading().await?;
            let mut found = HashMap::new();
            self.load
                .run(&mut on, &missing, |row| {
                    found.insert(MatchId(id(row, 0)?), unsigned(row.try_get(1)?));
                    Ok::<_, sqlx::Error>(())
                })
                .await?;
            for (id, count) in found {
                self.memory.insert(id, count);
            }
        }
        for (fed, id, event) in of_matches(batch) {
            if fed.version == 1 {
                self.memory.insert(id, 0);
            }
            let Some(action) = event.event.action() else { continue };
            let count = self.memory.change(id).ok_or_else(|| gap(fed, id))?;
            *count += 1;
            let body = written(NAME, &action)?;
            self.rows.push(ActionRow { id, version: *count, at: event.at, body });
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut SqliteConnection) -> Result<(), ViewsError> {
        // In the order of the key: neighbours on disk are written together.
        self.rows.sort_unstable_by_key(|row| (row.id, row.version));
        self.insert.run(tx, &self.rows, bind).await?;
        self.rows.clear();
        self.memory.drain(|_, _| Ok::<_, ViewsError>(()))?;
        self.memory.trim();
        Ok(())
    }
}

fn bind<'q>(query: Bound<'q>, row: &'q ActionRow) -> Bound<'q> {
    query
        .bind(row.id.0.as_bytes().as_slice())
        .bind(signed(row.version))
        .bind(row.at.0)
        .bind(row.kind())
        .bind(row.body.as_str())
}

/// One public action as it was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The public version that it made, from 1 without gaps.
    pub version: u64,
    /// When.
    pub at: Time,
    /// What happened.
    pub action: Action,
}

/// Queries on the public actions. The caller makes sure first that the viewer may see the match.
#[derive(Clone)]
pub struct MatchActions {
    views: Views,
}

impl MatchActions {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// The actions after a public version, oldest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn page(
        &self,
        match_id: MatchId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Recorded>, ViewsError> {
        self.select(match_id, after, limit, "version > $2 ORDER BY version").await
    }

    /// The latest actions before a public version (`None`: before now), oldest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn last(
        &self,
        match_id: MatchId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Recorded>, ViewsError> {
        let before = before.unwrap_or(u64::MAX);
        let mut rows =
            self.select(match_id, before, limit, "version < $2 ORDER BY version DESC").await?;
        rows.reverse();
        Ok(rows)
    }

    /// How many there are; 0 for an unknown match.
    ///
    /// # Errors
    /// The store failed.
    pub async fn total(&self, match_id: MatchId) -> Result<u64, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT COALESCE(MAX(version), 0) FROM match_actions_g{} WHERE match_id = $1",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(match_id.0.as_bytes().as_slice());
        Ok(unsigned(reading.connection().fetch_one(query).await?.try_get(0)?))
    }

    async fn select(
        &self,
        match_id: MatchId,
        bound: u64,
        limit: u32,
        which: &str,
    ) -> Result<Vec<Recorded>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT version, at, body FROM match_actions_g{} WHERE match_id = $1 AND {which} LIMIT $3",
            reading.generation()
        );
        let query = sqlx::query(&sql)
            .bind(match_id.0.as_bytes().as_slice())
            .bind(signed(bound))
            .bind(i64::from(limit));
        let rows = reading.connection().fetch_all(query).await?;
        let recorded = rows.iter().map(|row| {
            let action = read(NAME, row.try_get(2)?)?;
            Ok(Recorded { version: unsigned(row.try_get(0)?), at: Time(row.try_get(1)?), action })
        });
        recorded.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yibu_domain::games::siguo::seat::Seat;
    use yibu_domain::matches::events::SeatVacated;

    #[test]
    fn the_kind_is_the_tag_of_the_body() {
        let action = Action::SeatVacated(SeatVacated { seat: Seat::E });
        let body = written(NAME, &action).unwrap();
        let row = ActionRow { id: MatchId(uuid::Uuid::nil()), version: 1, at: Time(0), body };
        assert_eq!(row.kind(), "seat_vacated");
    }
}
