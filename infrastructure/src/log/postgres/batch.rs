//! The statements of one batch, from the lock on the head row to the commit: a few round trips, whatever the
//! number of commits. After an error the connection must be given up, which undoes the batch or, where the
//! error came at the commit itself, leaves it in doubt.

use super::ground::Ground;
use super::rows::Rows;
use super::{claims, connect, memos, reads};
use crate::log::port::{Head, memo_cutoff};
use crate::system::Clock;
use sqlx::postgres::PgArguments;
use sqlx::{Executor as _, PgConnection, Postgres, Row as _};
use std::sync::LazyLock;
use yibu_domain::kernel::Time;

/// A statement with its values.
pub(super) type Bound<'q> = sqlx::query::Query<'q, Postgres, PgArguments>;

/// Whom a batch wakes.
pub(super) const CHANNEL: &str = "yibu_log";

/// Begins, and takes the head row. Whoever held it before has committed, and every statement that follows
/// sees what it wrote. Tells where the log ends, and what the database's own clock shows.
pub(super) async fn lock(connection: &mut PgConnection) -> Result<(Head, Time), sqlx::Error> {
    let sql = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \
         SELECT position, hash, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM log_head FOR UPDATE";
    let rows = connection.fetch_all(sql).await?;
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    Ok((reads::head_of(row)?, Time(row.try_get(2)?)))
}

/// Writes what was granted, and makes it durable.
pub(super) async fn commit(
    connection: &mut PgConnection,
    ground: &Ground,
    now: Time,
    prune: Option<usize>,
) -> Result<(), sqlx::Error> {
    let granted = &ground.granted;
    if granted.rows.is_empty() {
        // Only refusals: nothing is left to be made durable.
        connection.execute("ROLLBACK").await?;
        return Ok(());
    }
    insert(connection, &granted.rows).await?;
    claims::write(connection, &granted.changes).await?;
    let memos = ground.memos();
    if !memos.is_empty() {
        memos::write(connection, &memos).await?;
    }
    if let Some(most) = prune {
        memos::prune(connection, now, most).await?;
    }
    finish(connection, ground.head).await
}

/// Moves the head row on, tells the other nodes, and commits.
pub(super) async fn finish(connection: &mut PgConnection, head: Head) -> Result<(), sqlx::Error> {
    let Head { position, hash } = head;
    let sql = format!(
        "UPDATE log_head SET position = {position}, hash = '\\x{}'; \
         NOTIFY {CHANNEL}, '{position}'; COMMIT",
        hex::encode(hash)
    );
    connection.execute(sql.as_str()).await?;
    Ok(())
}

/// The statement that writes the events of a batch from $1 to $11, one row after the other. In the list and not as a
/// table, which the server would write down once more before it inserts. Where they are `alike`, their kind and their
/// version are sent once.
fn insert_if(alike: bool) -> String {
    let (kind, version) = match alike {
        true => ("$1::text", "$2::text"),
        false => ("unnest($1::text[])", "unnest($2::text[])"),
    };
    format!(
        "INSERT INTO events (aggregate_type, event_version, aggregate_id, sequence, event_type, payload, \
         metadata, position, salt, hash, written_at) \
         SELECT {kind}, {version}, unnest($3::text[]), unnest($4::bigint[]), unnest($5::text[]), \
         unnest($6::json[]), unnest($7::json[]), unnest($8::bigint[]), unnest($9::bytea[]), \
         unnest($10::bytea[]), unnest($11::bigint[])"
    )
}

/// Writes events.
pub(super) async fn insert(connection: &mut PgConnection, rows: &Rows) -> Result<(), sqlx::Error> {
    static ALONE: LazyLock<[String; 2]> = LazyLock::new(|| [false, true].map(insert_if));
    bind(&ALONE, rows)?.execute(connection).await?;
    Ok(())
}

/// Everything in one statement, which is a transaction of its own: it moves the head row on if it is still
/// where it was, and the clock shown is not too far from the database's own (one that does not show the world's time
/// is null), and only then writes anything. `also` is what must hold besides, `kept` what is written besides.
fn at_once_if(also: &str, kept: &str) -> [String; 2] {
    [false, true].map(|alike| {
        format!(
            "WITH moved AS (UPDATE log_head SET position = $12, hash = $13 \
             WHERE position = $14 AND hash = $15 AND \
             coalesce(abs(extract(epoch FROM clock_timestamp()) * 1000 - $16::bigint) <= {most}, true){also} \
             RETURNING pg_notify('{CHANNEL}', position::text)){kept} {} FROM moved",
            insert_if(alike),
            most = connect::MOST_APART.0,
        )
    })
}

/// Of a batch without memos.
static PLAIN: LazyLock<[String; 2]> = LazyLock::new(|| at_once_if("", ""));

/// Of one with memos, none of which may stand already: if any does, the head has not moved since it was kept.
static KEEPING: LazyLock<[String; 2]> = LazyLock::new(|| {
    let also = format!(" AND {}", memos::none_of(17, 18, 25));
    at_once_if(&also, &format!(", kept AS ({})", memos::insert(17, ", moved")))
});

/// Writes events and memos of a batch without claims, and makes them durable, if the head is `before` and none
/// of its commands was done before. Otherwise nothing is written; the answer is whether it was.
pub(super) async fn at_once(
    connection: &mut PgConnection,
    before: Head,
    ground: &Ground,
    clock: &dyn Clock,
) -> Result<bool, sqlx::Error> {
    let now = clock.now();
    let memos = ground.memos();
    let sql = if memos.is_empty() { &PLAIN } else { &KEEPING };
    let query = bind(sql, &ground.granted.rows)?
        .bind(reads::signed(ground.head.position))
        .bind(ground.head.hash.as_slice())
        .bind(reads::signed(before.position))
        .bind(before.hash.as_slice())
        .bind(clock.is_system().then_some(now.0));
    let query = match memos.is_empty() {
        true => query,
        false => memos::bind(query, &memos).bind(memo_cutoff(now).0),
    };
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

/// One of the two statements, for events that differ and that are alike, with the events as its first values.
fn bind<'q>(sql: &'q [String; 2], rows: &'q Rows) -> Result<Bound<'q>, sqlx::Error> {
    rows.check()?;
    let [differing, alike] = sql;
    let query = match rows.alike() {
        Some((kind, version)) => sqlx::query(alike).bind(kind).bind(version),
        None => sqlx::query(differing).bind(&rows.kinds.column).bind(&rows.versions.column),
    };
    Ok(query
        .bind(&rows.ids)
        .bind(&rows.sequences)
        .bind(&rows.names)
        .bind(&rows.payloads)
        .bind(&rows.metadata)
        .bind(&rows.positions)
        .bind(&rows.salts)
        .bind(&rows.hashes)
        .bind(&rows.instants))
}
