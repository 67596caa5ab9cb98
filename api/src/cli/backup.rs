//! `yibu backup`: a consistent copy of everything that cannot be built anew, beside a server that runs. Reads the
//! data folder only.

use super::console::many;
use super::elsewhere::{self, TargetFault};
use super::folder::Named;
use super::leftover::{Half, HalfFault, unless_broken_off};
use super::{Outcome, console};
use crate::app::BUILD;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use yibu_domain::kernel::Time;
use yibu_infrastructure::log::archive::{self, Damage, Segment};
use yibu_infrastructure::log::looks::Oddity;
use yibu_infrastructure::log::{OpenError, sqlite};
use yibu_infrastructure::system::{Clock, SystemClock, private};

/// The file that makes a folder a backup: written last.
pub(super) const MANIFEST: &str = "backup.json";

/// The word that it begins with.
pub(super) const FORMAT: &str = "yibu-backup";

/// The form of the list that this program writes and reads.
pub(super) const VERSION: u32 = 1;

/// Copy what cannot be built anew to a folder, consistently, while the server runs
///
/// Takes the log, the accounts and the archive's segments, in an order in which the accounts never miss a player
/// that the log knows, and writes a list of them with their hashes last: without backup.json it is no backup. Every
/// segment that the log points to must be there, with hashes that hold, and the log must hold nothing that this program
/// never writes. The folder appears whole or not at all; what
/// a backup that was broken off left in DIR.making is taken away by the next.
/// Read models and the mark log.head are left out; they are made anew. `yibu restore` puts a backup in place.
/// A log in PostgreSQL is backed up by PostgreSQL's own tools.
#[derive(Args)]
pub(super) struct Backup {
    /// The folder to make, outside of every data folder, backup and archive; it must not be there yet, or be empty
    #[arg(value_name = "DIR")]
    to: PathBuf,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

/// What a backup holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub(super) format: String,
    pub(super) version: u32,
    /// The program that made it.
    pub build: String,
    /// When it was begun, in milliseconds since 1970.
    pub taken: Time,
    /// The log's last position.
    pub position: u64,
    /// The log's rolling hash there, as hexadecimal digits.
    pub head: String,
    /// Its files.
    pub files: Vec<Part>,
}

/// A file of a backup.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its path in the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its BLAKE3, as hexadecimal digits.
    pub hash: String,
}

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupFault {
    /// The target cannot be made.
    #[error(transparent)]
    Target(#[from] HalfFault),
    /// The target is among what a site keeps: a backup there is lost with it.
    #[error(transparent)]
    Inside(#[from] TargetFault),
    /// A segment that the log points to is not whole.
    #[error(
        "{0}: the log points to it, and without it there is no backup. `yibu audit` tells what else is wrong"
    )]
    Segment(#[from] Damage),
    /// The log holds what no restore takes.
    #[error(
        "the log holds what this program never writes: {0}. No restore takes that, so there is no backup; `yibu audit` \
         tells what else is wrong"
    )]
    Odd(Oddity),
    /// The log cannot be copied.
    #[error(transparent)]
    Log(#[from] OpenError),
    /// The accounts cannot be copied.
    #[error(transparent)]
    Accounts(#[from] yibu_infrastructure::accounts::backup::CopyFault),
    /// A file cannot be written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
    /// A file cannot be copied.
    #[error("{} cannot be copied to {}: {}", .0.display(), .1.display(), .2)]
    Copy(PathBuf, PathBuf, std::io::Error),
    /// There is no room for it.
    #[error("{}: the disk is full there, and nothing of the backup is left", .0.display())]
    Full(PathBuf),
    /// A part of this program failed.
    #[error("a task of the backup failed: {0}")]
    Task(String),
}

impl BackupFault {
    /// Whether there was no room for the copy.
    fn is_full(&self) -> bool {
        use yibu_infrastructure::accounts::backup::CopyFault;
        let error = match self {
            Self::Log(OpenError::Io(error))
            | Self::Accounts(CopyFault::Io(error))
            | Self::Io(_, error)
            | Self::Copy(_, _, error) => error,
            _ => return false,
        };
        matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
    }
}

impl Backup {
    pub(super) async fn run(self) -> Outcome {
        let folder = self.folder.find()?;
        let Some(data) = folder.embedded() else {
            return Err("a log in PostgreSQL is backed up by PostgreSQL's own tools: pg_basebackup with \
                        archived write-ahead log (to any instant), or pg_dump (as of one instant); copy the \
                        archive's folder after it"
                .into());
        };
        // For the message of an empty folder.
        folder.read_log().await?.log.close().await;
        let bar = console::bar(0, "backup");
        let now = SystemClock::new().now();
        let manifest = take(&data, &self.to, now, |done, all| {
            bar.set_length(all);
            bar.set_position(done);
        });
        let manifest = unless_broken_off(manifest).await??;
        bar.finish_and_clear();
        if self.json {
            console::json(&manifest)?;
        } else {
            let Manifest { position, files, .. } = &manifest;
            let bytes: u64 = files.iter().map(|part| part.bytes).sum();
            let place = self.to.display();
            console::line(format!(
                "{}, {} KiB in {place}: the log up to position {position}",
                many(files.len() as u64, "file", "files"),
                bytes.div_ceil(1024)
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Takes a backup of a data folder, whether or not a server runs. `progress` hears files done, of how many.
///
/// # Errors
/// See [`BackupFault`]; nothing is in the target then.
pub async fn take(
    data: &Path,
    to: &Path,
    now: Time,
    progress: impl Fn(u64, u64),
) -> Result<Manifest, BackupFault> {
    elsewhere::apart_from(to, data, None)?;
    let half = Half::begin(to)?;
    let manifest = fill(data, half.path(), now, progress).await;
    let manifest = manifest.map_err(|fault| match fault.is_full() {
        true => BackupFault::Full(to.to_owned()),
        false => fault,
    })?;
    half.place(MANIFEST)?;
    Ok(manifest)
}

/// Copies everything to a folder.
async fn fill(
    data: &Path,
    to: &Path,
    now: Time,
    progress: impl Fn(u64, u64),
) -> Result<Manifest, BackupFault> {
    // The log first: an account is made before its first event, so that accounts copied later know everybody
    // whom the log knows. Segments last: a payload points to one only after it stands.
    let (from, copy) = (data.to_owned(), to.join("log.db"));
    let (head, odd) = blocking(move || {
        let head = sqlite::copy(&from, &copy)?;
        Ok::<_, OpenError>((head, sqlite::oddities(&copy)?))
    })
    .await??;
    if let Some(odd) = odd.into_iter().next() {
        return Err(BackupFault::Odd(odd));
    }
    let mut names = vec!["log.db".to_owned()];
    if data.join("accounts.db").is_file() {
        let copy = to.join("accounts.db");
        yibu_infrastructure::accounts::backup::copy(data, &copy).await?;
        names.push("accounts.db".to_owned());
    }
    let copied = to.join("log.db");
    let pointers = blocking(move || sqlite::pointers(&copied)).await??;
    let (from, copy) = (data.join(archive::FOLDER), to.join(archive::FOLDER));
    let segments: BTreeSet<u32> = pointers.iter().map(|pointer| pointer.segment).collect();
    let all = (names.len() + segments.len()) as u64;
    let mut files = Vec::new();
    for name in names {
        let target = to.join(&name);
        files.push(blocking(move || seal(name, &target)).await??);
        progress(files.len() as u64, all);
    }
    for number in segments {
        let of_it = pointers.iter().filter(|pointer| pointer.segment == number);
        let last = of_it.map(|pointer| pointer.frame).max().unwrap_or(0);
        let (from, copy) = (from.clone(), copy.clone());
        files.push(blocking(move || segment(&from, &copy, number, last)).await??);
        progress(files.len() as u64, all);
    }
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        build: BUILD.to_owned(),
        taken: now,
        position: head.position,
        head: hex::encode(head.hash),
        files,
    };
    write_manifest(to, &manifest)?;
    Ok(manifest)
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BackupFault> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| BackupFault::Task(error.to_string()))
}

/// Copies a segment up to whose frame `last` the log points, and holds the copy against its hashes.
fn segment(from: &Path, to: &Path, number: u32, last: u32) -> Result<Part, BackupFault> {
    let (source, target) = (archive::file(from, number), archive::file(to, number));
    // By its first words and its header, before anything is copied.
    let frames = Segment::open(from, number)?.header().frames.len();
    if frames <= last as usize {
        let problem = format!("it has no frame {last}");
        return Err(Damage { file: source, problem }.into());
    }
    copy_file(&source, &target)?;
    // The copy is what counts; the site's own file is what its operator knows.
    let checked = Segment::open(to, number).and_then(|segment| segment.check());
    checked.map_err(|damage| Damage { file: source.clone(), ..damage })?;
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    seal(format!("{}/{name}", archive::FOLDER), &target)
}

/// Copies a file, with the folder that it is in, but not what that is in: a command that is broken off takes away
/// what it was making, and nobody makes that again.
pub(super) fn copy_file(from: &Path, to: &Path) -> Result<(), BackupFault> {
    if let Some(folder) = to.parent().filter(|folder| !folder.is_dir()) {
        let made = DirBuilder::new().mode(0o700).create(folder);
        made.map_err(|error| BackupFault::Io(folder.to_owned(), error))?;
    }
    // Not with the source's mode, not even for a moment.
    let copied = private().write(true).create_new(true).open(to);
    copied
        .and_then(|mut to| std::io::copy(&mut File::open(from)?, &mut to))
        .map_err(|error| BackupFault::Copy(from.to_owned(), to.to_owned(), error))?;
    Ok(())
}

/// Makes a copied file durable, and describes it.
fn seal(name: String, path: &Path) -> Result<Part, BackupFault> {
    let io = |error| BackupFault::Io(path.to_owned(), error);
    File::open(path).and_then(|file| file.sync_all()).map_err(io)?;
    let (bytes, hash) = hash(path)?;
    Ok(Part { name, bytes, hash })
}

/// The length and the BLAKE3 of a file.
pub(super) fn hash(path: &Path) -> Result<(u64, String), BackupFault> {
    let io = |error| BackupFault::Io(path.to_owned(), error);
    let mut file = File::open(path).map_err(io)?;
    let mut hasher = blake3::Hasher::new();
    let mut bytes = 0;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer).map_err(io)?;
        if read == 0 {
            return Ok((bytes, hasher.finalize().to_hex().to_string()));
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
}

/// Complete or not there at all.
fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), BackupFault> {
    let making = folder.join(".backup.json");
    let written =
        serde_json::to_string_pretty(manifest).map_err(std::io::Error::other).and_then(|text| {
            let mut file = private().write(true).create(true).truncate(true).open(&making)?;
            writeln!(file, "{text}")?;
            file.sync_all()?;
            std::fs::rename(&making, folder.join(MANIFEST))?;
            File::open(folder)?.sync_all()
        });
    written.map_err(|error| BackupFault::Io(folder.join(MANIFEST), error))
}
