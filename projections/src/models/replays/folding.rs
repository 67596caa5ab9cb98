//! Folds matches by those who take part, and writes the rows that changed.

use super::super::{gap, of_matches, read, recall, written};
use super::NAME;
use super::record::Record;
use crate::engine::{Bound, Conn, Fault, Fed, Fold, Insert, Lookup, Memory, Views, ViewsError};
use async_trait::async_trait;
use sqlx::{Executor, Row as _};
use std::collections::BTreeSet;
use yibu_domain::kernel::{MatchId, PlayerId, Time};

/// Matches kept in memory between flushes; one is about 2 KB.
const MATCHES: usize = 16_384;

pub(super) struct Folding {
    views: Views,
    memory: Memory<Known>,
    matches: Insert,
    players: Insert,
    load: Lookup,
    forget: String,
}

struct Known {
    record: Record,
    /// In whose lists the rows have it.
    stored: BTreeSet<PlayerId>,
}

struct MatchRow {
    id: MatchId,
    expired: bool,
    ended: Option<Time>,
    expires: Option<Time>,
    body: String,
}

impl Folding {
    pub(super) fn new(views: &Views, generation: u64) -> Self {
        let matches = format!("replays_g{generation}");
        let players = format!("replays_players_g{generation}");
        let columns = ["match_id", "expired", "ended", "expires", "body"];
        Self {
            views: views.clone(),
            memory: Memory::new(MATCHES),
            matches: Insert::replacing(&matches, &columns, 1),
            players: Insert::replacing(&players, &["player", "match_id", "ended"], 2),
            load: Lookup::new(&format!("SELECT match_id, body FROM {matches}"), ""),
            forget: format!("DELETE FROM {players} WHERE player = $1 AND match_id = $2"),
        }
    }
}

#[async_trait]
impl Fold for Folding {
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault> {
        recall(&mut self.memory, &self.views, &self.load, batch, |row| {
            let record: Record = read(NAME, row.try_get(1)?)?;
            // What the rows hold is a function of the record that was written with them.
            let stored = record.listed();
            Ok(Known { record, stored })
        })
        .await?;
        for (fed, id, event) in of_matches(batch) {
            if fed.version == 1 {
                let (record, stored) = (Record::default(), BTreeSet::new());
                self.memory.insert(id, Known { record, stored });
            }
            if self.memory.get(id).is_none() {
                return Err(gap(fed, id));
            }
            // Most events are moves, and no business of this model.
            if Record::follows(&event.event)
                && let Some(known) = self.memory.change(id)
            {
                known.record.apply(event);
            }
        }
        Ok(())
    }

    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError> {
        let (mut matches, mut arrived, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        self.memory.drain(|id, Known { record, stored }| {
            matches.push(MatchRow {
                id,
                expired: record.expired,
                ended: record.ended,
                expires: record.expires(),
                body: written(NAME, record)?,
            });
            let now = record.listed();
            gone.extend(stored.difference(&now).map(|player| (*player, id)));
            let ended = record.ended.unwrap_or_default();
            arrived.extend(now.difference(stored).map(|player| (*player, id, ended)));
            *stored = now;
            Ok::<_, ViewsError>(())
        })?;
        for (player, id) in &gone {
            let query = sqlx::query(&self.forget)
                .bind(player.0.as_bytes().as_slice())
                .bind(id.0.as_bytes().as_slice());
            tx.execute(query).await?;
        }
        self.matches.run(tx, &matches, bind_match).await?;
        // In the order of the key.
        arrived.sort_unstable();
        self.players.run(tx, &arrived, bind_player).await?;
        self.memory.trim();
        Ok(())
    }

    fn changed_matches(&self) -> usize {
        self.memory.changed()
    }
}

fn bind_match<'q>(query: Bound<'q>, row: &'q MatchRow) -> Bound<'q> {
    query
        .bind(row.id.0.as_bytes().as_slice())
        .bind(i64::from(row.expired))
        .bind(row.ended.map(|time| time.0))
        .bind(row.expires.map(|time| time.0))
        .bind(row.body.as_str())
}

fn bind_player<'q>(query: Bound<'q>, row: &'q (PlayerId, MatchId, Time)) -> Bound<'q> {
    let (player, id, ended) = row;
    query.bind(player.0.as_bytes().as_slice()).bind(id.0.as_bytes().as_slice()).bind(ended.0)
}
