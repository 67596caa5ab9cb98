//! `yibu export`: the log as lines of JSON, for auditors. Hidden pieces of a match that still runs are given out
//! only with `--unseal`, which is written into the log.

mod reading;

pub use reading::{Exported, NotAnExport};

use super::admin::site;
use super::console::many;
use super::folder::Named;
use super::leftover::unless_broken_off;
use super::{Outcome, audit, console};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{File, Permissions, TryLockError};
use std::io::{BufWriter, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use yibu_domain::kernel::{MatchId, Reason};
use yibu_domain::matches::Match;
use yibu_domain::site::SiteCommand;
use yibu_infrastructure::executor::{aggregate_id, stream_name};
use yibu_infrastructure::log::lines;
use yibu_infrastructure::log::port::{EventLog, ReadError};
use yibu_infrastructure::system::private;
use yibu_infrastructure::workers::archiving;

/// Events read at a time.
const PAGE: usize = 2_000;

/// The word that an export begins with.
const FORMAT: &str = "yibu-log";

/// The form of an export that this program writes and reads.
const VERSION: u32 = 1;

/// What every export begins with, whatever its form.
#[derive(Deserialize)]
struct Form {
    format: String,
    version: u32,
}

/// Write the log as lines of JSON
///
/// The first line says what follows and where it ends; then one event a line, with everything that its hash
/// covers: enough to check hash chains, draws and decisions with `yibu audit --file`. The payloads hold hidden
/// pieces: of a match that still runs they are given out with --unseal only, which is noted in the log for auditors.
#[derive(Args)]
pub struct Export {
    /// One match only, by its id as the API or as the log writes it
    #[arg(value_name = "MATCH", value_parser = super::match_id)]
    match_id: Option<MatchId>,
    /// The file to write, for its owner alone; without it the standard output
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long, requires = "to")]
    force: bool,
    /// Open matches that still run; an optional reason is a code of a-z, 0-9 and underscores
    #[arg(long, value_name = "REASON", num_args = 0..=1, require_equals = true, default_missing_value = "inspection")]
    unseal: Option<Reason>,
    /// Print a summary as JSON; only with --to
    #[arg(long, requires = "to")]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    format: String,
    version: u32,
    /// The one stream that follows; absent for the whole log.
    pub stream: Option<String>,
    /// Of the whole log, its last position; of a stream, its last version.
    pub end: u64,
    /// Of the whole log, the rolling hash there; of a stream, its last hash. Hexadecimal digits.
    pub hash: String,
    /// Events that follow.
    pub events: u64,
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportFault {
    /// There is no such match.
    #[error("there is no match {0}")]
    NoMatch(MatchId),
    /// Matches run.
    #[error(
        "{} still: hidden pieces are given out with --unseal only, which is noted in the log",
        many(*.0, "match runs", "matches run")
    )]
    Sealed(u64),
    /// There is a file already.
    #[error("{} is there already: name another file, or write over it with --force", .0.display())]
    There(PathBuf),
    /// There is something else than a file.
    #[error(
        "{} is there and is no regular file, and is not written over: name a file, or leave --to away for the \
         standard output", .0.display()
    )]
    NotAFile(PathBuf),
    /// The log cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Another command writes it now.
    #[error("{} is being written by another command; wait for its end", .0.display())]
    InUse(PathBuf),
    /// It cannot be written to a file.
    #[error("the export cannot be written to {}: {}", .0.display(), .1)]
    File(PathBuf, std::io::Error),
    /// It cannot be written.
    #[error("the export cannot be written: {0}")]
    Write(#[from] std::io::Error),
}

impl Export {
    pub(super) async fn run(self) -> Outcome {
        let folder = self.folder.find()?;
        if let Some(to) = &self.to {
            folder.apart(to)?;
            self.is_free(to)?;
        }
        let opened = folder.read_log().await?;
        let log = opened.log.as_ref();
        let running = running(log, self.match_id).await?;
        if self.unseal.is_none() && !running.is_empty() {
            return Err(ExportFault::Sealed(running.len() as u64).into());
        }
        // What is noted is noted for ever: it must be known before that the file can be written.
        let begun = self.to.as_deref().map(Begun::new).transpose()?;
        if let Some(to) = &self.to {
            // Another may have finished it between the first look and the lock.
            self.is_free(to)?;
        }
        if let Some(reason) = self.unseal.filter(|_| !running.is_empty()) {
            for match_id in &running {
                let command = SiteCommand::Unseal { match_id: *match_id, reason: reason.clone() };
                site(&folder, command).await?;
            }
            let unsealed = many(running.len() as u64, "match was", "matches were");
            console::note(format!("noted in the log: {unsealed} unsealed"));
        }
        let header = match begun {
            Some(begun) => {
                let path = begun.path.clone();
                let header = unless_broken_off(begun.finish(log, self.match_id)).await??;
                if self.json {
                    console::json(&header)?;
                } else {
                    let events = many(header.events, "event", "events");
                    console::line(format!("{events} in {}", path.display()));
                }
                header
            }
            None => {
                let mut out = BufWriter::new(std::io::stdout());
                let written = write(log, self.match_id, &mut out).await;
                match written.and_then(|header| Ok(out.flush().map(|()| header)?)) {
                    Err(ExportFault::Write(error)) => {
                        // It is lost, unless its reader has enough.
                        opened.log.close().await;
                        console::kept(Err(error));
                        return Ok(ExitCode::SUCCESS);
                    }
                    done => done?,
                }
            }
        };
        opened.log.close().await;
        console::note(format!("ends at {} with hash {}", header.end, header.hash));
        Ok(ExitCode::SUCCESS)
    }

    fn is_free(&self, to: &Path) -> Result<(), ExportFault> {
        match regular(to)? && !self.force {
            true => Err(ExportFault::There(to.to_owned())),
            false => Ok(()),
        }
    }
}

/// The matches that run: of the whole log, or whether the one does.
async fn running(
    log: &dyn EventLog,
    only: Option<MatchId>,
) -> Result<BTreeSet<MatchId>, ReadError> {
    let mut running = BTreeSet::new();
    let mut after = 0;
    loop {
        let page = match only {
            Some(id) => log.read_stream(&stream_name::<Match>(id.0), after, PAGE).await?,
            None => log.read_all(after, PAGE).await?,
        };
        let Some(last) = page.last() else {
            if let Some(id) = only {
                complete(log, &stream_name::<Match>(id.0), after).await?;
            }
            return Ok(running);
        };
        after = if only.is_some() { last.version } else { last.position };
        for event in &page {
            let id = aggregate_id::<Match>(&event.stream).filter(|id| !id.is_nil()).map(MatchId);
            if let Some(id) = id {
                if event.version == 1 {
                    running.insert(id);
                }
                if archiving::ends(&event.name) {
                    running.remove(&id);
                }
            }
        }
    }
}

/// Whoever reads a stream alone does not see that it is cut.
async fn complete(log: &dyn EventLog, stream: &str, read: u64) -> Result<(), ReadError> {
    let held = audit::last_version(log, stream).await?;
    if read < held {
        let text = format!("{stream} reads up to version {read}, but the log holds version {held}");
        return Err(ReadError::Failed(text));
    }
    Ok(())
}

/// Writes an export to a file, which is whole or not there.
///
/// # Errors
/// See [`ExportFault`].
pub async fn to_file(
    log: &dyn EventLog,
    only: Option<MatchId>,
    path: &Path,
) -> Result<Header, ExportFault> {
    Begun::new(path)?.finish(log, only).await
}

/// Whether there is a file already. Links, devices and pipes are never replaced by one.
fn regular(path: &Path) -> Result<bool, ExportFault> {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_file() => Ok(true),
        Ok(_) => Err(ExportFault::NotAFile(path.to_owned())),
        // Whatever else there is to say, making it will say.
        Err(_) => Ok(false),
    }
}

/// A file that is being written, as `NAME.making`, which is locked meanwhile. Half a file is worth nothing: what is
/// not finished goes.
struct Begun {
    path: PathBuf,
    making: PathBuf,
    out: BufWriter<File>,
    placed: bool,
}

impl Begun {
    fn new(path: &Path) -> Result<Self, ExportFault> {
        let io = |error| ExportFault::File(path.to_owned(), error);
        regular(path)?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".making");
        let making = path.with_file_name(name);
        // One that is there was left by an export that was killed, if nobody holds it.
        regular(&making)?;
        let file = private().write(true).create(true).truncate(false).open(&making).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ExportFault::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let (held, there) = (file.metadata().map_err(io)?, making.metadata());
        if !there.is_ok_and(|there| (there.dev(), there.ino()) == (held.dev(), held.ino())) {
            // Whoever made it has finished in between: it is the file itself now.
            return Err(ExportFault::InUse(path.to_owned()));
        }
        file.set_permissions(Permissions::from_mode(0o600)).map_err(io)?;
        file.set_len(0).map_err(io)?;
        let out = BufWriter::new(file);
        Ok(Self { path: path.to_owned(), making, out, placed: false })
    }

    async fn finish(
        mut self,
        log: &dyn EventLog,
        only: Option<MatchId>,
    ) -> Result<Header, ExportFault> {
        let written = write(log, only, &mut self.out).await;
        let placed = written.and_then(|header| {
            self.place()?;
            Ok(header)
        });
        placed.map_err(|fault| match fault {
            ExportFault::Write(error) => ExportFault::File(self.path.clone(), error),
            other => other,
        })
    }

    fn place(&mut self) -> std::io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        std::fs::rename(&self.making, &self.path)?;
        self.placed = true;
        match self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        // What has that name once this is in its place is another's.
        if !self.placed {
            let _ = std::fs::remove_file(&self.making);
        }
    }
}

/// Writes an export: the whole log up to now, or one match. Seals are the caller's to mind.
async fn write(
    log: &dyn EventLog,
    only: Option<MatchId>,
    out: &mut (impl Write + Send),
) -> Result<Header, ExportFault> {
    let stream = only.map(|id| stream_name::<Match>(id.0));
    let header = match (&stream, only) {
        (Some(stream), Some(id)) => {
            let mut last = None;
            let mut after = 0;
            while let Some(event) = log.read_stream(stream, after, PAGE).await?.pop() {
                after = event.version;
                last = Some(event);
            }
            let last = last.ok_or(ExportFault::NoMatch(id))?;
            header(Some(stream.clone()), last.version, last.hash)
        }
        _ => {
            let head = log.head().await?;
            header(None, head.position, head.hash)
        }
    };
    writeln!(out, "{}", serde_json::to_string(&header).map_err(std::io::Error::other)?)?;
    let mut after = 0;
    while after < header.end {
        let page = match &stream {
            Some(stream) => log.read_stream(stream, after, PAGE).await?,
            None => log.read_all(after, PAGE).await?,
        };
        for event in &page {
            let at = if stream.is_some() { event.version } else { event.position };
            if at > header.end {
                after = at;
                break;
            }
            if at != after + 1 {
                let text = format!("{event:?} follows {after}: `yibu audit` tells what is wrong");
                return Err(ReadError::Failed(text).into());
            }
            after = at;
            writeln!(out, "{}", lines::write(event).map_err(std::io::Error::other)?)?;
        }
        if page.is_empty() {
            let text = format!("it ends at {after}, but its head says {}", header.end);
            return Err(ReadError::Failed(text).into());
        }
    }
    Ok(header)
}

fn header(stream: Option<String>, end: u64, hash: [u8; 32]) -> Header {
    let (format, hash) = (FORMAT.to_owned(), hex::encode(hash));
    // Stores that export have no gaps.
    Header { format, version: VERSION, stream, end, hash, events: end }
}
