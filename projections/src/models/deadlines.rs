//! The clock that runs in each match: for the timer that acts when it runs out and for outages that move it.
//! Folded from public events alone; holds nothing else of the match.

use super::{gap, of_matches, recall};
use crate::engine::registry::unsigned;
use crate::engine::{
    Bound, Conn, Fault, Fed, Fold, Insert, Lookup, Memory, Projection, Row, Views, ViewsError, id,
};
use async_trait::async_trait;
use sqlx::{Executor, Row as _};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Dated, MatchId, Span, Time};
use yibu_domain::matches::events::MatchEvent;

const NAME: &str = "deadlines";
/// Clocks kept in memory between flushes.
const CLOCKS: usize = 65_536;

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

    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        let table = format!("deadlines_g{generation}");
        let columns = ["match_id", "retention", "due", "what", "turn", "seat"];
        Box::new(Folding {
            views: views.clone(),
            memory: Memory::new(CLOCKS),
            upsert: Insert::replacing(&table, &columns, 1),
            load: Lookup::new(
                &format!("SELECT match_id, due, what, turn, seat, retention FROM {table}"),
                "",
            ),
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
    /// The players' retention of a match that ended.
    Retention,
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

/// A match's clock in memory. What is due is told by public events; only the retention has to be remembered
/// from the opening.
#[derive(Clone, Copy)]
struct Known {
    retention: Span,
    runs: Option<(Time, Due)>,
}

struct Folding {
    views: Views,
    memory: Memory<Known>,
    upsert: Insert,
    load: Lookup,
}

impl Known {
    /// Takes an event in; `None` when it leaves the clock alone.
    fn after(mut self, event: &Dated<MatchEvent>) -> Option<Self> {
        self.runs = match &event.event {
            MatchEvent::SeatTaken(parts) => {
                parts.public.as_ref()?.release.map(|due| (due, Due::Release))
            }
            MatchEvent::TurnStarted(parts) => {
                let part = parts.public.as_ref()?;
                Some((part.deadline, Due::Turn { number: part.turn, seat: part.seat }))
            }
            MatchEvent::TakeoverWaitOpened(parts) => {
                let part = parts.public.as_ref()?;
                Some((part.deadline, Due::TakeoverWait { number: part.turn, seat: part.seat }))
            }
            MatchEvent::DeadlineMoved(parts) => self.moved(parts.public.as_ref()?.to),
            MatchEvent::ReleaseMoved(parts) => self.moved(parts.public.as_ref()?.to),
            MatchEvent::Ended(_) => Some((event.at + self.retention, Due::Retention)),
            MatchEvent::SeatReleased(_)
            | MatchEvent::Started(_)
            | MatchEvent::PositionPlaced(_)
            | MatchEvent::TakeoverWaitExpired(_)
            | MatchEvent::Voided(_)
            | MatchEvent::RecordExpired(_) => None,
            _ => return None,
        };
        Some(self)
    }

    fn moved(&self, to: Time) -> Option<(Time, Due)> {
        self.runs.map(|(_, what)| (to, what))
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        recall(&mut self.memory, &self.views, &self.load, batch, |row| {
            Ok(Known { retention: Span(row.try_get(5)?), runs: clock(row)? })
        })
        .await?;
        for (fed, id, event) in of_matches(batch) {
            if let MatchEvent::Opened(parts) = &event.event {
                let rules = parts.public.as_ref().map(|part| &part.rules);
                let retention = rules.ok_or_else(|| gap(fed, id))?.retention;
                self.memory.insert(id, Known { retention, runs: None });
                self.memory.change(id);
                continue;
            }
            let known = *self.memory.get(id).ok_or_else(|| gap(fed, id))?;
            if let Some(after) = known.after(event)
                && let Some(place) = self.memory.change(id)
            {
                *place = after;
            }
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        let mut rows = Vec::new();
        self.memory.drain(|id, known| {
            rows.push((id, *known));
            Ok::<_, ViewsError>(())
        })?;
        self.upsert.run(tx, &rows, bind).await?;
        self.memory.trim();
        Ok(())
    }

    fn changed_matches(&self) -> usize {
        self.memory.changed()
    }
}

fn bind<'q>(query: Bound<'q>, (id, known): &'q (MatchId, Known)) -> Bound<'q> {
    let (what, turn, seat) = match known.runs.map(|(_, what)| what) {
        None => (0_i64, None, None),
        Some(Due::Turn { number, seat }) => (1, Some(number), Some(seat)),
        Some(Due::TakeoverWait { number, seat }) => (2, Some(number), Some(seat)),
        Some(Due::Release) => (3, None, None),
        Some(Due::Retention) => (4, None, None),
    };
    query
        .bind(id.0.as_bytes().as_slice())
        .bind(known.retention.0)
        .bind(known.runs.map(|(due, _)| due.0))
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

    /// Every clock that an outage stops, the earliest first: all but the retention of matches that ended.
    ///
    /// # Errors
    /// The store failed.
    pub async fn open(&self) -> Result<Vec<Deadline>, ViewsError> {
        let which = "WHERE due <= $1 AND what < 4 ORDER BY due, match_id LIMIT $2";
        self.select(which, Time(i64::MAX), u32::MAX).await
    }

    /// How many clocks ran out before `before` and were not acted upon yet, and the first instant of them.
    ///
    /// # Errors
    /// The store failed.
    pub async fn overdue(&self, before: Time) -> Result<(u64, Option<Time>), ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let generation = reading.generation();
        let sql = format!("SELECT COUNT(*), MIN(due) FROM deadlines_g{generation} WHERE due < $1");
        let row = reading.connection().fetch_one(sqlx::query(&sql).bind(before.0)).await?;
        let first = row.try_get::<Option<i64>, _>(1)?;
        Ok((unsigned(row.try_get(0)?), first.map(Time)))
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

fn deadline(row: &Row) -> Result<Deadline, ViewsError> {
    let (due, what) = clock(row)?.ok_or(ViewsError::Document(NAME))?;
    Ok(Deadline { match_id: MatchId(id(row, 0)?), due, what })
}

/// The clock of a row that begins with match, due, what, turn and seat.
fn clock(row: &Row) -> Result<Option<(Time, Due)>, ViewsError> {
    let Some(due) = row.try_get::<Option<i64>, _>(1)? else { return Ok(None) };
    let number = row.try_get::<Option<i64>, _>(3)?.and_then(|n| u32::try_from(n).ok());
    let seat = row.try_get::<Option<i64>, _>(4)?.and_then(|n| usize::try_from(n).ok());
    let seat = seat.and_then(|index| Seat::ALL.get(index).copied());
    let what = match (row.try_get::<i64, _>(2)?, number, seat) {
        (1, Some(number), Some(seat)) => Due::Turn { number, seat },
        (2, Some(number), Some(seat)) => Due::TakeoverWait { number, seat },
        (3, None, None) => Due::Release,
        (4, None, None) => Due::Retention,
        _ => return Err(ViewsError::Document(NAME)),
    };
    Ok(Some((Time(due), what)))
}
