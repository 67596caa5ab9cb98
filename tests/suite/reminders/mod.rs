//! The reminder planner against the contract vectors, against the rule spelled out minute by minute, and
//! against its promises. How the rule was read stands in the vectors' own DECISIONS.md.

pub(crate) mod brute;
mod desk;
pub(crate) mod drive;
mod edges;
pub(crate) mod promises;
pub(crate) mod random;
mod settings;
pub(crate) mod story;
pub(crate) mod vectors;
pub(crate) mod zones;
