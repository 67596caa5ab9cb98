//! What runs beside the commands: the timer that acts upon deadlines, the watch over outages, the planner of
//! reminders and the sender of mails. Workers issue commands like anybody else; none adds to the log by itself.
//! And a piece of work that an operator asks for: moving closed matches to the archive.

mod again;
pub mod archiving;
pub mod mailing;
pub mod outage;
pub mod planner;
pub mod timer;

pub use mailing::{ComposeFault, Composed, Composer, Sender};
pub use outage::{Declaration, OpenClocks, OutageGate};
pub use planner::{NormalWait, Planner};
pub use timer::{DueTimes, Timer};
