//! How far each projection is, for those who wait for it and for those who watch over it.

use tokio::sync::watch;

/// A projection's place in the log, as far as this process knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The generation that readers get.
    pub generation: u64,
    /// Everything up to this position is in the rows.
    pub checkpoint: u64,
    /// Whether it goes on.
    pub standing: Standing,
}

/// Whether a projection goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// No worker of this process keeps it.
    Idle,
    /// It follows the log.
    Running,
    /// A worker of another process keeps it, and this one follows the rows.
    Following,
    /// It stands before an event that it cannot take in or read, or was taken over.
    Stopped {
        /// The first position that is not in the rows.
        position: u64,
        /// Why.
        problem: String,
        /// The log itself cannot be read there. Once it can, the read model goes on by itself.
        unread: bool,
    },
}

/// A projection did not get to a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotReached {
    /// Not in the time given.
    #[error("the read model is still behind")]
    Late,
    /// It stands still.
    #[error("the read model stands still")]
    Stopped,
    /// There is no read model of this name.
    #[error("there is no such read model")]
    Unknown,
}

/// Waits until everything up to `position` is in the rows.
pub(super) async fn reached(
    mut progress: watch::Receiver<Progress>,
    position: u64,
) -> Result<(), NotReached> {
    let there = progress
        .wait_for(|now| {
            now.checkpoint >= position || matches!(now.standing, Standing::Stopped { .. })
        })
        .await
        .map_err(|_| NotReached::Stopped)?;
    if there.checkpoint >= position { Ok(()) } else { Err(NotReached::Stopped) }
}
