//! What runs beside the commands: the timer that acts upon deadlines, and the watch over outages. Workers
//! issue commands like anybody else; none adds to the log by itself. And a piece of
//! work that an operator asks for: moving closed matches to the archive.

pub mod archiving;
pub mod outage;
pub mod timer;

pub use outage::{Declaration, OpenClocks, OutageGate};
pub use timer::{DueTimes, Timer};
