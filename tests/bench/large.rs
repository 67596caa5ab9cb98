//! What a large log costs: building all read models from it, starting a server on it, and whether a move or a
//! page takes longer than with a small one. Both stores; `YIBU_BENCH_EVENTS` makes it smaller for a try.

use super::figure::{Figure, median};
use super::history::History;
use serde_json::json;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;
use tempfile::TempDir;
use yibu_api::app::{LogFeed, LogStore};
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::accounts::{self, Accounts, AccountsDb};
use yibu_infrastructure::log::open;
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::mail::NoMail;
use yibu_infrastructure::system::{Entropy, ManualClock, SystemClock};
use yibu_projections::{Views, models, rebuild};
use yibu_tests::app::TestApp;
use yibu_tests::postgres::{Cluster, Settings};
use yibu_tests::table::{ACTIONS, Table, VIEW};

/// The argument with which this program is the process that builds read models.
pub(crate) const ALONE: &str = "rebuild-alone";

const EVENTS: u64 = 1_000_000;
/// Of the log that the large one is held against.
const SMALL: u64 = 1_000;
/// Events that are carried over at a time.
const BATCH: usize = 10_000;
const SEED: u64 = 7;
/// Moves and page loads on each log.
const ROUNDS: usize = 150;
/// A large log costs nothing where a small one is not faster than this share.
const FLAT: f64 = 0.7;

const LOBBY: &str = "{ lobby { openTables fullMatches { held limit } takeovers { held limit } \
     tables { matchId phase waitsForMe arranging } } }";

type Fault = Box<dyn Error>;

/// A log of some length in some store.
struct Site {
    folder: TempDir,
    log: LogStore,
    /// Its last instant.
    end: Time,
    events: u64,
}

/// Measures; takes some minutes. Everything is in the directory for temporary files.
///
/// # Errors
/// A store could not be used, or a runtime could not be started.
pub(crate) fn run() -> Result<Vec<Figure>, Fault> {
    let events = match std::env::var("YIBU_BENCH_EVENTS") {
        Ok(text) => text.parse()?,
        Err(_) => EVENTS,
    };
    let lines = ["max_wal_size = 4GB".to_owned()].into();
    let cluster = Cluster::start(&Settings { durable: true, tcp: false, lines });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let database = || LogStore::Postgres { url: cluster.database(), archive: None };
        let [small, shared_small] = filled(SMALL, database()).await?;
        let [large, shared_large] = filled(events, database()).await?;
        let mut figures = Vec::new();
        for (store, small, large, goal) in [
            ("sqlite", small, large, 150_000.0),
            ("postgres", shared_small, shared_large, 100_000.0),
        ] {
            rebuilt(&small)?;
            let [rate, added] = rebuilt(&large)?;
            let (few, many) = (small.events, large.events);
            let name = |what: &str| format!("{store}: {what}, {many} events in the log");
            figures.extend([
                Figure::alone(name("all read models built anew"), rate, "events/s").at_least(goal),
                Figure::alone(name("memory that this added at its peak"), added, "MiB")
                    .at_most(512.0),
            ]);
            let begun = Instant::now();
            let large_app = started(large).await?;
            let took = begun.elapsed().as_secs_f64();
            figures.push(Figure::alone(name("start until ready"), took, "s").at_most(1.0));
            figures.extend(grown(store, [few, many], started(small).await?, large_app).await);
        }
        Ok(figures)
    })
}

/// The same log in files and in a database.
async fn filled(events: u64, database: LogStore) -> Result<[Site; 2], Fault> {
    let folders = [tempfile::tempdir()?, tempfile::tempdir()?];
    let stores = [LogStore::Sqlite, database];
    let mut logs = Vec::new();
    for (store, folder) in stores.iter().zip(&folders) {
        logs.push(opened(store, folder.path()).await?);
    }
    let mut history = History::new(SEED, events);
    while history.len() < events {
        let room = usize::try_from(events - history.len())?;
        let batch = history.next(room.min(BATCH))?;
        for log in &logs {
            let custody = log.custody().ok_or("a store without a keeper's side")?;
            custody.import(batch.clone()).await?;
        }
    }
    let rest = history.finish()?;
    for log in &logs {
        let custody = log.custody().ok_or("a store without a keeper's side")?;
        custody.import(rest.clone()).await?;
        log.close().await;
    }
    let (end, events) = (history.now(), history.len());
    let [files, shared] = stores;
    let [one, other] = folders;
    Ok([
        Site { folder: one, log: files, end, events },
        Site { folder: other, log: shared, end, events },
    ])
}

async fn opened(store: &LogStore, folder: &Path) -> Result<Arc<dyn EventLog>, Fault> {
    let entropy = Entropy::system()?;
    Ok(open(store.store(folder), Arc::new(SystemClock::new()), entropy).await?)
}

/// Builds every read model in a process of its own, as `yibu rebuild` does, whose memory nothing else has
/// used: events a second, and the MiB that it had at the most beyond what it had before.
fn rebuilt(site: &Site) -> Result<[f64; 2], Fault> {
    let mut child = Command::new(std::env::current_exe()?);
    child.arg(ALONE).arg(site.folder.path());
    let done = child.args(site.log.database()).output()?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into());
    }
    let told: (u64, f64, f64) = serde_json::from_slice(&done.stdout)?;
    if told.0 != site.events {
        return Err(format!("the build ended at {} of {}", told.0, site.events).into());
    }
    Ok([told.0 as f64 / told.1, told.2])
}

/// The process of its own: tells the position up to which it built, seconds and MiB. The arguments are the
/// data folder and, where there is one, the database.
///
/// # Errors
/// As [`run`].
pub(crate) fn alone(mut arguments: impl Iterator<Item = String>) -> Result<(), Fault> {
    let folder = PathBuf::from(arguments.next().ok_or("no folder")?);
    let store = match arguments.next() {
        Some(url) => LogStore::Postgres { url, archive: None },
        None => LogStore::Sqlite,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let log = opened(&store, &folder).await?;
        let views = Views::open(store.views(&folder), models::all()).await?;
        let (before, begun) = (memory("VmRSS:")?, Instant::now());
        let feed = Arc::new(LogFeed::new(Arc::clone(&log)));
        let mut position = u64::MAX;
        for answer in rebuild(&views, feed, &views.names(), |_| {}).await {
            position = position.min(answer?.position);
        }
        let (took, added) = (begun.elapsed().as_secs_f64(), memory("VmHWM:")? - before);
        views.close().await;
        log.close().await;
        serde_json::to_writer(std::io::stdout().lock(), &(position, took, added))?;
        Ok(())
    })
}

/// A line of this process's status, in MiB.
fn memory(line: &str) -> Result<f64, Fault> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let found = status.lines().find_map(|text| text.strip_prefix(line));
    let kib = found.and_then(|text| text.split_whitespace().next()).ok_or("no such line")?;
    Ok(kib.parse::<f64>()? / 1024.0)
}

/// A server on the log, which begins a second after its end. A log that knows players asks for accounts that
/// do, too.
async fn started(site: Site) -> Result<TestApp, Fault> {
    let db = AccountsDb::open(site.log.accounts(site.folder.path())).await?;
    let (clock, settings) = (Arc::new(SystemClock::new()), accounts::Settings::default());
    let accounts =
        Accounts::open(db, Arc::new(NoMail), clock, Entropy::system()?, settings).await?;
    accounts.house_player("t").await?;
    accounts.db().close().await;
    drop(accounts);
    let clock = ManualClock::at(site.end + Span::seconds(1));
    Ok(TestApp::over(site.folder, site.log, clock).await)
}

/// One table plays on.
struct Play {
    app: TestApp,
    table: Table,
    tables: usize,
    /// Milliseconds of a move, of the match's page and of the lobby's page.
    took: [Vec<f64>; 3],
}

impl Play {
    async fn new(app: TestApp) -> Self {
        let table = Table::started(&app, "t0x").await;
        Self { app, table, tables: 1, took: Default::default() }
    }

    async fn round(&mut self) {
        let seen = self.table.glance(&self.table.people[0], "phase turn { seat }").await;
        if seen["phase"] == "ENDED" {
            self.table = Table::started(&self.app, &format!("t{}x", self.tables)).await;
            self.tables += 1;
            return Box::pin(self.round()).await;
        }
        let mover = self.table.people[self.table.on_turn(&seen)].clone();
        let needed = "version mySeat legalMoves { from to } board { at seat }";
        let view = self.table.glance(&mover, needed).await;
        let (from, to) = self.table.any_move(&view);
        let input = json!({ "from": from, "to": to, "expectedVersion": view["version"] });

        let begun = Instant::now();
        self.table.ok(&mover, "move", "MoveInput", &input).await;
        self.took[0].push(begun.elapsed().as_secs_f64() * 1e3);
        let begun = Instant::now();
        self.table.glance(&mover, &format!("{VIEW} {ACTIONS}")).await;
        self.took[1].push(begun.elapsed().as_secs_f64() * 1e3);
        let begun = Instant::now();
        mover.data(LOBBY, &json!({})).await;
        self.took[2].push(begun.elapsed().as_secs_f64() * 1e3);
    }
}

/// The same work on both logs in turn.
async fn grown(store: &str, [few, many]: [u64; 2], small: TestApp, large: TestApp) -> Vec<Figure> {
    let (mut small, mut large) = (Play::new(small).await, Play::new(large).await);
    for _ in 0..ROUNDS {
        small.round().await;
        large.round().await;
    }
    let whats = ["a move", "the page of a match", "the page of the lobby"];
    let pairs = small.took.iter_mut().zip(&mut large.took);
    let figures = whats.into_iter().zip(pairs).map(|(what, (short, long))| {
        let name = format!("{store}: {what} over HTTP, {few} events in the log");
        Figure::alone(name, median(short), "ms")
            .beside(format!("the same, {many} events"), median(long))
            .at_least(FLAT)
    });
    let figures = figures.collect();
    small.app.stop().await;
    large.app.stop().await;
    figures
}
