//! Folds matches without their boards and writes the rows that changed. Must not keep a man or a move:
//! the lobby has no use for them.

use super::super::{gap, of_matches, read, written};
use super::NAME;
use super::place::{Place, PlaceRole, free_seats, places};
use crate::engine::registry::{signed, unsigned};
use crate::engine::{
    Bound, Conn, Fact, Fault, Fed, Fold, Insert, Lookup, Memory, Views, ViewsError, id,
};
use async_trait::async_trait;
use sqlx::{Executor, Row as _};
use std::collections::{BTreeMap, HashMap};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Counter, MatchId, PlayerId};
use yibu_domain::matches::events::TurnKind;
use yibu_domain::matches::view::Sheet;
use yibu_domain::site::{Limits, SiteEvent};

/// Tables kept in memory between flushes; one is about 2 KB.
const TABLES: usize = 16_384;

pub(super) struct Folding {
    views: Views,
    memory: Memory<Known>,
    limits: Option<Limits>,
    tables: Insert,
    places: Insert,
    limit_row: Insert,
    load: Lookup,
    leave: String,
}

struct Known {
    sheet: Sheet,
    version: u64,
    position: u64,
    /// The places as they stand in the rows.
    stored: BTreeMap<PlayerId, Place>,
}

struct TableRow {
    id: MatchId,
    version: u64,
    position: u64,
    free: i64,
    vacant: Option<Seat>,
    deadline: Option<i64>,
    sheet: String,
}

struct PlaceRow {
    player: PlayerId,
    place: Place,
    facts: String,
}

impl Folding {
    pub(super) fn new(views: &Views, generation: u64) -> Self {
        let tables = format!("lobby_tables_g{generation}");
        let places = format!("lobby_places_g{generation}");
        let limits = format!("lobby_limits_g{generation}");
        let table_columns =
            ["match_id", "version", "position", "free", "vacant", "deadline", "sheet"];
        let place_columns = [
            "player", "match_id", "role", "seat", "counted", "waits", "deadline", "ended", "facts",
        ];
        let load = format!("SELECT match_id, version, position, sheet FROM {tables}");
        Self {
            views: views.clone(),
            memory: Memory::new(TABLES),
            limits: None,
            tables: Insert::replacing(&tables, &table_columns, 1),
            places: Insert::replacing(&places, &place_columns, 2),
            limit_row: Insert::replacing(&limits, &["id", "full_limit", "takeover_limit"], 1),
            load: Lookup::new(&load, ""),
            leave: format!("DELETE FROM {places} WHERE player = $1 AND match_id = $2"),
        }
    }

    async fn load(&mut self, ids: &[MatchId]) -> Result<(), Fault> {
        if ids.is_empty() {
            return Ok(());
        }
        let mut on = self.views.reading().await?;
        let mut found = HashMap::new();
        self.load
            .run(&mut on, ids, |row| {
                let sheet: Sheet = read(NAME, row.try_get(3)?)?;
                // What the rows hold is a function of the sheet that was written with them.
                let stored = places(&sheet);
                let (version, position) = (unsigned(row.try_get(1)?), unsigned(row.try_get(2)?));
                found.insert(MatchId(id(row, 0)?), Known { sheet, version, position, stored });
                Ok::<_, ViewsError>(())
            })
            .await?;
        for (id, known) in found {
            self.memory.insert(id, known);
        }
        Ok(())
    }

    fn absorb_match(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        for (fed, id, event) in of_matches(batch) {
            if fed.version == 1 {
                let sheet = Sheet::begin(event).ok_or_else(|| gap(fed, id))?;
                let stored = BTreeMap::new();
                self.memory.insert(id, Known { sheet, version: 0, position: 0, stored });
            }
            let known = self.memory.change(id).ok_or_else(|| gap(fed, id))?;
            if fed.version != known.version + 1 {
                return Err(gap(fed, id));
            }
            if fed.version > 1 {
                known.sheet.apply(event);
                // The board is public or private, and neither is the lobby's.
                known.sheet.forget_board();
            }
            known.version = fed.version;
            known.position = fed.position;
        }
        Ok(())
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        let missing = self.memory.missing(batch);
        self.load(&missing).await?;
        self.absorb_match(batch)?;
        for fed in batch {
            if let Ok(Fact::Site(event)) = &fed.fact
                && let SiteEvent::LimitsSet(limits) = &event.event
            {
                self.limits = Some(limits.clone());
            }
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        let (mut tables, mut arrived, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        self.memory.drain(|id, known| {
            let Known { sheet, version, position, stored } = known;
            let turn = sheet.public.turn.as_ref();
            tables.push(TableRow {
                id,
                version: *version,
                position: *position,
                free: i64::try_from(free_seats(sheet).len()).unwrap_or_default(),
                vacant: turn.filter(|turn| turn.kind == TurnKind::Vacant).map(|turn| turn.seat),
                deadline: sheet.public.deadline().map(|time| time.0),
                sheet: written(NAME, sheet)?,
            });
            let now = places(sheet);
            gone.extend(stored.keys().filter(|who| !now.contains_key(who)).map(|who| (*who, id)));
            for (player, place) in &now {
                if stored.get(player) != Some(place) {
                    let facts = written(NAME, place)?;
                    arrived.push(PlaceRow { player: *player, place: place.clone(), facts });
                }
            }
            *stored = now;
            Ok::<_, ViewsError>(())
        })?;
        for (player, id) in &gone {
            let query = sqlx::query(&self.leave)
                .bind(player.0.as_bytes().as_slice())
                .bind(id.0.as_bytes().as_slice());
            tx.execute(query).await?;
        }
        self.tables.run(tx, &tables, bind_table).await?;
        // In the order of the key.
        arrived.sort_unstable_by_key(|row| (row.player, row.place.match_id));
        self.places.run(tx, &arrived, bind_place).await?;
        let limits: Vec<Limits> = self.limits.take().into_iter().collect();
        self.limit_row.run(tx, &limits, bind_limits).await?;
        self.memory.trim();
        Ok(())
    }

    fn changed_matches(&self) -> usize {
        self.memory.changed()
    }
}

fn index(seat: Seat) -> i64 {
    i64::try_from(seat.index()).unwrap_or_default()
}

fn bind_table<'q>(query: Bound<'q>, row: &'q TableRow) -> Bound<'q> {
    query
        .bind(row.id.0.as_bytes().as_slice())
        .bind(signed(row.version))
        .bind(signed(row.position))
        .bind(row.free)
        .bind(row.vacant.map(index))
        .bind(row.deadline)
        .bind(row.sheet.as_str())
}

fn bind_place<'q>(query: Bound<'q>, row: &'q PlaceRow) -> Bound<'q> {
    let place = &row.place;
    let role = match place.role {
        PlaceRole::Seated => 1_i64,
        PlaceRole::Eliminated => 2,
        PlaceRole::Candidate => 3,
    };
    let counted = place.counted.map(|counter| match counter {
        Counter::Full => 1_i64,
        Counter::Takeover => 2,
    });
    query
        .bind(row.player.0.as_bytes().as_slice())
        .bind(place.match_id.0.as_bytes().as_slice())
        .bind(role)
        .bind(index(place.seat))
        .bind(counted)
        .bind(i64::from(place.waits()))
        .bind(place.deadline.map(|time| time.0))
        .bind(place.ended.map(|time| time.0))
        .bind(row.facts.as_str())
}

fn bind_limits<'q>(query: Bound<'q>, row: &'q Limits) -> Bound<'q> {
    query.bind(1_i64).bind(i64::from(row.full)).bind(i64::from(row.takeover))
}
