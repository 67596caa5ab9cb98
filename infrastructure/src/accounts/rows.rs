//! How identities stand in rows: 16 bytes. Knows no table.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Time};

/// The 16 bytes of an id.
pub(super) fn bytes(id: Uuid) -> Vec<u8> {
    id.into_bytes().to_vec()
}

/// An id from a column.
pub(super) fn id(row: &SqliteRow, column: &str) -> Result<Uuid, sqlx::Error> {
    let bytes: Vec<u8> = row.try_get(column)?;
    Uuid::from_slice(&bytes).map_err(|error| sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: Box::new(error),
    })
}

/// A player from a column.
pub(super) fn player(row: &SqliteRow, column: &str) -> Result<PlayerId, sqlx::Error> {
    id(row, column).map(PlayerId)
}

/// An instant from a column.
pub(super) fn time(row: &SqliteRow, column: &str) -> Result<Time, sqlx::Error> {
    row.try_get(column).map(Time)
}
