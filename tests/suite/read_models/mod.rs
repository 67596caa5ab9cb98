//! Read models: live rows equal rebuilt rows, viewers see what the domain says and nothing else, faults
//! leave nothing half done. Histories are random and made by the domain's own decider.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod equality;
mod faults;
mod histories;
mod lobby;
mod rebuilds;
mod rig;
mod sight;
mod timetable;
