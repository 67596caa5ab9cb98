//! The command line: what audits find, what replays show, simulated players, house players, and the binary's
//! own manners.

mod admins;
mod anchors;
mod announce;
mod audit;
mod audit_beside;
pub(crate) mod binary;
mod doctor;
mod export;
mod files;
mod house;
mod import_accounts;
mod import_log;
mod local;
mod lost;
mod named;
mod postgres;
mod readers;
mod rebuild;
mod replay;
mod simulate;
mod tampered;
mod tampered_shared;

pub(crate) use audit::{audited, copy};
pub(crate) use binary::{binary, text, yibu};
pub(crate) use simulate::played;
