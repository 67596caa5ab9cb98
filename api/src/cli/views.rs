//! The file of the read models, for whoever only reads it beside a server or without one.

use sqlx::sqlite::SqliteConnectOptions;
use std::fs::File;
use std::path::{Path, PathBuf};
use yibu_infrastructure::quiet;

/// Where the read models of a folder are, if there are any.
pub(super) fn file(folder: &Path) -> Option<PathBuf> {
    let file = folder.join("views.db");
    file.is_file().then_some(file)
}

/// How that file is opened, and what has to be held meanwhile.
pub(super) async fn to_read(file: &Path) -> (SqliteConnectOptions, Option<File>) {
    quiet::to_read(file, &file.with_file_name("views.lock")).await
}
