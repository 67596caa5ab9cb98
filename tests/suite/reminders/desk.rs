//! What vectors cannot say: late looks, foretelling, turns by their number, mails that wait for delivery.

use uuid::Uuid;
use yibu_domain::kernel::{MatchId, Span, Time};
use yibu_domain::matches::events::TurnKind;
use yibu_domain::reminders::{
    Desk, Happening, Mail, MailKind, NoticeKind, Retry, Settings, TurnRef, Upcoming, Wait,
};

const DAWN: Time = Time(1_900_000_000_000);
const TABLE: MatchId = MatchId(Uuid::from_u128(1));
const OTHER: MatchId = MatchId(Uuid::from_u128(2));

fn minutes(minutes: i64) -> Span {
    Span::seconds(minutes * 60)
}

fn turn(match_id: MatchId, turn: u32) -> TurnRef {
    TurnRef { match_id, turn }
}

fn settings(mode: &str) -> Settings {
    Settings::parse(mode, "00:00", "00:00", "Asia/Shanghai").unwrap()
}

/// A clock of sixteen hours begins, with the number 7.
fn starts(desk: &mut Desk, at: Time, match_id: MatchId, kind: TurnKind) {
    let deadline = at + Span::hours(16);
    desk.note(at, Happening::Started { match_id, turn: 7, kind, deadline });
}

/// A desk with one turn since dawn, told by a normal mail after the wait.
fn told() -> (Desk, Mail) {
    let mut desk = Desk::new(settings("SMART"));
    starts(&mut desk, DAWN, TABLE, TurnKind::Normal);
    let mail = desk.look(Wait::default(), DAWN + minutes(15)).mail.expect("a normal mail");
    assert_eq!((mail.kind, &mail.waiting[..]), (MailKind::Normal, &[turn(TABLE, 7)][..]));
    (desk, mail)
}

#[test]
fn who_looks_late_finds_the_latest_notice_only() {
    let mut desk = Desk::new(settings("OFF"));
    starts(&mut desk, DAWN, TABLE, TurnKind::Normal);
    starts(&mut desk, DAWN + minutes(90), OTHER, TurnKind::Vacant);
    let plan = desk.look(Wait::default(), DAWN + Span::hours(15) + minutes(20));
    let kinds: Vec<NoticeKind> = plan.notices.iter().map(|notice| notice.kind).collect();
    assert_eq!(kinds, [NoticeKind::Turn1h, NoticeKind::TakeoverWait4h]);
    assert_eq!(plan.notices[0].turn, turn(TABLE, 7));
    assert_eq!(plan.notices[0].deadline, DAWN + Span::hours(16));
    assert_eq!(plan.wake, Some(DAWN + minutes(90) + Span::hours(15)));
    let over = desk.look(Wait::default(), DAWN + Span::hours(20));
    assert_eq!((over.notices.len(), over.wake), (0, None));
}

#[test]
fn seen_counts_for_the_turn_that_was_seen() {
    for (seen, mails) in [(6, 1), (7, 0), (8, 1)] {
        let mut desk = Desk::new(settings("SMART"));
        starts(&mut desk, DAWN, TABLE, TurnKind::Normal);
        desk.note(DAWN + minutes(1), Happening::Seen(turn(TABLE, seen)));
        let normal = |upcoming: &Upcoming| upcoming.mail.kind == MailKind::Normal;
        let upcoming = desk.upcoming(Wait::default(), DAWN + minutes(1));
        assert_eq!(upcoming.iter().filter(|&mail| normal(mail)).count(), mails, "turn {seen}");
        assert_eq!(upcoming.last().unwrap().mail.kind, MailKind::Deadline);
    }
}

#[test]
fn a_last_hour_is_told_again_only_when_more_than_an_hour_is_left_again() {
    for (left, mails) in [(Span::hours(1), 0), (Span(3_600_001), 1)] {
        let mut desk = Desk::new(settings("DEADLINE_ONLY"));
        starts(&mut desk, DAWN, TABLE, TurnKind::Normal);
        let told = desk.look(Wait::default(), DAWN + Span::hours(15)).mail;
        assert_eq!(told.map(|mail| mail.kind), Some(MailKind::Deadline));
        let at = DAWN + Span::hours(15) + minutes(20);
        desk.note(at, Happening::DeadlineMoved { match_id: TABLE, deadline: at + left });
        assert_eq!(desk.upcoming(Wait::default(), at).len(), mails, "{left:?} left");
    }
}

#[test]
fn takeover_waits_cause_no_mail() {
    let mut desk = Desk::new(settings("SMART"));
    starts(&mut desk, DAWN, TABLE, TurnKind::Vacant);
    assert_eq!(desk.upcoming(Wait::default(), DAWN), []);
    desk.note(DAWN + Span::hours(16), Happening::TimedOut { match_id: TABLE });
    assert_eq!(desk.upcoming(Wait::default(), DAWN + Span::hours(16)), []);
}

#[test]
fn what_is_foretold_goes_however_often_one_looks() {
    let mut desk = Desk::new(Settings::parse("SMART", "09:00", "15:30", "Asia/Kathmandu").unwrap());
    starts(&mut desk, DAWN, TABLE, TurnKind::Normal);
    starts(&mut desk, DAWN + minutes(50), OTHER, TurnKind::TakeoverFirst);
    let now = DAWN + minutes(50);
    let foretold = desk.upcoming(Wait::default(), now);
    // 23:31:40 in Kathmandu at dawn: one at the opening, one for each last hour.
    assert_eq!(foretold.len(), 3, "{foretold:?}");
    let mut went = Vec::new();
    // Whole minutes are among the steps.
    for at in (0..20 * 180).map(|step| now + Span::seconds(20 * step)) {
        let mail = desk.look(Wait::default(), at).mail;
        went.extend(mail.map(|mail| Upcoming { at, mail }));
        assert_eq!(desk.look(Wait::default(), at + Span(1)).mail, None);
    }
    assert_eq!(went, foretold);
}

#[test]
fn an_undelivered_mail_never_says_your_turn_after_the_move() {
    let (mut desk, mail) = told();
    let later = DAWN + minutes(40);
    assert_eq!(desk.clone().retry(&mail, later), Retry::Send(mail.clone()));
    let mut seen = desk.clone();
    seen.note(DAWN + minutes(20), Happening::Seen(turn(TABLE, 7)));
    assert_eq!(seen.retry(&mail, later), Retry::Drop);
    let mut off = desk.clone();
    off.note(DAWN + minutes(20), Happening::SettingsChanged(settings("OFF")));
    assert_eq!(off.retry(&mail, later), Retry::Drop);
    desk.note(DAWN + minutes(20), Happening::Ended { match_id: TABLE });
    assert_eq!(desk.clone().retry(&mail, later), Retry::Drop);
    // Another turn of the same match is not what the mail was about, nor is another table within its wait.
    let deadline = later + Span::hours(16);
    let (match_id, kind) = (TABLE, TurnKind::Normal);
    desk.note(DAWN + minutes(35), Happening::Started { match_id, turn: 11, kind, deadline });
    starts(&mut desk, DAWN + minutes(35), OTHER, TurnKind::Normal);
    assert_eq!(desk.retry(&mail, later), Retry::Drop);
}

#[test]
fn an_undelivered_mail_tells_what_is_so_by_then_and_nothing_is_told_twice() {
    let (desk, mail) = told();
    let mut hour = desk.clone();
    let late = DAWN + Span::hours(15);
    let Retry::Send(now) = hour.retry(&mail, late) else { panic!("the turn is still open") };
    assert_eq!((now.kind, &now.deadline[..]), (MailKind::Deadline, &[turn(TABLE, 7)][..]));
    assert!(now.waiting.is_empty());
    assert_eq!(hour.upcoming(Wait::default(), late), []);
    let mut out = desk;
    let over = DAWN + Span::hours(16);
    out.note(over, Happening::TimedOut { match_id: TABLE });
    let Retry::Send(now) = out.retry(&mail, over) else { panic!("the result is news") };
    assert_eq!((now.kind, &now.timed_out[..]), (MailKind::TimedOut, &[turn(TABLE, 7)][..]));
    assert_eq!(out.upcoming(Wait::default(), over), []);
    // Once a result is planned, it stands.
    let much_later = over + Span::hours(30);
    assert_eq!(out.retry(&now, much_later), Retry::Send(now.clone()));
}

#[test]
fn an_undelivered_mail_keeps_to_the_window() {
    let (mut desk, mail) = told();
    // 2030-03-18 01:46:40 in Shanghai at dawn.
    let morning = Settings::parse("SMART", "08:00", "12:00", "Asia/Shanghai").unwrap();
    desk.note(DAWN + minutes(20), Happening::SettingsChanged(morning));
    let opening = Time(DAWN.0 + (6 * 3600 + 13 * 60 + 20) * 1000);
    assert_eq!(desk.retry(&mail, DAWN + minutes(21)), Retry::Hold(opening));
    assert_eq!(desk.retry(&mail, opening), Retry::Send(mail));
}
