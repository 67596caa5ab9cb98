//! Many rows in one statement, in a few fixed sizes so that prepared statements are used again. The only
//! place where SQL is put together from parts; the parts are names in this crate, never data.

use super::schema::Dialect;
use super::store::{Bound, Conn, Row};
use sqlx::{Executor, Row as _};
use std::sync::OnceLock;
use yibu_domain::kernel::MatchId;

/// Rows per statement, largest first.
const SIZES: [usize; 4] = [512, 64, 8, 1];

/// A statement in each size, put together when it is first used: then it is known which database it is for.
type Sized = OnceLock<[(usize, String); SIZES.len()]>;

/// An insert (or upsert) of any number of rows.
pub(crate) struct Insert {
    head: String,
    columns: usize,
    conflict: String,
    sized: Sized,
}

impl Insert {
    /// Into `columns` of `table`; `conflict` is the clause after the values, or empty.
    pub(crate) fn new(table: &str, columns: &[&str], conflict: &str) -> Self {
        let head = format!("INSERT INTO {table} ({}) VALUES", columns.join(", "));
        let conflict = conflict.to_owned();
        Self { head, columns: columns.len(), conflict, sized: Sized::new() }
    }

    fn sized(&self, dialect: Dialect) -> [(usize, String); SIZES.len()] {
        SIZES.map(|size| {
            let row = |row| format!("({})", dialect.marks(row * self.columns + 1, self.columns));
            let rows: Vec<String> = (0..size).map(row).collect();
            (size, format!("{} {} {}", self.head, rows.join(", "), self.conflict))
        })
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
        tx: &mut Conn,
        rows: &'q [T],
        bind: fn(Bound<'q>, &'q T) -> Bound<'q>,
    ) -> Result<(), sqlx::Error> {
        let mut rest = rows;
        let dialect = Dialect::of(tx);
        for (size, sql) in self.sized.get_or_init(|| self.sized(dialect)) {
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
    select: String,
    ending: String,
    sized: Sized,
}

impl Lookup {
    /// `select … from … where match_id in (…)` with the given beginning and ending.
    pub(crate) fn new(select: &str, ending: &str) -> Self {
        let (select, ending) = (select.to_owned(), ending.to_owned());
        Self { select, ending, sized: Sized::new() }
    }

    fn sized(&self, dialect: Dialect) -> [(usize, String); SIZES.len()] {
        let Self { select, ending, .. } = self;
        SIZES.map(|size| {
            let marks = dialect.marks(1, size);
            (size, format!("{select} WHERE match_id IN ({marks}) {ending}"))
        })
    }

    /// Calls `take` with every row found.
    pub(crate) async fn run<E: From<sqlx::Error>>(
        &self,
        on: &mut Conn,
        ids: &[MatchId],
        mut take: impl FnMut(&Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = ids;
        let dialect = Dialect::of(on);
        for (size, sql) in self.sized.get_or_init(|| self.sized(dialect)) {
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

/// An id column.
pub(crate) fn id(row: &Row, column: usize) -> Result<uuid::Uuid, sqlx::Error> {
    let bytes: &[u8] = row.try_get(column)?;
    uuid::Uuid::from_slice(bytes).map_err(|error| sqlx::Error::Decode(error.into()))
}
