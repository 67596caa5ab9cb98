//! Reminders of one person: which turn mail and which in-app notices go at an instant, and when to look again.
//! A [`Desk`] is told what happens and is looked at; it keeps what it has said. It reads no clock, sends
//! nothing, knows no address and no names: who sits where is the caller's to know.

mod clock;
mod desk;
mod history;
mod mail;
mod notices;
mod planner;
mod settings;
mod wall;

pub use desk::{Desk, Happening};
pub use mail::{Mail, MailKind, Retry, TurnRef};
pub use notices::{Notice, NoticeKind};
pub use planner::{Plan, Upcoming};
pub use settings::{Mode, Settings, SettingsFault, Wait, WallTime, Window, Zone};
