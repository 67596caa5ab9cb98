//! The reminder planner against the contract vectors, against the rule spelled out minute by minute, and
//! against its promises. How the rule was read stands in the vectors' own DECISIONS.md.

mod brute;
mod desk;
mod drive;
mod edges;
mod promises;
mod random;
mod settings;
mod story;
mod vectors;
mod zones;
