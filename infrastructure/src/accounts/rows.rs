//! How values stand in rows: ids as 16 bytes, instants and counts as whole numbers, yes as 1. Knows no table.

use super::db::{Conn, Row};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, Row as _};
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

/// A statement with some of its values.
pub(super) type Bound<'q> = Query<'q, Any, AnyArguments<'q>>;

/// Rows written by one statement.
const AT_ONCE: usize = 100;

/// Writes rows in as few statements as may be: `into` names table and columns, `then` says what becomes of rows
/// that are there.
pub(super) async fn insert<T>(
    on: &mut Conn,
    (into, columns, then): (&str, usize, &str),
    rows: &[T],
    bind: impl for<'q> Fn(Bound<'q>, &'q T) -> Bound<'q>,
) -> Result<(), sqlx::Error> {
    for some in rows.chunks(AT_ONCE) {
        let sql = format!("INSERT INTO {into} VALUES {} {then}", marks(some.len(), columns));
        let query = some.iter().fold(sqlx::query(&sql), &bind);
        query.execute(&mut *on).await?;
    }
    Ok(())
}

/// What a column of JSON holds.
pub(super) fn json<T: serde::de::DeserializeOwned>(
    row: &Row,
    column: &str,
) -> Result<T, sqlx::Error> {
    let text: String = row.try_get(column)?;
    serde_json::from_str(&text).map_err(|error| broken(column, error))
}

/// A value for a column of JSON.
pub(super) fn text<T: serde::Serialize>(value: &T) -> Result<String, sqlx::Error> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

/// A place in a list, as a column holds it.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of things from a column.
pub(super) fn number(row: &Row, column: &str) -> Result<u64, sqlx::Error> {
    let number: i64 = row.try_get(column)?;
    u64::try_from(number).map_err(|error| broken(column, error))
}

pub(super) fn broken(
    column: &str,
    error: impl std::error::Error + Send + Sync + 'static,
) -> sqlx::Error {
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
