//! Rows as text, and rows compared: for tests and audits, never for serving.

use super::fault::ViewsError;
use super::store::{Conn, Row};
use super::views::Views;
use sqlx::{Column, Executor, Row as _, TypeInfo, ValueRef};
use std::fmt::Write;

impl Views {
    /// Every row of a read model as one line of text, in a fixed order and without the generation, so that
    /// two stores or two generations can be compared. Holds everything in memory.
    ///
    /// # Errors
    /// No such read model, or the store failed.
    pub async fn rows(&self, name: &str) -> Result<Vec<String>, ViewsError> {
        let tables = self.slot(name)?.projection.tables();
        let mut reading = self.read(name).await?;
        let generation = reading.generation();
        let mut lines = Vec::new();
        for table in tables {
            let sql = format!("SELECT * FROM {table}_g{generation} ORDER BY 1, 2");
            for row in reading.connection().fetch_all(sql.as_str()).await? {
                lines.push(line(table, &row)?);
            }
        }
        Ok(lines)
    }
}

fn line(table: &str, row: &Row) -> Result<String, sqlx::Error> {
    let mut line = table.to_owned();
    for (index, column) in row.columns().iter().enumerate() {
        let value = row.try_get_raw(index)?;
        let kind = value.type_info().name().to_owned();
        let text = match kind.as_str() {
            _ if value.is_null() => "-".to_owned(),
            "BLOB" => {
                let bytes: &[u8] = row.try_get(index)?;
                bytes.iter().fold(String::new(), |mut text, byte| {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{byte:02x}");
                    text
                })
            }
            "BIGINT" => row.try_get::<i64, _>(index)?.to_string(),
            _ => row.try_get::<String, _>(index)?,
        };
        let _ = write!(line, " {}={text}", column.name());
    }
    Ok(line)
}

/// Whether two generations hold the same rows.
pub(super) async fn same(
    on: &mut Conn,
    tables: &[&str],
    [one, other]: [u64; 2],
) -> Result<bool, ViewsError> {
    for table in tables {
        let sides = [one, other].map(|generation| format!("{table}_g{generation}"));
        let rows = [count(on, &sides[0]).await?, count(on, &sides[1]).await?];
        let sample =
            on.fetch_optional(format!("SELECT * FROM {} LIMIT 1", sides[0]).as_str()).await?;
        let Some(sample) = sample else {
            if rows == [0, 0] {
                continue;
            }
            return Ok(false);
        };
        // The first two columns are never null and tell the row: the pairs are found by its key.
        let equal = sample.columns().iter().enumerate().map(|(index, column)| {
            let (name, is) = (column.name(), if index < 2 { "=" } else { "IS NOT DISTINCT FROM" });
            format!("a.{name} {is} b.{name}")
        });
        let equal = equal.collect::<Vec<_>>().join(" AND ");
        let pairs =
            count(on, &format!("{} AS a JOIN {} AS b ON {equal}", sides[0], sides[1])).await?;
        if rows != [pairs, pairs] {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn count(on: &mut Conn, from: &str) -> Result<i64, sqlx::Error> {
    on.fetch_one(format!("SELECT COUNT(*) FROM {from}").as_str()).await?.try_get(0)
}
