//! A real server under load is killed again and again: everything that was acknowledged is in the log, once,
//! commands in doubt are settled by their keys, and the read models equal a fresh build.
//!
//! `YIBU_CRASHES` sets how often on each store (20 with files, 4 with a database), `YIBU_SEED` decides when.

pub(crate) mod ledger;
pub(crate) mod server;

use ledger::Ledger;
use server::{Node, Server};
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;
use yibu_api::cli::audit;
use yibu_api::cli::simulate::{Options, run};
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId};
use yibu_projections::models;
use yibu_tests::postgres::Cluster;

/// Matches that run at the same time, with four clients each.
const TABLES: u32 = 3;

/// A number from the environment.
pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_or_doubled_by_kills() {
    killed_again_and_again(None, number("YIBU_CRASHES", 20)).await;
}

/// Fewer: after each start the leases of the process before have to run out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_or_doubled_by_kills_on_a_database() {
    let database = Cluster::shared().database();
    killed_again_and_again(Some(&database), number("YIBU_CRASHES", 4)).await;
}

async fn killed_again_and_again(database: Option<&str>, crashes: u64) {
    let seed = number("YIBU_SEED", 1);
    let folder = tempfile::tempdir().unwrap();
    let node = Node::new(folder.path(), database, "node-1");
    let mut server = Server::start(node.clone()).await;
    let (acks, mut acknowledged) = unbounded_channel();
    let options = Options {
        parallel: TABLES,
        seed,
        patience: Duration::from_secs(60),
        surrender_one_in: 80,
        acks: Some(acks),
        // More than will be played: the load ends when the last kill is done.
        ..Options::new(server.url(), 1_000_000)
    };
    let load = tokio::spawn(run(options, |_| {}));

    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut chance = FairDraw::new("crash", MatchId(uuid::Uuid::nil()), &Bytes32(bytes), &[]);
    let mut ledger = Ledger::default();
    // Everybody is registered before the first kill: codes are limited by the minute.
    let mut wait = u64::from(TABLES) * 4;
    for crash in 0..crashes {
        while wait > 0 {
            let ack = acknowledged.recv().await;
            let Some(ack) = ack else { panic!("the load ended: {:?}", load.await) };
            if crash > 0 || ack.kind == "match" {
                wait -= 1;
            }
            ledger.enter(ack);
        }
        server.kill().await;
        server.start_again().await;
        wait = 1 + u64::from(chance.below(40));
    }
    // Some more, to see that the last start serves too.
    for _ in 0..20 {
        let ack = acknowledged.recv().await;
        ledger.enter(ack.expect("the load goes on"));
    }
    server.kill().await;
    load.abort();
    let _ = load.await;
    while let Some(ack) = acknowledged.recv().await {
        ledger.enter(ack);
    }
    // One more start makes good what the last kill left, and a stop in order ends it.
    server.start_again().await;
    assert_eq!(server.rebuild().await, models::all().len(), "seed {seed}");
    server.stop().await;

    let log = node.log().await;
    let checked = ledger.check(log.as_ref()).await;
    assert!(checked > crashes, "seed {seed}: only {checked} commands");
    let report = audit::all_quietly(log, folder.path()).await.unwrap();
    assert!(report.is_clean(), "seed {seed}: {report:?}");
    if database.is_none() {
        // What an audit reads of them are files.
        assert_eq!(report.read_models.len(), models::all().len());
    }
    assert!(node.audit().await, "seed {seed}: the binary's own audit");
}
