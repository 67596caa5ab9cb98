//! The rows of what is claimed, in Postgres. Reserving judges and counts in one transaction; settling is done by
//! whoever deletes the reservation, once. The rule itself is in `log::claims`.
//!
//! Commits with claims are judged one at a time across all nodes, under a lock that is held to the end of the
//! short reserving transaction; everything else changes these rows by differences and needs no such lock: it
//! gives back, so that a judgement beside it errs on the strict side at worst.

use super::memos;
use super::reservation::{Effects, Reservation};
use crate::log::claims::{ClaimTable, judge};
use crate::log::port::{AppendError, Commit, Receipt};
use sqlx::{PgConnection, PgPool, Row};
use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use yibu_domain::kernel::{Claim, Counter, PlayerId, Time};

/// The lock under which claims are judged.
const LOCK: i64 = 0x7969_6275_6573_0002;

/// Other nodes listen here for commits.
pub(super) const CHANNEL: &str = "es_grown";

const COUNTERS: [Counter; 2] = [Counter::Full, Counter::Takeover];

/// What became of a reserved commit.
#[derive(Clone, Copy)]
pub(super) enum Fate {
    /// The server has its events.
    Stands(Receipt),
    /// The server will never have them.
    Refused,
}

/// Reserves everything that must hold with the commit, all or nothing; fills the reservation's effects in.
/// `false`: the commit's command id is known by now.
pub(super) async fn reserve(
    pool: &PgPool,
    commit: &Commit,
    reservation: &mut Reservation,
    now: Time,
) -> Result<bool, AppendError> {
    let mut transaction = pool.begin().await.map_err(fault)?;
    let connection: &mut PgConnection = &mut transaction;
    if !commit.claims.is_empty() {
        let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK);
        lock.execute(&mut *connection).await.map_err(fault)?;
    }
    if let Some(memo) = &commit.memo
        && !memos::reserve(connection, memo, reservation, now).await.map_err(fault)?
    {
        return Ok(false);
    }
    let mut table = asked_for(connection, &commit.claims).await.map_err(fault)?;
    let changes = judge(&commit.claims, &mut table)?;
    reservation.effects = Effects::new(changes, &table);
    write(connection, reservation, now).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(true)
}

/// Counts what was granted, and keeps the reservation.
async fn write(
    connection: &mut PgConnection,
    reservation: &Reservation,
    now: Time,
) -> sqlx::Result<()> {
    for (counter, player, more) in &reservation.effects.taken {
        sqlx::query(
            "INSERT INTO es_counted (counter, player, held) VALUES ($1, $2, $3) \
             ON CONFLICT (counter, player) DO UPDATE SET held = es_counted.held + excluded.held",
        )
        .bind(counter.name())
        .bind(player.0)
        .bind(i64::from(*more))
        .execute(&mut *connection)
        .await?;
    }
    for key in &reservation.effects.keys {
        let claim = sqlx::query("INSERT INTO es_unique (key) VALUES ($1)").bind(key);
        claim.execute(&mut *connection).await?;
    }
    let body = serde_json::to_string(reservation).map_err(|e| sqlx::Error::Encode(Box::new(e)))?;
    sqlx::query("INSERT INTO es_reservations (id, reserved, body) VALUES ($1, $2, $3)")
        .bind(reservation.id)
        .bind(now.0)
        .bind(body)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

/// Confirms a reservation or frees it, if nobody else did so before.
pub(super) async fn settle(
    connection: &mut PgConnection,
    reservation: &Reservation,
    fate: Fate,
) -> sqlx::Result<()> {
    let deleted = sqlx::query("DELETE FROM es_reservations WHERE id = $1")
        .bind(reservation.id)
        .execute(&mut *connection)
        .await?;
    if deleted.rows_affected() == 0 {
        return Ok(());
    }
    let effects = &reservation.effects;
    match fate {
        Fate::Stands(receipt) => {
            memos::confirm(connection, reservation, receipt).await?;
            give_back(connection, &effects.released).await?;
            for (counter, most) in &effects.limits {
                sqlx::query(
                    "INSERT INTO es_limits (counter, most, position) VALUES ($1, $2, $3) \
                     ON CONFLICT (counter) DO UPDATE \
                     SET most = excluded.most, position = excluded.position \
                     WHERE es_limits.position < excluded.position",
                )
                .bind(counter.name())
                .bind(i64::from(*most))
                .bind(memos::signed(receipt.position))
                .execute(&mut *connection)
                .await?;
            }
            let told = sqlx::query("SELECT pg_notify($1, '')").bind(CHANNEL);
            told.execute(&mut *connection).await?;
        }
        Fate::Refused => {
            memos::free(connection, reservation).await?;
            give_back(connection, &effects.taken).await?;
            for key in &effects.keys {
                let free = sqlx::query("DELETE FROM es_unique WHERE key = $1").bind(key);
                free.execute(&mut *connection).await?;
            }
        }
    }
    Ok(())
}

async fn give_back(
    connection: &mut PgConnection,
    rows: &[(Counter, PlayerId, u32)],
) -> sqlx::Result<()> {
    for (counter, player, fewer) in rows {
        sqlx::query(
            "UPDATE es_counted SET held = greatest(held - $3, 0) WHERE counter = $1 AND player = $2",
        )
        .bind(counter.name())
        .bind(player.0)
        .bind(i64::from(*fewer))
        .execute(&mut *connection)
        .await?;
        sqlx::query("DELETE FROM es_counted WHERE counter = $1 AND player = $2 AND held = 0")
            .bind(counter.name())
            .bind(player.0)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// As much of the table as judging these claims asks for.
async fn asked_for(
    connection: &mut PgConnection,
    claims: &[Claim],
) -> Result<ClaimTable, sqlx::Error> {
    let mut table = ClaimTable::default();
    let mut counters = BTreeSet::new();
    for claim in claims {
        match claim {
            Claim::Take { counter, player }
            | Claim::Release { counter, player }
            | Claim::Room { counter, player } => {
                counters.insert(*counter);
                if let Entry::Vacant(place) = table.counted.entry((*counter, *player)) {
                    place.insert(held(connection, *counter, *player).await?);
                }
            }
            Claim::Unique { key } => {
                let taken = sqlx::query("SELECT 1 FROM es_unique WHERE key = $1").bind(key);
                if taken.fetch_optional(&mut *connection).await?.is_some() {
                    table.unique.insert(key.clone());
                }
            }
            Claim::Limit { .. } => {}
        }
    }
    for counter in counters {
        if let Some(most) = limit(connection, counter).await? {
            table.limits.insert(counter, most);
        }
    }
    Ok(table)
}

async fn held(
    connection: &mut PgConnection,
    counter: Counter,
    player: PlayerId,
) -> sqlx::Result<u32> {
    let row = sqlx::query("SELECT held FROM es_counted WHERE counter = $1 AND player = $2")
        .bind(counter.name())
        .bind(player.0)
        .fetch_optional(connection)
        .await?;
    row.map_or(Ok(0), |row| row.try_get(0).map(small))
}

async fn limit(connection: &mut PgConnection, counter: Counter) -> sqlx::Result<Option<u32>> {
    let row = sqlx::query("SELECT most FROM es_limits WHERE counter = $1")
        .bind(counter.name())
        .fetch_optional(connection)
        .await?;
    row.map(|row| row.try_get(0).map(small)).transpose()
}

/// Everything claimed, as of one instant; commits on their way count.
pub(super) async fn table(pool: &PgPool) -> sqlx::Result<ClaimTable> {
    let mut transaction = pool.begin().await?;
    let connection: &mut PgConnection = &mut transaction;
    sqlx::query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        .execute(&mut *connection)
        .await?;
    let mut table = ClaimTable::default();
    let counted = sqlx::query("SELECT counter, player, held FROM es_counted WHERE held > 0");
    for row in counted.fetch_all(&mut *connection).await? {
        let place = (counter(row.try_get(0)?)?, PlayerId(row.try_get(1)?));
        table.counted.insert(place, small(row.try_get(2)?));
    }
    for row in sqlx::query("SELECT key FROM es_unique").fetch_all(&mut *connection).await? {
        table.unique.insert(row.try_get(0)?);
    }
    let limits = sqlx::query("SELECT counter, most FROM es_limits");
    for row in limits.fetch_all(&mut *connection).await? {
        table.limits.insert(counter(row.try_get(0)?)?, small(row.try_get(1)?));
    }
    Ok(table)
}

/// How many of a counter the player holds, and the limit of now.
pub(super) async fn count(
    pool: &PgPool,
    counter: Counter,
    player: PlayerId,
) -> sqlx::Result<(u32, u32)> {
    let mut connection = pool.acquire().await?;
    let held = held(&mut connection, counter, player).await?;
    let limit = limit(&mut connection, counter).await?;
    Ok((held, limit.unwrap_or(yibu_domain::kernel::DEFAULT_LIMIT)))
}

fn counter(name: &str) -> sqlx::Result<Counter> {
    let known = COUNTERS.into_iter().find(|counter| counter.name() == name);
    known.ok_or_else(|| sqlx::Error::Decode(format!("{name} is not a counter").into()))
}

fn small(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(super) fn fault(error: sqlx::Error) -> AppendError {
    super::unread_claims(error).into()
}
