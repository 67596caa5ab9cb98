//! What a batch is judged on: read from the database in a few queries, whatever the number of commits, while
//! the head row is held. Moves on with every commit that is granted; writes nothing to the database itself.

use super::{claims, memos, reads};
use crate::log::claims::{Changes, ClaimTable, judge};
use crate::log::port::{AppendError, Commit, Head, Receipt, Remembered, Stored};
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
    pub(super) events: Vec<Stored>,
    pub(super) memos: Vec<memos::Key>,
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
        commit: Commit,
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
        for event in commit.events {
            self.granted.events.push(seal.next(&mut tip, &mut self.head, event));
        }
        let receipt = Receipt { position: self.head.position, version: tip.version };
        self.granted.changes.add(changes.clone());
        self.claims.enter(changes);
        if let Some((key, memo)) = key.zip(commit.memo) {
            let (stream, Receipt { position, version }) = (commit.stream.clone(), receipt);
            self.granted.memos.push(key);
            self.remembered.insert(key, Remembered { memo, stream, version, position });
        }
        self.tips.insert(commit.stream, tip);
        Ok(receipt)
    }

    /// The memos that were granted.
    pub(super) fn memos(&self) -> Vec<&Remembered> {
        self.granted.memos.iter().filter_map(|key| self.remembered.get(key)).collect()
    }

    /// Notes where the streams stand, once that is durable.
    pub(super) fn settle(&self, recent: &mut Recent<Tip>) {
        for (stream, tip) in &self.tips {
            recent.put(stream, *tip);
        }
    }
}
