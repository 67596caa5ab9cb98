//! What stands in the database and that no writer of this program puts there. What cannot be read is named, and the
//! rest is looked at all the same. Changes nothing.

use super::reads::broken;
use super::schema;
use crate::log::claims::counter;
use crate::log::custody::KeptMemo;
use crate::log::looks::{self, NAMED, Oddity, Part, Seen};
use crate::log::port::{Memo, Remembered, memo_cutoff};
use crate::reach::is_away;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::query::Query;
use sqlx::{Postgres, Row};
use uuid::Uuid;
use yibu_domain::kernel::{CommandId, Counter, PlayerId, Time};

/// The name of the stream of an event `e`; see `names::join`.
const STREAM: &str = "CASE WHEN e.aggregate_type = e.aggregate_id THEN e.aggregate_type \
     ELSE e.aggregate_type || '-' || e.aggregate_id END";

/// The rows of a query over a table. A row that cannot be read is named and left out; nothing where the table itself
/// cannot be read, which is named.
async fn rows<T>(
    pool: &PgPool,
    place: &str,
    query: Query<'_, Postgres, PgArguments>,
    odd: &mut Vec<Oddity>,
    read: impl Fn(&PgRow) -> Result<T, sqlx::Error>,
) -> Result<Option<Vec<T>>, sqlx::Error> {
    let all = match query.fetch_all(pool).await {
        Ok(all) => all,
        Err(error) if is_away(&error) => return Err(error),
        Err(error) => {
            odd.push(Oddity::of(place, format!("it cannot be read: {error}")));
            return Ok(None);
        }
    };
    let mut found = Vec::with_capacity(all.len());
    for row in &all {
        match read(row) {
            Ok(one) => found.push(one),
            Err(error) => {
                let text = format!("a row of it is not as this program writes it: {error}");
                odd.push(Oddity::of(place, text));
            }
        }
    }
    Ok(Some(found))
}

/// What stands beside the events, as far as it can be read.
pub(super) async fn seen(pool: &PgPool, now: Time) -> Result<Seen, sqlx::Error> {
    let mut odd = Vec::new();
    let sql = "SELECT counter, player, held FROM log_claims_counted";
    let counted = rows(pool, "log_claims_counted", sqlx::query(sql), &mut odd, |row| {
        let player = PlayerId(row.try_get::<Uuid, _>(1)?);
        Ok(((known(row.try_get(0)?)?, player), number(row, 2)?))
    });
    let counted = counted.await?;
    let sql = "SELECT key FROM log_claims_unique";
    let unique =
        rows(pool, "log_claims_unique", sqlx::query(sql), &mut odd, |row| row.try_get(0)).await?;
    let sql = "SELECT counter, most FROM log_limits";
    let limits = rows(pool, "log_limits", sqlx::query(sql), &mut odd, |row| {
        Ok((known(row.try_get(0)?)?, number(row, 1)?))
    });
    let limits = limits.await?;
    let sql = "SELECT account, id, input, result, stream, version, position, recorded \
         FROM log_memos WHERE recorded > $1 ORDER BY position";
    let query = sqlx::query(sql).bind(memo_cutoff(now).0);
    let memos = rows(pool, "log_memos", query, &mut odd, memo).await?;
    // Whoever has given everything back stays listed with 0.
    let held = |(_, held): &(_, u32)| *held > 0;
    Ok(Seen {
        counted: counted.map(|rows| rows.into_iter().filter(held).collect()),
        unique: unique.map(|rows| rows.into_iter().collect()),
        limits: limits.map(|rows| rows.into_iter().collect()),
        memos,
        odd,
    })
}

fn known(name: &str) -> Result<Counter, sqlx::Error> {
    counter(name).ok_or_else(|| broken(0, format!("there is no counter {name}")))
}

fn number<T: TryFrom<i64>>(row: &PgRow, column: usize) -> Result<T, sqlx::Error> {
    let number: i64 = row.try_get(column)?;
    T::try_from(number).map_err(|_| broken(column, format!("{number} cannot be")))
}

fn memo(row: &PgRow) -> Result<KeptMemo, sqlx::Error> {
    let (account, id) = (PlayerId(row.try_get(0)?), CommandId(row.try_get(1)?));
    let memo = Memo { account, id, input: row.try_get(2)?, result: row.try_get(3)? };
    let (version, position) = (number(row, 5)?, number(row, 6)?);
    let remembered = Remembered { memo, stream: row.try_get(4)?, version, position };
    Ok(KeptMemo { remembered, recorded: Time(row.try_get(7)?) })
}

/// Everything that is odd. Nodes may write meanwhile: each question is one statement, and sees one instant.
pub(super) async fn oddities(pool: &PgPool, now: Time) -> Result<Vec<Oddity>, sqlx::Error> {
    let mut odd = Vec::new();
    parts(pool, &mut odd).await?;
    heads(pool, &mut odd).await?;
    outside(pool, &mut odd).await?;
    memos(pool, now, &mut odd).await?;
    Ok(odd)
}

/// The schema against the one that the steps make.
async fn parts(pool: &PgPool, odd: &mut Vec<Oddity>) -> Result<(), sqlx::Error> {
    let query = sqlx::query(schema::PARTS).bind(schema::TABLES);
    let found = rows(pool, "pg_catalog", query, odd, |row| {
        Ok(Part { table: row.try_get(0)?, what: row.try_get(1)?, made: row.try_get(2)? })
    });
    if let Some(found) = found.await? {
        odd.extend(looks::otherwise(&schema::made(), &found));
    }
    let query = sqlx::query("SELECT step FROM log_schema ORDER BY step");
    let steps = rows(pool, "log_schema", query, odd, |row| row.try_get::<i32, _>(0)).await?;
    let steps = steps.unwrap_or_default();
    if !steps.iter().copied().eq((1..).take(steps.len())) {
        let text = format!("the steps that ran are said to be {steps:?}");
        odd.push(Oddity::of("log_schema", text));
    }
    Ok(())
}

/// Where the log ends is said once.
async fn heads(pool: &PgPool, odd: &mut Vec<Oddity>) -> Result<(), sqlx::Error> {
    let query = sqlx::query("SELECT count(*) FROM log_head");
    let found = rows(pool, "log_head", query, odd, |row| row.try_get::<i64, _>(0)).await?;
    if found.unwrap_or_default().iter().any(|many| *many > 1) {
        odd.push(Oddity::of("log_head", "more than one row says where the log ends"));
    }
    Ok(())
}

/// Events before the beginning and behind the end.
async fn outside(pool: &PgPool, odd: &mut Vec<Oddity>) -> Result<(), sqlx::Error> {
    let sql = format!(
        "SELECT {STREAM}, e.sequence, e.position FROM (SELECT * FROM events WHERE position < 1 \
         UNION ALL SELECT * FROM events WHERE position > (SELECT max(position) FROM log_head)) e \
         ORDER BY e.position LIMIT {NAMED}"
    );
    let found = rows(pool, "events", sqlx::query(&sql), odd, place).await?;
    odd.extend(
        found
            .into_iter()
            .flatten()
            .map(|(stream, version, position)| Oddity::outside(stream, version, position)),
    );
    Ok(())
}

/// Memos that a look at those of the last days does not show.
async fn memos(pool: &PgPool, now: Time, odd: &mut Vec<Oddity>) -> Result<(), sqlx::Error> {
    let sql = format!(
        "SELECT m.stream, m.version, m.position FROM log_memos m \
         LEFT JOIN events e ON e.position = m.position \
         WHERE m.recorded <= $1 AND (e.position IS NULL OR {STREAM} <> m.stream \
         OR e.sequence <> m.version OR e.written_at <> m.recorded \
         OR e.metadata ->> 'command_id' IS DISTINCT FROM m.id::text) \
         ORDER BY m.position LIMIT {NAMED}"
    );
    let query = sqlx::query(&sql).bind(memo_cutoff(now).0);
    let found = rows(pool, "log_memos", query, odd, place).await?;
    odd.extend(
        found.into_iter().flatten().map(|(stream, version, at)| Oddity::memo(stream, version, at)),
    );
    Ok(())
}

fn place(row: &PgRow) -> Result<(String, i64, i64), sqlx::Error> {
    Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
}
