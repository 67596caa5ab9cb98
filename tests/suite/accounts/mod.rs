//! Accounts: every limit, race and ending, over a private database with a clock that the tests turn.

mod codes;
mod devices;
mod hashing_work;
mod login;
mod mailbox;
mod names;
mod registration;
mod sessions;
mod stage;
