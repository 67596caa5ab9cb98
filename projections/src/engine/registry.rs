//! The table that names the generations of every read model: which one is served, how far each has come,
//! and which worker may write it. The only place that makes and drops tables.

use super::fault::ViewsError;
use super::projection::Projection;
use sqlx::{Connection, Executor, Row, SqliteConnection};

const REGISTRY: &str = include_str!("../../../migrations/views/registry.sql");

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
}

/// A generation as registered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registered {
    pub(super) generation: u64,
    pub(super) shape: u32,
    pub(super) checkpoint: u64,
    /// What a commit has to show.
    pub(super) token: i64,
}

/// Integers are stored signed; none of ours comes near the end of either range.
pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The way back.
pub(crate) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

fn registered(row: &sqlx::sqlite::SqliteRow) -> Result<Registered, sqlx::Error> {
    Ok(Registered {
        generation: unsigned(row.try_get(0)?),
        shape: u32::try_from(row.try_get::<i64, _>(1)?).unwrap_or(0),
        checkpoint: unsigned(row.try_get(2)?),
        token: row.try_get(3)?,
    })
}

/// Makes the registry, finishes what a crash left half dropped, and gives every projection a generation.
pub(super) async fn prepare(
    on: &mut SqliteConnection,
    projection: &dyn Projection,
) -> Result<Registered, ViewsError> {
    on.execute(REGISTRY).await?;
    drop_retired(on, projection).await?;
    if let Some(known) = find(on, projection.name(), Stage::Active).await? {
        return Ok(known);
    }
    let mut tx = on.begin().await?;
    let made = create(&mut tx, projection, Stage::Active).await?;
    tx.commit().await?;
    Ok(made)
}

/// The generation of a stage.
pub(super) async fn find(
    on: &mut SqliteConnection,
    name: &str,
    stage: Stage,
) -> Result<Option<Registered>, sqlx::Error> {
    let sql = "SELECT generation, shape, checkpoint, token FROM projections WHERE name = $1 AND state = $2";
    let row = on.fetch_optional(sqlx::query(sql).bind(name).bind(stage.name())).await?;
    row.as_ref().map(registered).transpose()
}

/// Takes the generation of a stage over: whoever wrote it before is fenced out from now on.
pub(super) async fn adopt(
    on: &mut SqliteConnection,
    name: &str,
    stage: Stage,
) -> Result<Option<Registered>, sqlx::Error> {
    let sql = "UPDATE projections SET token = token + 1 WHERE name = $1 AND state = $2
               RETURNING generation, shape, checkpoint, token";
    let row = on.fetch_optional(sqlx::query(sql).bind(name).bind(stage.name())).await?;
    row.as_ref().map(registered).transpose()
}

/// Continues the rebuild that was interrupted, if it has today's shape; else begins one.
pub(super) async fn adopt_building(
    on: &mut SqliteConnection,
    projection: &dyn Projection,
) -> Result<Registered, ViewsError> {
    let mut tx = on.begin().await?;
    let left = adopt(&mut tx, projection.name(), Stage::Building).await?;
    let building = match left {
        Some(left) if left.shape == projection.shape() => left,
        other => {
            if let Some(old) = other {
                drop_generation(&mut tx, projection, old.generation).await?;
            }
            create(&mut tx, projection, Stage::Building).await?
        }
    };
    tx.commit().await?;
    Ok(building)
}

/// Moves a checkpoint, in the caller's transaction. False: this worker has been fenced out.
pub(super) async fn advance(
    tx: &mut SqliteConnection,
    name: &str,
    stage: Stage,
    held: &Registered,
    to: u64,
) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE projections SET checkpoint = $1
               WHERE name = $2 AND generation = $3 AND state = $4 AND checkpoint = $5 AND token = $6";
    let query = sqlx::query(sql)
        .bind(signed(to))
        .bind(name)
        .bind(signed(held.generation))
        .bind(stage.name())
        .bind(signed(held.checkpoint))
        .bind(held.token);
    Ok(tx.execute(query).await?.rows_affected() == 1)
}

/// Makes the building generation the served one, in one transaction. False: it was fenced out.
pub(super) async fn switch(
    on: &mut SqliteConnection,
    name: &str,
    held: &Registered,
) -> Result<bool, sqlx::Error> {
    let mut tx = on.begin().await?;
    let retire = "UPDATE projections SET state = 'retired' WHERE name = $1 AND state = 'active'";
    tx.execute(sqlx::query(retire).bind(name)).await?;
    let activate = "UPDATE projections SET state = 'active'
                    WHERE name = $1 AND generation = $2 AND state = 'building' AND token = $3";
    let query = sqlx::query(activate).bind(name).bind(signed(held.generation)).bind(held.token);
    if tx.execute(query).await?.rows_affected() != 1 {
        tx.rollback().await?;
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Begins again from nothing, at once: for rows that know more than the log does.
pub(super) async fn restart(
    on: &mut SqliteConnection,
    projection: &dyn Projection,
) -> Result<Registered, ViewsError> {
    let mut tx = on.begin().await?;
    let retire = "UPDATE projections SET state = 'retired' WHERE name = $1";
    tx.execute(sqlx::query(retire).bind(projection.name())).await?;
    let made = create(&mut tx, projection, Stage::Active).await?;
    tx.commit().await?;
    drop_retired(on, projection).await?;
    Ok(made)
}

/// Drops the tables of generations that nobody reads any more.
pub(super) async fn drop_retired(
    on: &mut SqliteConnection,
    projection: &dyn Projection,
) -> Result<(), ViewsError> {
    let sql = "SELECT generation FROM projections WHERE name = $1 AND state = 'retired'";
    let rows = on.fetch_all(sqlx::query(sql).bind(projection.name())).await?;
    for row in rows {
        let mut tx = on.begin().await?;
        drop_generation(&mut tx, projection, unsigned(row.try_get(0)?)).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn create(
    tx: &mut SqliteConnection,
    projection: &dyn Projection,
    stage: Stage,
) -> Result<Registered, ViewsError> {
    let name = projection.name();
    let sql = "SELECT COALESCE(MAX(generation), 0) + 1 FROM projections WHERE name = $1";
    let generation: i64 = tx.fetch_one(sqlx::query(sql).bind(name)).await?.try_get(0)?;
    let schema = projection
        .schema()
        .replace("{g}", &generation.to_string())
        .replace("{clustered}", "WITHOUT ROWID");
    tx.execute(schema.as_str()).await?;
    let sql = "INSERT INTO projections (name, generation, shape, state, checkpoint, token)
               VALUES ($1, $2, $3, $4, 0, 1)";
    let query = sqlx::query(sql)
        .bind(name)
        .bind(generation)
        .bind(i64::from(projection.shape()))
        .bind(stage.name());
    tx.execute(query).await?;
    let generation = unsigned(generation);
    Ok(Registered { generation, shape: projection.shape(), checkpoint: 0, token: 1 })
}

async fn drop_generation(
    tx: &mut SqliteConnection,
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
