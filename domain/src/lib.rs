#![doc = include_str!("../README.md")]

pub mod games;
pub mod kernel;
pub mod matches;
pub mod players;
pub mod reminders;
pub mod site;
