//! What a person may set about turn mails, what an administrator may set for all, and why a value is refused.
//! Values that exist are valid; nothing here knows what they do.

use crate::kernel::{Span, Time};
use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a setting is refused. Nothing changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SettingsFault {
    /// Not one of the [modes](Mode).
    #[error("the mode must be SMART, DEADLINE_ONLY or OFF")]
    Mode,
    /// Not a [`WallTime`].
    #[error("a time of day must be HH:MM, 00:00 to 23:59")]
    WallTime,
    /// No [`Zone`] of that name.
    #[error("the time zone must be an IANA name such as Asia/Shanghai")]
    Zone,
    /// Outside [`Wait::MINUTES`].
    #[error("the wait must be 1 to 1440 minutes")]
    Wait,
}

impl SettingsFault {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Mode => "REMINDER_MODE_INVALID",
            Self::WallTime => "REMINDER_WINDOW_INVALID",
            Self::Zone => "TIME_ZONE_INVALID",
            Self::Wait => "REMINDER_WAIT_INVALID",
        }
    }
}

/// Which turn mails a person wants. Codes and security mails do not ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Mode {
    /// Waiting turns, last hours and time-outs.
    #[default]
    Smart,
    /// Last hours and time-outs only.
    DeadlineOnly,
    /// None at all.
    Off,
}

impl Mode {
    /// The name that people, interfaces and stores use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smart => "SMART",
            Self::DeadlineOnly => "DEADLINE_ONLY",
            Self::Off => "OFF",
        }
    }
}

impl FromStr for Mode {
    type Err = SettingsFault;

    fn from_str(text: &str) -> Result<Self, SettingsFault> {
        [Self::Smart, Self::DeadlineOnly, Self::Off]
            .into_iter()
            .find(|mode| mode.name() == text)
            .ok_or(SettingsFault::Mode)
    }
}

/// A time of day as a clock on the wall shows it: whole minutes, 00:00 to 23:59, written `HH:MM`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WallTime {
    hour: u8,
    minute: u8,
}

impl WallTime {
    /// The time since midnight that the clock shows.
    pub(super) fn after_midnight(self) -> Span {
        Span::seconds(i64::from(self.hour) * 3600 + i64::from(self.minute) * 60)
    }
}

impl FromStr for WallTime {
    type Err = SettingsFault;

    fn from_str(text: &str) -> Result<Self, SettingsFault> {
        let &[h1, h2, b':', m1, m2] = text.as_bytes() else { return Err(SettingsFault::WallTime) };
        if ![h1, h2, m1, m2].iter().all(u8::is_ascii_digit) {
            return Err(SettingsFault::WallTime);
        }
        let two = |tens: u8, ones: u8| (tens - b'0') * 10 + (ones - b'0');
        let (hour, minute) = (two(h1, h2), two(m1, m2));
        if hour < 24 && minute < 60 {
            Ok(Self { hour, minute })
        } else {
            Err(SettingsFault::WallTime)
        }
    }
}

impl fmt::Display for WallTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

/// When turn mails may come: `[from, to)` on the person's wall clock. Equal ends mean all day; a `from`
/// after `to` spans midnight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The first minute of it.
    pub from: WallTime,
    /// The first minute after it.
    pub to: WallTime,
}

/// A time zone of the IANA database with its history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(Tz);

impl Zone {
    /// How far the wall clocks of the zone are ahead of UTC at an instant. Instants outside the calendar
    /// have UTC.
    pub fn offset(self, at: Time) -> Span {
        DateTime::from_timestamp_millis(at.0).map_or(Span(0), |utc| {
            let offset = self.0.offset_from_utc_datetime(&utc.naive_utc());
            Span::seconds(offset.fix().local_minus_utc().into())
        })
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self(Tz::Asia__Shanghai)
    }
}

impl FromStr for Zone {
    type Err = SettingsFault;

    fn from_str(text: &str) -> Result<Self, SettingsFault> {
        text.parse().map(Self).map_err(|_| SettingsFault::Zone)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

macro_rules! stored_as_text {
    ($($name:ident),*) => {$(
        impl TryFrom<String> for $name {
            type Error = SettingsFault;
            fn try_from(text: String) -> Result<Self, SettingsFault> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }
    )*};
}

stored_as_text!(WallTime, Zone);

/// A person's settings of turn mails; the default is smart, all day, Beijing time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Which mails.
    pub mode: Mode,
    /// When.
    pub window: Window,
    /// Whose wall clock counts, for the window and for the day.
    pub zone: Zone,
}

impl Settings {
    /// Settings from what a person entered.
    ///
    /// # Errors
    /// The first value that is not valid, in the order of the parameters.
    pub fn parse(mode: &str, from: &str, to: &str, zone: &str) -> Result<Self, SettingsFault> {
        Ok(Self {
            mode: mode.parse()?,
            window: Window { from: from.parse()?, to: to.parse()? },
            zone: zone.parse()?,
        })
    }
}

/// The administrator's wait: so long a turn lies before it causes a normal mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait(Span);

impl Wait {
    /// The minutes that may be set.
    pub const MINUTES: std::ops::RangeInclusive<u32> = 1..=1440;

    /// A wait of whole minutes.
    ///
    /// # Errors
    /// [`SettingsFault::Wait`] outside [`Self::MINUTES`].
    pub fn minutes(minutes: u32) -> Result<Self, SettingsFault> {
        let valid = Self::MINUTES.contains(&minutes);
        valid.then_some(Self(Span::seconds(i64::from(minutes) * 60))).ok_or(SettingsFault::Wait)
    }

    /// The wait in minutes.
    pub fn in_minutes(self) -> u32 {
        u32::try_from(self.0.0 / 60_000).unwrap_or(u32::MAX)
    }

    /// The wait as a length of time.
    pub(super) fn span(self) -> Span {
        self.0
    }
}

impl Default for Wait {
    /// A quarter of an hour.
    fn default() -> Self {
        Self(Span::seconds(15 * 60))
    }
}
