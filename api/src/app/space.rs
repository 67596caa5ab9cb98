//! Free space where the data is, looked at now and then. Must not fail a server that cannot ask.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How often it is looked at.
const LOOK: Duration = Duration::from_secs(30);
/// Not known.
const UNKNOWN: u64 = u64::MAX;

/// The free bytes of now, as far as known. Clones share them.
#[derive(Clone)]
pub(super) struct Space(Arc<AtomicU64>);

impl Default for Space {
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(UNKNOWN)))
    }
}

impl Space {
    /// The free bytes; `None` where nobody could tell.
    pub(super) fn free(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Acquire)).filter(|free| *free != UNKNOWN)
    }

    /// Looks once.
    pub(super) async fn look(&self, folder: &PathBuf) {
        // The standard library cannot ask; the system's own tool can.
        let asked = tokio::process::Command::new("df").arg("-Pk").arg(folder).output().await;
        let text = asked.ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let free = text.as_deref().and_then(free_bytes);
        self.0.store(free.unwrap_or(UNKNOWN), Ordering::Release);
    }

    /// Looks now and then, and whenever the log could not be written, until told to stop.
    pub(super) async fn watch(
        self,
        folder: PathBuf,
        mut writes: watch::Receiver<bool>,
        stop: CancellationToken,
    ) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK) => {}
                // A log that is closed, or says nothing of it, changes no more.
                Ok(()) = writes.changed() => {}
            }
            self.look(&folder).await;
        }
    }
}

/// The free bytes in the portable form of `df`.
fn free_bytes(text: &str) -> Option<u64> {
    let kib: u64 = text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_space_of_a_folder_is_known_and_that_of_none_is_not() {
        let space = Space::default();
        assert_eq!(space.free(), None);
        space.look(&std::env::temp_dir()).await;
        assert!(space.free().is_some());
        space.look(&PathBuf::from("/nowhere/at/all")).await;
        assert_eq!(space.free(), None);
        assert_eq!(free_bytes("Filesystem 1024-blocks\n/dev/a 100 40 60 40% /\n"), Some(60 * 1024));
    }

    #[tokio::test]
    async fn a_log_that_cannot_be_written_makes_it_look_at_once() {
        let (space, stop) = (Space::default(), CancellationToken::new());
        let (wrote, writes) = watch::channel(true);
        let watching =
            tokio::spawn(space.clone().watch(std::env::temp_dir(), writes, stop.clone()));
        wrote.send_replace(false);
        while space.free().is_none() {
            tokio::task::yield_now().await;
        }
        stop.cancel();
        watching.await.unwrap();
    }
}
