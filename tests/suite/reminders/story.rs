//! What happens to one person and what the person is told, in the words of the vectors. Judges nothing.

use serde::Deserialize;
use std::fmt;

/// Milliseconds since 1970 in UTC, written `YYYY-MM-DDTHH:MM:SS[.mmm]Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Instant(pub i64);

pub const MINUTE: i64 = 60_000;
pub const HOUR: i64 = 60 * MINUTE;

/// Days from 1970-01-01 to a day of the Gregorian calendar: years of 365 days and their leap days.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let leap_days = |years: i64| years / 4 - years / 100 + years / 400;
    let this_year = before[(month - 1) as usize] + day - 1 + i64::from(leap && month > 2);
    365 * (year - 1970) + leap_days(year - 1) - leap_days(1969) + this_year
}

/// An instant as the vectors write it.
///
/// # Panics
/// When it is not written so.
pub fn instant(text: &str) -> Instant {
    Instant::try_from(text.to_owned()).unwrap()
}

impl TryFrom<String> for Instant {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no instant");
        let part = |range| text.get(range).and_then(|digits: &str| digits.parse::<i64>().ok());
        let number = |from: usize, to: usize| part(from..to).ok_or_else(wrong);
        let thousandths = match text.get(19..).ok_or_else(wrong)? {
            "Z" => 0,
            rest if rest.len() == 5 && rest.starts_with('.') && rest.ends_with('Z') => {
                number(20, 23)?
            }
            _ => return Err(wrong()),
        };
        let (month, day) = (number(5, 7)?, number(8, 10)?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(wrong());
        }
        let days = days(number(0, 4)?, month, day);
        let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
        Ok(Self((days * 86_400 + seconds) * 1000 + thousandths))
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, rest) = (self.0.div_euclid(24 * HOUR), self.0.rem_euclid(24 * HOUR));
        let (mut year, mut month) = (1970 + day / 366, 1);
        while days(year + 1, 1, 1) <= day {
            year += 1;
        }
        while month < 12 && days(year, month + 1, 1) <= day {
            month += 1;
        }
        let date = day - days(year, month, 1) + 1;
        let (hour, minute, rest) = (rest / HOUR, rest % HOUR / MINUTE, rest % MINUTE);
        write!(f, "{year}-{month:02}-{date:02}T{hour:02}:{minute:02}:")?;
        write!(f, "{:02}.{:03}Z", rest / 1000, rest % 1000)
    }
}

/// A person's settings.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Settings {
    pub mode: String,
    pub window: Window,
    pub zone: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Window {
    pub from: String,
    pub to: String,
}

impl Settings {
    pub fn new(mode: &str, from: &str, to: &str, zone: &str) -> Self {
        let window = Window { from: from.to_owned(), to: to.to_owned() };
        Self { mode: mode.to_owned(), window, zone: zone.to_owned() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    Normal,
    TakeoverFirst,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum What {
    TurnStarted {
        #[serde(rename = "match")]
        table: String,
        seat_kind: SeatKind,
        deadline: Instant,
    },
    TurnEnded {
        #[serde(rename = "match")]
        table: String,
    },
    TurnTimedOut {
        #[serde(rename = "match")]
        table: String,
    },
    TurnSeen {
        #[serde(rename = "match")]
        table: String,
    },
    DeadlineMoved {
        #[serde(rename = "match")]
        table: String,
        deadline: Instant,
    },
    TakeoverWaitOpened {
        #[serde(rename = "match")]
        table: String,
        deadline: Instant,
    },
    TakeoverWaitClosed {
        #[serde(rename = "match")]
        table: String,
    },
    SettingsChanged {
        settings: Settings,
    },
    WaitChanged {
        minutes: u32,
    },
}

impl What {
    /// The match that it concerns.
    pub fn table(&self) -> Option<&str> {
        match self {
            Self::TurnStarted { table, .. }
            | Self::TurnEnded { table }
            | Self::TurnTimedOut { table }
            | Self::TurnSeen { table }
            | Self::DeadlineMoved { table, .. }
            | Self::TakeoverWaitOpened { table, .. }
            | Self::TakeoverWaitClosed { table } => Some(table),
            Self::SettingsChanged { .. } | Self::WaitChanged { .. } => None,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Event {
    pub at: Instant,
    #[serde(flatten)]
    pub what: What,
}

/// One person's days.
#[derive(Clone, Debug, Deserialize)]
pub struct Story {
    pub settings: Settings,
    pub wait_minutes: u32,
    pub events: Vec<Event>,
    pub until: Instant,
}

impl Story {
    /// A smart person's, with the usual wait, in which nothing happens yet.
    pub fn quiet(from: &str, to: &str, zone: &str, until: &str) -> Self {
        Self {
            settings: Settings::new("SMART", from, to, zone),
            wait_minutes: 15,
            events: Vec::new(),
            until: instant(until),
        }
    }

    /// A turn of sixteen hours begins.
    #[must_use]
    pub fn turn(mut self, table: &str, at: &str) -> Self {
        let at = instant(at);
        let (table, deadline) = (table.to_owned(), Instant(at.0 + 16 * HOUR));
        let what = What::TurnStarted { table, seat_kind: SeatKind::Normal, deadline };
        self.events.push(Event { at, what });
        self
    }

    /// It ends.
    #[must_use]
    pub fn moved(mut self, table: &str, at: &str) -> Self {
        let what = What::TurnEnded { table: table.to_owned() };
        self.events.push(Event { at: instant(at), what });
        self
    }
}

/// A mail that went.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Mail {
    pub at: Instant,
    pub kind: String,
    pub deadline: Vec<String>,
    pub waiting: Vec<String>,
    pub timed_out: Vec<String>,
}

/// A notice that was given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub struct Notice {
    pub at: Instant,
    #[serde(rename = "match")]
    pub table: String,
    pub kind: String,
}

/// All that a person was told.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Told {
    pub mails: Vec<Mail>,
    pub notices: Vec<Notice>,
}
