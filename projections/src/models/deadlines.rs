//! The clock that runs in each match: for the timer that acts when it runs out and for outages that move it.
//! Folded from public events alone; needs no state of the match.

use super::of_matches;
use crate::engine::{Bound, Fault, Fed, Fold, Insert, Projection, Views, ViewsError, id};
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Executor, Row, SqliteConnection};
use std::collections::BTreeMap;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{MatchId, Time};
use yibu_domain::matches::events::MatchEvent;

const NAME: &str = "deadlines";

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
        &["deadlines"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../migrations/views/deadlines.sql")
    }

    fn begin(&self, _views: &Views, generation: u64) -> Box<dyn Fold> {
        let table = format!("deadlines_g{generation}");
        Box::new(Folding {
            upsert: Insert::replacing(&table, &["match_id", "due", "what", "turn", "seat"], 1),
            delete: format!("DELETE FROM {table} WHERE match_id = $1"),
            shift: format!("UPDATE {table} SET due = $1 WHERE match_id = $2"),
            effects: BTreeMap::new(),
        })
    }
}

/// What a clock is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// The turn of a person.
    Turn {
        /// Ordinal of the clock in the match.
        number: u32,
        /// Whose.
        seat: Seat,
    },
    /// The takeover wait of a vacant seat.
    TakeoverWait {
        /// Ordinal of the clock in the match.
        number: u32,
        /// Which seat.
        seat: Seat,
    },
    /// The release of seats that are not ready.
    Release,
}

/// A running clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadline {
    /// Of which match.
    pub match_id: MatchId,
    /// When it runs out.
    pub due: Time,
    /// What happens then.
    pub what: Due,
}

/// What a batch does to a match's clock.
#[derive(Clone, Copy)]
enum Effect {
    Runs(Deadline),
    Shifted(Time),
    Stands,
}

struct Folding {
    upsert: Insert,
    delete: String,
    shift: String,
    effects: BTreeMap<MatchId, Effect>,
}

/// What an event does to its match's clock, if anything.
fn effect(match_id: MatchId, event: &MatchEvent) -> Option<Effect> {
    let runs = |due, what| Effect::Runs(Deadline { match_id, due, what });
    Some(match event {
        MatchEvent::SeatTaken(parts) => match parts.public.as_ref()?.release {
            Some(due) => runs(due, Due::Release),
            None => Effect::Stands,
        },
        MatchEvent::TurnStarted(parts) => {
            let part = parts.public.as_ref()?;
            runs(part.deadline, Due::Turn { number: part.turn, seat: part.seat })
        }
        MatchEvent::TakeoverWaitOpened(parts) => {
            let part = parts.public.as_ref()?;
            runs(part.deadline, Due::TakeoverWait { number: part.turn, seat: part.seat })
        }
        MatchEvent::DeadlineMoved(parts) => Effect::Shifted(parts.public.as_ref()?.to),
        MatchEvent::ReleaseMoved(parts) => Effect::Shifted(parts.public.as_ref()?.to),
        MatchEvent::SeatReleased(_)
        | MatchEvent::Started(_)
        | MatchEvent::PositionPlaced(_)
        | MatchEvent::TakeoverWaitExpired(_)
        | MatchEvent::Voided(_)
        | MatchEvent::Ended(_) => Effect::Stands,
        _ => return None,
    })
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        for (_, id, event) in of_matches(batch) {
            let Some(mut new) = effect(id, &event.event) else { continue };
            if let (Some(Effect::Runs(clock)), Effect::Shifted(due)) = (self.effects.get(&id), new)
            {
                new = Effect::Runs(Deadline { due, ..*clock });
            }
            let stands = matches!(self.effects.get(&id), Some(Effect::Stands));
            // A clock that does not run cannot be moved.
            if !(stands && matches!(new, Effect::Shifted(_))) {
                self.effects.insert(id, new);
            }
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut SqliteConnection) -> Result<(), ViewsError> {
        let mut clocks = Vec::new();
        for (id, effect) in std::mem::take(&mut self.effects) {
            let id = id.0.as_bytes().as_slice();
            match effect {
                Effect::Runs(clock) => clocks.push(clock),
                Effect::Shifted(due) => {
                    tx.execute(sqlx::query(&self.shift).bind(due.0).bind(id)).await?;
                }
                Effect::Stands => {
                    tx.execute(sqlx::query(&self.delete).bind(id)).await?;
                }
            }
        }
        self.upsert.run(tx, &clocks, bind).await?;
        Ok(())
    }
}

fn bind<'q>(query: Bound<'q>, row: &'q Deadline) -> Bound<'q> {
    let (what, turn, seat) = match row.what {
        Due::Turn { number, seat } => (1, Some(number), Some(seat)),
        Due::TakeoverWait { number, seat } => (2, Some(number), Some(seat)),
        Due::Release => (3, None, None),
    };
    query
        .bind(row.match_id.0.as_bytes().as_slice())
        .bind(row.due.0)
        .bind(what)
        .bind(turn.map(i64::from))
        .bind(seat.and_then(|seat| i64::try_from(seat.index()).ok()))
}

/// Queries on the clocks.
#[derive(Clone)]
pub struct Deadlines {
    views: Views,
}

impl Deadlines {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// Clocks that run out at `until` or before, the earliest first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn due(&self, until: Time, limit: u32) -> Result<Vec<Deadline>, ViewsError> {
        self.select("WHERE due <= $1 ORDER BY due, match_id LIMIT $2", until, limit).await
    }

    /// The next instant after `after` at which a clock runs out.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next(&self, after: Time) -> Result<Option<Time>, ViewsError> {
        let next = self.select("WHERE due > $1 ORDER BY due, match_id LIMIT $2", after, 1).await?;
        Ok(next.first().map(|clock| clock.due))
    }

    /// Every clock that runs, the earliest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open(&self) -> Result<Vec<Deadline>, ViewsError> {
        self.due(Time(i64::MAX), u32::MAX).await
    }

    async fn select(
        &self,
        which: &str,
        bound: Time,
        limit: u32,
    ) -> Result<Vec<Deadline>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT match_id, due, what, turn, seat FROM deadlines_g{} {which}",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(bound.0).bind(i64::from(limit));
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(deadline).collect()
    }
}

fn deadline(row: &SqliteRow) -> Result<Deadline, ViewsError> {
    let number = row.try_get::<Option<i64>, _>(3)?.and_then(|n| u32::try_from(n).ok());
    let seat = row.try_get::<Option<i64>, _>(4)?.and_then(|n| usize::try_from(n).ok());
    let seat = seat.and_then(|index| Seat::ALL.get(index).copied());
    let what = match (row.try_get::<i64, _>(2)?, number, seat) {
        (1, Some(number), Some(seat)) => Due::Turn { number, seat },
        (2, Some(number), Some(seat)) => Due::TakeoverWait { number, seat },
        (3, None, None) => Due::Release,
        _ => return Err(ViewsError::Document(NAME)),
    };
    Ok(Deadline { match_id: MatchId(id(row, 0)?), due: Time(row.try_get(1)?), what })
}
