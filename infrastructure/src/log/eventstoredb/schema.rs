//! The tables in Postgres: made and brought up to date at the opening, by one node at a time. Must not touch
//! any table that is not its own: others may live in the same database.

use crate::log::OpenError;
use sqlx::{Executor, PgConnection, PgPool, Row};

/// The schema's steps in order; `es_schema` counts those that ran.
const STEPS: &[&str] = &[include_str!("../../../../migrations/postgres/claims/0001_claims.sql")];

/// How many steps there are.
const KNOWN: u32 = STEPS.len() as u32;

/// Nodes that start at the same time take turns by this lock.
const LOCK: i64 = 0x7969_6275_6573_0001;

/// What does not fit.
pub(super) enum SchemaFault {
    /// A newer program was here.
    TooNew { found: u32, known: u32 },
    /// Postgres's own error.
    Failed(sqlx::Error),
}

impl From<sqlx::Error> for SchemaFault {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error)
    }
}

/// Whether the tables have never been made.
pub(super) async fn is_new(pool: &PgPool) -> sqlx::Result<bool> {
    let row = sqlx::query("SELECT to_regclass('es_schema') IS NULL").fetch_one(pool).await?;
    row.try_get(0)
}

/// Whether the tables are those of this program; changes nothing.
pub(super) async fn check(pool: &PgPool) -> Result<(), OpenError> {
    let row = sqlx::query("SELECT coalesce(max(version), 0) FROM es_schema").fetch_one(pool).await;
    let version: i64 = row.and_then(|row| row.try_get(0)).map_err(super::unreached)?;
    match u32::try_from(version).unwrap_or(u32::MAX) {
        found if found > KNOWN => Err(OpenError::TooNew { found, known: KNOWN }),
        found if found < KNOWN => Err(OpenError::TooOld { found, known: KNOWN }),
        _ => Ok(()),
    }
}

/// Brings the tables up to date.
pub(super) async fn migrate(pool: &PgPool) -> Result<(), SchemaFault> {
    let mut transaction = pool.begin().await?;
    let connection: &mut PgConnection = &mut transaction;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *connection).await?;
    let applied = "CREATE TABLE IF NOT EXISTS es_schema (version BIGINT NOT NULL)";
    connection.execute(applied).await?;
    let row = sqlx::query("SELECT coalesce(max(version), 0) FROM es_schema");
    let version: i64 = row.fetch_one(&mut *connection).await?.try_get(0)?;
    let found = u32::try_from(version).unwrap_or(u32::MAX);
    if found > KNOWN {
        return Err(SchemaFault::TooNew { found, known: KNOWN });
    }
    for (step, number) in STEPS.iter().zip(1_i64..).skip(found as usize) {
        connection.execute(*step).await?;
        sqlx::query("INSERT INTO es_schema (version) VALUES ($1)")
            .bind(number)
            .execute(&mut *connection)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}
