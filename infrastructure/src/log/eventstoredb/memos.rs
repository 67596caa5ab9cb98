//! The rows of commands that were done or are on their way. A memo that names a reservation belongs to a commit
//! whose fate is not known yet: it is not told to anybody, and nobody may use its command id.

use super::reservation::Reservation;
use crate::log::port::{MEMO_DAYS, Memo, Receipt, Remembered};
use sqlx::{PgConnection, PgPool, Row};
use yibu_domain::kernel::{CommandId, PlayerId, Span, Time};

/// What is known of a command.
pub(super) enum Known {
    /// It was committed.
    Done(Box<Remembered>),
    /// Its commit is on its way.
    OnItsWay,
}

/// What was recorded at this instant or before no longer counts.
fn cutoff(now: Time) -> i64 {
    (now - Span::hours(24 * MEMO_DAYS)).0
}

/// Postgres counts in 63 bits.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) async fn find(
    pool: &PgPool,
    account: PlayerId,
    id: CommandId,
    now: Time,
) -> sqlx::Result<Option<Known>> {
    let row = sqlx::query(
        "SELECT input, result, stream, version, position, reservation IS NULL FROM es_memos \
         WHERE account = $1 AND id = $2 AND (recorded > $3 OR reservation IS NOT NULL)",
    )
    .bind(account.0)
    .bind(id.0)
    .bind(cutoff(now))
    .fetch_optional(pool)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    if !row.try_get::<bool, _>(5)? {
        return Ok(Some(Known::OnItsWay));
    }
    let input: Vec<u8> = row.try_get(0)?;
    let input = input.try_into().map_err(|_| sqlx::Error::Decode("not a hash".into()))?;
    Ok(Some(Known::Done(Box::new(Remembered {
        memo: Memo { account, id, input, result: row.try_get(1)? },
        stream: row.try_get(2)?,
        version: row.try_get::<i64, _>(3)?.unsigned_abs(),
        position: row.try_get::<i64, _>(4)?.unsigned_abs(),
    }))))
}

/// Takes a command id; one that no longer counts makes way. `false`: somebody has it.
pub(super) async fn reserve(
    connection: &mut PgConnection,
    memo: &Memo,
    reservation: &Reservation,
    now: Time,
) -> sqlx::Result<bool> {
    let taken = sqlx::query(
        "INSERT INTO es_memos \
         (account, id, input, result, stream, version, position, recorded, reservation) \
         VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7) \
         ON CONFLICT (account, id) DO UPDATE SET input = excluded.input, \
         result = excluded.result, stream = excluded.stream, recorded = excluded.recorded, \
         reservation = excluded.reservation \
         WHERE es_memos.recorded <= $8 AND es_memos.reservation IS NULL",
    )
    .bind(memo.account.0)
    .bind(memo.id.0)
    .bind(memo.input.as_slice())
    .bind(&memo.result)
    .bind(&reservation.stream)
    .bind(now.0)
    .bind(reservation.id)
    .bind(cutoff(now))
    .execute(connection)
    .await?;
    Ok(taken.rows_affected() > 0)
}

/// The command is done.
pub(super) async fn confirm(
    connection: &mut PgConnection,
    reservation: &Reservation,
    receipt: Receipt,
) -> sqlx::Result<()> {
    if let Some((account, id)) = reservation.memo {
        sqlx::query(
            "UPDATE es_memos SET version = $4, position = $5, reservation = NULL \
             WHERE account = $1 AND id = $2 AND reservation = $3",
        )
        .bind(account)
        .bind(id)
        .bind(reservation.id)
        .bind(signed(receipt.version))
        .bind(signed(receipt.position))
        .execute(connection)
        .await?;
    }
    Ok(())
}

/// The command was not done: its id may be used again.
pub(super) async fn free(
    connection: &mut PgConnection,
    reservation: &Reservation,
) -> sqlx::Result<()> {
    if let Some((account, id)) = reservation.memo {
        sqlx::query("DELETE FROM es_memos WHERE account = $1 AND id = $2 AND reservation = $3")
            .bind(account)
            .bind(id)
            .bind(reservation.id)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Removes memos that no longer count.
pub(super) async fn prune(pool: &PgPool, now: Time) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM es_memos WHERE recorded <= $1 AND reservation IS NULL")
        .bind(cutoff(now))
        .execute(pool)
        .await?;
    Ok(())
}
