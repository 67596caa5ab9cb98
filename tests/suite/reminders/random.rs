//! Random days of one person, around the hours in which clocks are put forward and back: the planner tells
//! exactly what the rule spelled out tells, and what it tells keeps every promise.
//!
//! `YIBU_CASES` sets the number of stories, `YIBU_SEED` the seed (printed on failure).

use super::brute::{self, Held};
use super::drive::drive;
use super::promises::{self, Kept};
use super::story::{Event, HOUR, Instant, MINUTE, SeatKind, Settings, Story, Told, What, instant};
use super::zones::Zones;
use std::collections::BTreeMap;
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId};

pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A clock of a table: the person's turn or a takeover wait.
struct Running {
    own: bool,
    deadline: i64,
    /// So much later its end is recorded.
    lag: i64,
}

struct Plot<'a> {
    draw: FairDraw,
    zones: &'a Zones,
    anchor: (&'static str, Instant),
    /// The milliseconds after a full minute on which things happen.
    odd: Vec<i64>,
    /// Mails are wanted all day, always.
    always: bool,
    now: i64,
    running: BTreeMap<String, Running>,
    events: Vec<Event>,
}

impl<'a> Plot<'a> {
    fn new(seed: u64, case: u64, zones: &'a Zones) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&case.to_le_bytes());
        let scope = MatchId(uuid::Uuid::nil());
        let mut draw = FairDraw::new("reminders", scope, &Bytes32(bytes), &[]);
        let mut anchors = zones.changes();
        anchors.push(("Asia/Kathmandu", instant("2026-12-01T10:00:00Z")));
        anchors.push(("Asia/Shanghai", instant("2026-12-01T10:00:00Z")));
        let anchor = anchors[draw.below(anchors.len() as u32) as usize];
        let mut odd = vec![0];
        if draw.below(4) == 0 {
            odd.extend([i64::from(draw.below(60_000)), i64::from(draw.below(60_000))]);
        }
        let always = draw.below(3) == 0;
        let now = anchor.1.0 - i64::from(draw.below(60 * 60)) * MINUTE;
        Self { draw, zones, anchor, odd, always, now, running: BTreeMap::new(), events: vec![] }
    }

    fn below(&mut self, bound: u32) -> i64 {
        i64::from(self.draw.below(bound))
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize].clone()
    }

    fn settings(&mut self) -> Settings {
        let mode = self.pick(&["SMART", "SMART", "SMART", "SMART", "DEADLINE_ONLY", "OFF"]);
        let mode = if self.always && mode == "OFF" { "SMART" } else { mode };
        let (from, length) = match self.below(10) {
            _ if self.always => (0, 0),
            0..=3 => (0, 0),
            4 => (22 * 60, 10 * 60),
            5 => (self.below(1440), 1 + self.below(20)),
            6 | 7 => (self.below(1440), self.below(1440)),
            // Where zones change their offsets.
            _ => (self.below(240), 1 + self.below(90)),
        };
        let zones = self.zones.around(self.anchor.1);
        let zone = if self.below(5) < 3 { self.anchor.0 } else { self.pick(&zones) };
        let text = |minutes: i64| format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60);
        Settings::new(mode, &text(from), &text(from + length), zone)
    }

    fn wait(&mut self) -> u32 {
        let minutes = [1, 5, 15, 15, 15, 15, 60, 180, 900, 1440];
        self.pick(&minutes)
    }

    fn happens(&mut self, what: What) {
        self.events.push(Event { at: Instant(self.now), what });
    }

    /// Time goes on; clocks that run out do so.
    fn go_to(&mut self, at: i64) {
        let next = |running: &BTreeMap<String, Running>| {
            let ends = running.iter().map(|(table, clock)| (clock.deadline + clock.lag, table));
            ends.min().map(|(end, table)| (end, table.clone()))
        };
        while let Some((end, table)) = next(&self.running).filter(|(end, _)| *end <= at) {
            self.now = end;
            let own = self.running.remove(&table).is_some_and(|clock| clock.own);
            self.happens(match own {
                true => What::TurnTimedOut { table },
                false => What::TakeoverWaitClosed { table },
            });
        }
        self.now = at;
    }

    fn step(&mut self) {
        let minutes = match self.below(10) {
            0..=2 => 0,
            3..=6 => 1 + self.below(30),
            7 | 8 => self.below(180),
            _ => self.below(600),
        };
        let odd = self.odd.clone();
        let at = (self.now.div_euclid(MINUTE) + minutes) * MINUTE + self.pick(&odd);
        self.go_to(at.max(self.now));
        let open: Vec<String> = self.running.keys().cloned().collect();
        let free = ["A", "B", "C", "E", "F", "G", "H"].map(str::to_owned);
        let free: Vec<String> = free.into_iter().filter(|name| !open.contains(name)).collect();
        match self.below(20) {
            0..=7 if !free.is_empty() => self.turn(&free),
            8 if !free.is_empty() => {
                let (table, deadline) = (self.pick(&free), self.now + 8 * HOUR);
                self.start(&table, false, deadline);
                let deadline = Instant(deadline);
                self.happens(What::TakeoverWaitOpened { table, deadline });
            }
            9..=12 if !open.is_empty() => {
                let table = self.pick(&open);
                let own = self.running.remove(&table).is_some_and(|clock| clock.own);
                self.happens(match own {
                    true => What::TurnEnded { table },
                    false => What::TakeoverWaitClosed { table },
                });
            }
            13..=15 if !open.is_empty() => {
                let table = self.pick(&open);
                self.happens(What::TurnSeen { table });
            }
            16 | 17 if !open.is_empty() => self.outage(&open),
            18 => {
                let settings = self.settings();
                self.happens(What::SettingsChanged { settings });
            }
            19 => {
                let minutes = self.wait();
                self.happens(What::WaitChanged { minutes });
            }
            _ => {}
        }
    }

    fn turn(&mut self, free: &[String]) {
        let table = self.pick(free);
        let (seat_kind, length) = match self.below(10) {
            0..=4 => (SeatKind::Normal, 16 * HOUR),
            5 | 6 => (SeatKind::TakeoverFirst, 3 * HOUR),
            7 => (SeatKind::TakeoverFirst, (1 + self.below(300)) * MINUTE),
            _ => (SeatKind::Normal, (1 + self.below(600)) * MINUTE),
        };
        let deadline = self.now + length;
        self.start(&table, true, deadline);
        self.happens(What::TurnStarted { table, seat_kind, deadline: Instant(deadline) });
    }

    fn start(&mut self, table: &str, own: bool, deadline: i64) {
        let lag = self.pick(&[0, 0, MINUTE, 20 * MINUTE]);
        self.running.insert(table.to_owned(), Running { own, deadline, lag });
    }

    fn outage(&mut self, open: &[String]) {
        let (table, length) = (self.pick(open), 1 + self.below(400));
        let now = self.now;
        if let Some(clock) = self.running.get_mut(&table).filter(|clock| clock.deadline > now) {
            let moved = match length % 4 {
                // To a mark of reminders and notices exactly.
                0 => now + HOUR,
                1 => now + 4 * HOUR,
                _ => clock.deadline + length * MINUTE,
            };
            clock.deadline = clock.deadline.max(moved);
            let deadline = Instant(clock.deadline);
            self.happens(What::DeadlineMoved { table, deadline });
        }
    }

    fn write(mut self) -> Story {
        let (settings, wait_minutes) = (self.settings(), self.wait());
        for _ in 0..10 + self.below(60) {
            if self.now < self.anchor.1.0 + 6 * 24 * HOUR {
                self.step();
            }
        }
        self.go_to(self.now + 48 * HOUR);
        let until = Instant(self.now + 72 * HOUR);
        Story { settings, wait_minutes, events: self.events, until }
    }
}

/// The days of a case of a seed.
pub fn story(seed: u64, case: u64, zones: &Zones) -> Story {
    Plot::new(seed, case, zones).write()
}

#[test]
fn random_days_are_told_as_the_rule_says_and_keep_every_promise() {
    let (cases, seed) = (number("YIBU_CASES", 150), number("YIBU_SEED", 0x5eed));
    let zones = Zones::new();
    let (mut held, mut kept) = (Held::default(), Kept::default());
    for case in 0..cases {
        let story = story(seed, case, &zones);
        let told = drive(&story);
        let (wanted, why) = brute::tell(&story, &zones);
        assert_eq!(told, wanted, "YIBU_SEED={seed} case {case}: {story:#?}");
        match promises::check(&story, &told, &zones) {
            Ok(more) => {
                kept.mails += more.mails;
                kept.last_hours += more.last_hours;
                kept.results += more.results;
            }
            Err(broken) => panic!("YIBU_SEED={seed} case {case}: {broken}; {story:#?}"),
        }
        held.by_window += why.by_window;
        held.by_quarter += why.by_quarter;
        held.by_two_hours += why.by_two_hours;
        held.by_full_day += why.by_full_day;
    }
    let enough = [held.by_window, held.by_quarter, held.by_two_hours, held.by_full_day];
    assert!(enough.iter().all(|&count| count >= cases), "{cases} stories held back only {held:?}");
    let enough = [kept.mails / 2, kept.last_hours, kept.results];
    assert!(enough.iter().all(|&count| count >= cases), "{cases} stories showed only {kept:?}");
}

/// A check that finds nothing wrong with anything would let every test above pass.
#[test]
fn the_promises_are_broken_by_wrong_tellings() {
    let zones = Zones::new();
    let mut found = BTreeMap::<&str, u64>::new();
    for case in 0..40 {
        let mut plot = Plot::new(7, case, &zones);
        plot.always = true;
        let story = plot.write();
        let right = drive(&story);
        assert!(promises::check(&story, &right, &zones).is_ok());
        for (name, wrong) in wrongs(&right) {
            *found.entry(name).or_default() +=
                u64::from(promises::check(&story, &wrong, &zones).is_err());
        }
    }
    let names = ["deadline lost", "result lost", "late", "twice", "normal as deadline", "moved on"];
    for name in names {
        assert!(found.get(name).is_some_and(|&count| count > 10), "{name}: {found:?}");
    }
}

/// Tellings that each differ from the right one by one fault.
fn wrongs(right: &Told) -> Vec<(&'static str, Told)> {
    let mut wrongs = Vec::new();
    let mut with = |name, change: &dyn Fn(&mut Told)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        wrongs.push((name, wrong));
    };
    for (place, mail) in right.mails.iter().enumerate() {
        match mail.kind.as_str() {
            "deadline" => with("deadline lost", &|told| drop(told.mails.remove(place))),
            "timed_out" => with("result lost", &|told| drop(told.mails.remove(place))),
            _ => with("normal as deadline", &|told| {
                told.mails[place].kind = "deadline".to_owned();
            }),
        }
        with("late", &|told| told.mails[place].at.0 += 16 * MINUTE);
        with("moved on", &|told| told.mails[place].at.0 += 24 * HOUR);
        with("twice", &|told| {
            let mut again = told.mails[place].clone();
            again.at.0 += 15 * MINUTE;
            told.mails.insert(place + 1, again);
        });
    }
    wrongs
}
