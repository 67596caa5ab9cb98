//! Turn mails and replay mails as they reach the outbox.

use super::events::{begin, ended, left, match_id, moved, nobody, normal, skipped, timed_out};
use super::rig::{Rig, Store};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{PlayerId, Span, Time};
use yibu_domain::reminders::{Mail, MailKind, Mode, Retry, TurnRef};
use yibu_infrastructure::accounts::Origin;
use yibu_infrastructure::accounts::outbox::Posting;
use yibu_infrastructure::mail::Locale;

const START: Time = Time(1_790_000_000_000);

fn minutes(minutes: i64) -> Span {
    Span::seconds(minutes * 60)
}

fn turn(number: usize, turn: u32) -> TurnRef {
    TurnRef { match_id: match_id(number), turn }
}

/// Somebody whose turn it is at so many tables, one a minute.
async fn waited_for(rig: &Rig, tables: usize) -> PlayerId {
    let person = rig.person("north").await;
    rig.settle().await;
    for table in 0..tables {
        let mut events = begin(match_id(table), [person, nobody(1), nobody(2), nobody(3)]);
        events.push(normal(1, Seat::S, rig.now() + Span::hours(16)));
        rig.happens(match_id(table), rig.now(), &events).await;
        rig.clock.advance(minutes(1));
    }
    rig.settle().await;
    person
}

#[tokio::test]
async fn eight_waiting_tables_make_one_mail() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 8).await;
    rig.live_until(START + Span::hours(14)).await;
    let [mail] = &rig.mails_to(person).await[..] else { panic!("one mail is expected") };
    assert_eq!(mail.kind, MailKind::Normal);
    assert_eq!(mail.waiting, (0..8).map(|table| turn(table, 1)).collect::<Vec<_>>());
    rig.live_until(START + Span::hours(16) - minutes(1)).await;
    let last = rig.mails_to(person).await;
    let listed: Vec<_> = last.iter().map(|mail| (mail.kind, mail.deadline.len())).collect();
    // The first to run out, and a quarter of an hour later all.
    assert_eq!(listed, [(MailKind::Deadline, 1), (MailKind::Deadline, 8)]);
}

#[tokio::test]
async fn a_seen_turn_makes_no_mail_and_its_last_hour_does() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 1).await;
    for _ in 0..2 {
        rig.accounts.mark_turn_seen(person, turn(0, 1)).await.unwrap();
    }
    rig.live_until(START + Span::hours(14)).await;
    assert_eq!(rig.mails_to(person).await, []);
    rig.live_until(START + Span::hours(15)).await;
    let [mail] = &rig.mails_to(person).await[..] else { panic!("one mail is expected") };
    assert_eq!((mail.kind, &mail.deadline[..]), (MailKind::Deadline, &[turn(0, 1)][..]));
}

#[tokio::test]
async fn off_stops_turn_mails_and_no_code() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 1).await;
    rig.accounts.set_reminder_mode_off(person).await.unwrap();
    assert_eq!(rig.accounts.reminder_settings(person).await.unwrap().mode, Mode::Off);
    rig.live_until(START + Span::hours(17)).await;
    assert_eq!(rig.mails_to(person).await, []);
    let origin = Origin::of([203, 0, 113, 7].into());
    rig.accounts.request_code("north@example.org", Locale::En, &origin).await.unwrap();
    assert_eq!(rig.mailbox.list(10).await.unwrap().len(), 2, "the codes came");
}

#[tokio::test]
async fn a_wait_that_is_shortened_counts_for_turns_that_run() {
    let rig = Rig::new(Store::Sqlite, START).await;
    rig.wait.set(600);
    let person = waited_for(&rig, 1).await;
    rig.live_until(START + minutes(20)).await;
    assert_eq!(rig.mails_to(person).await, []);
    rig.wait.set(15);
    rig.settle().await;
    assert_eq!(rig.mails_to(person).await.len(), 1);
}

#[tokio::test]
async fn who_comes_late_judges_by_the_present() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 2).await;
    // Nobody looked for a day. One turn is over by then, the other was played.
    let late = START + Span::hours(24);
    rig.clock.set(late);
    rig.happens(match_id(0), START + Span::hours(16), &[timed_out(1, Seat::S, person)]).await;
    rig.happens(match_id(1), START + Span::hours(3), &[skipped(1, Seat::S)]).await;
    rig.settle().await;
    let [mail] = &rig.mails_to(person).await[..] else { panic!("one mail is expected") };
    let told = Mail {
        kind: MailKind::TimedOut,
        deadline: vec![],
        waiting: vec![],
        timed_out: vec![turn(0, 1)],
    };
    assert_eq!(*mail, told);
}

#[tokio::test]
async fn a_first_start_speaks_of_what_is_so_and_not_of_what_was() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = rig.person("north").await;
    let people = [person, nobody(1), nobody(2), nobody(3)];
    let day = |days: i64| START + Span::hours(24 * days);
    rig.clock.set(day(4));
    for table in 0..3 {
        let mut events = begin(match_id(table), people);
        events.push(normal(1, Seat::S, day(0) + Span::hours(16)));
        rig.happens(match_id(table), day(0), &events).await;
    }
    let out = day(0) + Span::hours(16);
    rig.happens(match_id(0), out, &[timed_out(1, Seat::S, person)]).await;
    rig.happens(match_id(1), out, &[skipped(1, Seat::S), ended()]).await;
    let again = [skipped(1, Seat::S), normal(2, Seat::S, day(4) + Span::hours(8))];
    rig.happens(match_id(2), day(4) - Span::hours(8), &again).await;
    rig.settle().await;
    let [mail] = &rig.mails_to(person).await[..] else { panic!("one mail is expected") };
    assert_eq!((mail.kind, &mail.waiting[..]), (MailKind::Normal, &[turn(2, 2)][..]));
    assert_eq!(rig.notices(person).await, []);
}

#[tokio::test]
async fn another_log_is_followed_anew_and_nobody_is_told_twice() {
    for played_on in [0, 20] {
        another_log(played_on).await;
    }
}

async fn another_log(played_on: usize) {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 2).await;
    rig.live_until(START + Span::hours(1)).await;
    assert_eq!(rig.mails_to(person).await.len(), 1);
    // Restored without the second table, and played on.
    let restored = rig.with_new_log().await;
    let mut events = begin(match_id(0), [person, nobody(1), nobody(2), nobody(3)]);
    events.push(normal(1, Seat::S, START + Span::hours(16)));
    restored.happens(match_id(0), START, &events).await;
    for other in 0..played_on {
        let id = match_id(100 + other);
        restored.happens(id, START, &begin(id, [1, 2, 3, 4].map(nobody))).await;
    }
    restored.planner.begin().await.unwrap();
    restored.live_until(START + Span::hours(15)).await;
    let mails = restored.mails_to(person).await;
    let [mail] = &mails[..] else { panic!("one mail is expected: {mails:?}") };
    assert_eq!((mail.kind, &mail.deadline[..]), (MailKind::Deadline, &[turn(0, 1)][..]));
}

#[tokio::test]
async fn an_undelivered_mail_is_written_anew_with_the_desk() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 2).await;
    rig.live_until(START + minutes(20)).await;
    let outbox = rig.accounts.outbox();
    let lease = outbox.lease(rig.now(), rig.now() + minutes(5)).await.unwrap().unwrap();
    let Posting::Turn(planned) = lease.job.posting.clone() else { panic!("a turn mail") };
    rig.happens(match_id(0), rig.now(), &[skipped(1, Seat::S)]).await;
    rig.settle().await;
    let again = rig.accounts.retry_turn_mail(lease.job.id, person, &planned, rig.now()).await;
    let Retry::Send(now) = again.unwrap() else { panic!("one turn is left") };
    assert_eq!(now.waiting, [turn(1, 1)]);
    rig.clock.advance(minutes(6));
    let lease = outbox.lease(rig.now(), rig.now() + minutes(5)).await.unwrap().unwrap();
    assert_eq!(lease.job.posting, Posting::Turn(now.clone()), "the outbox says it from now on");
    rig.happens(match_id(1), rig.now(), &[skipped(1, Seat::S)]).await;
    rig.settle().await;
    let again = rig.accounts.retry_turn_mail(lease.job.id, person, &now, rig.now()).await;
    assert_eq!(again.unwrap(), Retry::Drop);
}

#[tokio::test]
async fn what_is_foretold_comes() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 1).await;
    let wait = yibu_domain::reminders::Wait::default();
    let foretold = rig.accounts.upcoming_reminders(person, wait).await.unwrap();
    let at: Vec<Time> = foretold.iter().map(|mail| mail.at).collect();
    assert_eq!(at, [START + minutes(15), START + Span::hours(15)]);
    for upcoming in foretold {
        rig.live_until(upcoming.at).await;
        assert_eq!(rig.mails_to(person).await, [upcoming.mail]);
    }
}

#[tokio::test]
async fn an_outage_moves_what_is_told() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let person = waited_for(&rig, 1).await;
    rig.live_until(START + Span::hours(10)).await;
    assert_eq!(rig.mails_to(person).await.len(), 1);
    let later = START + Span::hours(20);
    rig.happens(match_id(0), rig.now(), &[moved(1, Seat::S, later)]).await;
    rig.live_until(later - Span::hours(1) - Span(1)).await;
    assert_eq!(rig.mails_to(person).await, []);
    rig.live_until(later - Span::hours(1)).await;
    assert_eq!(rig.mails_to(person).await.len(), 1);
}

#[tokio::test]
async fn the_replay_goes_to_all_who_took_part() {
    let rig = Rig::new(Store::Sqlite, START).await;
    let (stayed, gone) = (rig.person("north").await, rig.person("south").await);
    rig.settle().await;
    let id = match_id(0);
    rig.happens(id, START, &begin(id, [stayed, gone, nobody(1), nobody(2)])).await;
    rig.happens(id, START, &[left(1, Seat::E, gone)]).await;
    rig.settle().await;
    assert_eq!(rig.posted().await, []);
    rig.happens(id, START, &[ended()]).await;
    rig.settle().await;
    let mut to: Vec<PlayerId> = Vec::new();
    for (player, posting) in rig.posted().await {
        assert_eq!(posting, Posting::Replay { match_id: id });
        to.push(player);
    }
    to.sort_unstable();
    let mut wanted = vec![stayed, gone];
    wanted.sort_unstable();
    assert_eq!(to, wanted);
}
