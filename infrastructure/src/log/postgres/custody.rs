//! The keeper's work on the database: events carried over as they were stored, what stands beside them, and
//! payloads that make way for pointers. Each call is a transaction on a connection of its own; whoever moves the
//! head holds its row, as every batch does, so that writers of all nodes see that the log went on without them.

use super::{PostgresLog, batch, claims, connect, looks, memos, names, reads, writer};
use crate::log::claims::Changes;
use crate::log::custody::{self, Beside, Custody, CustodyError, KeptMemo, OddRow, Shelf};
use crate::log::looks::{Oddity, Seen};
use crate::log::port::{Head, ReadError, Stored, memo_cutoff};
use crate::log::sealing::Tip;
use async_trait::async_trait;
use sqlx::postgres::PgRow;
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use std::collections::{BTreeMap, HashSet};
use yibu_domain::kernel::Time;

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
fn fault(error: sqlx::Error) -> CustodyError {
    CustodyError::Fault(error.to_string())
}

impl PostgresLog {
    /// A connection of the keeper's own.
    async fn keeping(&self) -> Result<PgConnection, CustodyError> {
        if self.queue().is_none() {
            return Err(CustodyError::Fault("it is closed".to_owned()));
        }
        connect::for_writing(&self.options).await.map_err(fault)
    }
}

#[async_trait]
impl Custody for PostgresLog {
    async fn beside(&self) -> Result<Beside, ReadError> {
        let now = memo_cutoff(self.clock.now());
        let mut reading = self.readers.acquire().await.map_err(ReadError::from)?;
        let memos = memos::kept(&mut reading, now).await.map_err(ReadError::from)?;
        let sql = "SELECT node, at FROM log_heartbeats";
        let rows = sqlx::query(sql).fetch_all(&mut *reading).await.map_err(ReadError::from)?;
        let beat = |row: &PgRow| Ok((row.try_get(0)?, Time(row.try_get(1)?)));
        let beats: Result<BTreeMap<String, Time>, sqlx::Error> = rows.iter().map(beat).collect();
        let claims = claims::table(&self.readers).await.map_err(ReadError::from)?;
        Ok(Beside { claims, memos, beats: beats? })
    }

    async fn seen(&self) -> Result<Seen, ReadError> {
        Ok(looks::seen(&self.readers, self.clock.now()).await?)
    }

    async fn oddities(&self) -> Result<Vec<Oddity>, ReadError> {
        Ok(looks::oddities(&self.readers, self.clock.now()).await?)
    }

    async fn last(&self) -> Result<u64, ReadError> {
        Ok(reads::last(&self.readers).await?)
    }

    async fn odd_rows(
        &self,
        after: u64,
        limit: usize,
    ) -> Result<(Vec<OddRow>, Option<u64>), ReadError> {
        Ok(reads::odd_rows(&self.readers, after, limit).await?)
    }

    async fn import(&self, events: Vec<Stored>) -> Result<Head, CustodyError> {
        let mut connection = self.keeping().await?;
        let (mut head, _) = batch::lock(&mut connection).await.map_err(fault)?;
        let streams: HashSet<&str> = events.iter().map(|event| event.stream.as_str()).collect();
        let streams: Vec<_> = streams.into_iter().collect();
        let mut tips = reads::tips(&mut connection, &streams).await.map_err(fault)?;
        for event in &events {
            let tip = tips.entry(event.stream.clone()).or_insert(Tip::NONE);
            custody::follow(tip, &mut head, event)?;
        }
        batch::insert(&mut connection, &events.iter().collect()).await.map_err(fault)?;
        batch::finish(&mut connection, head).await.map_err(fault)?;
        writer::grow(&self.grow, head.position);
        let _ = connection.close().await;
        Ok(head)
    }

    async fn finish(&self, beside: Beside) -> Result<(), CustodyError> {
        let mut connection = self.keeping().await?;
        let mut tx = connection.begin().await.map_err(fault)?;
        let clear = "SELECT 1 FROM log_head FOR UPDATE; DELETE FROM log_claims_counted; \
             DELETE FROM log_claims_unique; DELETE FROM log_limits";
        tx.execute(clear).await.map_err(fault)?;
        let table = beside.claims;
        let changes = Changes { held: table.counted, taken: table.unique, limits: table.limits };
        claims::write(&mut tx, &changes).await.map_err(fault)?;
        known(&mut tx, &beside.memos).await?;
        let memos: Vec<_> =
            beside.memos.iter().map(|kept| (&kept.remembered, kept.recorded)).collect();
        for some in memos.chunks(SOME) {
            memos::write(&mut tx, some).await.map_err(fault)?;
        }
        for (node, at) in &beside.beats {
            reads::beat(&mut *tx, node, *at).await.map_err(fault)?;
        }
        tx.commit().await.map_err(fault)
    }

    async fn shelve(&self, shelves: Vec<Shelf>) -> Result<u64, CustodyError> {
        let mut connection = self.keeping().await?;
        let mut tx = connection.begin().await.map_err(fault)?;
        let mut changed = 0;
        for shelf in &shelves {
            changed += shelve(&mut tx, shelf).await?;
        }
        tx.commit().await.map_err(fault)?;
        Ok(changed)
    }
}

/// So many memos are written at once.
const SOME: usize = 4096;

/// Every memo's stream is there.
async fn known(connection: &mut PgConnection, memos: &[KeptMemo]) -> Result<(), CustodyError> {
    let streams: HashSet<&str> = memos.iter().map(|kept| kept.remembered.stream.as_str()).collect();
    let streams: Vec<_> = streams.into_iter().collect();
    let tips = reads::tips(connection, &streams).await.map_err(fault)?;
    let unknown = memos.iter().map(|kept| &kept.remembered);
    match unknown.into_iter().find(|memo| !tips.contains_key(&memo.stream)) {
        Some(memo) => {
            let (stream, version) = (memo.stream.clone(), memo.version);
            Err(CustodyError::OtherHistory { stream, version })
        }
        None => Ok(()),
    }
}

async fn shelve(connection: &mut PgConnection, shelf: &Shelf) -> Result<u64, CustodyError> {
    let Shelf { stream, from, to, hash, pointer } = shelf;
    let (kind, id) = names::split(stream);
    let sql = "SELECT hash FROM events \
         WHERE aggregate_type = $1 AND aggregate_id = $2 AND sequence = $3";
    let query = sqlx::query_scalar(sql).bind(kind).bind(id).bind(reads::signed(*to));
    let found: Option<[u8; 32]> = query.fetch_optional(&mut *connection).await.map_err(fault)?;
    if found.as_ref() != Some(hash) {
        return Err(CustodyError::OtherHistory { stream: stream.clone(), version: *to });
    }
    let sql = "UPDATE events SET payload = $5::json WHERE aggregate_type = $1 \
         AND aggregate_id = $2 AND sequence BETWEEN $3 AND $4 AND payload::text <> $5";
    let query = sqlx::query(sql).bind(kind).bind(id);
    let query = query.bind(reads::signed(*from)).bind(reads::signed(*to)).bind(pointer.as_str());
    Ok(query.execute(connection).await.map_err(fault)?.rows_affected())
}
