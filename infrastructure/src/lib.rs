//! Placeholder.
pub mod log;
pub mod system;
pub mod accounts;
pub mod mail;
pub mod executor;
pub mod workers;
