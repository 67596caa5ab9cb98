//! Read models: live rows equal rebuilt rows, viewers see what the domain says and nothing else, faults
//! leave nothing half done. Histories are random and made by the domain's own decider.

mod equality;
mod faults;
mod histories;
mod lobby;
mod rebuilds;
mod rig;
mod sight;
mod timetable;
