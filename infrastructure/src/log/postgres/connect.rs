//! Opens the database: connections with their settings, the schema brought up to date, and what must hold
//! before a node may serve. Must not put a URL into a message.

use crate::log::open_error::OpenError;
use crate::log::port::Head;
use crate::system::Clock;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Connection, Executor as _, PgConnection, Row};
use std::time::Duration;
use yibu_domain::kernel::{Span, Time};

/// The schema's steps in order; `log_schema` has a row for each that ran.
const STEPS: &[&str] = &[include_str!("../../../../migrations/postgres/log/0001_log.sql")];

/// How many steps there are.
const KNOWN: u32 = STEPS.len() as u32;

/// Whether any step ever ran, and how many did.
const EXISTS: &str = "SELECT to_regclass('log_schema') IS NOT NULL";
const FOUND: &str = "SELECT coalesce(max(step), 0) FROM log_schema";

/// The advisory lock that nodes which start at once take in turn (`yibu` in ASCII).
const LOCK: i64 = 0x7969_6275;

/// The most that this node's clock may differ from the database's.
const MOST_SKEW: Span = Span(100);

/// So far apart from the database's own, no clock of a node ever stamps an event: a log that has seen the future is
/// served by nobody until that comes. The most that a site may allow a clock to be off is as much.
pub(super) const MOST_APART: Span = Span::hours(1);

/// How long to wait for the connection that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a reader waits for a connection: people wait for it.
const READER_WAITS: Duration = Duration::from_secs(2);

/// Settings of a writing session. A node that stops in the middle of a batch loses the head row after a
/// while; a statement that stands alone sees what the writer before it committed; a commit waits for the disk
/// even where the server's own default says otherwise. The head is read and written as text: how bytes look there
/// must not be the database's choice.
///
/// What a batch asks for, it finds by its keys, however the tables grow: plans are kept, also those that were
/// made while a table was empty, when to read the whole of it cost least. So that is made costly (where there is
/// no other way it still happens), without a costly plan being compiled; and a query with many keys looks each up
/// in a subquery of its own, which cannot be turned into a join.
const SESSION: &str = "SET statement_timeout = '10s'; \
     SET idle_in_transaction_session_timeout = '10s'; \
     SET default_transaction_isolation = 'read committed'; \
     SET standard_conforming_strings = on; SET bytea_output = hex; \
     SET enable_seqscan = off; SET jit = off; \
     SELECT set_config('synchronous_commit', 'on', false) \
     WHERE current_setting('synchronous_commit') = 'off'";

impl From<sqlx::Error> for OpenError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(Box::new(error))
    }
}

/// Refuses to write by a clock that is too far from the database's own.
pub(super) fn together(shown: Time, own: Time) -> Result<(), sqlx::Error> {
    let apart = Span((shown - own).0.saturating_abs());
    if apart <= MOST_APART {
        return Ok(());
    }
    let text = format!(
        "this machine's clock and the database's are {apart} apart: nothing is written by such a clock. Set it \
         right and restart this node"
    );
    Err(std::io::Error::other(text).into())
}

/// What a URL says.
pub(super) fn options(url: &str) -> Result<PgConnectOptions, OpenError> {
    // The parser's own error may quote parts of it.
    let options: PgConnectOptions = url.parse().map_err(|_| OpenError::NotAUrl)?;
    Ok(options.application_name("yibu-log"))
}

/// A connection to write with.
pub(super) async fn for_writing(options: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let connected = tokio::time::timeout(PATIENCE, session(options)).await;
    connected.unwrap_or_else(|late| Err(std::io::Error::from(late).into()))
}

async fn session(options: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let mut connection = PgConnection::connect_with(options).await?;
    connection.execute(SESSION).await?;
    Ok(connection)
}

/// What reading sessions of a node begin with.
pub(super) const READING: &str = "SET lock_timeout = '10s'";

/// What reading sessions begin with where nothing may be written at all.
pub(super) const READING_ONLY: &str =
    "SET lock_timeout = '10s'; SET default_transaction_read_only = on";

/// Connections to read with, made when they are needed.
pub(super) fn for_reading(
    options: PgConnectOptions,
    connections: u32,
    session: &'static str,
) -> PgPool {
    PgPoolOptions::new()
        .max_connections(connections.max(1))
        .acquire_timeout(READER_WAITS)
        .after_connect(move |connection, _| {
            Box::pin(async move { connection.execute(session).await.map(drop) })
        })
        .connect_lazy_with(options)
}

/// Whether the tables are those that a reader of this program expects; changes nothing.
pub(super) async fn check_format(connection: &mut PgConnection) -> Result<(), OpenError> {
    let database: String =
        sqlx::query_scalar("SELECT current_database()::text").fetch_one(&mut *connection).await?;
    if !sqlx::query_scalar::<_, bool>(EXISTS).fetch_one(&mut *connection).await? {
        return Err(OpenError::Empty(format!("the database {database}")));
    }
    let found: i32 = sqlx::query_scalar(FOUND).fetch_one(&mut *connection).await?;
    match found.unsigned_abs() {
        found if found > KNOWN => Err(OpenError::TooNew { found, known: KNOWN }),
        found if found < KNOWN => Err(OpenError::TooOld { found, known: KNOWN }),
        _ => Ok(()),
    }
}

/// Brings the schema up to date. Nodes that start at once do it one after the other.
pub(super) async fn migrate(connection: &mut PgConnection) -> Result<(), OpenError> {
    let mut transaction = connection.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *transaction).await?;
    // Asked first: where everything is there, a node needs no right to make tables.
    if !sqlx::query_scalar::<_, bool>(EXISTS).fetch_one(&mut *transaction).await? {
        let create = "CREATE TABLE log_schema \
             (step integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())";
        transaction.execute(create).await?;
    }
    let found: i32 = sqlx::query_scalar(FOUND).fetch_one(&mut *transaction).await?;
    let found = found.unsigned_abs();
    if found > KNOWN {
        return Err(OpenError::TooNew { found, known: KNOWN });
    }
    for (step, sql) in (1_i32..).zip(STEPS).skip(found as usize) {
        transaction.execute(*sql).await?;
        let note = sqlx::query("INSERT INTO log_schema (step) VALUES ($1)").bind(step);
        note.execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Says aloud that the server's own settings make no commit safe: a session cannot change them.
pub(super) async fn warn_of_unsafe_settings(
    connection: &mut PgConnection,
) -> Result<(), sqlx::Error> {
    for setting in ["fsync", "full_page_writes"] {
        let value = sqlx::query_scalar("SELECT current_setting($1)").bind(setting);
        let value: String = value.fetch_one(&mut *connection).await?;
        if value != "on" {
            tracing::warn!(
                setting,
                value,
                "the database can lose acknowledged events when its machine fails"
            );
        }
    }
    Ok(())
}

/// The head row, which must agree with the last event.
pub(super) async fn checked_head(connection: &mut PgConnection) -> Result<Head, OpenError> {
    // One statement, hence one instant: other nodes may be writing.
    let both =
        "SELECT position, hash, (SELECT coalesce(max(position), 0) FROM events) FROM log_head";
    let row = sqlx::query(both).fetch_one(connection).await?;
    let (head, last) = (super::reads::head_of(&row)?, row.try_get::<i64, _>(2)?);
    if i64::try_from(head.position) != Ok(last) {
        return Err(OpenError::Damaged("the head does not stand at the last event"));
    }
    Ok(head)
}

/// How far the database's clock is ahead of this node's, as far as that is certain: an answer may have been
/// given at any instant of its way. Zero where this node's clock is not the system's.
pub(super) async fn skew(
    connection: &mut PgConnection,
    clock: &dyn Clock,
) -> Result<Span, sqlx::Error> {
    const TRIES: usize = 3;
    if !clock.is_system() {
        return Ok(Span(0));
    }
    let mut readings = Vec::with_capacity(TRIES);
    for _ in 0..TRIES {
        let before = clock.now();
        let there = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let there: i64 = sqlx::query_scalar(there).fetch_one(&mut *connection).await?;
        let after = clock.now();
        // Between `there - after` and `there - before`: the nearest to zero of these.
        readings.push(Span(0).clamp(Time(there) - after, Time(there) - before));
    }
    // Each is a lower bound of the same truth.
    Ok(readings.into_iter().max_by_key(|skew| skew.0.abs()).unwrap_or_default())
}

/// Refuses a node whose clock is off.
pub(super) async fn check_clock(
    connection: &mut PgConnection,
    clock: &dyn Clock,
) -> Result<(), OpenError> {
    let skew = skew(connection, clock).await?;
    if skew.0.abs() > MOST_SKEW.0 {
        return Err(OpenError::Skewed { skew, most: MOST_SKEW });
    }
    Ok(())
}
