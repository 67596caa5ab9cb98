//! The rows of commands that were done. A memo counts for a fixed time; older ones are as good as gone and
//! are pruned from the front now and then.

use super::batch::Bound;
use super::reads::{signed, unsigned};
use crate::log::custody::KeptMemo;
use crate::log::port::{Memo, Remembered, memo_cutoff};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, PgPool, Row};
use std::sync::LazyLock;
use yibu_domain::kernel::{CommandId, PlayerId, Time};

/// An account's own name for a command.
pub(super) type Key = (PlayerId, CommandId);

const SELECT: &str =
    "SELECT m.account, m.id, m.input, m.result, m.stream, m.version, m.position FROM";

pub(super) async fn find(
    pool: &PgPool,
    (account, id): Key,
    now: Time,
) -> Result<Option<Remembered>, sqlx::Error> {
    let sql =
        format!("{SELECT} log_memos m WHERE m.account = $1 AND m.id = $2 AND m.recorded > $3");
    let query = sqlx::query(&sql).bind(account.0).bind(id.0).bind(memo_cutoff(now).0);
    query.fetch_optional(pool).await?.as_ref().map(memo).transpose()
}

/// Those of many commands that are remembered. Each is looked up by itself: see `connect::SESSION`.
pub(super) async fn find_all(
    connection: &mut PgConnection,
    keys: &[Key],
    now: Time,
) -> Result<Vec<Remembered>, sqlx::Error> {
    let (accounts, ids): (Vec<_>, Vec<_>) =
        keys.iter().map(|(account, id)| (account.0, id.0)).unzip();
    let sql = format!(
        "{SELECT} UNNEST($1::uuid[], $2::uuid[]) AS k (account, id) CROSS JOIN LATERAL \
         (SELECT * FROM log_memos WHERE account = k.account AND id = k.id LIMIT 1) m \
         WHERE m.recorded > $3"
    );
    let query = sqlx::query(&sql).bind(accounts).bind(ids).bind(memo_cutoff(now).0);
    query.fetch_all(connection).await?.iter().map(memo).collect()
}

fn memo(row: &PgRow) -> Result<Remembered, sqlx::Error> {
    let (account, id) = (PlayerId(row.try_get(0)?), CommandId(row.try_get(1)?));
    let memo = Memo { account, id, input: row.try_get(2)?, result: row.try_get(3)? };
    let (version, position) = (unsigned(row, 5)?, unsigned(row, 6)?);
    Ok(Remembered { memo, stream: row.try_get(4)?, version, position })
}

/// Whether none is remembered of the commands whose accounts and ids are these two arrays, a condition; the
/// instant is that of [`memo_cutoff`].
pub(super) fn none_of(accounts: usize, ids: usize, cutoff: usize) -> String {
    format!(
        "NOT EXISTS (SELECT FROM UNNEST(${accounts}::uuid[], ${ids}::uuid[]) AS k (account, id) \
         CROSS JOIN LATERAL (SELECT recorded FROM log_memos \
         WHERE account = k.account AND id = k.id LIMIT 1) m WHERE m.recorded > ${cutoff})"
    )
}

/// Those that were recorded after an instant, by position.
pub(super) async fn kept(
    connection: &mut PgConnection,
    after: Time,
) -> Result<Vec<KeptMemo>, sqlx::Error> {
    let sql = "SELECT m.account, m.id, m.input, m.result, m.stream, m.version, m.position, \
         m.recorded FROM log_memos m WHERE m.recorded > $1 ORDER BY m.position";
    let rows = sqlx::query(sql).bind(after.0).fetch_all(connection).await?;
    let kept =
        |row: &PgRow| Ok(KeptMemo { remembered: memo(row)?, recorded: Time(row.try_get(7)?) });
    rows.iter().map(kept).collect()
}

/// The statement that keeps memos from eight arrays, the first of which has this number; `also` is what it
/// selects from besides.
pub(super) fn insert(first: usize, also: &str) -> String {
    let kinds = ["uuid", "uuid", "bytea", "text", "text", "bigint", "bigint", "bigint"];
    let arrays: Vec<_> =
        kinds.iter().zip(first..).map(|(kind, mark)| format!("${mark}::{kind}[]")).collect();
    format!(
        "INSERT INTO log_memos (account, id, input, result, stream, version, position, recorded) \
         SELECT m.account, m.id, m.input, m.result, m.stream, m.version, m.position, m.recorded \
         FROM UNNEST({}) \
         AS m (account, id, input, result, stream, version, position, recorded){also} \
         ON CONFLICT (account, id) DO UPDATE SET input = excluded.input, result = excluded.result, \
         stream = excluded.stream, version = excluded.version, position = excluded.position, \
         recorded = excluded.recorded",
        arrays.join(", ")
    )
}

/// The eight arrays.
pub(super) fn bind<'q>(query: Bound<'q>, memos: &'q [(&Remembered, Time)]) -> Bound<'q> {
    let all = || memos.iter().map(|(memo, _)| memo);
    query
        .bind(all().map(|m| m.memo.account.0).collect::<Vec<_>>())
        .bind(all().map(|m| m.memo.id.0).collect::<Vec<_>>())
        .bind(all().map(|m| m.memo.input.as_slice()).collect::<Vec<_>>())
        .bind(all().map(|m| m.memo.result.as_str()).collect::<Vec<_>>())
        .bind(all().map(|m| m.stream.as_str()).collect::<Vec<_>>())
        .bind(all().map(|m| signed(m.version)).collect::<Vec<_>>())
        .bind(all().map(|m| signed(m.position)).collect::<Vec<_>>())
        .bind(memos.iter().map(|(_, recorded)| recorded.0).collect::<Vec<_>>())
}

/// Keeps memos, each with the instant of its commit; those that no longer count make way. No command may be
/// among them twice.
pub(super) async fn write(
    connection: &mut PgConnection,
    memos: &[(&Remembered, Time)],
) -> Result<(), sqlx::Error> {
    static ALONE: LazyLock<String> = LazyLock::new(|| insert(1, ""));
    bind(sqlx::query(&ALONE), memos).execute(connection).await?;
    Ok(())
}

/// Removes the oldest memos as far as they no longer count, at most `most` of them.
pub(super) async fn prune(
    connection: &mut PgConnection,
    now: Time,
    most: usize,
) -> Result<(), sqlx::Error> {
    // Those in front alone are looked at, also where none of them is old enough.
    let sql = "DELETE FROM log_memos WHERE recorded <= $1 AND position <= \
         (SELECT max(position) FROM (SELECT position FROM log_memos ORDER BY position LIMIT $2) f)";
    let query = sqlx::query(sql).bind(memo_cutoff(now).0).bind(signed(most as u64));
    query.execute(connection).await?;
    Ok(())
}
