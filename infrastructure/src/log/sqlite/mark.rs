//! `log.head`: a mark, beside the database, of the last event that was acknowledged. SQLite drops a cut or
//! damaged tail of its write-ahead log without a word; the mark lets the next start notice and refuse.
//!
//! It is written after a batch is durable and before the batch is acknowledged, and synced at most once a
//! second. So whatever is lost is noticed after any end of the process; after a failure of power, what was
//! acknowledged within the last second before it is guarded by SQLite's own sync alone. Two slots are written
//! in turn, each with a check sum, so that a torn write leaves the other. A missing file is no fault: a
//! restored backup comes without one.

use super::reads;
use crate::log::chain;
use crate::log::open_error::OpenError;
use crate::log::port::Head;
use crate::system::private;
use rusqlite::Connection;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

const SLOT: usize = 512;
/// The words for what does not fit.
pub(super) const GONE: &str = "it is not there";
pub(super) const OTHER: &str = "another event stands there";

const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The open file.
pub(super) struct Mark {
    file: File,
    /// Which slot is next.
    slot: u64,
    synced: Instant,
    dirty: bool,
}

impl Mark {
    /// Opens the mark and holds the log against it.
    pub(super) fn open(
        folder: &Path,
        connection: &Connection,
        head: Head,
    ) -> Result<Self, OpenError> {
        let path = folder.join("log.head");
        let file = private().create(true).truncate(false).read(true).write(true).open(&path)?;
        let marked = latest(&file);
        if let Some((acknowledged, hash)) = marked.filter(|(position, _)| *position > 0) {
            let lost = |problem| OpenError::Lost {
                found: head.position,
                acknowledged,
                problem,
                mark: path.clone(),
            };
            match reads::hash_at(connection, acknowledged)? {
                None => return Err(lost(GONE)),
                Some(found) if found != hash => return Err(lost(OTHER)),
                Some(_) => {}
            }
        }
        if marked.is_none() && file.metadata()?.len() > 0 {
            tracing::warn!(file = %path.display(), "the mark of the last acknowledged event is unreadable; it begins anew");
        }
        let mut mark = Self { file, slot: 0, synced: Instant::now(), dirty: false };
        let last = reads::hash_at(connection, head.position)?.unwrap_or(chain::START);
        // Both slots at full length now: later writes need no new space on the disk.
        mark.write(head.position, &last)?;
        mark.write(head.position, &last)?;
        mark.sync()?;
        Ok(mark)
    }

    /// Marks the end of the log: the last event and its hash.
    pub(super) fn write(&mut self, position: u64, last: &[u8; 32]) -> std::io::Result<()> {
        let mut bytes = [0; SLOT];
        bytes[..8].copy_from_slice(&position.to_le_bytes());
        bytes[8..40].copy_from_slice(last);
        let check = blake3::hash(&bytes[..40]);
        bytes[40..72].copy_from_slice(check.as_bytes());
        self.file.write_all_at(&bytes, self.slot * SLOT as u64)?;
        self.slot = 1 - self.slot;
        self.dirty = true;
        Ok(())
    }

    /// Syncs the file if that was not done for a while.
    pub(super) fn sync_sometimes(&mut self) -> std::io::Result<()> {
        if self.dirty && self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Syncs the file.
    pub(super) fn sync(&mut self) -> std::io::Result<()> {
        self.file.sync_data()?;
        self.synced = Instant::now();
        self.dirty = false;
        Ok(())
    }
}

/// What was marked last, in either slot.
pub(super) fn latest(file: &File) -> Option<(u64, [u8; 32])> {
    (0..2).filter_map(|slot| read(file, slot)).max_by_key(|(at, _)| *at)
}

/// The position and event hash of a slot that is whole.
fn read(file: &File, slot: u64) -> Option<(u64, [u8; 32])> {
    let mut bytes = [0; 72];
    file.read_exact_at(&mut bytes, slot * SLOT as u64).ok()?;
    let (content, check) = bytes.split_at(40);
    if blake3::hash(content).as_bytes() != check {
        return None;
    }
    let (position, hash) = content.split_at(8);
    Some((u64::from_le_bytes(position.try_into().ok()?), hash.try_into().ok()?))
}
