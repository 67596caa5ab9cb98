//! Turn mails: which tables wait, by when, by the receiver's wall clock. Must not say anything about a match
//! beyond that: no name, no piece, no side.

use super::{Entry, Paragraph, Text, table};
use crate::mail::Locale;
use crate::mail::kind::{TurnLine, TurnMail};
use chrono::{DateTime, Datelike, Timelike};
use yibu_domain::kernel::{Span, Time};
use yibu_domain::reminders::{MailKind, Zone};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

pub(super) fn text(mail: &TurnMail, locale: Locale, at: Time) -> Text {
    let mut paragraphs = Vec::new();
    let lists = [
        (&mail.deadline, heading(locale, MailKind::Deadline), true),
        (&mail.waiting, heading(locale, MailKind::Normal), true),
        (&mail.timed_out, heading(locale, MailKind::TimedOut), false),
    ];
    for (lines, heading, runs) in lists {
        if lines.is_empty() {
            continue;
        }
        let entry = |line: &TurnLine| {
            let left =
                line.deadline.filter(|_| runs).map(|until| left(until, at, mail.zone, locale));
            let name = table(line.match_id, locale);
            Entry { words: name + &left.unwrap_or_default(), url: line.link.clone() }
        };
        paragraphs.push(Paragraph::Words(heading.to_owned()));
        paragraphs.push(Paragraph::List(lines.iter().map(entry).collect()));
    }
    let end = match locale {
        Locale::ZhHans => "不想再收到走棋邮件：",
        Locale::ZhHant => "不想再收到走棋郵件：",
        Locale::En => "To stop these mails:",
    };
    paragraphs.push(Paragraph::Link { words: end.to_owned(), url: mail.unsubscribe.clone() });
    Text { subject: subject(mail, locale), paragraphs }
}

fn subject(mail: &TurnMail, locale: Locale) -> String {
    let many = |lines: &[TurnLine]| if lines.len() == 1 { "" } else { "s" };
    match (mail.kind, locale) {
        (MailKind::Deadline, Locale::ZhHans) => {
            format!("{} 桌将在 1 小时内超时", mail.deadline.len())
        }
        (MailKind::Deadline, Locale::ZhHant) => {
            format!("{} 桌將在 1 小時內超時", mail.deadline.len())
        }
        (MailKind::Deadline, Locale::En) => {
            let (count, s) = (mail.deadline.len(), many(&mail.deadline));
            format!("{count} turn{s} about to run out")
        }
        (MailKind::TimedOut, Locale::ZhHans) => format!("{} 桌已超时", mail.timed_out.len()),
        (MailKind::TimedOut, Locale::ZhHant) => format!("{} 桌已超時", mail.timed_out.len()),
        (MailKind::TimedOut, Locale::En) => {
            let (count, s) = (mail.timed_out.len(), many(&mail.timed_out));
            format!("{count} turn{s} ran out of time")
        }
        (MailKind::Normal, Locale::ZhHans) => format!("轮到您走棋：{} 桌", mail.waiting.len()),
        (MailKind::Normal, Locale::ZhHant) => format!("輪到您走棋：{} 桌", mail.waiting.len()),
        (MailKind::Normal, Locale::En) => {
            format!("Your turn at {} table{}", mail.waiting.len(), many(&mail.waiting))
        }
    }
}

fn heading(locale: Locale, list: MailKind) -> &'static str {
    match (list, locale) {
        (MailKind::Deadline, Locale::ZhHans) => "轮到您走棋，剩下不到 1 小时：",
        (MailKind::Deadline, Locale::ZhHant) => "輪到您走棋，剩下不到 1 小時：",
        (MailKind::Deadline, Locale::En) => "Your turn, with less than an hour left:",
        (MailKind::Normal, Locale::ZhHans) => "轮到您走棋：",
        (MailKind::Normal, Locale::ZhHant) => "輪到您走棋：",
        (MailKind::Normal, Locale::En) => "Your turn:",
        (MailKind::TimedOut, Locale::ZhHans) => "您这一手已经超时：",
        (MailKind::TimedOut, Locale::ZhHant) => "您這一手已經超時：",
        (MailKind::TimedOut, Locale::En) => "Your turn ran out of time:",
    }
}

/// How long is left, rounded down, and until when.
fn left(until: Time, at: Time, zone: Zone, locale: Locale) -> String {
    let Span(left) = until - at;
    let minutes = left.max(0) / MINUTE;
    let (hours, minutes) = (minutes / (HOUR / MINUTE), minutes % (HOUR / MINUTE));
    let when = wall(until, zone, locale);
    match (locale, hours) {
        (Locale::ZhHans, 0) => format!("：还剩 {minutes} 分钟（{when} 截止）"),
        (Locale::ZhHans, _) => format!("：还剩 {hours} 小时 {minutes} 分钟（{when} 截止）"),
        (Locale::ZhHant, 0) => format!("：還剩 {minutes} 分鐘（{when} 截止）"),
        (Locale::ZhHant, _) => format!("：還剩 {hours} 小時 {minutes} 分鐘（{when} 截止）"),
        (Locale::En, 0) => format!(": {minutes} min left (until {when})"),
        (Locale::En, _) => format!(": {hours} h {minutes} min left (until {when})"),
    }
}

/// An instant as the receiver's clock on the wall shows it.
fn wall(at: Time, zone: Zone, locale: Locale) -> String {
    let shown = at + zone.offset(at);
    let Some(shown) = DateTime::from_timestamp_millis(shown.0) else { return String::new() };
    let clock = format!("{:02}:{:02}", shown.hour(), shown.minute());
    match locale {
        Locale::ZhHans | Locale::ZhHant => format!("{}月{}日 {clock}", shown.month(), shown.day()),
        Locale::En => format!("{} {clock}", shown.format("%-d %b")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mon, 21 Sep 2026 14:13:20 UTC.
    const AT: Time = Time(1_790_000_000_000);

    #[test]
    fn what_is_left_is_told_by_the_receivers_clock() {
        let until = AT + Span(3 * HOUR + 5 * MINUTE + 59_000);
        let zone = |name: &str| name.parse::<Zone>().unwrap();
        let shown = left(until, AT, Zone::default(), Locale::ZhHans);
        assert_eq!(shown, "：还剩 3 小时 5 分钟（9月22日 01:19 截止）");
        let shown = left(until, AT, zone("America/New_York"), Locale::En);
        assert_eq!(shown, ": 3 h 5 min left (until 21 Sep 13:19)");
        let shown = left(AT + Span(59 * MINUTE), AT, zone("Asia/Kathmandu"), Locale::ZhHant);
        assert_eq!(shown, "：還剩 59 分鐘（9月21日 20:57 截止）");
        assert!(left(AT, until, Zone::default(), Locale::En).starts_with(": 0 min left"));
    }
}
