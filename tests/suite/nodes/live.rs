//! Two nodes on one database, each a process of its own: people at different nodes sit at one table and see each
//! other's moves live, each read model has one worker, and when a node is killed the other goes on.

use crate::crash::ledger::Ledger;
use crate::crash::number;
use crate::crash::server::{Node, Server};
use crate::leaks::whole_match::frames_until;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};
use yibu_api::cli::audit;
use yibu_api::cli::simulate::{Ack, Options, run};
use yibu_projections::models;
use yibu_tests::client::Client;
use yibu_tests::postgres::Cluster;
use yibu_tests::table::Table;

/// The longest that people may be without news when a node dies.
const TAKEOVER: Duration = Duration::from_secs(10);
/// The longest between a move's answer on one node and its frame on the other, on a busy machine.
const FRESH: Duration = Duration::from_secs(5);
/// Matches that run at the same time under the kills, with four clients each.
const TABLES: u32 = 3;
/// So many acknowledged commands show that play goes on.
const ENOUGH: u32 = 20;

/// A database and its nodes.
pub(super) struct Site {
    database: String,
    nodes: [Node; 2],
    pub(super) servers: [Server; 2],
}

impl Site {
    /// The first node takes all read models, then the second comes.
    pub(super) async fn start(folder: &Path) -> Self {
        let database = Cluster::shared().database();
        let node = |name| Node::new(&folder.join(name), Some(&database), name);
        let nodes = [node("node-a"), node("node-b")];
        let [one, two] = nodes.clone();
        let one = Server::start(one).await;
        let servers = [one, Server::start(two).await];
        Self { database, nodes, servers }
    }

    fn urls(&self) -> Vec<String> {
        self.servers.iter().map(Server::url).collect()
    }

    /// What the database answers.
    pub(super) fn ask(&self, sql: &str) -> String {
        let name = self.database.split(['/', '?']).nth(3).expect("a database");
        Cluster::shared().psql(name, sql)
    }

    /// Who works at each read model now, by what the database says.
    fn workers(&self) -> BTreeMap<String, String> {
        let now = "extract(epoch FROM clock_timestamp()) * 1000";
        let held = format!(
            "SELECT name, holder FROM projections WHERE state = 'active' AND expires > {now}"
        );
        let mut workers = BTreeMap::new();
        for line in self.ask(&held).lines() {
            let (model, holder) = line.split_once('|').expect("two columns");
            let second = workers.insert(model.to_owned(), holder.to_owned());
            assert!(second.is_none(), "{model} has two workers: {second:?} and {holder}");
        }
        workers
    }

    /// Returns when every read model has its worker, and none of them is one of these.
    async fn worked_by_others_than(&self, gone: &BTreeSet<String>) -> BTreeSet<String> {
        loop {
            let workers = self.workers();
            let holders: BTreeSet<String> = workers.values().cloned().collect();
            if workers.len() == models::all().len() && holders.is_disjoint(gone) {
                return holders;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Read models, log and its audit, at the end of everything.
    async fn audited(mut self, folder: &Path, ledger: &Ledger) -> u64 {
        assert_eq!(self.servers[0].rebuild().await, models::all().len());
        for server in &mut self.servers {
            server.stop().await;
        }
        let log = self.nodes[0].log().await;
        let checked = ledger.check(log.as_ref()).await;
        let report = audit::all_quietly(log, folder).await.unwrap();
        assert!(report.is_clean(), "{report:?}");
        assert!(self.nodes[1].audit().await, "the binary's own audit");
        checked
    }
}

/// A person who has just registered with the code from the mailbox's page.
pub(super) async fn newcomer(addr: SocketAddr, nickname: &str) -> Client {
    let client = Client::new(addr);
    let email = format!("{nickname}@example.org");
    client.request_code(&email).await;
    let page = reqwest::get(format!("http://{addr}/dev/mail")).await.unwrap().text().await.unwrap();
    let letter = page.split("<li>").find(|letter| letter.contains(&email)).expect("a mail");
    let text = letter.split('>').nth(1).expect("a subject");
    let code = text.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 6);
    client.register(&email, code.expect("a code"), nickname).await;
    client
}

/// Somebody's web socket: the latest version that it showed, and at the end every version that it told of.
struct Watcher {
    version: watch::Receiver<u64>,
    told: JoinHandle<BTreeSet<u64>>,
}

async fn watcher(person: &Client, id: &str) -> Watcher {
    let mut socket = person.socket().await;
    let query = "subscription($id: ID!) { match(id: $id) { version privateVersion phase \
                 actions(last: 20) { edges { node { version } } } } }";
    socket.subscribe("live", query, &json!({ "id": id })).await;
    let (shown, version) = watch::channel(0);
    let told = tokio::spawn(async move {
        let told = Mutex::new(BTreeSet::new());
        frames_until(&mut socket, |view| {
            let actions = view["actions"]["edges"].as_array().expect("a list");
            let versions = actions.iter().filter_map(|edge| edge["node"]["version"].as_u64());
            told.lock().unwrap().extend(versions);
            shown.send_replace(view["version"].as_u64().expect("a version"));
            view["phase"] == "ENDED"
        })
        .await;
        told.into_inner().unwrap()
    });
    Watcher { version, told }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_at_two_nodes_play_live() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path()).await;
    let first = timeout(TAKEOVER, site.worked_by_others_than(&BTreeSet::new())).await.unwrap();
    assert_eq!(first.len(), 1, "the first node works, the second follows");
    let addrs = [site.servers[0].addr(), site.servers[1].addr()];
    let mut table = Table::of(async |number: usize| {
        newcomer(addrs[number % 2], &format!("live{number}")).await
    })
    .await;
    // Everybody plays at one node and watches at the other.
    let mut watchers = Vec::new();
    for person in &table.people {
        for addr in addrs {
            watchers.push(watcher(&person.moved_to(addr), &table.id).await);
        }
    }
    table.start().await;
    let mut plies = 0;
    loop {
        let phase = table.ply().await;
        let seen = table.glance(&table.people[plies % 4], "version").await;
        let version = seen["version"].as_u64().unwrap();
        for watcher in &mut watchers {
            let shown = watcher.version.wait_for(|shown| *shown >= version);
            timeout(FRESH, shown).await.expect("a frame in time").expect("an open socket");
        }
        if phase == "ENDED" {
            break;
        }
        plies += 1;
        assert!(plies < 5_000, "a random match ends");
    }
    for watcher in watchers {
        let told = watcher.told.await.unwrap();
        let (first, last) = (*told.first().unwrap(), *told.last().unwrap());
        assert!(told.len() as u64 == last - first + 1 && last > plies as u64, "{told:?}");
    }

    let options = Options { urls: site.urls(), surrender_one_in: 60, ..Options::new("", 2) };
    let summary = run(Options { parallel: 1, ..options }, |_| {}).await.unwrap();
    assert_eq!((summary.matches, summary.retries), (2, 0), "{summary:?}");
    assert_eq!(summary.leaks, Vec::<String>::new());
    let second = timeout(TAKEOVER, site.worked_by_others_than(&BTreeSet::new())).await.unwrap();
    assert_eq!(second, first, "who works goes on working");
    site.audited(folder.path(), &Ledger::default()).await;
}

/// Enters what was acknowledged until so many more are there.
async fn more(acks: &mut UnboundedReceiver<Ack>, ledger: &mut Ledger, many: u32) {
    for _ in 0..many {
        ledger.enter(acks.recv().await.expect("the load goes on"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_a_node_is_killed_the_other_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::start(folder.path()).await;
    let (acks, mut acknowledged) = unbounded_channel();
    let options = Options {
        urls: site.urls(),
        parallel: TABLES,
        seed: number("YIBU_SEED", 1),
        patience: Duration::from_secs(60),
        surrender_one_in: 80,
        acks: Some(acks),
        ..Options::new("", 1_000_000)
    };
    let load = tokio::spawn(run(options, |_| {}));
    let mut ledger = Ledger::default();
    let mut seated = 0;
    while seated < TABLES * 4 {
        let ack = acknowledged.recv().await.expect("the load begins");
        seated += u32::from(ack.kind == "match");
        ledger.enter(ack);
    }
    more(&mut acknowledged, &mut ledger, ENOUGH).await;

    let mut workers =
        timeout(TAKEOVER, site.worked_by_others_than(&BTreeSet::new())).await.unwrap();
    for victim in [0, 1] {
        assert_eq!(workers.len(), 1, "one node has all the work");
        site.servers[victim].kill().await;
        let end = Instant::now() + TAKEOVER;
        while let Ok(ack) = acknowledged.try_recv() {
            ledger.enter(ack);
        }
        // Matches first, then the read models, and with these the timer's deadlines.
        let played = timeout_at(end, more(&mut acknowledged, &mut ledger, ENOUGH)).await;
        played.expect("the other node goes on with the matches");
        let taken = timeout_at(end, site.worked_by_others_than(&workers)).await;
        workers = taken.expect("the other node takes the read models over");
        site.servers[victim].start_again().await;
        more(&mut acknowledged, &mut ledger, ENOUGH).await;
        assert_eq!(site.worked_by_others_than(&BTreeSet::new()).await, workers);
    }
    load.abort();
    let _ = load.await;
    while let Some(ack) = acknowledged.recv().await {
        ledger.enter(ack);
    }
    let checked = site.audited(folder.path(), &ledger).await;
    assert!(checked >= u64::from(ENOUGH) * 5, "only {checked} commands");
}
