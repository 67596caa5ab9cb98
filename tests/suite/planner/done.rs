//! What becomes of notices that call for something: done as soon as it was done or can no longer be done, and read with
//! that; once, whatever happens in between.

use super::events::{
    begin, candidate, draw_lapsed, draw_offered, draw_voted, ended, nobody, normal, proposed,
    ready, record_expired, release_moved, skipped, taken_over, timed_out, turn, wait_opened,
    withdrawn,
};
use super::rig::{Rig, Store};
use std::pin::pin;
use yibu_domain::games::siguo::seat::{Seat, Side};
use yibu_domain::kernel::{MatchId, PlayerId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::TurnKind;
use yibu_domain::reminders::TurnRef;
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::accounts::reminders::NoticeKind::{self, *};

const START: Time = Time(1_790_000_000_000);
const TABLE: MatchId = MatchId(uuid::Uuid::from_u128(1));

fn hours(hours: i64) -> Time {
    START + Span::hours(hours)
}

/// The notices that are not done. What is done is read, and counts so.
async fn open(rig: &Rig, player: PlayerId) -> Vec<NoticeKind> {
    let notices = rig.notices(player).await;
    assert!(notices.iter().all(|notice| notice.read || !notice.done), "{notices:?}");
    let unread = notices.iter().filter(|notice| !notice.read).count();
    assert_eq!(rig.accounts.unread_notices(player).await.unwrap() as usize, unread);
    notices.iter().filter(|notice| !notice.done).map(|notice| notice.kind).collect()
}

/// These things happen, and the planner takes them in.
async fn happen(rig: &Rig, events: &[MatchEvent]) {
    rig.happens(TABLE, rig.now(), events).await;
    rig.settle().await;
}

/// South and East with accounts, at a table that is full and has not started.
async fn full(rig: &Rig) -> (PlayerId, PlayerId) {
    let (south, east) = (rig.person("south").await, rig.person("east").await);
    rig.settle().await;
    let mut events = begin(TABLE, [south, east, nobody(1), nobody(2)]);
    events.pop();
    happen(rig, &events).await;
    (south, east)
}

/// The start alone.
fn started(south: PlayerId, east: PlayerId) -> MatchEvent {
    begin(TABLE, [south, east, nobody(1), nobody(2)]).pop().unwrap()
}

async fn a_match_goes_by(store: Store) {
    let rig = Rig::new(store, START).await;
    let late = rig.person("late").await;
    let (south, east) = full(&rig).await;
    assert_eq!(
        (open(&rig, south).await, open(&rig, east).await),
        (vec![TableFull], vec![TableFull])
    );
    happen(&rig, &[ready(Seat::S)]).await;
    assert_eq!((open(&rig, south).await, open(&rig, east).await), (vec![], vec![TableFull]));

    happen(&rig, &[started(south, east), normal(1, Seat::S, hours(16))]).await;
    assert_eq!(open(&rig, south).await, [TableStarted, YourTurn]);
    assert_eq!(open(&rig, east).await, [TableStarted], "all are ready once it starts");

    // A vote that was cast, one that nobody waits for any more, and the next one.
    happen(&rig, &[draw_offered(1, Seat::S)]).await;
    assert_eq!(open(&rig, east).await, [TableStarted, DrawVote]);
    happen(&rig, &[draw_voted(1, Seat::E, true)]).await;
    assert_eq!(open(&rig, east).await, [TableStarted]);
    happen(&rig, &[draw_lapsed(1, Seat::S), draw_offered(2, Seat::S)]).await;
    assert_eq!(open(&rig, east).await, [TableStarted, DrawVote]);
    happen(&rig, &[draw_lapsed(2, Seat::S)]).await;
    assert_eq!(open(&rig, east).await, [TableStarted]);

    // Two proposals within one step of the planner: the first is done, the second is not.
    let twice = [proposed(1, Seat::N), withdrawn(1, Side::Red), proposed(2, Seat::N)];
    happen(&rig, &twice).await;
    assert_eq!(rig.kinds(south).await.iter().filter(|kind| **kind == TeamSurrenderVote).count(), 2);
    assert_eq!(open(&rig, south).await, [TableStarted, YourTurn, TeamSurrenderVote]);

    happen(&rig, &[skipped(1, Seat::S), normal(2, Seat::E, hours(16))]).await;
    assert_eq!(open(&rig, south).await, [TeamSurrenderVote], "whoever moved knows of the start");
    // What is before the eyes is read, and not done.
    rig.accounts.mark_turn_seen(east, TurnRef { match_id: TABLE, turn: 2 }).await.unwrap();
    assert_eq!(open(&rig, east).await, [TableStarted, YourTurn]);
    assert_eq!(rig.accounts.unread_notices(east).await.unwrap(), 0);
    rig.live_until(hours(15)).await;
    assert_eq!(open(&rig, east).await, [TableStarted, YourTurn, Turn4h, Turn1h]);

    rig.clock.set(hours(16));
    happen(&rig, &[timed_out(2, Seat::E, east), wait_opened(3, Seat::E, hours(24))]).await;
    assert_eq!(open(&rig, east).await, [TimedOut], "the seat is lost");
    happen(&rig, &[candidate(TABLE, 3, Seat::E, late)]).await;
    rig.live_until(hours(20)).await;
    assert_eq!(open(&rig, south).await, [TeamSurrenderVote, SeatLeft, TakeoverWait4h]);
    assert_eq!(open(&rig, late).await, [TakeoverWait4h]);
    let first = turn(4, Seat::E, TurnKind::TakeoverFirst, hours(23));
    happen(&rig, &[taken_over(3, Seat::E, late), first]).await;
    assert_eq!(open(&rig, south).await, [TeamSurrenderVote, SeatLeft, SeatTakenOver]);
    rig.live_until(hours(22)).await;
    assert_eq!(open(&rig, late).await, [YourTurn, TakeoverFirst1h]);

    happen(&rig, &[ended()]).await;
    let news = [SeatLeft, SeatTakenOver, MatchEnded];
    assert_eq!(open(&rig, south).await, news);
    assert_eq!(open(&rig, late).await, [MatchEnded]);
    rig.live_until(hours(22 + 48)).await;
    assert_eq!(open(&rig, south).await, [news.as_slice(), &[ReplayExpires]].concat());
    rig.clock.set(hours(22 + 72));
    happen(&rig, &[record_expired(hours(22))]).await;
    assert_eq!(open(&rig, south).await, news, "there is nothing to save any more");
}

#[tokio::test]
async fn what_was_called_for_and_is_over_is_done_in_a_file() {
    a_match_goes_by(Store::Sqlite).await;
}

#[tokio::test]
async fn what_was_called_for_and_is_over_is_done_in_a_database() {
    a_match_goes_by(Store::Postgres).await;
}

#[tokio::test]
async fn whoever_listens_hears_that_a_notice_is_done() {
    for store in [Store::Sqlite, Store::Postgres] {
        let rig = Rig::new(store, START).await;
        let (south, _) = full(&rig).await;
        // At another node, where there is one.
        let other = if store == Store::Postgres { Some(rig.node(1).await) } else { None };
        let accounts = other.as_ref().map_or(&rig.accounts, |node| &node.accounts);
        let mut bell = accounts.bell(south);
        while !accounts.notices(south, None, 9).await.unwrap()[0].done {
            bell.heard();
            happen(&rig, &[ready(Seat::S)]).await;
            assert!(bell.rings().await);
        }
    }
}

#[tokio::test]
async fn who_is_still_not_ready_is_told_a_day_before_the_seat_is_released() {
    for store in [Store::Sqlite, Store::Postgres] {
        let rig = Rig::new(store, START).await;
        let (south, east) = (rig.person("south").await, rig.person("east").await);
        rig.settle().await;
        let mut events = begin(TABLE, [south, east, nobody(1), nobody(2)]);
        events.pop();
        let Some(MatchEvent::SeatTaken(last)) = events.last_mut() else { panic!("a seat") };
        last.public.as_mut().unwrap().release = Some(hours(48));
        happen(&rig, &events).await;
        happen(&rig, &[ready(Seat::E)]).await;
        rig.live_until(hours(24) - Span(1)).await;
        assert_eq!(open(&rig, south).await, [TableFull]);
        rig.live_until(hours(24)).await;
        assert_eq!(open(&rig, south).await, [TableFull, ReleaseSoon]);
        assert_eq!(open(&rig, east).await, [], "is ready");
        let last = rig.notices(south).await.pop().unwrap();
        assert_eq!((last.at, last.deadline), (hours(24), Some(hours(48))));
        // An outage moves the release, which is told again in time.
        happen(&rig, &[release_moved(hours(60))]).await;
        rig.live_until(hours(36)).await;
        let told = [TableFull, ReleaseSoon, DeadlineMoved, ReleaseSoon];
        assert_eq!(open(&rig, south).await, told);
        happen(&rig, &[ready(Seat::S)]).await;
        assert_eq!(open(&rig, south).await, [DeadlineMoved]);
        rig.live_until(hours(60)).await;
        assert_eq!(open(&rig, south).await, [DeadlineMoved]);
    }
}

/// What is to be so after the second of two steps, of which one was cut off.
async fn story(rig: &Rig, south: PlayerId, east: PlayerId) {
    let begun = [started(south, east), normal(1, Seat::S, hours(16)), draw_offered(1, Seat::S)];
    happen(rig, &begun).await;
    let over = [draw_voted(1, Seat::E, true), skipped(1, Seat::S), normal(2, Seat::E, hours(16))];
    rig.happens(TABLE, rig.now(), &over).await;
}

#[tokio::test]
async fn a_step_that_is_cut_off_and_the_next_process_end_the_same() {
    for store in [Store::Sqlite, Store::Postgres] {
        let mut wanted = None;
        for polls in [0, 1, 2, 3, 5, 8, 13, 21] {
            let rig = Rig::new(store, START).await;
            let (south, east) = full(&rig).await;
            story(&rig, south, east).await;
            {
                let mut step = pin!(rig.planner.step());
                for _ in 0..polls {
                    if futures_util::poll!(&mut step).is_ready() {
                        break;
                    }
                    tokio::task::yield_now().await;
                }
            }
            let rig = rig.reopened().await;
            rig.settle().await;
            rig.settle().await;
            let notices = (rig.notices(south).await, rig.notices(east).await);
            assert_eq!(open(&rig, south).await, [], "{polls}");
            assert_eq!(open(&rig, east).await, [TableStarted, YourTurn], "{polls}");
            assert_eq!(wanted.get_or_insert_with(|| notices.clone()), &notices, "{polls}");
        }
    }
}

#[tokio::test]
async fn what_the_planner_missed_is_done_when_it_follows_the_log_anew() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let (south, east) = full(&rig).await;
    let begun = [started(south, east), normal(1, Seat::S, hours(16)), draw_offered(1, Seat::S)];
    happen(&rig, &begun).await;
    let Place::Folder(folder) = &rig.place else { panic!("a file was expected") };
    let file = rusqlite::Connection::open(folder.join("accounts.db")).unwrap();
    assert_eq!(file.execute("UPDATE planned_matches SET body = '{}'", []).unwrap(), 1);
    happen(&rig, &[draw_voted(1, Seat::E, true)]).await;
    assert_eq!(open(&rig, south).await, [TableStarted, YourTurn], "its turn is on");
    assert_eq!(open(&rig, east).await, [TableStarted], "the vote was cast");

    // A log that knows nothing of the match.
    let rig = rig.with_new_log().await;
    rig.planner.begin().await.unwrap();
    rig.settle().await;
    assert_eq!((open(&rig, south).await, open(&rig, east).await), (vec![], vec![]));
}

#[tokio::test]
async fn what_a_newer_version_tells_is_passed_over() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let (south, east) = full(&rig).await;
    happen(&rig, &[started(south, east), normal(1, Seat::S, hours(16))]).await;
    let before = rig.notices(south).await;
    let unread = rig.accounts.unread_notices(south).await.unwrap();
    let Place::Folder(folder) = &rig.place else { panic!("a file was expected") };
    let file = rusqlite::Connection::open(folder.join("accounts.db")).unwrap();
    let add = "INSERT INTO notices (player, number, kind, match_id, at) \
         SELECT player, MAX(number) + 1, 'of_tomorrow', match_id, at FROM notices GROUP BY player";
    assert_eq!(file.execute(add, []).unwrap(), 2);
    assert_eq!(rig.notices(south).await, before);
    assert_eq!(rig.accounts.unread_notices(south).await.unwrap(), unread);
}
