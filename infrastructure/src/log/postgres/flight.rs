//! The short way of a batch: commits without claims, judged on what this node knows while the batch before
//! them is still at the server, and written in one statement that does nothing where that knowledge was old.
//! A refusal must not rest on what may be old, so whoever would be refused is given back for the long way.

use super::memos::Key;
use super::metadata;
use super::writer::Request;
use crate::log::port::{Head, Receipt, Remembered, Stored};
use crate::log::recent::Recent;
use crate::log::sealing::{Seal, Tip};
use crate::system::Entropy;
use std::collections::HashSet;
use std::time::Instant;
use yibu_domain::kernel::Time;

/// Commits that stand if the log ends at `before` and none of their commands was done.
pub(super) struct Flight {
    pub(super) before: Head,
    /// Where the log ends with them.
    pub(super) after: Head,
    pub(super) recorded: Time,
    /// When the first of them was taken.
    pub(super) since: Instant,
    pub(super) events: Vec<Stored>,
    /// What stands in each event's column `metadata`.
    pub(super) metadata: Vec<String>,
    pub(super) memos: Vec<Remembered>,
    keys: HashSet<Key>,
    /// As they came, for the long way if they do not stand.
    pub(super) requests: Vec<Request>,
    pub(super) receipts: Vec<Receipt>,
}

impl Flight {
    pub(super) fn new(before: Head, recorded: Time) -> Self {
        Self {
            before,
            after: before,
            recorded,
            since: Instant::now(),
            events: Vec::new(),
            metadata: Vec::new(),
            memos: Vec::new(),
            keys: HashSet::new(),
            requests: Vec::new(),
            receipts: Vec::new(),
        }
    }

    /// Judges a commit on everything that was taken before it, here and in the batch under way: `recent` holds
    /// where streams stand after these, and moves on. Gives back what has to go the long way.
    pub(super) fn take(
        &mut self,
        request: Request,
        recent: &mut Recent<Tip>,
        entropy: &Entropy,
    ) -> Result<(), Request> {
        let commit = &request.commit;
        let key = commit.memo.as_ref().map(|memo| (memo.account, memo.id));
        let repeated = key.is_some_and(|key| self.keys.contains(&key));
        let known = recent.get(&commit.stream).filter(|tip| {
            commit.claims.is_empty() && !repeated && commit.expected.holds(tip.version)
        });
        let Some(mut tip) = known else { return Err(request) };
        let Ok(metadata) = commit
            .events
            .iter()
            .map(|event| metadata::write(event.id, &commit.stamp))
            .collect::<Result<Vec<_>, _>>()
        else {
            return Err(request);
        };

        let (stream, stamp, recorded) = (&commit.stream, &commit.stamp, self.recorded);
        let seal = Seal { stream, stamp, recorded, entropy };
        for event in &commit.events {
            self.events.push(seal.next(&mut tip, &mut self.after, event.clone()));
        }
        self.metadata.extend(metadata);
        let receipt = Receipt { position: self.after.position, version: tip.version };
        if let Some((key, memo)) = key.zip(commit.memo.clone()) {
            let (stream, Receipt { position, version }) = (commit.stream.clone(), receipt);
            self.keys.insert(key);
            self.memos.push(Remembered { memo, stream, version, position });
        }
        recent.put(&commit.stream, tip);
        self.receipts.push(receipt);
        self.requests.push(request);
        Ok(())
    }
}
