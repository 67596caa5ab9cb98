//! Closed streams outside the hot table: segment files that hold their events whole, and a log that reads
//! through to them. In the store an archived event keeps everything but its payload, in whose place stands a
//! pointer; so positions, versions, hashes and claims need no second home. Knows no game.

mod cache;
mod check;
mod segment;
mod writing;

pub use check::{Incomplete, check, points_anywhere};
pub use segment::{Damage, Frame, Header, Segment, list};
pub use writing::{Making, write};

use super::claims::ClaimTable;
use super::custody::Custody;
use super::port::{AppendError, Commit, EventLog, Head, ReadError, Receipt, Remembered, Stored};
use async_trait::async_trait;
use cache::Frames;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;
use yibu_domain::kernel::{CommandId, Counter, PlayerId, Span, Time};

/// Where an archived payload is. As text it is a JSON string, which no payload is: those are JSON objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pointer {
    /// The segment's number, from 1.
    pub segment: u32,
    /// The frame in it, from 0.
    pub frame: u32,
}

impl Pointer {
    /// As it stands in the payload's place.
    pub fn text(self) -> String {
        format!("\"archive/{}/{}\"", self.segment, self.frame)
    }

    /// The pointer that stands in the payload's place, if one does.
    pub fn read(payload: &str) -> Option<Self> {
        let inside = payload.strip_prefix("\"archive/")?.strip_suffix('"')?;
        let (segment, frame) = inside.split_once('/')?;
        Some(Self { segment: segment.parse().ok()?, frame: frame.parse().ok()? })
    }
}

/// What whoever reads archived events is told where nobody said where their segments are.
pub const UNNAMED: &str = "events are archived: set YIBU_ARCHIVE (log.archive) to their folder";

/// A log whose archived payloads are read from their segments. Everything else is the store's own.
pub struct ArchivedLog {
    log: Arc<dyn EventLog>,
    /// None: no folder is named. A pointer must not pass for a payload then, which would look like tampering.
    frames: Option<Arc<Frames>>,
}

impl ArchivedLog {
    /// The log of a store whose segments are in `folder`; nothing is read before it is needed. Without a folder,
    /// reads of archived events fail.
    pub fn new(log: Arc<dyn EventLog>, folder: Option<PathBuf>) -> Self {
        Self { log, frames: folder.map(|folder| Arc::new(Frames::new(folder))) }
    }

    /// Puts the payloads in where pointers stand.
    async fn whole(&self, mut events: Vec<Stored>) -> Result<Vec<Stored>, ReadError> {
        if events.iter().all(|event| Pointer::read(&event.payload).is_none()) {
            return Ok(events);
        }
        let frames = self.frames.clone().ok_or_else(|| ReadError::Failed(UNNAMED.to_owned()))?;
        let filled = tokio::task::spawn_blocking(move || {
            for event in &mut events {
                if let Some(pointer) = Pointer::read(&event.payload) {
                    event.payload = frames.payload(pointer, event)?;
                }
            }
            Ok(events)
        });
        let filled = filled.await.map_err(|error| ReadError::Failed(error.to_string()))?;
        filled.map_err(|damage: Damage| ReadError::Failed(damage.to_string()))
    }
}

#[async_trait]
impl EventLog for ArchivedLog {
    async fn append(&self, commit: Commit) -> Result<Receipt, AppendError> {
        self.log.append(commit).await
    }

    async fn read_stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        self.whole(self.log.read_stream(stream, after, limit).await?).await
    }

    async fn read_all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        self.whole(self.log.read_all(after, limit).await?).await
    }

    async fn head(&self) -> Result<Head, ReadError> {
        self.log.head().await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.log.changes()
    }

    async fn find_command(
        &self,
        account: PlayerId,
        id: CommandId,
    ) -> Result<Option<Remembered>, ReadError> {
        self.log.find_command(account, id).await
    }

    async fn count(&self, counter: Counter, player: PlayerId) -> Result<(u32, u32), ReadError> {
        self.log.count(counter, player).await
    }

    async fn claims(&self) -> Result<ClaimTable, ReadError> {
        self.log.claims().await
    }

    async fn beat(&self, node: &str, at: Time) -> Result<(), ReadError> {
        self.log.beat(node, at).await
    }

    async fn last_beat(&self) -> Result<Option<Time>, ReadError> {
        self.log.last_beat().await
    }

    async fn skew(&self) -> Result<Span, ReadError> {
        self.log.skew().await
    }

    fn answers(&self) -> bool {
        self.log.answers()
    }

    fn writes(&self) -> watch::Receiver<bool> {
        self.log.writes()
    }

    async fn close(&self) {
        self.log.close().await;
    }

    /// The store's own: its reads show pointers.
    fn custody(&self) -> Option<&dyn Custody> {
        self.log.custody()
    }
}

/// The name of the archive's folder beside a store's files.
pub const FOLDER: &str = "archive";

/// The file of a segment.
pub fn file(folder: &Path, segment: u32) -> PathBuf {
    folder.join(format!("{segment:06}.segment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_told_from_payloads() {
        let pointer = Pointer { segment: 12, frame: 3 };
        assert_eq!(Pointer::read(&pointer.text()), Some(pointer));
        for other in ["", "{}", "\"archive/1\"", "\"archive/1/x\"", "archive/1/2", "\"archive/1/2"]
        {
            assert_eq!(Pointer::read(other), None);
        }
    }
}
