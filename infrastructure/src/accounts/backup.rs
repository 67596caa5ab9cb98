//! A consistent copy of the accounts beside a server that writes, and what a restored copy needs before it is
//! served again. Knows the tables' names and nothing of backups as a whole.

use super::db::LOCK;
use super::{AccountsDb, rows};
use crate::quiet::to_read;
use crate::reach::is_full;
use sqlx::{ConnectOptions, Connection};
use std::collections::HashSet;
use std::io::{Error, ErrorKind};
use std::path::Path;
use yibu_domain::kernel::PlayerId;

/// The accounts could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyFault {
    /// The database failed.
    #[error("accounts.db cannot be copied: {0}")]
    Store(#[from] sqlx::Error),
    /// The target cannot be made.
    #[error("accounts.db cannot be copied: {0}")]
    Io(#[from] Error),
    /// The target cannot be used.
    #[error("accounts.db cannot be copied: the target's path is not UTF-8")]
    Path,
}

/// Copies `accounts.db` of a folder as of one instant to a file that must not be there yet, whether or not a
/// server writes. The copy is compact; whoever asked syncs it.
///
/// # Errors
/// See [`CopyFault`].
pub async fn copy(folder: &Path, to: &Path) -> Result<(), CopyFault> {
    // SQLite fills an empty file as well as one that it makes, and this one is private.
    crate::system::make_private_file(to)?;
    let to = to.to_str().ok_or(CopyFault::Path)?;
    let (options, _held) = to_read(&folder.join("accounts.db"), &folder.join(LOCK)).await;
    let mut on = options.connect().await?;
    // The accounts are only read: it is the copy that there is no room for.
    let copied = sqlx::query("VACUUM INTO $1").bind(to).execute(&mut on).await;
    copied.map_err(|error| match is_full(&error) {
        true => CopyFault::Io(Error::new(ErrorKind::StorageFull, error)),
        false => error.into(),
    })?;
    on.close().await?;
    Ok(())
}

/// How restored accounts and the log beside them fit together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fitted {
    /// Accounts whose first event is not in the log: the next start writes it again.
    pub unrecorded: u64,
    /// Players of the log that have no row here.
    pub missing: u64,
}

impl AccountsDb {
    /// Fits restored accounts to a log that may be a little older: whoever is noted as recorded and is not
    /// among the log's players is noted as unfinished, for the next start to finish.
    ///
    /// # Errors
    /// The database failed.
    pub async fn fit(&self, known: &HashSet<PlayerId>) -> Result<Fitted, sqlx::Error> {
        let mut fitted = Fitted { unrecorded: 0, missing: known.len() as u64 };
        let mut tx = self.writing().begin().await?;
        let all = sqlx::query("SELECT player FROM players").fetch_all(&mut *tx).await?;
        for row in &all {
            let player = rows::player(row, "player")?;
            if known.contains(&player) {
                fitted.missing -= 1;
                continue;
            }
            let sql = "UPDATE players SET recorded = 0 WHERE player = $1 AND recorded = 1";
            let done = sqlx::query(sql).bind(rows::bytes(player.0)).execute(&mut *tx).await?;
            fitted.unrecorded += done.rows_affected();
        }
        tx.commit().await?;
        Ok(fitted)
    }
}
