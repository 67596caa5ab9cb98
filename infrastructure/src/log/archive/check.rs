//! Whether the archive is all there, as far as that is cheap to say: what a server asks before it starts. Reads no
//! frame; `yibu doctor --deep` and `yibu audit` do.

use super::super::custody::Custody;
use super::super::port::{EventLog, ReadError};
use super::Pointer;
use super::segment::{Damage, Segment, list};
use std::path::Path;
use thiserror::Error;

/// So many of the log's first events are looked at for segments that the folder does not know of: the oldest
/// matches are archived first.
const FIRST: usize = 2048;

/// The archive is not all there.
#[derive(Debug, Error)]
pub enum Incomplete {
    /// A segment is missing, or not as it was written.
    #[error("{0}. Put it back from a backup of the archive; `yibu doctor` names all that is wrong")]
    Damaged(#[from] Damage),
    /// The folder cannot be read.
    #[error("the archive's folder {0}: {1}")]
    Folder(String, std::io::Error),
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] ReadError),
}

/// Looks whether every segment up to the last that is known of has its place, its header and its size.
///
/// # Errors
/// See [`Incomplete`].
pub async fn check(log: &dyn EventLog, folder: &Path) -> Result<(), Incomplete> {
    let Some(store) = log.custody() else { return Ok(()) };
    let listed =
        list(folder).map_err(|error| Incomplete::Folder(folder.display().to_string(), error))?;
    let pointed = pointed(store).await?;
    let last = listed.last().copied().max(pointed).unwrap_or(0);
    let folder = folder.to_owned();
    let looked = tokio::task::spawn_blocking(move || {
        (1..=last).try_for_each(|number| Segment::open(&folder, number).map(drop))
    });
    let looked = looked.await.map_err(|error| ReadError::Failed(error.to_string()))?;
    Ok(looked?)
}

/// Whether a log's events are archived, as far as its first events tell. Whoever reads one of the others hears of it
/// then.
///
/// # Errors
/// The log cannot be read.
pub async fn points_anywhere(log: &dyn EventLog) -> Result<bool, ReadError> {
    let Some(store) = log.custody() else { return Ok(false) };
    Ok(pointed(store).await?.is_some())
}

/// The highest segment that the log's first events point to.
async fn pointed(store: &dyn Custody) -> Result<Option<u32>, ReadError> {
    let early = store.read_all(0, FIRST).await?;
    let pointers = early.iter().filter_map(|event| Pointer::read(&event.payload));
    Ok(pointers.map(|pointer| pointer.segment).max())
}
