//! What a person may rely on, checked on what was told alone: limits, truth, nobody forgotten. Does not ask
//! when mails should have gone; knows neither the planner nor the rule spelled out.

use super::brute::in_window;
use super::story::{HOUR, Instant, MINUTE, Mail, Settings, Story, Told, What};
use super::zones::Zones;
use std::collections::HashSet;

/// How often each promise was put to the test.
#[derive(Clone, Copy, Default, Debug)]
pub struct Kept {
    pub mails: u64,
    pub last_hours: u64,
    pub results: u64,
}

/// One turn of the person from its start to its end.
struct Turn<'a> {
    table: &'a str,
    start: i64,
    /// The first instant at which it is no longer open.
    end: i64,
    /// From when on which deadline.
    deadlines: Vec<(i64, i64)>,
    seen: Option<i64>,
    ran_out: bool,
}

impl Turn<'_> {
    fn deadline(&self, at: i64) -> i64 {
        self.deadlines.iter().rfind(|(from, _)| *from <= at).map_or(0, |(_, deadline)| *deadline)
    }

    fn left(&self, at: i64) -> Option<i64> {
        (self.start <= at && at < self.end).then(|| self.deadline(at) - at)
    }
}

fn turns(story: &Story) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for event in &story.events {
        let at = event.at.0;
        if let What::TurnStarted { table, deadline, .. } = &event.what {
            let deadlines = vec![(at, deadline.0)];
            let (end, seen, ran_out) = (i64::MAX, None, false);
            turns.push(Turn { table, start: at, end, deadlines, seen, ran_out });
            continue;
        }
        let same = |turn: &&mut Turn<'_>| Some(turn.table) == event.what.table();
        let Some(turn) = turns.iter_mut().rfind(same).filter(|turn| turn.end == i64::MAX) else {
            continue;
        };
        match &event.what {
            What::TurnSeen { .. } => turn.seen = turn.seen.or(Some(at)),
            What::DeadlineMoved { deadline, .. } => turn.deadlines.push((at, deadline.0)),
            What::TurnEnded { .. } => turn.end = at,
            What::TurnTimedOut { .. } => (turn.end, turn.ran_out) = (at, true),
            _ => {}
        }
    }
    turns
}

/// The settings after the events of an instant.
fn settings(story: &Story, at: Instant) -> &Settings {
    let changes = story.events.iter().take_while(|event| event.at <= at);
    let new = changes.filter_map(|event| match &event.what {
        What::SettingsChanged { settings } => Some(settings),
        _ => None,
    });
    new.last().unwrap_or(&story.settings)
}

/// Checks every promise.
///
/// # Errors
/// The first one that is broken.
pub fn check(story: &Story, told: &Told, zones: &Zones) -> Result<Kept, String> {
    let turns = turns(story);
    limits(story, &told.mails, zones)?;
    truth(story, &told.mails, &turns)?;
    let mut kept = nobody_forgotten(story, &told.mails, &turns)?;
    kept.mails = told.mails.len() as u64;
    Ok(kept)
}

fn limits(story: &Story, mails: &[Mail], zones: &Zones) -> Result<(), String> {
    for pair in mails.windows(2) {
        if pair[1].at.0 - pair[0].at.0 < 15 * MINUTE {
            return Err(format!("{:?} comes too soon after {:?}", pair[1], pair[0].at));
        }
    }
    let normals: Vec<&Mail> = mails.iter().filter(|mail| mail.kind == "normal").collect();
    for (before, mail) in normals.iter().enumerate() {
        let zone = &settings(story, mail.at).zone;
        let day = |mail: &Mail| zones.wall(zone, mail.at).div_euclid(24 * HOUR);
        let earlier = &normals[..before];
        if earlier.iter().any(|other| mail.at.0 - other.at.0 < 2 * HOUR) {
            return Err(format!("{mail:?} is normal within two hours"));
        }
        if earlier.iter().filter(|other| day(other) == day(mail)).count() >= 3 {
            return Err(format!("{mail:?} is the fourth of its day"));
        }
    }
    for mail in mails {
        let settings = settings(story, mail.at);
        if settings.mode == "OFF" || !in_window(settings, zones, mail.at.0) {
            return Err(format!("{mail:?} was not wanted: {settings:?}"));
        }
        let normal = mail.kind == "normal" || !mail.waiting.is_empty();
        if settings.mode == "DEADLINE_ONLY" && normal {
            return Err(format!("{mail:?} is not about last hours only"));
        }
    }
    Ok(())
}

/// Each list says what is so, and each mail has news of its kind.
fn truth(story: &Story, mails: &[Mail], turns: &[Turn<'_>]) -> Result<(), String> {
    // What was told: of turns by table and start, under the deadline of then.
    let (mut told, mut warned, mut results) = (HashSet::new(), HashSet::new(), HashSet::new());
    for mail in mails {
        let at = mail.at.0;
        let open = |table: &String| {
            turns.iter().find(|turn| turn.table == table && turn.left(at).is_some())
        };
        let lie = |table: &String| Err(format!("{mail:?} is wrong about {table}"));
        let (mut news, mut first_warning) = (false, false);
        for table in &mail.deadline {
            match open(table).and_then(|turn| Some((turn, turn.left(at)?))) {
                Some((turn, left)) if 0 < left && left <= HOUR => {
                    told.insert((table, turn.start));
                    first_warning |= warned.insert((table, turn.start, turn.deadline(at)));
                }
                _ => return lie(table),
            }
        }
        for table in &mail.waiting {
            match open(table).and_then(|turn| Some((turn, turn.left(at)?))) {
                Some((turn, left)) if left > HOUR && turn.seen.is_none_or(|seen| seen > at) => {
                    news |= told.insert((table, turn.start));
                }
                _ => return lie(table),
            }
        }
        for table in &mail.timed_out {
            let ran_out = |turn: &&Turn<'_>| turn.ran_out && turn.end <= at && turn.table == table;
            let Some(turn) = turns.iter().rfind(ran_out) else { return lie(table) };
            if !results.insert((table, turn.end)) {
                return lie(table);
            }
        }
        let fits = match mail.kind.as_str() {
            "normal" => news && mail.timed_out.is_empty(),
            "timed_out" => !mail.timed_out.is_empty(),
            "deadline" => first_warning,
            _ => false,
        };
        if !fits {
            return Err(format!("{mail:?} has no reason; {:?}", story.settings));
        }
    }
    Ok(())
}

/// Where the window is open all day and mails are on throughout: each last hour and each result is told
/// in time; and everywhere, a last hour is told first by a mail about last hours.
fn nobody_forgotten(story: &Story, mails: &[Mail], turns: &[Turn<'_>]) -> Result<Kept, String> {
    let mut kept = Kept::default();
    let changes = story.events.iter().filter_map(|event| match &event.what {
        What::SettingsChanged { settings } => Some(settings),
        _ => None,
    });
    let always =
        |settings: &Settings| settings.mode != "OFF" && settings.window.from == settings.window.to;
    let always = changes.chain([&story.settings]).all(always);
    for turn in turns {
        let &[(_, deadline)] = &turn.deadlines[..] else { continue };
        let own = |mail: &&Mail| turn.start <= mail.at.0 && mail.at.0 < turn.end;
        let lists = |mail: &&Mail| mail.deadline.iter().any(|table| table == turn.table);
        let first = mails.iter().filter(own).find(lists);
        if first.is_some_and(|mail| mail.kind != "deadline") {
            return Err(format!("{first:?} is the first to tell the last hour of {}", turn.table));
        }
        if !always {
            continue;
        }
        let (from, to) = (deadline - HOUR, deadline - 45 * MINUTE);
        if turn.start <= from && to < turn.end {
            if !first.is_some_and(|mail| from <= mail.at.0 && mail.at.0 <= to) {
                return Err(format!("{} by {:?} was forgotten", turn.table, Instant(deadline)));
            }
            kept.last_hours += 1;
        }
        if turn.ran_out {
            let soon = turn.end..=turn.end + 15 * MINUTE;
            let tells = |mail: &Mail| mail.timed_out.iter().any(|table| table == turn.table);
            if !mails.iter().any(|mail| soon.contains(&mail.at.0) && tells(mail)) {
                let end = Instant(turn.end);
                return Err(format!("{} ran out at {end:?}, untold", turn.table));
            }
            kept.results += 1;
        }
    }
    Ok(kept)
}
