//! The two ways in which a log is read, held against each other: in its own order, and stream by stream. They part
//! where a store that finds streams by an index has lost some of it. Must not look at what events say.

use super::Report;
use indicatif::ProgressBar;
use std::collections::HashMap;
use yibu_infrastructure::log::chain::{self, ChainError};
use yibu_infrastructure::log::port::{EventLog, ReadError, Stored};

/// Events read at a time.
const PAGE: usize = 500;

/// Where a stream ends, by the log's own order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End {
    version: u64,
    hash: [u8; 32],
    /// What is wrong with its chain was said.
    said: bool,
    /// Some of its payloads cannot be had, which was said.
    unread: bool,
}

impl End {
    const START: Self = Self { version: 0, hash: chain::START, said: false, unread: false };

    /// Its last version.
    pub(super) fn version(self) -> u64 {
        self.version
    }

    /// Whether whatever reads the stream meets what was said already.
    pub(super) fn is_unread(self) -> bool {
        self.unread
    }
}

/// Where every stream ends, by the log's own order.
#[derive(Default)]
pub(super) struct Ends(HashMap<String, End>);

impl Ends {
    /// Takes an event in that must follow in its stream. `torn`: events before it may not have been readable.
    ///
    /// # Errors
    /// The first event of the stream that does not follow; later ones are not judged.
    pub(super) fn take(&mut self, event: &Stored, torn: bool) -> Result<(), ChainError> {
        let end = self.of(&event.stream);
        let checked = if torn && event.version > end.version + 1 {
            Ok(event.hash)
        } else {
            chain::verify_stream(end.hash, end.version, std::slice::from_ref(event))
        };
        (end.version, end.hash) = (event.version, event.hash);
        match checked {
            Err(error) if !end.said => {
                end.said = true;
                Err(error)
            }
            _ => Ok(()),
        }
    }

    /// Takes an event in whose payload cannot be had: its hash is believed.
    pub(super) fn pass(&mut self, event: &Stored) {
        let end = self.of(&event.stream);
        *end = End { version: event.version, hash: event.hash, unread: true, ..*end };
    }

    fn of(&mut self, stream: &str) -> &mut End {
        // A stream's name is copied once, not with every event.
        if !self.0.contains_key(stream) {
            self.0.insert(stream.to_owned(), End::START);
        }
        self.0.entry(stream.to_owned()).or_insert(End::START)
    }

    /// Where a stream ends; nothing of one that the log does not hold.
    pub(super) fn get(&self, stream: &str) -> Option<End> {
        self.0.get(stream).copied()
    }

    /// How many streams there are.
    pub(super) fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// How many streams have payloads that cannot be had.
    pub(super) fn unread(&self) -> u64 {
        self.0.values().filter(|end| end.unread).count() as u64
    }

    /// Reads every stream that is `wanted` from its beginning to its end.
    pub(super) async fn walk(
        &self,
        log: &dyn EventLog,
        wanted: impl Fn(&str) -> bool,
        report: &mut Report,
        bar: &ProgressBar,
    ) -> Result<(), ReadError> {
        let mut streams: Vec<_> = self.0.iter().filter(|(_, end)| !end.unread).collect();
        streams.retain(|(stream, _)| wanted(stream));
        streams.sort_unstable_by_key(|(stream, _)| *stream);
        bar.set_message("streams");
        bar.set_length(streams.len() as u64);
        bar.set_position(0);
        for (stream, end) in streams {
            let mut walk = Walk::new(log, stream, Some(*end));
            loop {
                match walk.next(report).await {
                    Ok(Step::Events(_)) => {}
                    Ok(Step::Ended | Step::Broken) => break,
                    Err(error @ ReadError::Unreachable(_)) => return Err(error),
                    // One that cannot be read is named, and the others are looked at all the same.
                    Err(error) => {
                        report.problem(stream, None, error);
                        break;
                    }
                }
            }
            bar.inc(1);
        }
        Ok(())
    }
}

/// Where one stream ends by the log's own order, which is looked through for it.
pub(super) async fn of_stream(
    log: &dyn EventLog,
    stream: &str,
    bar: &ProgressBar,
) -> Result<Option<End>, ReadError> {
    const MANY: usize = 2_000;
    let mut found = None;
    let mut after = 0;
    loop {
        let page = rows(log, after, MANY).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = last.position;
        bar.set_position(after);
        if let Some(event) = page.iter().rfind(|event| event.stream == stream) {
            found = Some(End { version: event.version, hash: event.hash, ..End::START });
        }
    }
}

/// Events as their rows show them: where payloads are elsewhere, without these.
pub(super) async fn rows(
    log: &dyn EventLog,
    after: u64,
    most: usize,
) -> Result<Vec<Stored>, ReadError> {
    match log.custody() {
        Some(keeper) => keeper.read_all(after, most).await,
        None => log.read_all(after, most).await,
    }
}

/// The highest position at which an event stands, also where nothing says where the log ends.
pub(super) async fn last(log: &dyn EventLog) -> Result<u64, ReadError> {
    let last = match log.custody() {
        Some(keeper) => keeper.last().await,
        None => log.head().await.map(|head| head.position),
    };
    match last {
        // Where no event can be read, that is said by whoever reads them.
        Err(ReadError::Failed(_)) => Ok(0),
        last => last,
    }
}

/// What comes next in a stream.
pub(super) enum Step {
    /// Events that follow.
    Events(Vec<Stored>),
    /// Nothing more.
    Ended,
    /// Something that does not follow, which was said.
    Broken,
}

/// A stream that is read from its beginning, its chain and its end checked on the way.
pub(super) struct Walk<'a> {
    log: &'a dyn EventLog,
    stream: &'a str,
    end: Option<End>,
    version: u64,
    hash: [u8; 32],
}

impl<'a> Walk<'a> {
    /// At the stream's beginning. `end`: where the log's own order ends it, where that was looked at.
    pub(super) fn new(log: &'a dyn EventLog, stream: &'a str, end: Option<End>) -> Self {
        Self { log, stream, end, version: 0, hash: chain::START }
    }

    /// Reads on.
    pub(super) async fn next(&mut self, report: &mut Report) -> Result<Step, ReadError> {
        let page = self.log.read_stream(self.stream, self.version, PAGE).await?;
        if page.is_empty() {
            return Ok(self.over(report));
        }
        let said = self.end.is_some_and(|end| end.said);
        for event in &page {
            match chain::verify_stream(self.hash, self.version, std::slice::from_ref(event)) {
                Err(_) if said => return Ok(Step::Broken),
                Err(error) => {
                    report.event(event, format!("read as a stream, {error}"));
                    return Ok(Step::Broken);
                }
                Ok(hash) => (self.version, self.hash) = (event.version, hash),
            }
            if let Some(end) = self.end
                && end.version == self.version
                && end.hash != self.hash
                && !said
            {
                report.event(event, "in the log's own order, another event stands here");
                return Ok(Step::Broken);
            }
        }
        Ok(Step::Events(page))
    }

    fn over(&self, report: &mut Report) -> Step {
        let Some(end) = self.end.filter(|end| end.version > self.version) else {
            return Step::Ended;
        };
        if !end.said {
            let text = format!(
                "the log holds this stream up to version {}, but whoever reads the stream does not find this event",
                end.version
            );
            report.problem(self.stream, Some(self.version + 1), text);
        }
        Step::Broken
    }
}
