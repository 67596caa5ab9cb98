//! The rule itself: a mail goes at the earliest instant that gives a reason and breaks no limit. Everything
//! is computed anew at each look; nothing is queued.

use super::clock::Clock;
use super::desk::Desk;
use super::mail::{Mail, MailKind, Retry, TurnRef};
use super::notices::Notice;
use super::settings::{Mode, Wait};
use super::wall::{Wall, first};
use crate::kernel::{Span, Time};

/// So far ahead a window's opening is looked for; every zone's window opens sooner.
const HORIZON: Span = Span::hours(7 * 24);

/// What a look yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The mail that goes at this instant.
    pub mail: Option<Mail>,
    /// The notices of this instant, in the order of match ids.
    pub notices: Vec<Notice>,
    /// When to look again, unless something happens before; later than now.
    pub wake: Option<Time>,
}

/// A mail that will go if nothing happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Upcoming {
    /// When.
    pub at: Time,
    /// What it will say.
    pub mail: Mail,
}

impl Desk {
    /// Looks at everything at `now`: what goes is noted as told, with the limits that follow.
    pub fn look(&mut self, wait: Wait, now: Time) -> Plan {
        let mut next = self.next_mail(wait, now);
        let mail = (next == Some(now)).then(|| self.mail_of(now));
        if let Some(mail) = &mail {
            self.tell(mail);
            self.history.note(now, mail.kind == MailKind::Normal);
            next = self.next_mail(wait, now);
        }
        let notices = self.clocks.iter_mut().filter_map(|(&match_id, clock)| {
            let kind = clock.notice(now)?;
            Some(Notice { turn: clock.name(match_id), kind, deadline: clock.deadline })
        });
        let notices = notices.collect();
        let marks = self.clocks.values().filter_map(Clock::next_notice);
        Plan { mail, notices, wake: marks.chain(next).min() }
    }

    /// The mails of the coming week if nothing else happens, in order.
    pub fn upcoming(&self, wait: Wait, now: Time) -> Vec<Upcoming> {
        let mut desk = self.clone();
        let mut mails = Vec::new();
        let mut next = Some(now);
        while let Some(at) = next {
            let plan = desk.look(wait, at);
            mails.extend(plan.mail.map(|mail| Upcoming { at, mail }));
            next = plan.wake.filter(|&wake| wake < now + HORIZON);
        }
        mails
    }

    /// What becomes of a mail that was planned earlier and has not been delivered: it tells what is so now,
    /// or nothing. What it lists anew is told; limits count from when it was planned.
    pub fn retry(&mut self, planned: &Mail, now: Time) -> Retry {
        if self.settings.mode == Mode::Off {
            return Retry::Drop;
        }
        let mut mail = self.mail_of(now);
        mail.timed_out.extend(&planned.timed_out);
        mail.timed_out.sort_unstable();
        mail.timed_out.dedup();
        let told = [&planned.deadline, &planned.waiting, &planned.timed_out];
        let still = [&mail.deadline, &mail.waiting, &mail.timed_out];
        if !told.into_iter().flatten().any(|turn| still.iter().any(|list| list.contains(turn))) {
            return Retry::Drop;
        }
        let open = self.window_opens(now);
        if open > now {
            return Retry::Hold(open);
        }
        mail.kind = kind(!mail.deadline.is_empty(), !mail.timed_out.is_empty());
        self.tell(&mail);
        Retry::Send(mail)
    }

    /// What a mail says at an instant.
    fn mail_of(&self, now: Time) -> Mail {
        let list = |wanted: &dyn Fn(&Clock) -> bool| -> Vec<TurnRef> {
            let wanted = self.turns().filter(|(_, clock)| wanted(clock));
            wanted.map(|(match_id, clock)| clock.name(match_id)).collect()
        };
        let smart = self.settings.mode == Mode::Smart;
        let news = self.turns().any(|(_, clock)| clock.in_last_hour(now) && !clock.told_last_hour);
        let timed_out = self.time_outs.iter().map(|(&match_id, &turn)| TurnRef { match_id, turn });
        Mail {
            kind: kind(news, !self.time_outs.is_empty()),
            deadline: list(&|clock| clock.in_last_hour(now)),
            waiting: list(&|clock| smart && !clock.seen && now < clock.last_hour()),
            timed_out: timed_out.collect(),
        }
    }

    /// The earliest instant from `now` on at which a mail goes if nothing happens.
    fn next_mail(&self, wait: Wait, now: Time) -> Option<Time> {
        let settings = &self.settings;
        if settings.mode == Mode::Off {
            return None;
        }
        let (any_from, normal_from) = (self.history.any_from(now), self.history.normal_from(now));
        let full = self.history.full_days(settings.zone);
        let anyhow = |from: Time, before: Time| {
            let hands = |wall: Wall| wall.until_open(settings.window);
            first(settings.zone, from.at_least(any_from), before, hands)
        };
        let normally = |from: Time, before: Time| {
            let hands = |wall: Wall| {
                let full = full.contains(&wall.date());
                if full { wall.until_tomorrow() } else { wall.until_open(settings.window) }
            };
            first(settings.zone, from.at_least(normal_from), before, hands)
        };
        let results = (!self.time_outs.is_empty()).then(|| self.window_opens(any_from));
        let turns = self.turns().flat_map(|(_, clock)| {
            let urgent = || anyhow(clock.last_hour(), clock.deadline);
            let due = || normally(clock.since + wait.span(), clock.last_hour());
            let asks = settings.mode == Mode::Smart && !clock.seen && !clock.told;
            let urgent = (!clock.told_last_hour).then(urgent).flatten();
            [urgent, asks.then(due).flatten()]
        });
        turns.flatten().chain(results).min()
    }

    /// The first instant from `from` on inside the window; at the horizon if there is none before.
    fn window_opens(&self, from: Time) -> Time {
        let (zone, window) = (self.settings.zone, self.settings.window);
        let horizon = from + HORIZON;
        first(zone, from, horizon, |wall| wall.until_open(window)).unwrap_or(horizon)
    }
}

/// What a mail is about, most pressing first.
fn kind(last_hours: bool, results: bool) -> MailKind {
    if last_hours {
        MailKind::Deadline
    } else if results {
        MailKind::TimedOut
    } else {
        MailKind::Normal
    }
}
