//! The command line: what audits find, what replays show, simulated players, house players, and the binary's
//! own manners.

mod audit;
mod binary;
mod house;
mod local;
mod replay;
mod simulate;

pub(crate) use binary::binary;
