//! Folds clocks and persons, and writes the marks of the matches that changed.

use super::super::{gap, of_matches, read, recall, written};
use super::NAME;
use super::table::{Mark, MarkKind, Table};
use crate::engine::{Bound, Conn, Fault, Fed, Fold, Insert, Lookup, Memory, Views, ViewsError};
use async_trait::async_trait;
use sqlx::{Executor, Row as _};
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::events::TurnKind;

/// Matches kept in memory between flushes.
const MATCHES: usize = 65_536;

pub(super) struct Folding {
    views: Views,
    memory: Memory<Known>,
    tables: Insert,
    marks: Insert,
    load: Lookup,
    shorten: String,
}

struct Known {
    table: Table,
    /// How many marks stand in the rows.
    stored: usize,
}

struct TableRow {
    id: MatchId,
    marks: usize,
    body: String,
}

impl Folding {
    pub(super) fn new(views: &Views, generation: u64) -> Self {
        let tables = format!("notification_schedule_g{generation}");
        let marks = format!("notification_schedule_marks_g{generation}");
        let columns = ["match_id", "slot", "due", "what", "player", "turn", "kind", "deadline"];
        Self {
            views: views.clone(),
            memory: Memory::new(MATCHES),
            tables: Insert::replacing(&tables, &["match_id", "marks", "body"], 1),
            marks: Insert::replacing(&marks, &columns, 2),
            load: Lookup::new(&format!("SELECT match_id, marks, body FROM {tables}"), ""),
            shorten: format!("DELETE FROM {marks} WHERE match_id = $1 AND slot >= $2"),
        }
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        recall(&mut self.memory, &self.views, &self.load, batch, |row| {
            let stored = usize::try_from(row.try_get::<i64, _>(1)?).unwrap_or_default();
            Ok(Known { table: read(NAME, row.try_get(2)?)?, stored })
        })
        .await?;
        for (fed, id, event) in of_matches(batch) {
            if fed.version == 1 {
                self.memory.insert(id, Known { table: Table::default(), stored: 0 });
                self.memory.change(id);
                continue;
            }
            let known = self.memory.get(id).ok_or_else(|| gap(fed, id))?;
            let mut table = known.table.clone();
            table.apply(&event.event, event.at);
            if table != known.table
                && let Some(known) = self.memory.change(id)
            {
                known.table = table;
            }
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        let (mut tables, mut marks, mut shorter) = (Vec::new(), Vec::new(), Vec::new());
        self.memory.drain(|id, known| {
            let of_match = known.table.marks(id);
            let count = of_match.len();
            if count < known.stored {
                shorter.push((id, count));
            }
            known.stored = count;
            tables.push(TableRow { id, marks: count, body: written(NAME, &known.table)? });
            marks.extend((0_i64..).zip(of_match));
            Ok::<_, ViewsError>(())
        })?;
        for (id, count) in shorter {
            let query = sqlx::query(&self.shorten)
                .bind(id.0.as_bytes().as_slice())
                .bind(i64::try_from(count).unwrap_or(i64::MAX));
            tx.execute(query).await?;
        }
        self.tables.run(tx, &tables, bind_table).await?;
        self.marks.run(tx, &marks, bind_mark).await?;
        self.memory.trim();
        Ok(())
    }

    fn changed_matches(&self) -> usize {
        self.memory.changed()
    }
}

fn bind_table<'q>(query: Bound<'q>, row: &'q TableRow) -> Bound<'q> {
    query
        .bind(row.id.0.as_bytes().as_slice())
        .bind(i64::try_from(row.marks).unwrap_or(i64::MAX))
        .bind(row.body.as_str())
}

fn bind_mark<'q>(query: Bound<'q>, (slot, mark): &'q (i64, Mark)) -> Bound<'q> {
    let what = match mark.kind {
        MarkKind::Started => 0_i64,
        MarkKind::FourHours => 1,
        MarkKind::OneHour => 2,
        MarkKind::Deadline => 3,
    };
    let kind = match mark.turn_kind {
        TurnKind::Normal => 0_i64,
        TurnKind::TakeoverFirst => 1,
        TurnKind::Vacant => 2,
    };
    query
        .bind(mark.match_id.0.as_bytes().as_slice())
        .bind(*slot)
        .bind(mark.due.0)
        .bind(what)
        .bind(mark.player.0.as_bytes().as_slice())
        .bind(i64::from(mark.turn))
        .bind(kind)
        .bind(mark.deadline.0)
}
