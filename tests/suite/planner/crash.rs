//! Random days with steps that are cut off and processes that end: nothing is lost and nothing comes twice. What is to
//! be told is what the planner tells that has no store and no worker, and it keeps every promise.
//!
//! `YIBU_SEED` sets the seed (printed on failure).

use super::events::{begin, match_id, nobody, normal, skipped};
use super::life::{live, ordered};
use super::rig::{Rig, Store};
use crate::reminders::drive::drive;
use crate::reminders::promises;
use crate::reminders::random::{number, story};
use crate::reminders::zones::Zones;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId, PlayerId, Span, Time};
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::workers::planner::PlanFault;

const CASES: u64 = 24;

async fn lives(store: Store, cases: u64, crashes: bool) {
    let seed = number("YIBU_SEED", 0xface);
    let zones = Zones::new();
    let mut mails = 0;
    for case in 0..cases {
        let story = story(seed, case, &zones);
        if !ordered(&story) {
            continue;
        }
        let wanted = drive(&story);
        let start = Time(story.events.first().map_or(0, |event| event.at.0) - 60_000);
        let rig = Rig::new(store, start).await;
        let person = rig.person("north").await;
        let mut key = [0; 32];
        key[..8].copy_from_slice(&(seed ^ case).to_le_bytes());
        let scope = MatchId(uuid::Uuid::nil());
        let draw = crashes.then(|| FairDraw::new("crashes", scope, &Bytes32(key), &[]));
        let (_, told) = live(rig, person, &story, draw).await;
        assert_eq!(told, wanted, "YIBU_SEED={seed} case {case}: {story:#?}");
        let kept = promises::check(&story, &told, &zones);
        mails +=
            kept.unwrap_or_else(|broken| panic!("YIBU_SEED={seed} case {case}: {broken}")).mails;
    }
    assert!(mails >= cases, "{cases} stories showed only {mails} mails");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_days_are_told_as_planned() {
    lives(Store::Sqlite, CASES, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crashes_lose_nothing_and_double_nothing() {
    lives(Store::Sqlite, CASES, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crashes_lose_nothing_and_double_nothing_in_a_database() {
    lives(Store::Postgres, CASES / 4, true).await;
}

const START: Time = Time(1_790_000_000_000);

/// Somebody on turn at two tables since the start.
async fn on_turn(rig: &Rig) -> PlayerId {
    let person = rig.person("north").await;
    rig.settle().await;
    for id in [match_id(0), match_id(1)] {
        let mut events = begin(id, [person, nobody(1), nobody(2), nobody(3)]);
        events.push(normal(1, Seat::S, START + Span::hours(16)));
        rig.happens(id, START, &events).await;
    }
    rig.settle().await;
    person
}

#[tokio::test]
async fn an_event_of_a_newer_program_is_waited_for_and_clocks_go_on() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = on_turn(&rig).await;
    rig.clock.advance(Span::seconds(15 * 60));
    rig.happens(match_id(0), rig.now(), &[skipped(1, Seat::S)]).await;
    rig.happens_as("siguo.unheard_of.v1", match_id(1), rig.now()).await;
    for _ in 0..2 {
        let fault = rig.planner.step().await;
        assert!(matches!(fault, Err(PlanFault::Event(_))), "{fault:?}");
    }
    let mails = rig.mails_to(person).await;
    assert_eq!((mails.len(), mails[0].waiting.len()), (1, 1), "what came before it is known");
    rig.clock.set(START + Span::hours(15));
    assert!(rig.planner.step().await.is_err());
    assert_eq!(rig.mails_to(person).await.len(), 1, "the last hour is told");
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_made_anew_from_the_log() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = on_turn(&rig).await;
    rig.live_until(START + Span::hours(1)).await;
    assert_eq!(rig.mails_to(person).await.len(), 1);
    let Place::Folder(folder) = &rig.place else { panic!("a file was expected") };
    let file = rusqlite::Connection::open(folder.join("accounts.db")).unwrap();
    assert_eq!(file.execute("UPDATE planned_matches SET body = '{}'", []).unwrap(), 2);
    let now = rig.now();
    let next = [skipped(1, Seat::S), normal(2, Seat::S, now + Span::hours(16))];
    rig.happens(match_id(0), now, &next).await;
    rig.live_until(START + Span::hours(4)).await;
    let mails = rig.mails_to(person).await;
    let [mail] = &mails[..] else { panic!("one mail is expected: {mails:?}") };
    // Of the new turn; the other one is told and waits all the same.
    let turns: Vec<_> = mail.waiting.iter().map(|turn| (turn.match_id, turn.turn)).collect();
    assert_eq!(turns, [(match_id(0), 2), (match_id(1), 1)]);
}
