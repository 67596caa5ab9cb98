//! The rows of what is claimed: read for judging and for audits, written with the batch that claims. The rule
//! itself is in `log::claims`.

use super::reads::broken;
use crate::log::claims::{self, Changes, ClaimTable};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, PgPool, Row};
use std::collections::BTreeSet;
use uuid::Uuid;
use yibu_domain::kernel::{Claim, Counter, DEFAULT_LIMIT, PlayerId};

/// What the claims of a batch ask for.
#[derive(Default)]
pub(super) struct Asked<'a> {
    counted: BTreeSet<(Counter, PlayerId)>,
    unique: BTreeSet<&'a str>,
}

impl<'a> Asked<'a> {
    /// Takes a claim in.
    pub(super) fn add(&mut self, claim: &'a Claim) {
        match claim {
            Claim::Take { counter, player }
            | Claim::Release { counter, player }
            | Claim::Room { counter, player } => drop(self.counted.insert((*counter, *player))),
            Claim::Unique { key } => drop(self.unique.insert(key)),
            Claim::Limit { .. } => {}
        }
    }

    /// What stands in the rows that were asked for, with all limits where something is counted.
    pub(super) async fn read(
        &self,
        connection: &mut PgConnection,
    ) -> Result<ClaimTable, sqlx::Error> {
        let mut table = ClaimTable::default();
        if !self.counted.is_empty() {
            let (counters, players): (Vec<_>, Vec<_>) =
                self.counted.iter().map(|(counter, player)| (counter.name(), player.0)).unzip();
            // Each is looked up by itself: see `connect::SESSION`.
            let sql = "SELECT c.counter, c.player, NULL, c.held \
                 FROM UNNEST($1::text[], $2::uuid[]) AS a (counter, player) CROSS JOIN LATERAL \
                 (SELECT * FROM log_claims_counted \
                 WHERE counter = a.counter AND player = a.player LIMIT 1) c \
                 UNION ALL SELECT counter, NULL, NULL, most FROM log_limits";
            let query = sqlx::query(sql).bind(counters).bind(players);
            enter(&mut table, &query.fetch_all(&mut *connection).await?)?;
        }
        if !self.unique.is_empty() {
            let keys: Vec<_> = self.unique.iter().copied().collect();
            let sql = "SELECT key FROM log_claims_unique WHERE key = ANY($1)";
            let found = sqlx::query_scalar(sql).bind(keys).fetch_all(connection).await?;
            table.unique.extend(found);
        }
        Ok(table)
    }
}

/// How many the player holds, and the limit of now.
pub(super) async fn count(
    pool: &PgPool,
    counter: Counter,
    player: PlayerId,
) -> Result<(u32, u32), sqlx::Error> {
    let sql = "SELECT \
         (SELECT held FROM log_claims_counted WHERE counter = $1 AND player = $2), \
         (SELECT most FROM log_limits WHERE counter = $1)";
    let row = sqlx::query(sql).bind(counter.name()).bind(player.0).fetch_one(pool).await?;
    Ok((number(&row, 0)?.unwrap_or(0), number(&row, 1)?.unwrap_or(DEFAULT_LIMIT)))
}

/// Everything claimed, as of one instant.
pub(super) async fn table(pool: &PgPool) -> Result<ClaimTable, sqlx::Error> {
    // One statement sees one state of the database.
    let sql = "SELECT counter, player, NULL, held FROM log_claims_counted WHERE held > 0 \
         UNION ALL SELECT counter, NULL, NULL, most FROM log_limits \
         UNION ALL SELECT NULL, NULL, key, 0 FROM log_claims_unique";
    let mut table = ClaimTable::default();
    enter(&mut table, &sqlx::query(sql).fetch_all(pool).await?)?;
    Ok(table)
}

/// Rows of counter, player, key and number: a count has a counter and a player, a limit no player, a key only
/// itself.
fn enter(table: &mut ClaimTable, rows: &[PgRow]) -> Result<(), sqlx::Error> {
    for row in rows {
        let counter: Option<&str> = row.try_get(0)?;
        let Some(counter) = counter else {
            table.unique.insert(row.try_get(2)?);
            continue;
        };
        let counter = claims::counter(counter).ok_or_else(|| broken(0, "not a counter"))?;
        let number = number(row, 3)?.unwrap_or(0);
        match row.try_get::<Option<Uuid>, _>(1)? {
            Some(player) => drop(table.counted.insert((counter, PlayerId(player)), number)),
            None => drop(table.limits.insert(counter, number)),
        }
    }
    Ok(())
}

fn number(row: &PgRow, column: usize) -> Result<Option<u32>, sqlx::Error> {
    let number: Option<i64> = row.try_get(column)?;
    number.map(u32::try_from).transpose().map_err(|error| broken(column, error))
}

/// Writes what was granted.
pub(super) async fn write(
    connection: &mut PgConnection,
    changes: &Changes,
) -> Result<(), sqlx::Error> {
    if !changes.held.is_empty() {
        let all = || changes.held.iter();
        let sql = "INSERT INTO log_claims_counted (counter, player, held) \
             SELECT * FROM UNNEST($1::text[], $2::uuid[], $3::bigint[]) \
             ON CONFLICT (counter, player) DO UPDATE SET held = excluded.held";
        sqlx::query(sql)
            .bind(all().map(|((counter, _), _)| counter.name()).collect::<Vec<_>>())
            .bind(all().map(|((_, player), _)| player.0).collect::<Vec<_>>())
            .bind(all().map(|(_, held)| i64::from(*held)).collect::<Vec<_>>())
            .execute(&mut *connection)
            .await?;
    }
    if !changes.taken.is_empty() {
        let keys: Vec<&str> = changes.taken.iter().map(String::as_str).collect();
        let sql = "INSERT INTO log_claims_unique (key) SELECT * FROM UNNEST($1::text[])";
        sqlx::query(sql).bind(keys).execute(&mut *connection).await?;
    }
    for (counter, most) in &changes.limits {
        let sql = "INSERT INTO log_limits (counter, most) VALUES ($1, $2) \
             ON CONFLICT (counter) DO UPDATE SET most = excluded.most";
        let query = sqlx::query(sql).bind(counter.name()).bind(i64::from(*most));
        query.execute(&mut *connection).await?;
    }
    Ok(())
}
