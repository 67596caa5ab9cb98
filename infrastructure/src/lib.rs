//! The event log, the executor, accounts, mail and workers of Yibu: everything that touches disk, clock and
//! chance. Knows no read model and no door.

pub mod accounts;
pub mod executor;
pub mod log;
pub mod mail;
pub mod quiet;
pub mod reach;
pub mod system;
pub mod workers;
