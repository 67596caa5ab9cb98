//! Durable commits per second of the shared store, beside pgbench and postgres-es on the same cluster in the
//! same run. Rounds are interleaved, so that a slow minute of the machine is everybody's.

use super::commands_postgres::{Framework, framework as commands, ours, theirs};
use super::commits::{UNIT, commits, payload, sum};
use super::figure::{Figure, median};
use cqrs_es::persist::{PersistedEventRepository, SerializedEvent};
use postgres_es::{PostgresEventRepository, default_postgress_pool};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use yibu_domain::matches::Match;
use yibu_domain::site::Site;
use yibu_infrastructure::executor::{Executor, Hosted};
use yibu_infrastructure::log::port::EventLog;
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

/// Measures; takes about three minutes. The cluster is made in the directory for temporary files and syncs its
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
    let cluster = Cluster::start(&Settings { durable: true, tcp: true, lines: lines.into() });
    cluster.psql("postgres", USED_WAL);
    cluster.psql("postgres", "CHECKPOINT");
    let script = tempfile::NamedTempFile::new()?;
    std::fs::write(script.path(), plain_insert())?;
    let mut ways = [Way::open(&cluster, true).await?, Way::open(&cluster, false).await?];
    for _ in 0..ROUNDS {
        for way in &mut ways {
            way.round(&cluster, script.path()).await?;
        }
    }
    let mut figures = Vec::new();
    for way in ways {
        figures.extend(way.figures().await);
    }
    Ok(figures)
}

/// How everybody reaches the server: at a port, as nodes on other machines do, or through a file, as those beside it
/// can. Each way has databases of its own.
struct Way {
    tcp: bool,
    plain: String,
    log: Arc<dyn EventLog>,
    executor: Executor<Site>,
    repository: Arc<PostgresEventRepository>,
    framework: Arc<Framework>,
    entropy: Entropy,
    rates: [Vec<f64>; 8],
}

impl Way {
    async fn open(cluster: &Cluster, tcp: bool) -> Result<Self, Box<dyn std::error::Error>> {
        let of = |what: &str| format!("{what}_{}", if tcp { "port" } else { "file" });
        for (what, table) in [("plain", PLAIN), ("framework", EVENTS), ("log", "")] {
            cluster.psql("postgres", &format!("CREATE DATABASE {}", of(what)));
            cluster.psql(&of(what), table);
        }
        let url = |what: &str| match tcp {
            true => cluster.tcp_url(&of(what)),
            false => cluster.url(&of(what)),
        };
        let entropy = Entropy::system()?;
        let store = StoreConfig::Postgres { url: url("log"), connections: 4, archive: None };
        let clock = Arc::new(SystemClock::new());
        let log = open(store, Arc::<SystemClock>::clone(&clock), entropy.clone()).await?;
        let executor = Executor::new(Arc::clone(&log), clock, entropy.clone(), "n", "b", 1024);
        let pool = default_postgress_pool(&url("framework")).await;
        let framework = Arc::new(commands(PostgresEventRepository::new(pool.clone())));
        let repository = Arc::new(PostgresEventRepository::new(pool));
        let (plain, rates) = (of("plain"), Default::default());
        Ok(Self { tcp, plain, log, executor, repository, framework, entropy, rates })
    }

    async fn round(
        &mut self,
        cluster: &Cluster,
        script: &Path,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let (rates, entropy) = (&mut self.rates, &self.entropy);
        let host = if self.tcp { Path::new("127.0.0.1") } else { cluster.socket() };
        rates[0].push(pgbench(host, cluster.port(), &self.plain, script)?);
        rates[1].push(framework(&self.repository, entropy).await);
        for (at, writers, whole) in
            [(2, 1, false), (3, 8, false), (4, WRITERS, false), (5, WRITERS, true)]
        {
            rates[at].push(commits(&self.log, entropy, writers, whole).await?);
        }
        rates[6].push(theirs(&self.framework, entropy, WRITERS).await);
        rates[7].push(ours(&self.executor, entropy, WRITERS).await);
        Ok(())
    }

    async fn figures(self) -> Vec<Figure> {
        self.log.close().await;
        let [plain, framework, one, eight, many, whole, asked, done] =
            self.rates.map(|mut rounds| median(&mut rounds));
        let way = if self.tcp { "over TCP" } else { "over a Unix socket" };
        let (pgbench, peer) = (format!("{PGBENCH}, {way}"), format!("{FRAMEWORK}, {way}"));
        let commands = format!("{COMMANDS}, {way}");
        let ours =
            |what: &str, value| Figure::alone(format!("postgres: {what}, {way}"), value, UNIT);
        let of_many = || ours("durable commits, 64 writers", many);
        let of_many =
            [of_many().beside(&pgbench, plain), of_many().beside(peer.clone(), framework)];
        // The store is for several machines. Beside the server others gain more than we do: a commit of theirs is
        // three round trips, and sixty-four of ours are one.
        let [single, as_it_is] = match (self.tcp, of_many) {
            (true, [single, as_it_is]) => [single.at_least(1.3), as_it_is.at_least(8.0)],
            (false, both) => both,
        };
        let executed = format!("postgres: durable commands of the executor, 64 writers, {way}");
        vec![
            Figure::alone(&pgbench, plain, UNIT),
            Figure::alone(&peer, framework, UNIT),
            ours("durable commits, 1 writer", one),
            ours("durable commits, 8 writers", eight),
            single,
            as_it_is,
            ours("the same with command id and claims, 64 writers", whole).beside(pgbench, plain),
            Figure::alone(&commands, asked, "commands/s"),
            Figure::alone(executed, done, "commands/s").beside(commands, asked),
        ]
    }
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

fn pgbench(
    host: &Path,
    port: u16,
    database: &str,
    script: &Path,
) -> Result<f64, Box<dyn std::error::Error>> {
    let done = Command::new(binary("pgbench"))
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--username=yibu"])
        .arg(format!("--client={WRITERS}"))
        .arg(format!("--time={}", ROUND.as_secs()))
        .arg(format!("--port={port}"))
        .arg("--host")
        .arg(host)
        .arg("--file")
        .arg(script)
        .arg(database)
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
