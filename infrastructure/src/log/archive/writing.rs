//! Making a segment: written beside its place, synced, read again and held against what went in, and only
//! then put in its place. A crash at any step leaves the archive as it was, or with the whole segment.

use super::super::chain;
use super::super::lines;
use super::super::port::Stored;
use super::segment::{FORMAT, Frame, Header, Segment};
use super::{Damage, file};
use crate::system::private;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Events in a frame: what one read unpacks.
const FRAME_EVENTS: usize = 128;

/// How hard zstd tries.
const LEVEL: i32 = 9;

/// A run of events of one stream on its way into a segment.
pub struct Making {
    /// The chain before the first event.
    pub before: [u8; 32],
    /// Consecutive versions of one stream; never empty.
    pub events: Vec<Stored>,
}

/// Writes a segment of whole, verified runs and returns what it holds.
///
/// # Errors
/// It cannot be written, a run's chain does not hold, or what was written does not read back; nothing stands
/// in its place then.
pub fn write(folder: &Path, number: u32, mut runs: Vec<Making>) -> Result<Header, Damage> {
    let path = file(folder, number);
    let io = |error: std::io::Error| Damage { file: path.clone(), problem: error.to_string() };
    let odd = |problem: String| Damage { file: path.clone(), problem };
    runs.sort_by_key(|run| run.events.first().map(|event| event.position));
    let mut header = Header { number, first: u64::MAX, last: 0, events: 0, frames: Vec::new() };
    let mut body = Vec::new();
    for run in &runs {
        let mut before = run.before;
        for events in run.events.chunks(FRAME_EVENTS) {
            let Some((first, last)) = events.first().zip(events.last()) else { continue };
            let checked = chain::verify_stream(before, first.version - 1, events);
            let after = checked.map_err(|error| odd(error.to_string()))?;
            let mut text = String::new();
            for event in events {
                text.push_str(&lines::write(event).map_err(|error| odd(error.to_string()))?);
                text.push('\n');
                header.first = header.first.min(event.position);
                header.last = header.last.max(event.position);
            }
            let bytes = zstd::bulk::compress(text.as_bytes(), LEVEL).map_err(io)?;
            header.events += events.len() as u64;
            header.frames.push(Frame {
                stream: first.stream.clone(),
                from: first.version,
                to: last.version,
                before: hex::encode(before),
                offset: body.len() as u64,
                length: bytes.len() as u64,
                unpacked: text.len() as u64,
                hash: blake3::hash(&bytes).to_hex().to_string(),
            });
            body.extend_from_slice(&bytes);
            before = after;
        }
    }
    let text = serde_json::to_vec(&header).map_err(|error| odd(error.to_string()))?;
    let first = format!("{FORMAT} {} {}\n", text.len(), blake3::hash(&text).to_hex());

    let making = folder.join(format!(".{number:06}.making"));
    // Segments hold hidden pieces: for their owner alone.
    // Left by a run that was broken off.
    let _ = std::fs::remove_file(&making);
    let mut out = private().write(true).create_new(true).open(&making).map_err(io)?;
    for part in [first.as_bytes(), &text, b"\n", &body] {
        out.write_all(part).map_err(io)?;
    }
    out.sync_all().map_err(io)?;
    drop(out);
    same(&Segment::open_file(&making)?, &runs)?;
    std::fs::rename(&making, &path).map_err(io)?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)?;
    Ok(header)
}

/// Holds what was written against what went in.
fn same(segment: &Segment, runs: &[Making]) -> Result<(), Damage> {
    let mut wanted = runs.iter().flat_map(|run| &run.events);
    for number in 0..u32::try_from(segment.header().frames.len()).unwrap_or(u32::MAX) {
        let events = segment.events(number)?;
        if events.iter().any(|event| wanted.next() != Some(event)) {
            return Err(segment.damage("it does not read back as it was written"));
        }
    }
    match wanted.next() {
        Some(_) => Err(segment.damage("it does not hold all that was written")),
        None => Ok(()),
    }
}
