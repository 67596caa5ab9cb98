//! Durable commits per second of the shared store, beside pgbench and postgres-es on the same cluster in the
//! same run. Rounds are interleaved, so that a slow minute of the machine is everybody's.

use super::commands_postgres::{framework as commands, ours, theirs};
use super::commits::{UNIT, commits, payload, sum};
use super::figure::{Figure, median};
use cqrs_es::persist::{PersistedEventRepository, SerializedEvent};
use postgres_es::{PostgresEventRepository, default_postgress_pool};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use yibu_domain::matches::Match;
use yibu_infrastructure::executor::{Executor, Hosted};
use yibu_infrastructure::log::{StoreConfig, open};
use yibu_infrastructure::system::{Entropy, SystemClock};
use yibu_tests::postgres::{Cluster, Settings, binary};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(2);
const WRITERS: usize = 64;
const PGBENCH: &str = "pgbench: one row per transaction, 64 clients";
const FRAMEWORK: &str = "postgres-es as it is, 64 writers";
const COMMANDS: &str = "cqrs-es on postgres-es as they are, 64 writers";

/// A row of pgbench's has what a row of ours has, and the same bytes in it.
const PLAIN: &str = "CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
     payload json NOT NULL, metadata json NOT NULL, hash bytea NOT NULL)";

/// The schema that postgres-es comes with.
const EVENTS: &str = "CREATE TABLE events (aggregate_type text NOT NULL, aggregate_id text NOT NULL, \
     sequence bigint CHECK (sequence >= 0) NOT NULL, event_type text NOT NULL, \
     event_version text NOT NULL, payload json NOT NULL, metadata json NOT NULL, \
     PRIMARY KEY (aggregate_type, aggregate_id, sequence))";

/// A server that has run for a while writes over WAL files that it has done with. A fresh one makes each of them
/// anew, which would cost those most who commit most: so many are made, and done with, before the rounds.
const USED_WAL: &str = "SELECT count(pg_logical_emit_message(false, '', 'x')), count(pg_switch_wal()) \
     FROM generate_series(1, 120)";

/// Measures; takes about two minutes. The cluster is made in the directory for temporary files and syncs its
/// commits.
///
/// # Errors
/// A database could not be used, or a runtime could not be started.
pub(crate) fn run() -> Result<Vec<Figure>, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> Result<Vec<Figure>, Box<dyn std::error::Error>> {
    let lines = ["max_connections = 200", "max_wal_size = 4GB", "min_wal_size = 2GB"];
    let lines = lines.map(str::to_owned);
    let cluster = Cluster::start(&Settings { durable: true, lines: lines.into() });
    let entropy = Entropy::system()?;
    let store = StoreConfig::Postgres { url: cluster.database(), connections: 4, archive: None };
    let log = open(store, Arc::new(SystemClock::new()), entropy.clone()).await?;
    for (database, table) in [("plain", PLAIN), ("framework", EVENTS)] {
        cluster.psql("postgres", &format!("CREATE DATABASE {database}"));
        cluster.psql(database, table);
    }
    cluster.psql("postgres", USED_WAL);
    cluster.psql("postgres", "CHECKPOINT");
    let script = tempfile::NamedTempFile::new()?;
    std::fs::write(script.path(), plain_insert())?;
    let pool = default_postgress_pool(&cluster.url("framework")).await;
    let framework_of_commands = Arc::new(commands(PostgresEventRepository::new(pool.clone())));
    let repository = Arc::new(PostgresEventRepository::new(pool));
    let clock = Arc::new(SystemClock::new());
    let executor = Executor::new(Arc::clone(&log), clock, entropy.clone(), "n", "b", 1024);

    let mut rates: [Vec<f64>; 8] = Default::default();
    for _ in 0..ROUNDS {
        rates[0].push(pgbench(&cluster, script.path())?);
        rates[1].push(framework(&repository, &entropy).await);
        for (at, writers, whole) in
            [(2, 1, false), (3, 8, false), (4, WRITERS, false), (5, WRITERS, true)]
        {
            rates[at].push(commits(&log, &entropy, writers, whole).await?);
        }
        rates[6].push(theirs(&framework_of_commands, &entropy, WRITERS).await);
        rates[7].push(ours(&executor, &entropy, WRITERS).await);
    }
    log.close().await;
    let [plain, framework, one, eight, many, whole, asked, done] =
        rates.map(|mut rounds| median(&mut rounds));
    Ok(vec![
        Figure::alone(PGBENCH, plain, UNIT),
        Figure::alone(FRAMEWORK, framework, UNIT),
        Figure::alone("postgres: durable commits, 1 writer", one, UNIT),
        Figure::alone("postgres: durable commits, 8 writers", eight, UNIT),
        Figure::alone("postgres: durable commits, 64 writers", many, UNIT)
            .beside(PGBENCH, plain)
            .at_least(1.3),
        Figure::alone("postgres: durable commits, 64 writers", many, UNIT)
            .beside(FRAMEWORK, framework)
            .at_least(8.0),
        Figure::alone("postgres: the same with command id and claims, 64 writers", whole, UNIT)
            .beside(PGBENCH, plain),
        Figure::alone(COMMANDS, asked, "commands/s"),
        Figure::alone("postgres: durable commands of the executor, 64 writers", done, "commands/s")
            .beside(COMMANDS, asked)
            .at_least(8.0),
    ])
}

/// About as long as an event's stamp.
fn metadata() -> String {
    format!(r#"{{"stamp":"{}"}}"#, "y".repeat(280))
}

fn plain_insert() -> String {
    let hash = "5a".repeat(48);
    format!(
        "INSERT INTO plain (payload, metadata, hash) VALUES ('{}', '{}', '\\x{hash}');\n",
        payload(0),
        metadata()
    )
}

fn pgbench(cluster: &Cluster, script: &Path) -> Result<f64, Box<dyn std::error::Error>> {
    let done = Command::new(binary("pgbench"))
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--username=yibu"])
        .arg(format!("--client={WRITERS}"))
        .arg(format!("--time={}", ROUND.as_secs()))
        .arg("--host")
        .arg(cluster.socket())
        .arg("--file")
        .arg(script)
        .arg("plain")
        .output()?;
    let told = String::from_utf8_lossy(&done.stdout);
    let rate = told.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next());
    let problem = || format!("pgbench: {}", String::from_utf8_lossy(&done.stderr));
    Ok(rate.ok_or_else(problem)?.parse()?)
}

/// Every writer appends to an aggregate of its own, one event at a time.
async fn framework(repository: &Arc<PostgresEventRepository>, entropy: &Entropy) -> f64 {
    let start = Instant::now();
    let tasks = (0..WRITERS).map(|_| {
        let (repository, id) = (Arc::clone(repository), entropy.uuid().to_string());
        tokio::spawn(async move {
            let (mut done, mut sequence) = (0.0, 0);
            let metadata = serde_json::from_str(&metadata()).unwrap_or_default();
            while start.elapsed() < ROUND {
                sequence += 1;
                let event = SerializedEvent::new(
                    id.clone(),
                    sequence,
                    "match".to_owned(),
                    "siguo.moved.v1".to_owned(),
                    "1".to_owned(),
                    serde_json::from_str(&payload(sequence as u64)).unwrap_or_default(),
                    serde_json::Value::clone(&metadata),
                );
                if repository.persist::<Hosted<Match>>(&[event], None).await.is_err() {
                    break;
                }
                done += 1.0;
            }
            done
        })
    });
    sum(tasks.collect()).await / start.elapsed().as_secs_f64()
}
