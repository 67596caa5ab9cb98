//! The one test binary: every suite is a module of it.

mod scenarios;
mod vectors_rules;
