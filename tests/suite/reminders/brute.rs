//! The whole rule spelled out, asked at every minute and every odd millisecond on which something could
//! fall. Shares no code with the planner, looks for no next instant and knows zones from its own tables.

use super::story::{HOUR, Instant, MINUTE, Mail, Notice, SeatKind, Settings, Story, Told, What};
use super::zones::Zones;
use std::collections::BTreeSet;

/// Why mails that had a reason did not go, by instants: shows that a test met what it is about.
#[derive(Clone, Copy, Default, Debug)]
pub struct Held {
    pub by_window: u64,
    pub by_quarter: u64,
    pub by_two_hours: u64,
    pub by_full_day: u64,
}

#[derive(PartialEq)]
enum Kind {
    Turn,
    First,
    Wait,
}

struct Open {
    table: String,
    kind: Kind,
    started: i64,
    deadline: i64,
    seen: bool,
    told: bool,
    warned: bool,
}

struct World<'a> {
    zones: &'a Zones,
    settings: Settings,
    wait: i64,
    open: Vec<Open>,
    results: BTreeSet<String>,
    last: Option<i64>,
    normals: Vec<i64>,
    told: Told,
    held: Held,
}

/// What must be told in a story, and what was held back.
pub fn tell(story: &Story, zones: &Zones) -> (Told, Held) {
    let mut world = World {
        zones,
        settings: story.settings.clone(),
        wait: i64::from(story.wait_minutes) * MINUTE,
        open: Vec::new(),
        results: BTreeSet::new(),
        last: None,
        normals: Vec::new(),
        told: Told::default(),
        held: Held::default(),
    };
    let mut odd = BTreeSet::from([0]);
    for event in &story.events {
        odd.insert(event.at.0.rem_euclid(MINUTE));
        if let What::TurnStarted { deadline, .. }
        | What::DeadlineMoved { deadline, .. }
        | What::TakeoverWaitOpened { deadline, .. } = &event.what
        {
            odd.insert(deadline.0.rem_euclid(MINUTE));
        }
    }
    let first = story.events.first().map_or(story.until.0, |event| event.at.0);
    let mut events = story.events.iter().peekable();
    for minute in first.div_euclid(MINUTE)..=story.until.0.div_euclid(MINUTE) {
        for at in odd.iter().map(|odd| minute * MINUTE + odd) {
            while let Some(event) = events.next_if(|event| event.at.0 == at) {
                world.happens(at, &event.what);
            }
            world.notices(at);
            world.mails(at);
        }
    }
    assert!(events.next().is_none(), "an event was passed over");
    (world.told, world.held)
}

/// `HH:MM` in milliseconds after midnight.
pub fn hands(text: &str) -> i64 {
    let (hours, minutes) = text.split_once(':').expect("HH:MM");
    hours.parse::<i64>().unwrap() * HOUR + minutes.parse::<i64>().unwrap() * MINUTE
}

/// The window of `settings` is open at an instant.
pub fn in_window(settings: &Settings, zones: &Zones, at: i64) -> bool {
    let (from, to) = (hands(&settings.window.from), hands(&settings.window.to));
    let clock = zones.wall(&settings.zone, Instant(at)).rem_euclid(24 * HOUR);
    if from == to {
        true
    } else if from < to {
        from <= clock && clock < to
    } else {
        clock >= from || clock < to
    }
}

impl World<'_> {
    fn happens(&mut self, at: i64, what: &What) {
        match what {
            What::TurnStarted { table, seat_kind, deadline } => {
                let first = *seat_kind == SeatKind::TakeoverFirst;
                self.opens(table, if first { Kind::First } else { Kind::Turn }, at, *deadline);
            }
            What::TakeoverWaitOpened { table, deadline } => {
                self.opens(table, Kind::Wait, at, *deadline);
            }
            What::TurnEnded { table } | What::TakeoverWaitClosed { table } => self.closes(table),
            What::TurnTimedOut { table } => {
                self.closes(table);
                if self.settings.mode != "OFF" {
                    self.results.insert(table.clone());
                }
            }
            What::TurnSeen { table } => {
                self.open.iter_mut().filter(|o| o.table == *table).for_each(|o| o.seen = true);
            }
            What::DeadlineMoved { table, deadline } => {
                for open in self.open.iter_mut().filter(|open| open.table == *table) {
                    open.deadline = deadline.0;
                    if open.deadline - at > HOUR {
                        open.warned = false;
                    }
                }
            }
            What::SettingsChanged { settings } => {
                self.settings = settings.clone();
                if settings.mode == "OFF" {
                    self.results.clear();
                }
            }
            What::WaitChanged { minutes } => self.wait = i64::from(*minutes) * MINUTE,
        }
    }

    fn opens(&mut self, table: &str, kind: Kind, started: i64, deadline: Instant) {
        let (table, deadline) = (table.to_owned(), deadline.0);
        let open = Open { table, kind, started, deadline, seen: false, told: false, warned: false };
        self.open.push(open);
        self.open.sort_by(|a, b| a.table.cmp(&b.table));
    }

    fn closes(&mut self, table: &str) {
        self.open.retain(|open| open.table != table);
    }

    fn notices(&mut self, at: i64) {
        for open in &self.open {
            let kind = match (&open.kind, open.deadline - at) {
                (Kind::Turn, left) if left == 4 * HOUR => "turn_4h",
                (Kind::Turn, HOUR) => "turn_1h",
                (Kind::First, HOUR) => "takeover_first_1h",
                (Kind::Wait, left) if left == 4 * HOUR => "takeover_wait_4h",
                (Kind::Wait, HOUR) => "takeover_wait_1h",
                _ => continue,
            };
            let (at, table) = (Instant(at), open.table.clone());
            self.told.notices.push(Notice { at, table, kind: kind.to_owned() });
        }
    }

    fn mails(&mut self, at: i64) {
        let smart = self.settings.mode == "SMART";
        let on = |o: &Open| o.kind != Kind::Wait && at < o.deadline;
        let last_hour = |o: &Open| on(o) && o.deadline - at <= HOUR;
        let waiting = |o: &Open| smart && on(o) && !last_hour(o) && !o.seen;
        let urgent = self.open.iter().any(|o| last_hour(o) && !o.warned);
        let due = self.open.iter().any(|o| waiting(o) && !o.told && at >= o.started + self.wait);
        let results = !self.results.is_empty();
        if self.settings.mode == "OFF" || !(urgent || due || results) {
            return;
        }
        let open = in_window(&self.settings, self.zones, at);
        let quarter = self.last.is_none_or(|last| at >= last + 15 * MINUTE);
        let two_hours = self.normals.iter().all(|&normal| at >= normal + 2 * HOUR);
        let day = |at: i64| self.zones.wall(&self.settings.zone, Instant(at)).div_euclid(24 * HOUR);
        let room = self.normals.iter().filter(|&&normal| day(normal) == day(at)).count() < 3;
        let only_due = due && !urgent && !results;
        self.held.by_window += u64::from(!open);
        self.held.by_quarter += u64::from(open && !quarter);
        self.held.by_two_hours += u64::from(only_due && open && quarter && !two_hours);
        self.held.by_full_day += u64::from(only_due && open && quarter && two_hours && !room);
        if !(open && quarter && (urgent || results || (two_hours && room))) {
            return;
        }
        let kind = if urgent {
            "deadline"
        } else if results {
            "timed_out"
        } else {
            self.normals.push(at);
            "normal"
        };
        let list = |wanted: &dyn Fn(&Open) -> bool| -> Vec<String> {
            self.open.iter().filter(|o| wanted(o)).map(|o| o.table.clone()).collect()
        };
        self.told.mails.push(Mail {
            at: Instant(at),
            kind: kind.to_owned(),
            deadline: list(&last_hour),
            waiting: list(&waiting),
            timed_out: std::mem::take(&mut self.results).into_iter().collect(),
        });
        self.last = Some(at);
        for open in &mut self.open {
            let (last, told) = (last_hour(open), last_hour(open) || waiting(open));
            open.warned |= last;
            open.told |= told;
        }
    }
}
