//! Two nodes plan and send: each reminder and each file goes once, whichever node was faster, and none is lost with a
//! node. Every delivery leaves a file in the folder of the node that made it, so that a second one would be seen.

use super::clocks::node;
use super::live::{Site, newcomer};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::ManualClock;
use yibu_tests::app::{BEGINNING, TestApp};
use yibu_tests::letters::{arrived, letters, settle};
use yibu_tests::postgres::Cluster;
use yibu_tests::table::Table;

/// The longest that mails may take on a busy machine, a dead node's lease not counted.
const SENT: Duration = Duration::from_secs(60);

/// The letters of a kind that a node handed over.
fn delivered(data: &Path, kind: &str) -> usize {
    let entries = std::fs::read_dir(data.join("mail")).expect("a mailbox's folder");
    let names = entries.map(|entry| entry.expect("readable").file_name());
    names.filter(|name| name.to_string_lossy().contains(&format!("-{kind}-"))).count()
}

/// South and North give up.
async fn give_up(table: &Table) {
    let [south, _, north, _] = &table.people[..] else { panic!("four seats") };
    table.ok(south, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    let yes = json!({ "proposal": 1, "accept": true });
    table.ok(north, "answerTeamSurrender", "AnswerTeamSurrenderInput", &yes).await;
}

/// Lets time pass while both nodes serve.
async fn pass(nodes: [&TestApp; 2], span: Span) {
    for node in nodes {
        // The clock is one, and turned once: the other only marks that it serves.
        node.pass(if std::ptr::eq(node, nodes[0]) { span } else { Span(0) }).await;
        node.app().outages().beat().await.expect("a sign of service");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_mail_each_thing_once() {
    let (url, clock) = (Cluster::shared().database(), ManualClock::at(BEGINNING));
    let one = node(&url, &clock, 1).await;
    let two = node(&url, &clock, 2).await;
    let mut table = Table::started(&one, "mail").await;
    let mut addresses = Vec::new();
    for person in &table.people {
        let data = person.data("{ viewer { email } }", &json!({})).await;
        addresses.push(data["viewer"]["email"].as_str().expect("an address").to_owned());
    }
    let mut told = BTreeSet::new();
    for round in 0..4 {
        let seat = table.on_turn(&table.glance(&table.people[0], "turn { seat }").await);
        pass([&one, &two], Span::seconds(15 * 60)).await;
        settle(&one).await;
        arrived(&one, &addresses[seat], "turn", 1).await;
        told.insert(seat);
        for node in [&one, &two] {
            settle(node).await;
        }
        for (seat, address) in addresses.iter().enumerate() {
            let mails = letters(&two, address, "turn").await.len();
            assert_eq!(mails, usize::from(told.contains(&seat)), "round {round}");
        }
        table.ply().await;
    }
    let handed = delivered(one.folder.path(), "turn") + delivered(two.folder.path(), "turn");
    assert_eq!(handed, told.len(), "handed over once each");

    give_up(&table).await;
    for address in &addresses {
        arrived(&two, address, "replay", 1).await;
    }
    for node in [&one, &two] {
        settle(node).await;
    }
    for address in &addresses {
        assert_eq!(letters(&one, address, "replay").await.len(), 1);
    }
    let handed = delivered(one.folder.path(), "replay") + delivered(two.folder.path(), "replay");
    assert_eq!(handed, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_send_each_file_once_and_one_that_is_left_sends_them_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut site = Site::start(folder.path()).await;
    let addrs = [site.servers[0].addr(), site.servers[1].addr()];
    let table = |prefix: &'static str, addrs: [std::net::SocketAddr; 2]| {
        Table::of(async move |number: usize| {
            newcomer(addrs[number % 2], &format!("{prefix}{number}")).await
        })
    };
    let first = table("both", addrs).await;
    first.start().await;
    give_up(&first).await;
    timeout(SENT, sent(&site, 4)).await.expect("the files go");
    let handed: usize = ["node-a", "node-b"]
        .map(|node| delivered(&folder.path().join(node), "replay"))
        .iter()
        .sum();
    assert_eq!(handed, 4, "handed over once each");

    let second = table("left", [addrs[1]; 2]).await;
    second.start().await;
    site.servers[0].kill().await;
    give_up(&second).await;
    timeout(SENT, sent(&site, 8)).await.expect("the node that is left sends them");
    let named = "SELECT count(*), count(DISTINCT recipient) FROM mailbox WHERE kind = 'replay'";
    assert_eq!(site.ask(named), "8|8");
    site.servers[1].stop().await;
}

/// Returns when so many files were sent, of exactly so many that were to be.
async fn sent(site: &Site, many: usize) {
    let jobs = "SELECT count(*), count(*) FILTER (WHERE outcome = 'sent') FROM outbox WHERE kind = 'replay'";
    let wanted = format!("{many}|{many}");
    while site.ask(jobs) != wanted {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
