//! The one test binary: every suite is a module of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]
#![allow(unreachable_pub, reason = "suites are closed modules: `pub` says what their files share")]

mod accounts;
mod architecture;
mod archive;
mod backup;
mod cli;
mod cqrs_contract;
mod crash;
mod doors;
mod executor;
mod golden;
mod graphql;
mod guard;
mod leaks;
mod log_contract;
mod mail;
mod nodes;
mod noninterference;
mod operations;
mod planner;
mod players;
mod read_models;
mod reminders;
mod replay_files;
mod scenarios;
mod site;
mod stories;
mod timer;
mod vectors_rules;
