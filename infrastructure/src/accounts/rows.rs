//! How values stand in rows: ids as 16 bytes, instants and counts as whole numbers, yes as 1. Knows no table.

use super::db::Row;
use sqlx::Row as _;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Time};

/// The 16 bytes of an id.
pub(super) fn bytes(id: Uuid) -> Vec<u8> {
    id.into_bytes().to_vec()
}

/// An id from a column.
pub(super) fn id(row: &Row, column: &str) -> Result<Uuid, sqlx::Error> {
    let bytes: Vec<u8> = row.try_get(column)?;
    Uuid::from_slice(&bytes).map_err(|error| broken(column, error))
}

/// A player from a column.
pub(super) fn player(row: &Row, column: &str) -> Result<PlayerId, sqlx::Error> {
    id(row, column).map(PlayerId)
}

/// An instant from a column.
pub(super) fn time(row: &Row, column: &str) -> Result<Time, sqlx::Error> {
    row.try_get(column).map(Time)
}

/// A count from a column.
pub(super) fn count(row: &Row, column: &str) -> Result<u32, sqlx::Error> {
    let number: i64 = row.try_get(column)?;
    u32::try_from(number).map_err(|error| broken(column, error))
}

/// Yes or no from a column.
pub(super) fn flag(row: &Row, column: &str) -> Result<bool, sqlx::Error> {
    Ok(row.try_get::<i64, _>(column)? != 0)
}

/// 32 bytes from a column.
pub(super) fn bytes32(row: &Row, column: &str) -> Result<[u8; 32], sqlx::Error> {
    let bytes: Vec<u8> = row.try_get(column)?;
    <[u8; 32]>::try_from(bytes.as_slice()).map_err(|error| broken(column, error))
}

/// Marks for so many tuples of so many values: `($1, $2), ($3, $4)`; of one value each without brackets.
pub(super) fn marks(tuples: usize, values: usize) -> String {
    let tuple = |at: usize| {
        let marks: Vec<String> = (1..=values).map(|n| format!("${}", at * values + n)).collect();
        if values == 1 { marks.concat() } else { format!("({})", marks.join(", ")) }
    };
    (0..tuples).map(tuple).collect::<Vec<_>>().join(", ")
}

fn broken(column: &str, error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_numbered_through() {
        assert_eq!(marks(3, 1), "$1, $2, $3");
        assert_eq!(marks(2, 2), "($1, $2), ($3, $4)");
    }
}
