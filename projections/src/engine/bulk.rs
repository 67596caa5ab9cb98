//! Many rows in one statement, in a few fixed sizes so that prepared statements are used again. The only
//! place where SQL is put together from parts; the parts are names in this crate, never data.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Executor, Row, Sqlite, SqliteConnection};
use yibu_domain::kernel::MatchId;

/// A statement with its values.
pub(crate) type Bound<'q> = Query<'q, Sqlite, SqliteArguments<'q>>;

/// Rows per statement, largest first.
const SIZES: [usize; 3] = [64, 8, 1];

/// An insert (or upsert) of any number of rows.
pub(crate) struct Insert {
    sized: [(usize, String); 3],
}

impl Insert {
    /// Into `columns` of `table`; `conflict` is the clause after the values, or empty.
    pub(crate) fn new(table: &str, columns: &[&str], conflict: &str) -> Self {
        let names = columns.join(", ");
        let row = format!("({})", marks(columns.len()));
        let sized = SIZES.map(|size| {
            let rows = vec![row.as_str(); size].join(", ");
            (size, format!("INSERT INTO {table} ({names}) VALUES {rows} {conflict}"))
        });
        Self { sized }
    }

    /// As [`Insert::new`]; a row with the same key is replaced in all columns but the first `keys`.
    pub(crate) fn replacing(table: &str, columns: &[&str], keys: usize) -> Self {
        let (key, rest) = columns.split_at(keys.min(columns.len()));
        let set: Vec<String> =
            rest.iter().map(|name| format!("{name} = excluded.{name}")).collect();
        let conflict = format!("ON CONFLICT ({}) DO UPDATE SET {}", key.join(", "), set.join(", "));
        Self::new(table, columns, &conflict)
    }

    /// Inserts the rows; `bind` binds one row's values in the order of the columns.
    pub(crate) async fn run<'q, T: Sync>(
        &'q self,
        tx: &mut SqliteConnection,
        rows: &'q [T],
        bind: fn(Bound<'q>, &'q T) -> Bound<'q>,
    ) -> Result<(), sqlx::Error> {
        let mut rest = rows;
        for (size, sql) in &self.sized {
            while rest.len() >= *size {
                let (now, later) = rest.split_at(*size);
                let query = now.iter().fold(sqlx::query(sql.as_str()), bind);
                (&mut *tx).execute(query).await?;
                rest = later;
            }
        }
        Ok(())
    }
}

/// A look-up of many matches at once.
pub(crate) struct Lookup {
    sized: [(usize, String); 3],
}

impl Lookup {
    /// `select … from … where match_id in (…)` with the given beginning and ending.
    pub(crate) fn new(select: &str, ending: &str) -> Self {
        let sized = SIZES
            .map(|size| (size, format!("{select} WHERE match_id IN ({}) {ending}", marks(size))));
        Self { sized }
    }

    /// Calls `take` with every row found.
    pub(crate) async fn run<E: From<sqlx::Error>>(
        &self,
        on: &mut SqliteConnection,
        ids: &[MatchId],
        mut take: impl FnMut(&SqliteRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = ids;
        for (size, sql) in &self.sized {
            while rest.len() >= *size {
                let (now, later) = rest.split_at(*size);
                let query = now.iter().fold(sqlx::query(sql.as_str()), |query, id| {
                    query.bind(id.0.as_bytes().as_slice())
                });
                for row in (&mut *on).fetch_all(query).await? {
                    take(&row)?;
                }
                rest = later;
            }
        }
        Ok(())
    }
}

/// Anonymous marks: with numbered ones SQLite searches a list for each value bound.
fn marks(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// An id column.
pub(crate) fn id(row: &SqliteRow, column: usize) -> Result<uuid::Uuid, sqlx::Error> {
    let bytes: &[u8] = row.try_get(column)?;
    uuid::Uuid::from_slice(bytes).map_err(|error| sqlx::Error::Decode(error.into()))
}
