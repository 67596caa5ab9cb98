//! Several processes and several databases: what holds when one of them goes.

mod clocks;
mod failover;
mod live;
mod mails;
mod tables;
