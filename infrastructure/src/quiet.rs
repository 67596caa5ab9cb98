//! Files of SQLite that are read by somebody who may not write in their folder: SQLite makes files beside one that is
//! in WAL mode, unless it is told that it never changes. That holds where it is whole by itself, as long as the lock
//! of those who write it is held: a server that would start meanwhile is refused.

use crate::system::{hold_to_read, stands_alone};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// SQLite could not make what it needs beside the file.
const READONLY_DIRECTORY: i32 = 1544;
const CANNOT_OPEN: i32 = 14;

/// Whether SQLite refused since it may make nothing beside the file.
pub(crate) fn may_make_nothing(code: i32) -> bool {
    [READONLY_DIRECTORY, CANNOT_OPEN].contains(&code)
}

/// The lock under which a file never changes; none where somebody writes it, or where it is not whole by itself.
pub(crate) fn held_still(file: &Path, lock: &Path) -> Option<File> {
    hold_to_read(lock).ok().flatten().filter(|_| stands_alone(file))
}

/// How a file is opened to be read beside those who may write it, with what has to be held meanwhile; `lock` is the
/// file whose lock its writer holds. Whatever is wrong with it, opening it tells.
pub async fn to_read(file: &Path, lock: &Path) -> (SqliteConnectOptions, Option<File>) {
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    let options = options.busy_timeout(Duration::from_secs(5));
    let looked = async {
        let mut on = options.clone().connect().await?;
        let looked = on.execute("PRAGMA schema_version").await;
        on.close().await?;
        looked
    };
    let refused = match looked.await {
        Err(sqlx::Error::Database(error)) => error.code().and_then(|code| code.parse().ok()),
        _ => None,
    };
    let held = refused.filter(|code| may_make_nothing(*code)).and_then(|_| held_still(file, lock));
    (options.immutable(held.is_some()), held)
}
