//! Several nodes on one database: each thing is told once, whoever is faster, and what one node tells is heard at the
//! others.

use super::events::{begin, match_id, nobody, normal, skipped};
use super::rig::{Rig, Store};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::accounts::reminders::NoticeKind;

const START: Time = Time(1_790_000_000_000);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_plan_once() {
    let one = Rig::new(Store::Postgres, START).await;
    let two = one.node(1).await;
    let person = one.person("north").await;
    tokio::join!(one.settle(), two.settle());
    for round in 0..20_u32 {
        let (number, deadline) = (round + 1, one.now() + Span::hours(16));
        for table in 0..4 {
            let id = match_id(table);
            let mut events = match round {
                0 => begin(id, [person, nobody(1), nobody(2), nobody(3)]),
                _ => vec![skipped(round, Seat::S)],
            };
            events.push(normal(number, Seat::S, deadline));
            one.happens(id, one.now(), &events).await;
        }
        tokio::join!(one.settle(), two.settle());
        one.clock.advance(Span::hours(3));
        tokio::join!(one.settle(), two.settle());
    }
    let mails = one.mails_to(person).await;
    // Every three hours from half past midnight on, on three days of three mails each.
    assert_eq!(mails.len(), 9);
    let mut told: Vec<_> = mails.iter().flat_map(|mail| mail.waiting.clone()).collect();
    let all = told.len();
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), all, "no turn is told twice");
    let kinds = one.kinds(person).await;
    let turns = kinds.iter().filter(|kind| **kind == NoticeKind::YourTurn).count();
    assert_eq!(turns, 80, "{kinds:?}");
    let numbers: Vec<u64> = two.notices(person).await.iter().map(|n| n.number).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len() as u64), "numbers rise without gaps");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_tells_is_heard_at_the_other() {
    let one = Rig::new(Store::Postgres, START).await;
    let two = one.node(1).await;
    let person = one.person("north").await;
    one.settle().await;
    let mut bell = two.accounts.bell(person);
    let id = match_id(0);
    one.happens(id, START, &begin(id, [person, nobody(1), nobody(2), nobody(3)])).await;
    one.settle().await;
    assert!(bell.rings().await);
    bell.heard();
    assert_eq!(two.accounts.unread_notices(person).await.unwrap(), 1);
    one.accounts.mark_notices_read(person, None).await.unwrap();
    assert!(bell.rings().await);
    assert_eq!(two.accounts.unread_notices(person).await.unwrap(), 0);
}
