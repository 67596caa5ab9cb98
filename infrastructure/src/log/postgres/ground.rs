//! What a batch is judged on: read from the database in a few queries, whatever the number of commits, while
//! the head row is held. Moves on with every commit that is granted; writes nothing to the database itself.

use super::rows::Rows;
use super::{claims, memos, reads};
use crate::log::claims::{Changes, ClaimTable, judge};
use crate::log::port::{AppendError, Commit, Head, Receipt, Remembered};
use crate::log::recent::Recent;
use crate::log::sealing::{Seal, Tip};
use crate::system::Entropy;
use sqlx::PgConnection;
use std::collections::{HashMap, HashSet};
use yibu_domain::kernel::Time;

/// What stands, as far as the batch asks for it, and what its granted commits add.
pub(super) struct Ground {
    pub(super) head: Head,
    tips: HashMap<String, Tip>,
    remembered: HashMap<memos::Key, Remembered>,
    claims: ClaimTable,
    recorded: Time,
    pub(super) granted: Granted,
}

/// What is to be written.
#[derive(Default)]
pub(super) struct Granted {
    pub(super) rows: Rows,
    /// Each with the instant that its events are recorded at.
    pub(super) memos: Vec<(memos::Key, Time)>,
    pub(super) changes: Changes,
}

/// What the commits of a batch ask for, and what of it is known without a query.
struct Asked<'a> {
    tips: HashMap<String, Tip>,
    unknown: HashSet<&'a str>,
    keys: Vec<memos::Key>,
    claims: claims::Asked<'a>,
}

impl<'a> Asked<'a> {
    fn of(commits: &'a [Commit], recent: &mut Recent<Tip>) -> Self {
        let mut tips = HashMap::with_capacity(commits.len());
        let mut unknown = HashSet::new();
        let mut keys = Vec::with_capacity(commits.len());
        let mut claims = claims::Asked::default();
        for commit in commits {
            match recent.get(&commit.stream) {
                Some(tip) => drop(tips.insert(commit.stream.clone(), tip)),
                None => drop(unknown.insert(commit.stream.as_str())),
            }
            keys.extend(commit.memo.as_ref().map(|memo| (memo.account, memo.id)));
            commit.claims.iter().for_each(|claim| claims.add(claim));
        }
        Self { tips, unknown, keys, claims }
    }
}

impl Ground {
    /// Nothing but where the log ends.
    pub(super) fn at(head: Head) -> Self {
        Self {
            head,
            tips: HashMap::new(),
            remembered: HashMap::new(),
            claims: ClaimTable::default(),
            recorded: Time(i64::MIN),
            granted: Granted::default(),
        }
    }

    /// Whether it is known where a stream stands, here or in `recent`, which must hold as of the same head.
    pub(super) fn knows(&mut self, stream: &str, recent: &mut Recent<Tip>) -> bool {
        if self.tips.contains_key(stream) {
            return true;
        }
        let tip = recent.get(stream);
        tip.is_some_and(|tip| self.tips.insert(stream.to_owned(), tip).is_none())
    }

    /// Reads where streams stand.
    pub(super) async fn learn(
        &mut self,
        connection: &mut PgConnection,
        streams: &[&str],
    ) -> Result<(), sqlx::Error> {
        let mut found = reads::tips(connection, streams).await?;
        for stream in streams {
            let tip = found.remove(*stream).unwrap_or(Tip::NONE);
            self.tips.insert((*stream).to_owned(), tip);
        }
        Ok(())
    }

    /// What follows is recorded at this instant.
    pub(super) fn record_at(&mut self, recorded: Time) {
        self.recorded = recorded;
    }

    /// Reads what the commits ask for. `recent` must hold as of `head`.
    pub(super) async fn read(
        connection: &mut PgConnection,
        head: Head,
        commits: &[Commit],
        recent: &mut Recent<Tip>,
        recorded: Time,
    ) -> Result<Self, sqlx::Error> {
        let Asked { mut tips, unknown, keys, claims } = Asked::of(commits, recent);
        if !unknown.is_empty() {
            let unknown: Vec<_> = unknown.into_iter().collect();
            tips.extend(reads::tips(connection, &unknown).await?);
        }
        let mut remembered = HashMap::with_capacity(keys.len());
        if !keys.is_empty() {
            let found = memos::find_all(connection, &keys, recorded).await?;
            remembered.extend(found.into_iter().map(|it| ((it.memo.account, it.memo.id), it)));
        }
        let claims = claims.read(connection).await?;
        Ok(Self { head, tips, remembered, claims, recorded, granted: Granted::default() })
    }

    /// Judges a commit on everything that was granted before it. A refused one leaves nothing.
    pub(super) fn judge(
        &mut self,
        commit: &Commit,
        entropy: &Entropy,
    ) -> Result<Receipt, AppendError> {
        let key = commit.memo.as_ref().map(|memo| (memo.account, memo.id));
        if let Some(remembered) = key.and_then(|key| self.remembered.get(&key)) {
            return Err(AppendError::Repeated(Box::new(remembered.clone())));
        }
        let mut tip = self.tips.get(&commit.stream).copied().unwrap_or(Tip::NONE);
        commit.expected.judge(&commit.stream, tip.version)?;
        let changes = judge(&commit.claims, &mut self.claims)?;

        let (stream, stamp, recorded) = (&commit.stream, &commit.stamp, self.recorded);
        let seal = Seal { stream, stamp, recorded, entropy };
        for event in &commit.events {
            self.granted.rows.push(&seal.next(&mut tip, &mut self.head, event.clone()));
        }
        let receipt = Receipt { position: self.head.position, version: tip.version };
        self.granted.changes.add(changes.clone());
        self.claims.enter(changes);
        if let Some((key, memo)) = key.zip(commit.memo.clone()) {
            let (stream, Receipt { position, version }) = (commit.stream.clone(), receipt);
            self.granted.memos.push((key, recorded));
            self.remembered.insert(key, Remembered { memo, stream, version, position });
        }
        match self.tips.get_mut(&commit.stream) {
            Some(known) => *known = tip,
            None => drop(self.tips.insert(commit.stream.clone(), tip)),
        }
        Ok(receipt)
    }

    /// The memos that were granted, each with the instant that its events are recorded at.
    pub(super) fn memos(&self) -> Vec<(&Remembered, Time)> {
        let known = |(key, recorded): &(memos::Key, Time)| {
            self.remembered.get(key).map(|remembered| (remembered, *recorded))
        };
        self.granted.memos.iter().filter_map(known).collect()
    }

    /// Notes where the streams stand, once that is durable.
    pub(super) fn settle(&self, recent: &mut Recent<Tip>) {
        for (stream, tip) in &self.tips {
            recent.put(stream, *tip);
        }
    }
}
