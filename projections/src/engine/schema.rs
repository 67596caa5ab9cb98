//! One SQL text for both databases: the words that they spell differently, and the statements that make the
//! tables of a generation. Must not hold anything but names of this crate.

use super::projection::Projection;
use super::store::Conn;
use sqlx::Executor;

/// How long a lease lasts, in milliseconds, from the last sign of life of its holder. A worker gives a sign
/// several times in this span.
const LEASE: u32 = 3_000;
/// The same for a rebuild, which may write for long without looking up.
const BUILDING: u32 = 15_000;
/// How long the tables of a generation stay after the switch: other processes learn of it within a fraction of
/// a second, and their last queries end.
const GRACE: u32 = 60_000;

/// Which SQL a store speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// A file of this process alone: leases last until they are given back, and nobody else has to be told.
    Sqlite,
    /// A shared database, whose clock is everybody's.
    Postgres,
}

impl Dialect {
    /// That of a connection.
    pub(super) fn of(on: &Conn) -> Self {
        if on.backend_name() == "PostgreSQL" { Self::Postgres } else { Self::Sqlite }
    }

    /// Fills the marks in: `{now}`; `{lease}`, `{building}` and `{grace}`, the instants at which one that begins
    /// now ends; `{tell}`, which tells the other processes when the transaction commits; `{name}`, one that
    /// nobody else has; `{clustered}`, rows stand in the tree of the key.
    pub(super) fn sql(self, text: &str) -> String {
        let now = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT";
        let after = |span: u32| match self {
            Self::Sqlite => i64::MAX.to_string(),
            Self::Postgres => format!("({now} + {span})"),
        };
        let (now, grace, tell, name, clustered) = match self {
            Self::Sqlite => {
                ("0", "0".to_owned(), "name", "lower(hex(randomblob(16)))", "WITHOUT ROWID")
            }
            Self::Postgres => (
                now,
                after(GRACE),
                "pg_notify('yibu_views', name)::TEXT",
                "gen_random_uuid()::TEXT",
                "",
            ),
        };
        text.replace("{now}", now)
            .replace("{lease}", &after(LEASE))
            .replace("{building}", &after(BUILDING))
            .replace("{grace}", &grace)
            .replace("{tell}", tell)
            .replace("{name}", name)
            .replace("{clustered}", clustered)
    }

    /// `count` marks for values, from the one numbered `first`. SQLite gets anonymous ones: with numbered ones it
    /// searches a list for each value bound.
    pub(super) fn marks(self, first: usize, count: usize) -> String {
        let marks: Vec<String> = match self {
            Self::Sqlite => vec!["?".to_owned(); count],
            Self::Postgres => (first..first + count).map(|number| format!("${number}")).collect(),
        };
        marks.join(", ")
    }
}

/// Which part of a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// What holds the rows.
    Tables,
    /// What only queries need: cheaper to make once the rows are there.
    Indexes,
}

/// Makes one part of a generation.
pub(super) async fn make(
    on: &mut Conn,
    projection: &dyn Projection,
    generation: i64,
    part: Part,
) -> Result<(), sqlx::Error> {
    let dialect = Dialect::of(on);
    let lines = projection.schema().lines().filter(|line| !line.starts_with("--"));
    let text = lines.collect::<Vec<_>>().join("\n").replace("{g}", &generation.to_string());
    for statement in text.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        let statement = match statement.strip_prefix("{shared}") {
            Some(_) if dialect == Dialect::Sqlite => continue,
            Some(rest) => rest.trim_start(),
            None => statement,
        };
        let of = if statement.starts_with("CREATE INDEX") { Part::Indexes } else { Part::Tables };
        if of == part {
            on.execute(dialect.sql(statement).as_str()).await?;
        }
    }
    Ok(())
}
