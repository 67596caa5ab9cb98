//! What viewers see of each match: one public document and one private overlay per seat, kept apart so that
//! answering one viewer never touches another's. Folds the domain's `Sheet` and never the truth.

use super::{gap, of_matches, read, written};
use crate::engine::registry::{signed, unsigned};
use crate::engine::{
    Bound, Changed, Conn, Fault, Fed, Fold, Insert, Lookup, Memory, Projection, Views, ViewsError,
    id,
};
use async_trait::async_trait;
use sqlx::{Connection, Executor, Row as _};
use std::collections::HashMap;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::{MatchId, PlayerId};
use yibu_domain::matches::view::{Audience, MatchView, OwnView, People, PublicView, Sheet};

const NAME: &str = "match_views";
/// Sheets kept in memory between flushes; one is about 4 KB.
const SHEETS: usize = 8192;

/// The read model as the engine knows it.
pub struct Model;

impl Projection for Model {
    fn name(&self) -> &'static str {
        NAME
    }

    fn shape(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &["match_views", "match_views_own"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../migrations/views/match_views.sql")
    }

    fn changed_since(&self) -> Option<&'static str> {
        Some(
            "SELECT match_id, public_version, position FROM match_views_g{g}
             WHERE position > $1 ORDER BY position LIMIT $2",
        )
    }

    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        let own = format!("match_views_own_g{generation}");
        let table = format!("match_views_g{generation}");
        let columns = ["match_id", "version", "public_version", "position", "public", "people"];
        Box::new(Folding {
            views: views.clone(),
            memory: Memory::new(SHEETS),
            changed: Vec::new(),
            documents: Insert::replacing(&table, &columns, 1),
            overlays: Insert::replacing(&own, &["match_id", "seat", "own"], 2),
            load: Lookup::new(
                &format!("SELECT match_id, version, position, public, people FROM {table}"),
                "",
            ),
            load_own: Lookup::new(&format!("SELECT match_id, seat, own FROM {own}"), ""),
        })
    }
}

struct Folding {
    views: Views,
    memory: Memory<Known>,
    changed: Vec<Changed>,
    documents: Insert,
    overlays: Insert,
    load: Lookup,
    load_own: Lookup,
}

/// A match in memory.
struct Known {
    sheet: Sheet,
    version: u64,
    position: u64,
    /// The overlays as they stand in the rows; none before the first flush.
    stored: Option<BySeat<OwnView>>,
}

struct Document {
    id: MatchId,
    version: u64,
    public_version: u64,
    position: u64,
    public: String,
    people: String,
}

struct Overlay {
    id: MatchId,
    seat: Seat,
    own: String,
}

impl Folding {
    async fn load(&mut self, ids: &[MatchId]) -> Result<(), Fault> {
        if ids.is_empty() {
            return Ok(());
        }
        let mut on = self.views.reading().await?;
        let mut found: HashMap<MatchId, Known> = HashMap::new();
        self.load
            .run(&mut on, ids, |row| {
                let sheet = Sheet {
                    public: read(NAME, row.try_get(3)?)?,
                    own: BySeat::default(),
                    people: read(NAME, row.try_get(4)?)?,
                };
                let (version, position) = (unsigned(row.try_get(1)?), unsigned(row.try_get(2)?));
                let known = Known { sheet, version, position, stored: None };
                found.insert(MatchId(id(row, 0)?), known);
                Ok::<_, ViewsError>(())
            })
            .await?;
        self.load_own
            .run(&mut on, ids, |row| {
                let seat = usize::try_from(row.try_get::<i64, _>(1)?).unwrap_or(usize::MAX);
                if let (Some(known), Some(seat)) =
                    (found.get_mut(&MatchId(id(row, 0)?)), Seat::ALL.get(seat))
                {
                    known.sheet.own[*seat] = read(NAME, row.try_get(2)?)?;
                }
                Ok::<_, ViewsError>(())
            })
            .await?;
        for (id, mut known) in found {
            known.stored = Some(known.sheet.own.clone());
            self.memory.insert(id, known);
        }
        Ok(())
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        let missing = self.memory.missing(batch);
        self.load(&missing).await?;
        for (fed, id, event) in of_matches(batch) {
            if fed.version == 1 {
                let sheet = Sheet::begin(event).ok_or_else(|| gap(fed, id))?;
                let known = Known { sheet, version: 0, position: 0, stored: None };
                self.memory.insert(id, known);
            }
            let known = self.memory.change(id).ok_or_else(|| gap(fed, id))?;
            if fed.version != known.version + 1 {
                return Err(gap(fed, id));
            }
            if fed.version > 1 {
                known.sheet.apply(event);
            }
            known.version = fed.version;
            known.position = fed.position;
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        let (mut documents, mut overlays) = (Vec::new(), Vec::new());
        let changed = &mut self.changed;
        self.memory.drain(|id, known| {
            let Known { sheet, version, position, stored } = known;
            let (version, position) = (*version, *position);
            let public_version = sheet.public.version;
            changed.push(Changed { match_id: id, version: public_version, position });
            documents.push(Document {
                id,
                version,
                public_version,
                position,
                public: written(NAME, &sheet.public)?,
                people: written(NAME, &sheet.people)?,
            });
            for (seat, own) in sheet.own.iter() {
                if stored.as_ref().is_none_or(|stored| stored[seat] != *own) {
                    overlays.push(Overlay { id, seat, own: written(NAME, own)? });
                    if let Some(stored) = stored {
                        stored[seat] = own.clone();
                    }
                }
            }
            stored.get_or_insert_with(|| sheet.own.clone());
            Ok::<_, ViewsError>(())
        })?;
        self.documents.run(tx, &documents, bind_document).await?;
        self.overlays.run(tx, &overlays, bind_overlay).await?;
        self.memory.trim();
        Ok(())
    }

    fn changed_matches(&self) -> usize {
        self.memory.changed()
    }

    fn changed(&mut self) -> Vec<Changed> {
        std::mem::take(&mut self.changed)
    }
}

fn bind_document<'q>(query: Bound<'q>, row: &'q Document) -> Bound<'q> {
    query
        .bind(row.id.0.as_bytes().as_slice())
        .bind(signed(row.version))
        .bind(signed(row.public_version))
        .bind(signed(row.position))
        .bind(row.public.as_str())
        .bind(row.people.as_str())
}

fn bind_overlay<'q>(query: Bound<'q>, row: &'q Overlay) -> Bound<'q> {
    let seat = i64::try_from(row.seat.index()).unwrap_or_default();
    query.bind(row.id.0.as_bytes().as_slice()).bind(seat).bind(row.own.as_str())
}

/// A match as one person sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// What the person may see, and nothing else.
    pub view: MatchView,
    /// Version of the match's stream that it shows. Not for clients: it counts secret events too.
    pub version: u64,
    /// Global position of the last event that it shows. Not for clients.
    pub position: u64,
}

/// Queries on the dark views. There is none without a viewer but [`MatchViews::people_of`].
#[derive(Clone)]
pub struct MatchViews {
    views: Views,
}

impl MatchViews {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// The match as the player may see it now. `None` alike for a match that does not exist and for one
    /// that is none of the player's business.
    ///
    /// # Errors
    /// The store failed.
    pub async fn view_for(
        &self,
        match_id: MatchId,
        player: PlayerId,
    ) -> Result<Option<Seen>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let generation = reading.generation();
        // One snapshot: document and overlay are of one version.
        let mut tx = reading.connection().begin().await?;
        let sql = format!(
            "SELECT version, position, public, people FROM match_views_g{generation} WHERE match_id = $1"
        );
        let query = sqlx::query(&sql).bind(match_id.0.as_bytes().as_slice());
        let Some(row) = tx.fetch_optional(query).await? else { return Ok(None) };
        let people: People = read(NAME, row.try_get(3)?)?;
        if people.role(player).is_none() {
            return Ok(None);
        }
        let public: PublicView = read(NAME, row.try_get(2)?)?;
        // The domain's own rule decides, on a sheet in which no seat knows anything.
        let sheet = Sheet { public, own: BySeat::default(), people };
        let Some(audience) = sheet.audience(player) else { return Ok(None) };
        let own = match audience {
            Audience::Seat(seat) => Some(own(&mut tx, generation, match_id, seat).await?),
            Audience::Candidate(_) | Audience::Departed => None,
        };
        tx.commit().await?;
        let (version, position) = (unsigned(row.try_get(0)?), unsigned(row.try_get(1)?));
        let view = MatchView { audience, public: sheet.public, own };
        Ok(Some(Seen { view, version, position }))
    }

    /// Who is what to the match, for workers. Never sent to a client.
    ///
    /// # Errors
    /// The store failed.
    pub async fn people_of(&self, match_id: MatchId) -> Result<Option<People>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql =
            format!("SELECT people FROM match_views_g{} WHERE match_id = $1", reading.generation());
        let query = sqlx::query(&sql).bind(match_id.0.as_bytes().as_slice());
        let row = reading.connection().fetch_optional(query).await?;
        row.map(|row| read(NAME, row.try_get(0)?)).transpose()
    }
}

async fn own(
    tx: &mut Conn,
    generation: u64,
    match_id: MatchId,
    seat: Seat,
) -> Result<OwnView, ViewsError> {
    let sql =
        format!("SELECT own FROM match_views_own_g{generation} WHERE match_id = $1 AND seat = $2");
    let query = sqlx::query(&sql)
        .bind(match_id.0.as_bytes().as_slice())
        .bind(i64::try_from(seat.index()).unwrap_or_default());
    read(NAME, tx.fetch_one(query).await?.try_get(0)?)
}
