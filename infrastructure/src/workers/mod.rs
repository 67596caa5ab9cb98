//! What runs beside the commands: the timer that acts upon deadlines, the watch over outages, and the planner of
//! reminders. Workers issue commands like anybody else; none adds to the log by itself. And a piece of
//! work that an operator asks for: moving closed matches to the archive.

pub mod archiving;
pub mod outage;
pub mod planner;
pub mod timer;

pub use outage::{Declaration, OpenClocks, OutageGate};
pub use planner::{NormalWait, Planner};
pub use timer::{DueTimes, Timer};
