//! Figures about the log's writers, through the facade. Must not look into a commit.

use std::time::Instant;

/// Notes a transaction of a store's writer that began at `since` and is over, with this many commits in it.
pub(in crate::log) fn batch(store: &'static str, commits: usize, since: Instant) {
    if commits == 0 {
        return;
    }
    // A batch is far below what a float holds exactly.
    let size = f64::from(u32::try_from(commits).unwrap_or(u32::MAX));
    metrics::histogram!("yibu_commit_batch_size", "store" => store).record(size);
    metrics::histogram!("yibu_commit_seconds", "store" => store).record(since.elapsed());
}

/// Notes a batch that failed.
pub(in crate::log) fn failed(store: &'static str) {
    metrics::counter!("yibu_commit_faults_total", "store" => store).increment(1);
}
