//! Finding tables at two nodes at the same instant: those who ask together meet, and two who share a device do not.

use super::clocks::node;
use std::collections::BTreeSet;
use yibu_infrastructure::accounts::Origin;
use yibu_infrastructure::system::ManualClock;
use yibu_tests::app::{BEGINNING, TestApp};
use yibu_tests::client::{Client, PASSWORD};
use yibu_tests::postgres::Cluster;
use yibu_tests::table::match_new;

const ROUNDS: usize = 6;

async fn two() -> [TestApp; 2] {
    let (url, clock) = (Cluster::shared().database(), ManualClock::at(BEGINNING));
    [node(&url, &clock, 1).await, node(&url, &clock, 2).await]
}

/// The table that a person finds.
async fn table(person: &Client) -> String {
    match_new(person).await["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn four_who_ask_at_the_same_instant_meet_at_one_table() {
    let apps = two().await;
    for round in 0..ROUNDS {
        // No table is open: whoever comes first opens one, and the others have to see it.
        let mut people = Vec::new();
        for n in 0..4 {
            people.push(apps[n % 2].player(&format!("p{round}x{n}")).await);
        }
        let [a, b, c, d] = &people[..] else { panic!("four people") };
        let (a, b, c, d) = tokio::join!(table(a), table(b), table(c), table(d));
        let found = BTreeSet::from([a, b, c, d]);
        assert_eq!(found.len(), 1, "round {round}: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_who_share_a_device_do_not_slip_in_together() {
    let apps = two().await;
    for round in 0..ROUNDS {
        let (first, second) = (format!("a{round}"), format!("b{round}"));
        let (a, b) = (apps[0].player(&first).await, apps[1].player(&second).await);
        // The second logs in with the first one's browser as well.
        let mark = a.cookie("yibu_device").expect("a mark");
        let from = Origin { mark: Some(mark), ..Origin::of([127, 0, 0, 1].into()) };
        let email = format!("{second}@example.org");
        apps[1].app().accounts().login(&email, PASSWORD, &from).await.unwrap();
        let (here, there) = tokio::join!(table(&a), table(&b));
        assert_ne!(here, there, "round {round}");
    }
}
