//! `yibu restore`: puts a backup in place as a new data folder, after it was verified. Must not touch a folder
//! that holds anything.

use super::backup::{self, BackupFault, FORMAT, MANIFEST, Manifest, VERSION};
use super::console::many;
use super::elsewhere::{self, TargetFault};
use super::folder::{self, FolderFault};
use super::leftover::{Half, HalfFault, unless_broken_off};
use super::{Outcome, audit, console};
use crate::bounded;
use clap::Args;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use yibu_domain::kernel::PlayerId;
use yibu_domain::players::Player;
use yibu_infrastructure::accounts::{AccountsDb, OpenFault, Place};
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::StoreConfig;
use yibu_infrastructure::log::port::{EventLog, ReadError};

/// The most bytes of a manifest: it names every segment of the archive.
pub(super) const MOST_MANIFEST: usize = 64 * 1024 * 1024;

/// Put a backup in place as a new data folder
///
/// Every file's hash, the log's hash chains, its head and its claims are verified first; only then the folder
/// appears, whole. `yibu serve` builds the read models anew at its first start there. What was done after the
/// backup is gone: clients see it when they ask again.
#[derive(Args)]
pub(super) struct Restore {
    /// The backup
    #[arg(value_name = "DIR")]
    from: PathBuf,
    /// The data folder to make, outside of every other and of every backup; it must not be there yet, or be empty
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// What was restored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Restored {
    /// The log's last position.
    pub position: u64,
    /// Streams whose chains were verified.
    pub streams: u64,
    /// Accounts made just before the backup's end, whose first event the next start writes again.
    pub unrecorded: u64,
    /// Players of the log that the accounts do not know; 0 in a whole backup.
    pub missing: u64,
}

/// Why a backup was not put in place.
#[derive(Debug, thiserror::Error)]
pub enum RestoreFault {
    /// The folder is no backup, or an unfinished one.
    #[error("{} is no backup: {}", .0.display(), .1)]
    NoBackup(PathBuf, String),
    /// A newer program made it.
    #[error(
        "{} is of a newer form ({}) than this program reads (up to {VERSION}): restore it with the program that \
         made it, or a newer one", .0.display(), .1
    )]
    Newer(PathBuf, u32),
    /// The place is not free.
    #[error(transparent)]
    Target(#[from] HalfFault),
    /// The place is among what a site keeps.
    #[error(transparent)]
    Inside(#[from] TargetFault),
    /// A file is not there.
    #[error("the backup is damaged: {0} is missing")]
    Gone(String),
    /// A file is not the one that was backed up.
    #[error("the backup is damaged: {0} is not the file that was backed up")]
    Damaged(String),
    /// The log in it does not hold.
    #[error("the backup's log does not hold: {0}")]
    Log(String),
    /// The accounts in it cannot be used.
    #[error(transparent)]
    Accounts(#[from] OpenFault),
    /// The accounts in it failed.
    #[error("the backup's accounts: {0}")]
    AccountsStore(#[from] sqlx::Error),
    /// The stores in it cannot be opened.
    #[error("{0}")]
    Open(String),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file cannot be copied.
    #[error(transparent)]
    Copy(#[from] BackupFault),
}

impl From<FolderFault> for RestoreFault {
    fn from(fault: FolderFault) -> Self {
        Self::Open(fault.to_string())
    }
}

impl Restore {
    pub(super) async fn run(self) -> Outcome {
        let bar = console::bar(0, "verify");
        let restored = unless_broken_off(restore(&self.from, &self.data, &bar)).await??;
        bar.finish_and_clear();
        if self.json {
            console::json(&restored)?;
        } else {
            let Restored { position, streams, unrecorded, missing } = restored;
            let place = self.data.display();
            console::line(format!(
                "{place}: the log up to position {position}, {} verified",
                many(streams, "stream", "streams")
            ));
            if unrecorded > 0 {
                console::line(format!(
                    "{} finished by the next start",
                    many(unrecorded, "account is", "accounts are")
                ));
            }
            if missing > 0 {
                console::line(format!(
                    "PROBLEM: the accounts do not know {} of the log",
                    many(missing, "player", "players")
                ));
            }
        }
        Ok(if restored.missing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Verifies a backup and makes it the data folder `data`.
///
/// # Errors
/// See [`RestoreFault`]; `data` is as it was then.
pub async fn restore(
    from: &Path,
    data: &Path,
    bar: &ProgressBar,
) -> Result<Restored, RestoreFault> {
    let manifest = manifest(from)?;
    elsewhere::apart(data, &[])?;
    let half = Half::begin(data)?;
    let restored = fill(from, half.path(), &manifest, bar).await?;
    // Without its log a folder is not served from.
    half.place("log.db")?;
    Ok(restored)
}

/// What every list begins with, whatever its form.
#[derive(Deserialize)]
struct Form {
    format: String,
    version: u32,
}

fn manifest(from: &Path) -> Result<Manifest, RestoreFault> {
    let no = |problem: String| RestoreFault::NoBackup(from.to_owned(), problem);
    let text = bounded::text(&from.join(MANIFEST), MOST_MANIFEST);
    let text = text.map_err(|error| no(error.to_string()))?;
    let unread = |_| no(format!("{MANIFEST} cannot be read"));
    let Form { format, version } = serde_json::from_str(&text).map_err(unread)?;
    if format == FORMAT && version > VERSION {
        return Err(RestoreFault::Newer(from.to_owned(), version));
    }
    if format != FORMAT || version != VERSION {
        return Err(no("it is of another format".to_owned()));
    }
    let manifest: Manifest = serde_json::from_str(&text).map_err(unread)?;
    let outside = |name: &str| name.starts_with('/') || name.split('/').any(|part| part == "..");
    if manifest.files.iter().any(|part| outside(&part.name)) {
        return Err(no("it names files outside".to_owned()));
    }
    Ok(manifest)
}

/// Copies the files to a folder beside the one that is wanted, and verifies them there.
async fn fill(
    from: &Path,
    making: &Path,
    manifest: &Manifest,
    bar: &ProgressBar,
) -> Result<Restored, RestoreFault> {
    for part in &manifest.files {
        let (source, target) = (from.join(&part.name), making.join(&part.name));
        if !source.exists() {
            return Err(RestoreFault::Gone(part.name.clone()));
        }
        let hashed = backup::blocking(move || {
            backup::copy_file(&source, &target)?;
            std::fs::File::open(&target)
                .and_then(|file| file.sync_all())
                .map_err(|error| BackupFault::Io(target.clone(), error))?;
            backup::hash(&target)
        });
        if hashed.await?? != (part.bytes, part.hash.clone()) {
            return Err(RestoreFault::Damaged(part.name.clone()));
        }
    }
    // Opened as a server would: that brings tables up to date, and makes the mark.
    let opened = folder::open(StoreConfig::Sqlite { folder: making.to_owned() }).await?;
    let log = opened.log.as_ref();
    let checked = verify(log, manifest, bar).await;
    let known = players(log).await;
    opened.log.close().await;
    let (streams, known) = (checked?, known?);
    let mut restored = Restored {
        position: manifest.position,
        streams,
        unrecorded: 0,
        missing: known.len() as u64,
    };
    if making.join("accounts.db").is_file() {
        let db = AccountsDb::open(Place::Folder(making.to_owned())).await?;
        let fitted = db.fit(&known).await;
        db.close().await;
        let fitted = fitted?;
        (restored.unrecorded, restored.missing) = (fitted.unrecorded, fitted.missing);
    }
    Ok(restored)
}

/// The chains, the head and the claims of the copied log; how many streams it has.
async fn verify(
    log: &dyn EventLog,
    manifest: &Manifest,
    bar: &ProgressBar,
) -> Result<u64, RestoreFault> {
    let head = log.head().await?;
    if (head.position, hex::encode(head.hash)) != (manifest.position, manifest.head.clone()) {
        return Err(RestoreFault::Log("its head is not the one that was backed up".to_owned()));
    }
    bar.set_length(head.position);
    let report = audit::log_alone(log, bar).await?;
    match report.problems.first() {
        None => Ok(report.streams),
        Some(first) => Err(RestoreFault::Log(first.to_string())),
    }
}

/// Everybody whom the log knows.
async fn players(log: &dyn EventLog) -> Result<HashSet<PlayerId>, ReadError> {
    const PAGE: usize = 2_000;
    let mut known = HashSet::new();
    let mut after = 0;
    loop {
        let page = log.read_all(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(known) };
        after = last.position;
        let ids = page.iter().filter_map(|event| aggregate_id::<Player>(&event.stream));
        known.extend(ids.filter(|id| !id.is_nil()).map(PlayerId));
    }
}

/// As [`restore`], without showing how far it is.
///
/// # Errors
/// As [`restore`].
pub async fn restore_quietly(from: &Path, data: &Path) -> Result<Restored, RestoreFault> {
    restore(from, data, &ProgressBar::hidden()).await
}
