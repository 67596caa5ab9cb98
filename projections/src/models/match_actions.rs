//! The public actions of each match in order, some to a row: what every viewer of it may read. Built from the
//! events' public parts alone. Who may ask is decided by whoever asks `match_views` first.

use super::{gap, of_matches, read, recall, written};
use crate::engine::registry::{signed, unsigned};
use crate::engine::{
    Bound, Conn, Fault, Fed, Fold, Insert, Lookup, Memory, Projection, Views, ViewsError,
};
use async_trait::async_trait;
use sqlx::{Executor, Row as _};
use yibu_domain::kernel::{MatchId, Time};
use yibu_domain::matches::events::Action;

const NAME: &str = "match_actions";
/// Actions per row: few enough to write a row again with each of them, enough to rebuild and page fast.
const CHUNK: u64 = 8;
/// Matches kept in memory between flushes, each with its last row.
const MATCHES: usize = 16_384;

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
        let newest =
            format!("SELECT MAX(n.chunk) FROM {table} AS n WHERE n.match_id = {table}.match_id");
        Box::new(Folding {
            views: views.clone(),
            memory: Memory::new(MATCHES),
            full: Vec::new(),
            upsert: Insert::replacing(&table, &["match_id", "chunk", "last", "body"], 2),
            load: Lookup::new(
                &format!("SELECT match_id, last, body FROM {table}"),
                &format!("AND chunk = ({newest})"),
            ),
        })
    }
}

struct Folding {
    views: Views,
    memory: Memory<Known>,
    /// Rows that got their last action since the last flush.
    full: Vec<Chunk>,
    upsert: Insert,
    load: Lookup,
}

/// A match in memory: how many public events it has had, and the row that has still room, its end open.
struct Known {
    count: u64,
    open: String,
}

struct Chunk {
    id: MatchId,
    last: u64,
    body: String,
}

impl Known {
    fn add(&mut self, at: Time, action: &Action) -> Result<(), ViewsError> {
        self.open.push(if self.open.is_empty() { '[' } else { ',' });
        self.open.push_str(&written(NAME, &(at, action))?);
        self.count += 1;
        Ok(())
    }

    fn chunk(&self, id: MatchId) -> Chunk {
        Chunk { id, last: self.count, body: format!("{}]", self.open) }
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        recall(&mut self.memory, &self.views, &self.load, batch, |row| {
            let (count, body) = (unsigned(row.try_get(1)?), row.try_get::<&str, _>(2)?);
            let open = if count.is_multiple_of(CHUNK) { None } else { body.strip_suffix(']') };
            Ok(Known { count, open: open.unwrap_or_default().to_owned() })
        })
        .await?;
        for (fed, id, event) in of_matches(batch) {
            if fed.version == 1 {
                self.memory.insert(id, Known { count: 0, open: String::new() });
            }
            let Some(action) = event.event.action() else { continue };
            let known = self.memory.change(id).ok_or_else(|| gap(fed, id))?;
            known.add(event.at, &action)?;
            if known.count.is_multiple_of(CHUNK) {
                self.full.push(known.chunk(id));
                known.open.clear();
            }
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        let mut rows = std::mem::take(&mut self.full);
        self.memory.drain(|id, known| {
            if !known.open.is_empty() {
                rows.push(known.chunk(id));
            }
            Ok::<_, ViewsError>(())
        })?;
        // In the order of the key: neighbours on disk are written together.
        rows.sort_unstable_by_key(|row| (row.id, row.last));
        self.upsert.run(tx, &rows, bind).await?;
        self.memory.trim();
        Ok(())
    }

    fn changed_matches(&self) -> usize {
        self.memory.changed()
    }
}

/// In which row the action of a public version stands.
fn chunk_of(version: u64) -> u64 {
    version.saturating_sub(1) / CHUNK
}

fn bind<'q>(query: Bound<'q>, row: &'q Chunk) -> Bound<'q> {
    query
        .bind(row.id.0.as_bytes().as_slice())
        .bind(signed(chunk_of(row.last)))
        .bind(signed(row.last))
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
        let which = "chunk >= $2 ORDER BY chunk";
        let first = after.saturating_add(1);
        let mut found = self.chunks(match_id, chunk_of(first), limit, which).await?;
        found.retain(|recorded| recorded.version >= first);
        found.truncate(limit as usize);
        Ok(found)
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
        let which = "chunk <= $2 ORDER BY chunk DESC";
        let before = before.unwrap_or(u64::MAX);
        let mut found = self.chunks(match_id, chunk_of(before), limit, which).await?;
        found.retain(|recorded| recorded.version < before);
        found.sort_unstable_by_key(|recorded| recorded.version);
        let surplus = found.len().saturating_sub(limit as usize);
        Ok(found.split_off(surplus))
    }

    /// How many there are; 0 for an unknown match.
    ///
    /// # Errors
    /// The store failed.
    pub async fn total(&self, match_id: MatchId) -> Result<u64, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT COALESCE(MAX(last), 0) FROM match_actions_g{} WHERE match_id = $1",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(match_id.0.as_bytes().as_slice());
        Ok(unsigned(reading.connection().fetch_one(query).await?.try_get(0)?))
    }

    /// The actions of as many rows as can hold `limit` of them, from a chunk on.
    async fn chunks(
        &self,
        match_id: MatchId,
        chunk: u64,
        limit: u32,
        which: &str,
    ) -> Result<Vec<Recorded>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT chunk, body FROM match_actions_g{} WHERE match_id = $1 AND {which} LIMIT $3",
            reading.generation()
        );
        // The first and the last row may be needed in part only.
        let rows = u64::from(limit).div_ceil(CHUNK) + 1;
        let query = sqlx::query(&sql)
            .bind(match_id.0.as_bytes().as_slice())
            .bind(signed(chunk))
            .bind(signed(rows));
        let mut found = Vec::new();
        for row in reading.connection().fetch_all(query).await? {
            let before = unsigned(row.try_get(0)?) * CHUNK;
            let actions: Vec<(Time, Action)> = read(NAME, row.try_get(1)?)?;
            let numbered = (before + 1..).zip(actions);
            found.extend(numbered.map(|(version, (at, action))| Recorded { version, at, action }));
        }
        Ok(found)
    }
}
