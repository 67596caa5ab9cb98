//! The table that names the generations of every read model: which one is served, how far each has come,
//! and which worker may write it. The only place that makes and drops tables.

use super::fault::ViewsError;
use super::projection::Projection;
use super::schema::{self, Dialect, Part};
use super::store::{Bound, Conn, Row};
use sqlx::{Connection, Executor, Row as _};

const REGISTRY: &str = include_str!("../../../migrations/views/registry.sql");
/// Columns that a registry made by an older version does not have.
const GROWN: [(&str, &str); 2] =
    [("holder", "TEXT NOT NULL DEFAULT ''"), ("expires", "BIGINT NOT NULL DEFAULT 0")];
/// Of the lock that processes take while they make or drop tables of one shared database.
const LOCK: &str = "SELECT pg_advisory_xact_lock(5280212347)";

/// What a generation is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Readers get it.
    Active,
    /// A rebuild fills it.
    Building,
}

impl Stage {
    const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Building => "building",
        }
    }

    /// The mark of the instant at which a lease that is taken or renewed now runs out.
    const fn lease(self) -> &'static str {
        match self {
            Self::Active => "{lease}",
            Self::Building => "{building}",
        }
    }
}

/// A generation as registered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registered {
    pub(super) generation: u64,
    pub(super) shape: u32,
    pub(super) checkpoint: u64,
    /// What a commit has to show.
    pub(super) token: i64,
    /// Nobody holds the lease.
    pub(super) free: bool,
}

/// Integers are stored signed; none of ours comes near the end of either range.
pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The way back.
pub(crate) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// In the order in which [`registered`] reads them.
const COLUMNS: &str =
    "generation, shape, checkpoint, token, CASE WHEN expires <= {now} THEN 1 ELSE 0 END";

fn registered(row: &Row) -> Result<Registered, sqlx::Error> {
    Ok(Registered {
        generation: unsigned(row.try_get(0)?),
        shape: u32::try_from(row.try_get::<i64, _>(1)?).unwrap_or(0),
        checkpoint: unsigned(row.try_get(2)?),
        token: row.try_get(3)?,
        free: row.try_get::<i64, _>(4)? == 1,
    })
}

/// Makes the registry, finishes what a crash left half done, and gives every projection a generation. Safe in
/// several processes at once.
pub(super) async fn prepare(
    on: &mut Conn,
    projections: &[std::sync::Arc<dyn Projection>],
) -> Result<Vec<Registered>, ViewsError> {
    let mut tx = on.begin().await?;
    alone(&mut tx).await?;
    tx.execute(REGISTRY).await?;
    grow(&mut tx).await?;
    if Dialect::of(&tx) == Dialect::Sqlite {
        // The file is this process's alone: whoever held a lease on it is gone.
        tx.execute("UPDATE projections SET expires = 0").await?;
    }
    let mut prepared = Vec::new();
    for projection in projections {
        prepared.push(match served(&mut tx, projection.as_ref()).await? {
            Some(known) => known,
            None => create(&mut tx, projection.as_ref(), Stage::Active, "").await?,
        });
    }
    tx.commit().await?;
    for projection in projections {
        drop_retired(on, projection.as_ref()).await?;
    }
    Ok(prepared)
}

/// Lets nobody else make or drop tables until the transaction ends. A file has only one writer anyway.
async fn alone(tx: &mut Conn) -> Result<(), sqlx::Error> {
    if Dialect::of(tx) == Dialect::Postgres {
        tx.execute(LOCK).await?;
    }
    Ok(())
}

/// Gives a registry that an older version made the columns that came since.
async fn grow(tx: &mut Conn) -> Result<(), sqlx::Error> {
    let columns = match Dialect::of(tx) {
        Dialect::Sqlite => "SELECT name FROM pragma_table_info('projections')",
        Dialect::Postgres => {
            "SELECT attname::TEXT FROM pg_attribute WHERE attrelid = 'projections'::regclass"
        }
    };
    let rows = tx.fetch_all(columns).await?;
    let known: Vec<String> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    for (name, definition) in GROWN {
        if !known.iter().any(|column| column == name) {
            tx.execute(format!("ALTER TABLE projections ADD COLUMN {name} {definition}").as_str())
                .await?;
        }
    }
    Ok(())
}

/// The generation that readers get: the one of the projection's own shape, or, before that is built, the latest.
pub(super) async fn served(
    on: &mut Conn,
    projection: &dyn Projection,
) -> Result<Option<Registered>, sqlx::Error> {
    let sql = Dialect::of(on).sql(&format!(
        "SELECT {COLUMNS} FROM projections WHERE name = $1 AND state = 'active'
         ORDER BY CASE WHEN shape = $2 THEN 0 ELSE 1 END, generation DESC LIMIT 1"
    ));
    let query = sqlx::query(&sql).bind(projection.name()).bind(i64::from(projection.shape()));
    on.fetch_optional(query).await?.as_ref().map(registered).transpose()
}

/// The generation of a stage in the projection's own shape.
pub(super) async fn find(
    on: &mut Conn,
    projection: &dyn Projection,
    stage: Stage,
) -> Result<Option<Registered>, sqlx::Error> {
    let sql = Dialect::of(on).sql(&format!(
        "SELECT {COLUMNS} FROM projections WHERE name = $1 AND shape = $2 AND state = $3"
    ));
    let query = sqlx::query(&sql)
        .bind(projection.name())
        .bind(i64::from(projection.shape()))
        .bind(stage.name());
    on.fetch_optional(query).await?.as_ref().map(registered).transpose()
}

/// Takes the generation of a stage over: whoever wrote it before is fenced out from now on. None: there is none
/// in the projection's shape, or another process holds the lease.
pub(super) async fn adopt(
    on: &mut Conn,
    projection: &dyn Projection,
    stage: Stage,
    holder: &str,
) -> Result<Option<Registered>, sqlx::Error> {
    let sql = Dialect::of(on).sql(&format!(
        "UPDATE projections SET token = token + 1, holder = $1, expires = {}
         WHERE name = $2 AND shape = $3 AND state = $4 AND (holder = $1 OR expires <= {{now}})
         RETURNING {COLUMNS}",
        stage.lease()
    ));
    let query = sqlx::query(&sql)
        .bind(holder)
        .bind(projection.name())
        .bind(i64::from(projection.shape()))
        .bind(stage.name());
    written(on, query).await?.as_ref().map(registered).transpose()
}

/// The row of a statement that writes, which is run to its end: where it is a transaction by itself, SQLite says only
/// there that it could not be kept.
async fn written(on: &mut Conn, query: Bound<'_>) -> Result<Option<Row>, sqlx::Error> {
    Ok(on.fetch_all(query).await?.into_iter().next())
}

/// Continues the rebuild that was interrupted, if it has today's shape; else begins one. None: another process
/// is at it.
pub(super) async fn adopt_building(
    on: &mut Conn,
    projection: &dyn Projection,
    holder: &str,
) -> Result<Option<Registered>, ViewsError> {
    let mut tx = on.begin().await?;
    alone(&mut tx).await?;
    let mut building = adopt(&mut tx, projection, Stage::Building, holder).await?;
    if building.is_none() && find(&mut tx, projection, Stage::Building).await?.is_none() {
        let sql = Dialect::of(&tx).sql(
            "SELECT generation FROM projections
             WHERE name = $1 AND state = 'building' AND expires <= {now}",
        );
        for row in tx.fetch_all(sqlx::query(&sql).bind(projection.name())).await? {
            drop_generation(&mut tx, projection, unsigned(row.try_get(0)?)).await?;
        }
        building = Some(create(&mut tx, projection, Stage::Building, holder).await?);
    }
    tx.commit().await?;
    Ok(building)
}

/// Makes what the queries on a finished generation need.
pub(super) async fn index(
    on: &mut Conn,
    projection: &dyn Projection,
    held: &Registered,
) -> Result<(), sqlx::Error> {
    let mut tx = on.begin().await?;
    schema::make(&mut tx, projection, signed(held.generation), Part::Indexes).await?;
    tx.commit().await
}

/// Moves a checkpoint and renews the lease, in the caller's transaction. False: this worker has been fenced out.
pub(super) async fn advance(
    tx: &mut Conn,
    name: &str,
    stage: Stage,
    held: &Registered,
    to: u64,
) -> Result<bool, sqlx::Error> {
    // Nobody waits for a generation that is not served.
    let tell = if stage == Stage::Active { "{tell}" } else { "name" };
    let sql = Dialect::of(tx).sql(&format!(
        "UPDATE projections SET checkpoint = $1, expires = {}
         WHERE name = $2 AND generation = $3 AND state = $4 AND checkpoint = $5 AND token = $6
         RETURNING {tell}",
        stage.lease()
    ));
    let query = sqlx::query(&sql)
        .bind(signed(to))
        .bind(name)
        .bind(signed(held.generation))
        .bind(stage.name())
        .bind(signed(held.checkpoint))
        .bind(held.token);
    Ok(written(tx, query).await?.is_some())
}

/// Renews a lease. False: this worker has been fenced out.
pub(super) async fn renew(
    on: &mut Conn,
    name: &str,
    stage: Stage,
    held: &Registered,
) -> Result<bool, sqlx::Error> {
    let sql = Dialect::of(on).sql(&format!(
        "UPDATE projections SET expires = {} WHERE name = $1 AND generation = $2 AND token = $3
         RETURNING name",
        stage.lease()
    ));
    let query = sqlx::query(&sql).bind(name).bind(signed(held.generation)).bind(held.token);
    Ok(written(on, query).await?.is_some())
}

/// Gives a lease back, and tells those who wait for it.
pub(super) async fn release(
    on: &mut Conn,
    name: &str,
    held: &Registered,
) -> Result<(), sqlx::Error> {
    let sql = Dialect::of(on).sql(
        "UPDATE projections SET expires = 0 WHERE name = $1 AND generation = $2 AND token = $3
         RETURNING {tell}",
    );
    let query = sqlx::query(&sql).bind(name).bind(signed(held.generation)).bind(held.token);
    written(on, query).await.map(|_| ())
}

/// Holds the served generation of the projection's shape until the transaction ends, and fences its worker out if
/// it commits.
pub(super) async fn lock(
    tx: &mut Conn,
    projection: &dyn Projection,
) -> Result<Option<Registered>, sqlx::Error> {
    let sql = Dialect::of(tx).sql(&format!(
        "UPDATE projections SET token = token + 1
         WHERE name = $1 AND shape = $2 AND state = 'active' RETURNING {COLUMNS}"
    ));
    let query = sqlx::query(&sql).bind(projection.name()).bind(i64::from(projection.shape()));
    written(tx, query).await?.as_ref().map(registered).transpose()
}

/// Makes the building generation the served one, in the caller's transaction. One of another shape stays as long
/// as a process of another version keeps it. False: it was fenced out.
pub(super) async fn switch(
    tx: &mut Conn,
    projection: &dyn Projection,
    held: &Registered,
) -> Result<bool, sqlx::Error> {
    let dialect = Dialect::of(tx);
    let retire = dialect.sql(
        "UPDATE projections SET state = 'retired', expires = {grace}
         WHERE name = $1 AND state = 'active' AND (shape = $2 OR expires <= {now})",
    );
    let query = sqlx::query(&retire).bind(projection.name());
    tx.execute(query.bind(i64::from(projection.shape()))).await?;
    let activate = dialect.sql(
        "UPDATE projections SET state = 'active', expires = 0
         WHERE name = $1 AND generation = $2 AND state = 'building' AND token = $3
         RETURNING {tell}",
    );
    let query = sqlx::query(&activate).bind(projection.name());
    let query = query.bind(signed(held.generation)).bind(held.token);
    Ok(written(tx, query).await?.is_some())
}

/// Begins again from nothing, at once: for rows that know more than the log does. Only for who holds the lease.
pub(super) async fn restart(on: &mut Conn, projection: &dyn Projection) -> Result<(), ViewsError> {
    let mut tx = on.begin().await?;
    alone(&mut tx).await?;
    let retire = Dialect::of(&tx)
        .sql("UPDATE projections SET state = 'retired', expires = {grace} WHERE name = $1");
    tx.execute(sqlx::query(&retire).bind(projection.name())).await?;
    create(&mut tx, projection, Stage::Active, "").await?;
    tx.commit().await?;
    drop_retired(on, projection).await
}

/// Drops the tables of generations that nobody reads any more.
pub(super) async fn drop_retired(
    on: &mut Conn,
    projection: &dyn Projection,
) -> Result<(), ViewsError> {
    let sql = Dialect::of(on).sql(
        "SELECT generation FROM projections WHERE name = $1 AND state = 'retired' AND expires <= {now}",
    );
    let rows = on.fetch_all(sqlx::query(&sql).bind(projection.name())).await?;
    for row in rows {
        let mut tx = on.begin().await?;
        drop_generation(&mut tx, projection, unsigned(row.try_get(0)?)).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn create(
    tx: &mut Conn,
    projection: &dyn Projection,
    stage: Stage,
    holder: &str,
) -> Result<Registered, ViewsError> {
    let (name, dialect) = (projection.name(), Dialect::of(tx));
    let sql = "SELECT COALESCE(MAX(generation), 0) + 1 FROM projections WHERE name = $1";
    let generation: i64 = tx.fetch_one(sqlx::query(sql).bind(name)).await?.try_get(0)?;
    schema::make(tx, projection, generation, Part::Tables).await?;
    let expires = match stage {
        // Made at once: whoever comes first will keep it.
        Stage::Active => {
            schema::make(tx, projection, generation, Part::Indexes).await?;
            "0"
        }
        // Made when the rows are there.
        Stage::Building => stage.lease(),
    };
    let sql = dialect.sql(&format!(
        "INSERT INTO projections (name, generation, shape, state, checkpoint, token, holder, expires)
         VALUES ($1, $2, $3, $4, 0, 1, $5, {expires})"
    ));
    let query = sqlx::query(&sql)
        .bind(name)
        .bind(generation)
        .bind(i64::from(projection.shape()))
        .bind(stage.name())
        .bind(holder);
    tx.execute(query).await?;
    let (generation, shape) = (unsigned(generation), projection.shape());
    Ok(Registered { generation, shape, checkpoint: 0, token: 1, free: stage == Stage::Active })
}

async fn drop_generation(
    tx: &mut Conn,
    projection: &dyn Projection,
    generation: u64,
) -> Result<(), ViewsError> {
    for table in projection.tables() {
        tx.execute(format!("DROP TABLE IF EXISTS {table}_g{generation}").as_str()).await?;
    }
    let sql = "DELETE FROM projections WHERE name = $1 AND generation = $2";
    tx.execute(sqlx::query(sql).bind(projection.name()).bind(signed(generation))).await?;
    Ok(())
}
