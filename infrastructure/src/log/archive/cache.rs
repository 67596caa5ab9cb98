//! Frames that were read lately, unpacked and bounded: reading in the log's order comes back to the same
//! frames again and again.

use super::super::port::Stored;
use super::segment::{Damage, Segment};
use super::{Pointer, file};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Payload bytes kept unpacked, about.
const MOST_BYTES: usize = 48 << 20;

/// Segments kept open: files, and their headers in memory.
const MOST_OPEN: usize = 64;

/// What an event takes beside its payload, about.
const BESIDE: usize = 300;

/// The frames of an archive.
pub(super) struct Frames {
    folder: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Counts uses, so that the one used longest ago is known.
    uses: u64,
    bytes: usize,
    frames: HashMap<Pointer, (u64, Kept)>,
    open: HashMap<u32, (u64, Arc<Segment>)>,
}

#[derive(Clone)]
struct Kept {
    events: Arc<Vec<Stored>>,
    bytes: usize,
}

impl Frames {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, inner: Mutex::default() }
    }

    /// The payload of an event, which must be the one that the frame holds. Blocks.
    pub(super) fn payload(&self, pointer: Pointer, event: &Stored) -> Result<String, Damage> {
        let events = self.frame(pointer)?;
        let first = events.first().map_or(0, |first| first.version);
        let index = event.version.checked_sub(first).and_then(|index| usize::try_from(index).ok());
        let found = index.and_then(|index| events.get(index));
        let found = found.filter(|found| {
            (found.position, found.hash) == (event.position, event.hash)
                && found.stream == event.stream
        });
        found.map(|found| found.payload.clone()).ok_or_else(|| Damage {
            file: file(&self.folder, pointer.segment),
            problem: format!(
                "frame {} does not hold position {} as the log knows it",
                pointer.frame, event.position
            ),
        })
    }

    fn frame(&self, pointer: Pointer) -> Result<Arc<Vec<Stored>>, Damage> {
        let mut inner = self.inner();
        inner.uses += 1;
        let now = inner.uses;
        if let Some((used, kept)) = inner.frames.get_mut(&pointer) {
            *used = now;
            return Ok(Arc::clone(&kept.events));
        }
        drop(inner);
        let events = Arc::new(self.segment(pointer.segment)?.events(pointer.frame)?);
        let bytes = events.iter().map(|event| event.payload.len() + BESIDE).sum();
        let kept = Kept { events: Arc::clone(&events), bytes };
        let mut inner = self.inner();
        if inner.frames.insert(pointer, (now, kept)).is_none() {
            inner.bytes += bytes;
        }
        inner.shrink();
        Ok(events)
    }

    fn segment(&self, number: u32) -> Result<Arc<Segment>, Damage> {
        let mut inner = self.inner();
        let now = inner.uses;
        if let Some((used, segment)) = inner.open.get_mut(&number) {
            *used = now;
            return Ok(Arc::clone(segment));
        }
        drop(inner);
        let segment = Arc::new(Segment::open(&self.folder, number)?);
        let mut inner = self.inner();
        if inner.open.len() >= MOST_OPEN {
            let oldest = inner.open.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(oldest) = oldest.map(|(number, _)| *number) {
                inner.open.remove(&oldest);
            }
        }
        inner.open.insert(number, (now, Arc::clone(&segment)));
        Ok(segment)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Every change is made of steps that cannot panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Lets go of the half that was used longest ago, when there is too much.
    fn shrink(&mut self) {
        if self.bytes <= MOST_BYTES {
            return;
        }
        let mut by_use: Vec<(u64, Pointer)> =
            self.frames.iter().map(|(pointer, (used, _))| (*used, *pointer)).collect();
        by_use.sort_unstable_by_key(|(used, _)| *used);
        for (_, pointer) in by_use {
            if self.bytes <= MOST_BYTES / 2 {
                break;
            }
            if let Some((_, kept)) = self.frames.remove(&pointer) {
                self.bytes -= kept.bytes;
            }
        }
    }
}
