//! Moving closed matches to the archive: which streams are closed, and the steps of moving them. Every step
//! can be the last: a segment is synced and verified before a payload makes way for it, and the next run goes
//! on where this one was.

use crate::executor::aggregate_id;
use crate::log::archive::{self, Damage, Header, Making, Pointer, Segment};
use crate::log::chain::{self, ChainError};
use crate::log::custody::{Custody, CustodyError, Shelf};
use crate::log::port::{EventLog, ReadError, Stored};
use crate::system::{make_private, private};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use yibu_domain::kernel::Time;
use yibu_domain::matches::Match;

/// Events read at a time.
const PAGE: usize = 2_000;

/// A segment is closed when it holds so many events.
const SEGMENT_EVENTS: usize = 8_192;

/// Frames whose payloads make way in one commit, so that players' commands do not wait for long.
const AT_ONCE: usize = 8;

/// What the stored names of a match's end begin with, in every version.
const ENDED: &str = "siguo.ended.";

/// What was moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moved {
    /// Segments written, or finished after an interruption.
    pub segments: u64,
    /// Streams in them.
    pub streams: u64,
    /// Events whose payloads left the table.
    pub events: u64,
    /// Matches that have ended, and whose last event is not old enough yet.
    #[serde(default)]
    pub young: u64,
}

/// Why nothing more was moved.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveFault {
    /// This store keeps its payloads.
    #[error("this store has no archive")]
    NoArchive,
    /// Another process archives.
    #[error("{} is in use: another process archives there", .0.display())]
    InUse(PathBuf),
    /// A segment is damaged, missing, or cannot be written.
    #[error(transparent)]
    Segment(#[from] Damage),
    /// A stream's chain does not hold: nothing of it was moved.
    #[error("the log is damaged: {0}")]
    Chain(#[from] ChainError),
    /// The log could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The log could not be changed.
    #[error(transparent)]
    Store(#[from] CustodyError),
    /// The archive's folder cannot be used.
    #[error("the archive's folder: {0}")]
    Folder(#[from] std::io::Error),
}

/// A stream on its way.
struct Closed {
    stream: String,
    /// The first version whose payload is in the table.
    from: u64,
    /// The last version that the log holds.
    to: u64,
    first: u64,
    last: Time,
    ended: bool,
}

/// Moves the streams of matches that have ended, and whose last event was recorded before `before`, to the
/// archive in `folder`. `progress` hears positions of the log that were looked at.
///
/// # Errors
/// See [`ArchiveFault`]; what was moved before stays moved.
pub async fn archive(
    log: &dyn EventLog,
    folder: &Path,
    before: Time,
    progress: impl Fn(u64),
) -> Result<Moved, ArchiveFault> {
    let store = log.custody().ok_or(ArchiveFault::NoArchive)?;
    make_private(folder)?;
    let _held = hold(folder)?;
    let mut moved = Moved::default();
    let mut number = archive::list(folder)?.last().copied().unwrap_or(0);
    if number > 0 {
        resume(store, folder, number, &mut moved).await?;
    }
    let mut runs: Vec<Making> = Vec::new();
    let (found, young, highest) = closed(store, before, progress).await?;
    moved.young = young;
    if highest > number {
        // Its number must not be given to another.
        Segment::open(folder, highest)?;
    }
    for closed in found {
        runs.push(read(store, &closed).await?);
        if runs.iter().map(|run| run.events.len()).sum::<usize>() >= SEGMENT_EVENTS {
            number += 1;
            one(store, folder, number, std::mem::take(&mut runs), &mut moved).await?;
        }
    }
    if !runs.is_empty() {
        one(store, folder, number + 1, runs, &mut moved).await?;
    }
    Ok(moved)
}

fn hold(folder: &Path) -> Result<File, ArchiveFault> {
    let path = folder.join("archive.lock");
    let file = private().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ArchiveFault::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Finds the closed streams with payloads in the table, by their first position, how many ended ones are too young,
/// and the highest segment that the log points to.
async fn closed(
    store: &dyn Custody,
    before: Time,
    progress: impl Fn(u64),
) -> Result<(Vec<Closed>, u64, u32), ReadError> {
    let mut known: HashMap<String, Closed> = HashMap::new();
    let mut highest = 0;
    let mut position = 0;
    loop {
        let page = store.read_all(position, PAGE).await?;
        let Some(last) = page.last() else { break };
        position = last.position;
        for event in page {
            if let Some(pointer) = Pointer::read(&event.payload) {
                highest = highest.max(pointer.segment);
                continue;
            }
            if !is_match(&event.stream) {
                continue;
            }
            let entry = known.entry(event.stream.clone()).or_insert_with(|| Closed {
                from: event.version,
                to: event.version,
                first: event.position,
                last: event.recorded,
                // What stands before it is on a shelf already: it was closed then.
                ended: event.version > 1,
                stream: event.stream,
            });
            entry.to = event.version;
            entry.last = entry.last.max(event.recorded);
            entry.ended |= ends(&event.name);
        }
        progress(position);
    }
    let ended = known.into_values().filter(|stream| stream.ended);
    let (mut closed, young): (Vec<Closed>, Vec<Closed>) =
        ended.partition(|stream| stream.last < before);
    closed.sort_by_key(|stream| stream.first);
    Ok((closed, young.len() as u64, highest))
}

fn is_match(stream: &str) -> bool {
    aggregate_id::<Match>(stream).is_some_and(|id| !id.is_nil())
}

/// Whether an event of this stored name ends its match.
pub fn ends(name: &str) -> bool {
    name.starts_with(ENDED)
}

/// The run of a stream that is to be moved. A stream that reads shorter than the log holds it is not moved.
async fn read(store: &dyn Custody, closed: &Closed) -> Result<Making, ReadError> {
    let mut after = closed.from - 1;
    let mut before = chain::START;
    if after > 0
        && let Some(event) = store.read_stream(&closed.stream, after - 1, 1).await?.pop()
    {
        before = event.hash;
    }
    let mut events: Vec<Stored> = Vec::new();
    loop {
        let page = store.read_stream(&closed.stream, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.version;
        events.extend(page);
    }
    if after < closed.to {
        let Closed { stream, to, .. } = closed;
        let text = format!("{stream} reads up to version {after}, but the log holds version {to}");
        return Err(ReadError::Failed(text));
    }
    Ok(Making { before, events })
}

/// Writes one segment and lets the payloads make way for it.
async fn one(
    store: &dyn Custody,
    folder: &Path,
    number: u32,
    runs: Vec<Making>,
    moved: &mut Moved,
) -> Result<(), ArchiveFault> {
    for run in &runs {
        chain::verify_stream(run.before, run.events[0].version - 1, &run.events)?;
    }
    let place = folder.to_owned();
    // Compressing and syncing block.
    let written = tokio::task::spawn_blocking(move || archive::write(&place, number, runs)).await;
    let header = written.map_err(std::io::Error::other)??;
    shelve(store, folder, &header, moved).await
}

/// A segment that stands there may not have been finished: finishes it.
async fn resume(
    store: &dyn Custody,
    folder: &Path,
    number: u32,
    moved: &mut Moved,
) -> Result<(), ArchiveFault> {
    let header = Segment::open(folder, number)?.header().clone();
    for frame in &header.frames {
        let event = store.read_stream(&frame.stream, frame.from - 1, 1).await?.pop();
        if event.is_none_or(|event| Pointer::read(&event.payload).is_none()) {
            return shelve(store, folder, &header, moved).await;
        }
    }
    Ok(())
}

/// Verifies a segment's frames against the log's own chain and lets the payloads make way.
async fn shelve(
    store: &dyn Custody,
    folder: &Path,
    header: &Header,
    moved: &mut Moved,
) -> Result<(), ArchiveFault> {
    let segment = Segment::open(folder, header.number)?;
    let mut shelves = Vec::new();
    for (frame, number) in header.frames.iter().zip(0..) {
        let events = segment.events(number)?;
        let mut before = chain::START;
        hex::decode_to_slice(&frame.before, &mut before).map_err(std::io::Error::other)?;
        let hash = chain::verify_stream(before, frame.from - 1, &events)?;
        let pointer = Pointer { segment: header.number, frame: number }.text();
        let (stream, from, to) = (frame.stream.clone(), frame.from, frame.to);
        shelves.push(Shelf { stream, from, to, hash, pointer });
        moved.streams += u64::from(frame.from == 1);
    }
    for some in shelves.chunks(AT_ONCE) {
        moved.events += store.shelve(some.to_vec()).await?;
    }
    moved.segments += 1;
    Ok(())
}
