//! An export read back: a log of its own, without a store, for audits. Believes nothing: what does not hold
//! is for the audit to find.

use super::{FORMAT, Form, Header, VERSION};
use async_trait::async_trait;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use tokio::sync::watch;
use yibu_domain::kernel::{CommandId, Counter, PlayerId, Time};
use yibu_infrastructure::log::port::{
    AppendError, Commit, EventLog, Head, ReadError, Receipt, Remembered, Stored,
};
use yibu_infrastructure::log::{ClaimTable, lines};

/// The file is no export.
#[derive(Debug, thiserror::Error)]
pub enum NotAnExport {
    /// The first line is another.
    #[error("it is not an export of this format")]
    Header,
    /// A newer program wrote it.
    #[error("it is of a newer form ({0}) than this program reads (up to {VERSION})")]
    Newer(u32),
    /// A line is no event, or stands in the wrong place.
    #[error("line {line}: {problem}")]
    Line {
        /// Which line of the file, from 1.
        line: usize,
        /// What is wrong, without any of its text.
        problem: String,
    },
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The events of an export, in memory.
pub struct Exported {
    header: Header,
    hash: [u8; 32],
    /// By rising positions.
    events: Vec<Stored>,
    streams: HashMap<String, Vec<usize>>,
}

const READ_ONLY: &str = "an export can only be read";

impl Exported {
    /// Reads a file. Blocks.
    ///
    /// # Errors
    /// See [`NotAnExport`].
    pub fn open(path: &Path) -> Result<Self, NotAnExport> {
        let mut lines = BufReader::new(std::fs::File::open(path)?).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let form = serde_json::from_str::<Form>(&first).map_err(|_| NotAnExport::Header)?;
        if form.format == FORMAT && form.version > VERSION {
            return Err(NotAnExport::Newer(form.version));
        }
        let header: Header = serde_json::from_str(&first).map_err(|_| NotAnExport::Header)?;
        let mut hash = [0; 32];
        if header.format != FORMAT
            || header.version != VERSION
            || hex::decode_to_slice(&header.hash, &mut hash).is_err()
        {
            return Err(NotAnExport::Header);
        }
        let mut exported = Self { header, hash, events: Vec::new(), streams: HashMap::new() };
        for (text, line) in lines.zip(2..) {
            let event = lines::read(&text?);
            let event =
                event.map_err(|error| NotAnExport::Line { line, problem: error.to_string() })?;
            let last = exported.events.last().map_or(0, |last| last.position);
            if event.position <= last {
                let problem = format!("position {} follows position {last}", event.position);
                return Err(NotAnExport::Line { line, problem });
            }
            let index = exported.events.len();
            exported.streams.entry(event.stream.clone()).or_default().push(index);
            exported.events.push(event);
        }
        Ok(exported)
    }

    /// Its first line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many events it holds.
    pub fn len(&self) -> u64 {
        self.events.len() as u64
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The last event of a stream.
    pub(crate) fn last_of(&self, stream: &str) -> Option<&Stored> {
        let index = self.streams.get(stream)?.last()?;
        self.events.get(*index)
    }
}

#[async_trait]
impl EventLog for Exported {
    async fn append(&self, _commit: Commit) -> Result<Receipt, AppendError> {
        Err(AppendError::Fault(READ_ONLY.to_owned()))
    }

    async fn read_stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        let places = self.streams.get(stream).map_or(&[][..], Vec::as_slice);
        let skip = usize::try_from(after).unwrap_or(usize::MAX);
        let some = places.iter().skip(skip).take(limit);
        Ok(some.map(|index| self.events[*index].clone()).collect())
    }

    async fn read_all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        let first = self.events.partition_point(|event| event.position <= after);
        Ok(self.events[first..].iter().take(limit).cloned().collect())
    }

    async fn head(&self) -> Result<Head, ReadError> {
        Ok(Head { position: self.header.end, hash: self.hash })
    }

    fn changes(&self) -> watch::Receiver<u64> {
        watch::channel(self.header.end).1
    }

    async fn find_command(
        &self,
        _account: PlayerId,
        _id: CommandId,
    ) -> Result<Option<Remembered>, ReadError> {
        Ok(None)
    }

    async fn count(&self, _counter: Counter, _player: PlayerId) -> Result<(u32, u32), ReadError> {
        Err(ReadError::Failed(READ_ONLY.to_owned()))
    }

    /// An export holds the events alone.
    async fn claims(&self) -> Result<ClaimTable, ReadError> {
        Err(ReadError::Failed("an export holds no claims".to_owned()))
    }

    async fn beat(&self, _node: &str, _at: Time) -> Result<(), ReadError> {
        Err(ReadError::Failed(READ_ONLY.to_owned()))
    }

    async fn last_beat(&self) -> Result<Option<Time>, ReadError> {
        Ok(None)
    }
}
