//! Adds up what changed and adds it to the rows. Needs nothing of the rows: sums are sums in any order.

use super::super::{of_matches, written};
use super::entry::{Entry, EntryCause, entries};
use super::{NAME, RECORD, Standing, day};
use crate::engine::registry::signed;
use crate::engine::{Bound, Conn, Fact, Fault, Fed, Fold, Insert, ViewsError};
use async_trait::async_trait;
use std::collections::BTreeMap;
use yibu_domain::kernel::{Dated, MatchId, PlayerId, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::Action;
use yibu_domain::players::{PlayerEvent, Record, tally};

/// What happened since the last flush.
pub(super) struct Folding {
    totals: BTreeMap<PlayerId, Record>,
    days: BTreeMap<(PlayerId, i64), Record>,
    standings: BTreeMap<PlayerId, Standing>,
    booked: Vec<Row>,
    total_rows: Insert,
    day_rows: Insert,
    standing_rows: Insert,
    entry_rows: Insert,
}

struct Row {
    player: PlayerId,
    position: u64,
    points: i64,
    match_id: Option<MatchId>,
    facts: String,
}

/// Rows whose record is added to the one that stands there.
fn adding(table: &str, keys: &[&str], first: &[&str]) -> Insert {
    let columns: Vec<&str> = first.iter().chain(&RECORD).copied().collect();
    let sums = RECORD.map(|name| format!("{name} = {table}.{name} + excluded.{name}"));
    let conflict = format!("ON CONFLICT ({}) DO UPDATE SET {}", keys.join(", "), sums.join(", "));
    Insert::new(table, &columns, &conflict)
}

impl Folding {
    pub(super) fn new(generation: u64) -> Self {
        let totals = format!("leaderboard_g{generation}");
        let days = format!("leaderboard_days_g{generation}");
        let entries = format!("leaderboard_entries_g{generation}");
        let columns: Vec<&str> = ["player", "standing"].iter().chain(&RECORD).copied().collect();
        let standing = "ON CONFLICT (player) DO UPDATE SET standing = excluded.standing";
        let entry_columns = ["player", "position", "points", "match_id", "facts"];
        Self {
            totals: BTreeMap::new(),
            days: BTreeMap::new(),
            standings: BTreeMap::new(),
            booked: Vec::new(),
            total_rows: adding(&totals, &["player"], &["player", "standing"]),
            day_rows: adding(&days, &["player", "day"], &["player", "day"]),
            standing_rows: Insert::new(&totals, &columns, standing),
            entry_rows: Insert::replacing(&entries, &entry_columns, 2),
        }
    }

    fn count(&mut self, player: PlayerId, at: Time, edit: &dyn Fn(&mut Record)) {
        edit(self.totals.entry(player).or_default());
        edit(self.days.entry((player, day(at))).or_default());
    }

    fn book(&mut self, position: u64, player: PlayerId, entry: &Entry) -> Result<(), ViewsError> {
        let (points, match_id) = (entry.points, entry.cause.match_id());
        let facts = written(NAME, entry)?;
        self.booked.push(Row { player, position, points, match_id, facts });
        Ok(())
    }

    fn player(
        &mut self,
        position: u64,
        player: PlayerId,
        event: &Dated<PlayerEvent>,
    ) -> Result<(), ViewsError> {
        let standing = match &event.event {
            PlayerEvent::Registered(part) => part.house.then_some(Standing::House),
            PlayerEvent::Suspended(_) => Some(Standing::Suspended),
            PlayerEvent::Reinstated(_) => Some(Standing::Listed),
            PlayerEvent::Deleted(_) => Some(Standing::Deleted),
            PlayerEvent::PointsAdjusted(part) => {
                let points = i64::from(part.points);
                self.count(player, event.at, &|record| record.points += points);
                let cause = EntryCause::Adjusted { reason: part.reason.clone() };
                self.book(position, player, &Entry { at: event.at, points, cause })?;
                None
            }
        };
        if let Some(standing) = standing {
            self.standings.insert(player, standing);
        }
        Ok(())
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        for (fed, id, event) in of_matches(batch) {
            if let Some(action) = counted(&event.event) {
                tally(&action, |player, edit| self.count(player, event.at, edit));
            }
            for (player, entry) in entries(id, event.at, &event.event) {
                self.book(fed.position, player, &entry)?;
            }
        }
        for fed in batch {
            if let Ok(Fact::Player(player, event)) = &fed.fact {
                self.player(fed.position, *player, event)?;
            }
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        // In the order of the keys.
        let totals: Vec<_> = std::mem::take(&mut self.totals).into_iter().collect();
        self.total_rows.run(tx, &totals, bind_total).await?;
        let days: Vec<_> = std::mem::take(&mut self.days).into_iter().collect();
        self.day_rows.run(tx, &days, bind_day).await?;
        let standings: Vec<_> = std::mem::take(&mut self.standings).into_iter().collect();
        self.standing_rows.run(tx, &standings, bind_standing).await?;
        let mut booked = std::mem::take(&mut self.booked);
        booked.sort_unstable_by_key(|row| (row.player, row.position));
        self.entry_rows.run(tx, &booked, bind_entry).await?;
        Ok(())
    }

    fn changed_matches(&self) -> usize {
        self.days.len().max(self.booked.len())
    }
}

/// The public event, where it counts for anybody: most do not, and are long to copy.
fn counted(event: &MatchEvent) -> Option<Action> {
    match event {
        MatchEvent::Started(_)
        | MatchEvent::PositionPlaced(_)
        | MatchEvent::SeatTakenOver(_)
        | MatchEvent::Left(_)
        | MatchEvent::TimedOut(_)
        | MatchEvent::Ended(_) => event.action(),
        _ => None,
    }
}

fn bind_record<'q>(query: Bound<'q>, record: &Record) -> Bound<'q> {
    query
        .bind(record.points)
        .bind(i64::from(record.matches))
        .bind(i64::from(record.wins))
        .bind(i64::from(record.losses))
        .bind(i64::from(record.draws))
        .bind(i64::from(record.no_results))
        .bind(i64::from(record.leaves))
        .bind(i64::from(record.timeouts))
        .bind(i64::from(record.takeovers))
}

fn bind_total<'q>(query: Bound<'q>, (player, record): &'q (PlayerId, Record)) -> Bound<'q> {
    // A row that is there keeps its own standing.
    let query = query.bind(player.0.as_bytes().as_slice()).bind(Standing::Listed.code());
    bind_record(query, record)
}

fn bind_day<'q>(query: Bound<'q>, row: &'q ((PlayerId, i64), Record)) -> Bound<'q> {
    let ((player, day), record) = row;
    bind_record(query.bind(player.0.as_bytes().as_slice()).bind(*day), record)
}

fn bind_standing<'q>(query: Bound<'q>, (player, standing): &'q (PlayerId, Standing)) -> Bound<'q> {
    let query = query.bind(player.0.as_bytes().as_slice()).bind(standing.code());
    bind_record(query, &Record::default())
}

fn bind_entry<'q>(query: Bound<'q>, row: &'q Row) -> Bound<'q> {
    query
        .bind(row.player.0.as_bytes().as_slice())
        .bind(signed(row.position))
        .bind(row.points)
        .bind(row.match_id.as_ref().map(|id| id.0.as_bytes().as_slice()))
        .bind(row.facts.as_str())
}
