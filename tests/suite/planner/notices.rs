//! In-app notices as they reach people: who is told what, what counts as read, and what is kept.

use super::events::{
    begin, candidate, ended, left, lost, match_id, moved, nobody, normal, release_moved, released,
    skipped, taken_over, turn, wait_opened,
};
use super::rig::{Rig, Store};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{MatchId, PlayerId, Span, Time};
use yibu_domain::matches::events::TurnKind;
use yibu_domain::reminders::TurnRef;
use yibu_infrastructure::accounts::reminders::NoticeKind::{self, *};

const START: Time = Time(1_790_000_000_000);
const TABLE: MatchId = MatchId(uuid::Uuid::from_u128(1));

/// South and East with accounts, at a table that has just started.
async fn two(rig: &Rig) -> (PlayerId, PlayerId) {
    let (south, east) = (rig.person("south").await, rig.person("east").await);
    rig.settle().await;
    rig.happens(TABLE, START, &begin(TABLE, [south, east, nobody(1), nobody(2)])).await;
    rig.settle().await;
    (south, east)
}

async fn store(store: Store) {
    let rig = Rig::new(store, START).await;
    let (south, east) = two(&rig).await;
    let (west, late) = (rig.person("west").await, rig.person("late").await);
    let hours = |hours: i64| START + Span::hours(hours);

    // East leaves before its turn, which South plays up to.
    rig.happens(TABLE, START, &[normal(1, Seat::S, hours(16)), left(1, Seat::E, east)]).await;
    rig.live_until(hours(13)).await;
    let waits = [skipped(1, Seat::S), wait_opened(2, Seat::E, hours(21))];
    rig.happens(TABLE, hours(13), &waits).await;
    let wanted = [candidate(TABLE, 2, Seat::E, west), candidate(TABLE, 2, Seat::E, late)];
    rig.happens(TABLE, hours(14), &wanted).await;
    rig.live_until(hours(18)).await;
    let first = turn(3, Seat::E, TurnKind::TakeoverFirst, hours(21));
    rig.happens(TABLE, hours(18), &[taken_over(2, Seat::E, west), lost(late, west), first]).await;
    rig.happens(TABLE, hours(18), &[moved(3, Seat::E, hours(22))]).await;
    rig.live_until(hours(21)).await;
    rig.happens(TABLE, hours(21), &[ended()]).await;
    rig.live_until(hours(21 + 72)).await;

    let told = |who: PlayerId| {
        let rig = &rig;
        async move { rig.kinds(who).await }
    };
    let of_south = [
        TableFull,
        TableStarted,
        YourTurn,
        SeatLeft,
        Turn4h,
        TakeoverWait4h,
        SeatTakenOver,
        MatchEnded,
        ReplayExpires,
    ];
    assert_eq!(told(south).await, of_south);
    assert_eq!(told(east).await, [TableFull, TableStarted, Left, MatchEnded, ReplayExpires]);
    let of_west =
        [TakeoverWait4h, YourTurn, DeadlineMoved, TakeoverFirst1h, MatchEnded, ReplayExpires];
    assert_eq!(told(west).await, of_west);
    assert_eq!(told(late).await, [TakeoverWait4h, CandidacyEnded]);

    let notices = rig.notices(south).await;
    let left = notices.iter().find(|notice| notice.kind == SeatLeft).unwrap();
    assert_eq!((left.seat, left.match_id, left.at), (Some(Seat::E), TABLE, START));
    let last = notices.last().unwrap();
    assert_eq!((last.at, last.deadline), (hours(21 + 48), Some(hours(21 + 72))));
    // What called for something that is over is read; the rest is news. The record can be saved still.
    let read: Vec<NoticeKind> =
        notices.iter().filter(|notice| notice.read).map(|notice| notice.kind).collect();
    assert_eq!(read, [TableFull, TableStarted, YourTurn, Turn4h, TakeoverWait4h]);
    assert!(notices.iter().all(|notice| notice.read == notice.done));
    assert_eq!(rig.accounts.unread_notices(south).await.unwrap(), 4);
}

#[tokio::test]
async fn a_match_is_told_to_each_as_it_concerns_them_in_a_file() {
    store(Store::Sqlite).await;
}

#[tokio::test]
async fn a_match_is_told_to_each_as_it_concerns_them_in_a_database() {
    store(Store::Postgres).await;
}

#[tokio::test]
async fn a_wait_that_nears_its_end_a_released_seat_and_moved_clocks_are_told_by_name() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let (south, east) = two(&rig).await;
    let hours = |hours: i64| START + Span::hours(hours);
    let names = async |who: PlayerId| -> Vec<_> {
        rig.kinds(who).await.iter().map(|kind| NoticeKind::name(*kind)).collect()
    };
    // Of a seat that nobody takes over.
    let waits = [left(1, Seat::E, east), wait_opened(1, Seat::E, hours(6))];
    rig.happens(TABLE, START, &waits).await;
    rig.live_until(hours(5) - Span(1)).await;
    let before = ["table_full", "table_started", "seat_left", "takeover_wait_4h"];
    assert_eq!(names(south).await, before);
    rig.live_until(hours(5)).await;
    let last = rig.notices(south).await.pop().unwrap();
    assert_eq!((last.kind.name(), last.at), ("takeover_wait_1h", hours(5)));
    assert_eq!((last.turn, last.deadline), (Some(1), Some(hours(6))));
    // An outage moves its end, for those who wait.
    rig.happens(TABLE, hours(5), &[moved(1, Seat::E, hours(8))]).await;
    rig.settle().await;
    let last = rig.notices(south).await.pop().unwrap();
    assert_eq!((last.kind.name(), last.deadline), ("deadline_moved", Some(hours(8))));

    // At a table that has not started: the release moves, and then a seat is free again.
    let other = match_id(7);
    let mut forming = begin(other, [south, east, nobody(1), nobody(2)]);
    forming.pop();
    forming.push(release_moved(hours(50)));
    rig.happens(other, hours(5), &forming).await;
    rig.settle().await;
    let last = rig.notices(south).await.pop().unwrap();
    assert_eq!((last.kind.name(), last.turn), ("deadline_moved", None));
    assert_eq!((last.match_id, last.deadline), (other, Some(hours(50))));
    rig.happens(other, hours(6), &[released(Seat::S, south)]).await;
    rig.settle().await;
    let last = rig.notices(south).await.pop().unwrap();
    assert_eq!((last.kind.name(), last.seat), ("released", Some(Seat::S)));
    assert!(!names(east).await.contains(&"released"), "it is said to whom it happened to");
}

#[tokio::test]
async fn what_is_read_stays_read_and_a_repeat_changes_nothing() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let (south, _) = two(&rig).await;
    for number in 1..=4_u32 {
        let next = [normal(number, Seat::S, START + Span::hours(16))];
        rig.happens(match_id(number as usize), START, &begin_of(number, south)).await;
        rig.happens(match_id(number as usize), START, &next).await;
    }
    rig.settle().await;
    // The start here, and one with a turn at each of the four; that tables were full is over.
    let unread = async || rig.accounts.unread_notices(south).await.unwrap();
    assert_eq!(unread().await, 9);
    for _ in 0..2 {
        rig.accounts.mark_notices_read(south, Some(4)).await.unwrap();
        assert_eq!(unread().await, 7);
    }
    rig.accounts.mark_notices_read(south, Some(3)).await.unwrap();
    assert_eq!(unread().await, 7);
    let last = rig.notices(south).await.pop().unwrap();
    assert_eq!((last.kind, last.read), (YourTurn, false));
    let seen = TurnRef { match_id: last.match_id, turn: last.turn.unwrap() };
    rig.accounts.mark_turn_seen(south, seen).await.unwrap();
    assert_eq!(unread().await, 5, "whoever has the turn open has read of it and of the start");
    rig.accounts.mark_notices_read(south, None).await.unwrap();
    assert_eq!(unread().await, 0);
    assert!(rig.notices(south).await.iter().all(|notice| notice.read));
}

fn begin_of(number: u32, south: PlayerId) -> Vec<yibu_domain::matches::MatchEvent> {
    begin(match_id(number as usize), [south, nobody(1), nobody(2), nobody(3)])
}

#[tokio::test]
async fn two_hundred_are_kept_for_thirty_days() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let (south, east) = two(&rig).await;
    for number in 1..=230_u32 {
        let deadline = START + Span::hours(16);
        let events = [normal(number, Seat::S, deadline), skipped(number, Seat::S)];
        rig.happens(TABLE, START, &events).await;
    }
    rig.settle().await;
    let kept = rig.notices(south).await;
    assert_eq!((kept.len(), kept[0].number, kept[199].number), (200, 33, 232));
    let page = rig.accounts.notices(south, Some(100), 3).await.unwrap();
    assert_eq!(page.iter().map(|notice| notice.number).collect::<Vec<_>>(), [99, 98, 97]);
    rig.clock.set(START + Span::hours(30 * 24) - Span(1));
    rig.accounts.sweep().await.unwrap();
    assert_eq!(rig.notices(south).await.len(), 200);
    rig.clock.advance(Span(1));
    rig.accounts.sweep().await.unwrap();
    assert_eq!(rig.notices(south).await, []);
    assert_eq!(rig.notices(east).await, []);
    // Numbers go on.
    rig.happens(TABLE, rig.now(), &[normal(231, Seat::S, rig.now() + Span::hours(16))]).await;
    rig.settle().await;
    assert_eq!(rig.notices(south).await[0].number, 233);
}

#[tokio::test]
async fn nothing_is_left_of_whom_is_erased() {
    let rig = Rig::new(Store::Postgres, START).await;
    let (south, east) = two(&rig).await;
    let count = |table: &str| {
        let sql = format!("SELECT count(*) FROM {table} WHERE player = '\\x{}'", south.0.simple());
        yibu_tests::postgres::Cluster::shared().psql(&rig.database(), &sql)
    };
    assert_eq!((count("desks"), count("notices")), ("1".to_owned(), "2".to_owned()));
    let going = format!("INSERT INTO deletions VALUES ('\\x{}', 0)", south.0.simple());
    yibu_tests::postgres::Cluster::shared().psql(&rig.database(), &going);
    rig.accounts.erase(south).await.unwrap();
    rig.happens(TABLE, START, &[normal(1, Seat::S, START + Span::hours(16))]).await;
    rig.live_until(START + Span::hours(17)).await;
    assert_eq!((count("desks"), count("notices")), ("0".to_owned(), "0".to_owned()));
    assert_eq!(rig.notices(east).await.len(), 2);
    assert_eq!(rig.mails_to(south).await, []);
}
