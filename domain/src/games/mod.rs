//! The games, one folder each. A game knows its board and its rules, nothing of matches, people or clocks.

pub mod siguo;
