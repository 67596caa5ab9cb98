//! Carrying all accounts from one database to another, between a file and PostgreSQL or two of a kind: every row of
//! every table as it stands, verified before it counts. Asks the schema which tables there are; must not know what
//! any of them means.

use super::AccountsDb;
use super::schema::{self, Kind, Table};
use super::turns::{Turn, Tx};
use super::{Row, db::Conn};
use futures_util::TryStreamExt as _;
use sqlx::any::AnyArguments;
use sqlx::migrate::MigrateError;
use sqlx::query::Query;
use sqlx::{Any, Row as _};

/// A table that was carried over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// Its name.
    pub table: String,
    /// Its rows.
    pub rows: u64,
    /// BLAKE3 over its rows, whatever their order: the same in both databases.
    pub hash: [u8; 32],
}

/// Why accounts could not be carried over. The target holds none then.
#[derive(Debug, thiserror::Error)]
pub enum CarryFault {
    /// Nobody has an account in the source.
    #[error("the source holds no accounts")]
    Nothing,
    /// There is something in the target.
    #[error("the target is not empty: there are rows in its table {0}")]
    NotEmpty(String),
    /// What came out is not what went in.
    #[error("the copy is not equal to the source: table {0} differs")]
    Differs(String),
    /// The list of tables cannot be made.
    #[error("the tables of accounts cannot be listed: {0}")]
    Schema(#[from] MigrateError),
    /// The source failed.
    #[error("the source failed: {0}")]
    Source(sqlx::Error),
    /// The target failed.
    #[error("the target failed: {0}")]
    Target(sqlx::Error),
}

/// Carries all accounts over to a target that holds nothing yet: all or nothing. Nobody may write to either
/// meanwhile. `progress` hears the name of each table before its rows are carried.
///
/// # Errors
/// See [`CarryFault`].
pub async fn carry(
    from: &AccountsDb,
    to: &AccountsDb,
    progress: impl Fn(&str),
) -> Result<Vec<Carried>, CarryFault> {
    let tables = schema::tables().await?;
    let mut tx = to.write(&[Turn::Schema]).await.map_err(CarryFault::Target)?;
    for table in &tables {
        let any = format!("SELECT COUNT(*) FROM (SELECT 1 AS one FROM {table} LIMIT 1) AS any_row");
        let any = sqlx::query_scalar::<_, i64>(&any).fetch_one(&mut *tx).await;
        if any.map_err(CarryFault::Target)? > 0 {
            return Err(CarryFault::NotEmpty(table.name.clone()));
        }
    }
    let mut carried = Vec::new();
    for table in &tables {
        progress(&table.name);
        let source = rows(from, &mut tx, table).await?;
        let copy = again(&mut tx, table).await.map_err(CarryFault::Target)?;
        if source != copy {
            return Err(CarryFault::Differs(table.name.clone()));
        }
        carried.push(Carried { table: table.name.clone(), rows: copy.rows, hash: copy.hash() });
    }
    if carried.iter().all(|table| table.rows == 0) {
        return Err(CarryFault::Nothing);
    }
    if tx.is_shared() {
        numbers(&mut tx, &tables).await.map_err(CarryFault::Target)?;
    }
    tx.commit().await.map_err(CarryFault::Target)?;
    Ok(carried)
}

/// Copies a table's rows, and gives what they were in the source.
async fn rows(from: &AccountsDb, tx: &mut Tx, table: &Table) -> Result<Contents, CarryFault> {
    let names: Vec<String> = table.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let marks: Vec<String> = (1..=names.len()).map(|number| format!("${number}")).collect();
    // What the database would number by itself keeps its number.
    let given = if tx.is_shared() { "OVERRIDING SYSTEM VALUE " } else { "" };
    let (names, marks) = (names.join(", "), marks.join(", "));
    let insert = format!("INSERT INTO {table} ({names}) {given}VALUES ({marks})");
    let select = table.select();
    let mut contents = Contents::default();
    let mut found = sqlx::query(&select).fetch(from.reading());
    while let Some(row) = found.try_next().await.map_err(CarryFault::Source)? {
        let values = values(&row, table).map_err(CarryFault::Source)?;
        contents.take(&values);
        let insert = values.into_iter().fold(sqlx::query(&insert), Value::bind);
        insert.execute(&mut **tx).await.map_err(CarryFault::Target)?;
    }
    Ok(contents)
}

/// What stands in the target now.
async fn again(on: &mut Conn, table: &Table) -> Result<Contents, sqlx::Error> {
    let select = table.select();
    let mut contents = Contents::default();
    let mut found = sqlx::query(&select).fetch(on);
    while let Some(row) = found.try_next().await? {
        contents.take(&values(&row, table)?);
    }
    Ok(contents)
}

/// PostgreSQL counts its own numbers on from those that were given.
async fn numbers(on: &mut Conn, tables: &[Table]) -> Result<(), sqlx::Error> {
    let sql = "SELECT table_name::TEXT, column_name::TEXT FROM information_schema.columns
        WHERE is_identity = 'YES' AND table_schema = current_schema()";
    for row in sqlx::query(sql).fetch_all(&mut *on).await? {
        let (table, column): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        if tables.iter().any(|known| known.name == table) {
            let sql = format!(
                "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), MAX({column}))
                FROM {table} HAVING MAX({column}) IS NOT NULL"
            );
            sqlx::query(&sql).fetch_optional(&mut *on).await?;
        }
    }
    Ok(())
}

impl Table {
    fn select(&self) -> String {
        let names: Vec<String> =
            self.columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        format!("SELECT {} FROM {self}", names.join(", "))
    }
}

/// As it is named in a statement.
impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", self.name)
    }
}

/// A value of a row, or none of its kind.
enum Value {
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

fn values(row: &Row, table: &Table) -> Result<Vec<Value>, sqlx::Error> {
    let value = |(at, (_, kind)): (usize, &(String, Kind))| {
        Ok(match kind {
            Kind::Number => Value::Number(row.try_get(at)?),
            Kind::Text => Value::Text(row.try_get(at)?),
            Kind::Bytes => Value::Bytes(row.try_get(at)?),
        })
    };
    table.columns.iter().enumerate().map(value).collect()
}

type Statement<'q> = Query<'q, Any, AnyArguments<'q>>;

impl Value {
    fn bind(query: Statement<'_>, value: Self) -> Statement<'_> {
        match value {
            Self::Number(number) => query.bind(number),
            Self::Text(text) => query.bind(text),
            Self::Bytes(bytes) => query.bind(bytes),
        }
    }

    /// So that no two different rows give the same bytes.
    fn digest(&self, hasher: &mut blake3::Hasher) {
        let mut part = |kind: u8, bytes: Option<&[u8]>| {
            hasher.update(&[kind, u8::from(bytes.is_some())]);
            let bytes = bytes.unwrap_or_default();
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        match self {
            Self::Number(number) => {
                part(0, number.map(i64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice));
            }
            Self::Text(text) => part(1, text.as_ref().map(String::as_bytes)),
            Self::Bytes(bytes) => part(2, bytes.as_deref()),
        }
    }
}

/// What a table holds, whatever the order in which its rows come.
#[derive(Default)]
struct Contents {
    rows: u64,
    digests: Vec<[u8; 32]>,
}

impl Contents {
    fn take(&mut self, values: &[Value]) {
        let mut hasher = blake3::Hasher::new();
        values.iter().for_each(|value| value.digest(&mut hasher));
        self.rows += 1;
        self.digests.push(*hasher.finalize().as_bytes());
    }

    fn hash(&self) -> [u8; 32] {
        let mut sorted: Vec<&[u8; 32]> = self.digests.iter().collect();
        sorted.sort_unstable();
        let mut hasher = blake3::Hasher::new();
        for digest in sorted {
            hasher.update(digest);
        }
        *hasher.finalize().as_bytes()
    }
}

impl PartialEq for Contents {
    fn eq(&self, other: &Self) -> bool {
        (self.rows, self.hash()) == (other.rows, other.hash())
    }
}
