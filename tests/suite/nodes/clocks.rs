//! Deadlines that one node opened run out on the node that is left.

use std::time::Duration;
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Clock as _, Entropy, ManualClock};
use yibu_tests::app::{BEGINNING, TestApp};
use yibu_tests::postgres::Cluster;
use yibu_tests::table::Table;

/// Shorter than any gap between signs of service that counts as an outage.
const STEP: Span = Span::seconds(50);
/// A turn.
const TURN: Span = Span::hours(16);
/// The longest that the timer may take.
const BOUND: Duration = Duration::from_secs(20);

pub(super) async fn node(url: &str, clock: &ManualClock, number: u64) -> TestApp {
    TestApp::on(clock.clone(), |config| {
        config.log = LogStore::Postgres { url: url.to_owned(), archive: None };
        config.entropy = Entropy::seeded(number);
        config.node = format!("node-{number}");
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_began_on_one_node_runs_out_on_the_other() {
    let (url, clock) = (Cluster::shared().database(), ManualClock::at(BEGINNING));
    let mut one = node(&url, &clock, 1).await;
    let two = node(&url, &clock, 2).await;
    let mut table = Table::started(&one, "turn").await;
    table.ply().await;
    one.stop().await;
    for person in &mut table.people {
        *person = person.moved_to(two.addr);
    }
    let kinds = "turn { number } actions(last: 20) { edges { node { kind } } }";
    let before = table.glance(&table.people[0], kinds).await;
    assert!(!before["actions"].to_string().contains("TIMED_OUT"), "{before}");

    let end = clock.now() + TURN + STEP;
    while clock.now() < end {
        clock.set(clock.now() + STEP);
        two.app().outages().beat().await.unwrap();
    }
    let ran_out = async {
        loop {
            let seen = table.glance(&table.people[0], kinds).await;
            if seen["actions"].to_string().contains("TIMED_OUT") {
                return seen;
            }
        }
    };
    let after = tokio::time::timeout(BOUND, ran_out).await.expect("the timer acts");
    assert!(after["turn"]["number"].as_u64() > before["turn"]["number"].as_u64(), "{after}");
}
