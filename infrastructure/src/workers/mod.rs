//! What runs beside the commands: the timer that acts upon deadlines, and the watch over outages. Workers
//! issue commands like anybody else; none writes to the log by itself.

pub mod outage;
pub mod timer;

pub use outage::{Declaration, OpenClocks, OutageGate};
pub use timer::{DueTimes, Timer};
