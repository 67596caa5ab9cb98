//! A batch on its short way: judged as it comes in, on what this node knows alone. Writes nothing; whether what
//! was known still holds, the one statement that writes finds out.

use super::ground::Ground;
use crate::log::port::{Commit, Head, Receipt};
use crate::log::recent::Recent;
use crate::log::sealing::Tip;
use crate::system::{Clock, Entropy};
use sqlx::PgConnection;

/// What became of the commits so far.
pub(super) struct Attempt<'a> {
    pub(super) ground: Ground,
    /// One for each commit that was judged, in order.
    pub(super) receipts: Vec<Receipt>,
    /// Whether all of them can be granted this way.
    pub(super) fits: bool,
    clock: &'a dyn Clock,
    entropy: &'a Entropy,
}

impl<'a> Attempt<'a> {
    /// The beginning of a batch on the log that ends at `head`.
    pub(super) fn at(head: Head, clock: &'a dyn Clock, entropy: &'a Entropy) -> Self {
        Self { ground: Ground::at(head), receipts: Vec::new(), fits: true, clock, entropy }
    }

    /// Judges the commit that stands at `index` of the batch, if those before were, and if it is known where
    /// its stream stands: `recent` holds as of the head.
    pub(super) fn take(&mut self, index: usize, commit: &Commit, recent: &mut Recent<Tip>) {
        if index == self.receipts.len() && self.ground.knows(&commit.stream, recent) {
            self.judge(commit);
        }
    }

    /// Judges the commits that were left, after reading where their streams stand.
    pub(super) async fn finish(
        &mut self,
        connection: &mut PgConnection,
        commits: &[Commit],
        recent: &mut Recent<Tip>,
    ) -> Result<(), sqlx::Error> {
        let left = commits.get(self.receipts.len()..).unwrap_or_default();
        let mut unknown: Vec<_> = left.iter().map(|commit| commit.stream.as_str()).collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown.retain(|stream| !self.ground.knows(stream, recent));
        if !unknown.is_empty() {
            self.ground.learn(connection, &unknown).await?;
        }
        left.iter().for_each(|commit| self.judge(commit));
        Ok(())
    }

    fn judge(&mut self, commit: &Commit) {
        self.fits &= commit.claims.is_empty();
        if !self.fits {
            return;
        }
        self.ground.record_at(self.clock.now());
        match self.ground.judge(commit, self.entropy) {
            Ok(receipt) => self.receipts.push(receipt),
            Err(_) => self.fits = false,
        }
    }
}
