//! A segment file: events of closed streams, whole, compressed and hashed. Read only; damage is named by the
//! file and what is wrong with it.
//!
//! The file: a first line `yibu-segment/1 LENGTH HASH`; a header of LENGTH bytes of JSON with that BLAKE3
//! hash, and a line end; then the frames. A frame is a run of events of one stream, as lines (see `lines`),
//! compressed by zstd; the header names where it lies and the BLAKE3 of its bytes. So the first line's hash
//! covers the whole file.

use super::super::lines;
use super::super::port::Stored;
use super::file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The first word of a segment file.
pub(super) const FORMAT: &str = "yibu-segment/1";

/// A header is never longer than this.
const MOST_HEADER: usize = 64 << 20;

/// A frame is never longer than this when it is unpacked.
pub(super) const MOST_FRAME: usize = 64 << 20;

/// What a segment holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Its number; also in the file's name.
    pub number: u32,
    /// The lowest position in it.
    pub first: u64,
    /// The highest position in it.
    pub last: u64,
    /// Events in it.
    pub events: u64,
    /// Its frames, by the position of their first event.
    pub frames: Vec<Frame>,
}

/// A run of events of one stream.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Which stream.
    pub stream: String,
    /// The first version.
    pub from: u64,
    /// The last version.
    pub to: u64,
    /// The chain before the first version, as hexadecimal digits.
    pub before: String,
    /// Where its bytes begin, counted from the first frame.
    pub offset: u64,
    /// How many bytes they are.
    pub length: u64,
    /// How many they are unpacked.
    pub unpacked: u64,
    /// The BLAKE3 of its bytes, as hexadecimal digits.
    pub hash: String,
}

/// A segment that cannot be read, by its file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("archive segment {}: {problem}", file.display())]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// What is wrong, without any of its content.
    pub problem: String,
}

/// An open segment.
pub struct Segment {
    path: PathBuf,
    file: File,
    header: Header,
    body: u64,
}

impl Segment {
    /// Opens a segment of an archive and checks its header.
    ///
    /// # Errors
    /// [`Damage`]: it is missing, or its header does not hold.
    pub fn open(folder: &Path, number: u32) -> Result<Self, Damage> {
        let segment = Self::open_file(&file(folder, number))?;
        if segment.header.number != number {
            return Err(segment.damage("it is another segment than its name says"));
        }
        Ok(segment)
    }

    pub(super) fn open_file(path: &Path) -> Result<Self, Damage> {
        let damage = |problem: &str| Damage { file: path.to_owned(), problem: problem.to_owned() };
        let file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => damage("it is missing"),
            _ => damage(&error.to_string()),
        })?;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        let first = reader.by_ref().take(128).read_until(b'\n', &mut line);
        first.map_err(|error| damage(&error.to_string()))?;
        let line = String::from_utf8_lossy(&line);
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        let [FORMAT, length, hash] = words[..] else {
            return Err(damage("it is not a segment of this format"));
        };
        let length = length.parse().ok().filter(|length| *length <= MOST_HEADER);
        let length: usize = length.ok_or_else(|| damage("its first line is damaged"))?;
        let mut header = vec![0; length];
        reader.read_exact(&mut header).map_err(|_| damage("its header is cut short"))?;
        if blake3::hash(&header).to_hex().as_str() != hash {
            return Err(damage("the hash of its header does not match"));
        }
        let parsed = serde_json::from_slice(&header);
        let parsed: Header = parsed.map_err(|_| damage("its header cannot be read"))?;
        let body = (line.len() + length + 1) as u64;
        let frames = parsed.frames.iter().map(|frame| frame.offset.saturating_add(frame.length));
        let wanted = body.saturating_add(frames.max().unwrap_or(0));
        let found = file.metadata().map_err(|error| damage(&error.to_string()))?.len();
        if found != wanted {
            let how = if found < wanted { "cut short" } else { "too long" };
            return Err(damage(&format!("it is {how}: {found} bytes, not {wanted}")));
        }
        Ok(Self { path: path.to_owned(), file, header: parsed, body })
    }

    /// What it holds.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Holds every frame against its hash: so every byte that events are read from.
    ///
    /// # Errors
    /// [`Damage`]: of the first frame that does not hold.
    pub fn check(&self) -> Result<(), Damage> {
        let frames = u32::try_from(self.header.frames.len()).unwrap_or(u32::MAX);
        (0..frames).try_for_each(|number| self.frame(number).map(drop))
    }

    /// A frame and its bytes, which have its hash.
    fn frame(&self, number: u32) -> Result<(&Frame, Vec<u8>), Damage> {
        let frame = self.header.frames.get(number as usize);
        let frame = frame.ok_or_else(|| self.damage(&format!("it has no frame {number}")))?;
        let cut = || self.damage(&format!("frame {number} is cut short"));
        let length = usize::try_from(frame.length).ok().filter(|size| *size <= MOST_FRAME);
        let mut bytes = vec![0; length.ok_or_else(cut)?];
        let at = self.body.saturating_add(frame.offset);
        self.file.read_exact_at(&mut bytes, at).map_err(|_| cut())?;
        if blake3::hash(&bytes).to_hex().as_str() != frame.hash {
            return Err(self.damage(&format!("the hash of frame {number} does not match")));
        }
        Ok((frame, bytes))
    }

    /// The events of a frame, by version.
    ///
    /// # Errors
    /// [`Damage`].
    pub fn events(&self, number: u32) -> Result<Vec<Stored>, Damage> {
        let (frame, bytes) = self.frame(number)?;
        let odd = || self.damage(&format!("frame {number} cannot be unpacked"));
        let unpacked = usize::try_from(frame.unpacked).ok().filter(|size| *size <= MOST_FRAME);
        let unpacked = unpacked.ok_or_else(odd)?;
        let text = zstd::bulk::decompress(&bytes, unpacked).map_err(|_| odd())?;
        let text = String::from_utf8(text).map_err(|_| odd())?;
        let events: Result<Vec<_>, _> = text.lines().map(lines::read).collect();
        let events = events.map_err(|error| self.damage(&format!("frame {number}: {error}")))?;
        let run = events.iter().zip(frame.from..=frame.to);
        let fits = run
            .filter(|(event, version)| event.stream == frame.stream && event.version == *version);
        if fits.count() != events.len() || events.last().map(|last| last.version) != Some(frame.to)
        {
            return Err(
                self.damage(&format!("frame {number} holds other events than its header says"))
            );
        }
        Ok(events)
    }

    pub(super) fn damage(&self, problem: &str) -> Damage {
        Damage { file: self.path.clone(), problem: problem.to_owned() }
    }
}

/// The numbers of the segments in an archive's folder, in order; none where there is no folder.
///
/// # Errors
/// The folder cannot be read.
pub fn list(folder: &Path) -> std::io::Result<Vec<u32>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        numbers.extend(name.strip_suffix(".segment").and_then(|number| number.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}
