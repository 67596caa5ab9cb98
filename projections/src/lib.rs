//! The read models of Yibu and the engine that keeps them: folds of the event log into tables that can be
//! thrown away and built again. Knows neither the log's stores nor who asks; has no side effects.

pub mod engine;
pub mod models;

pub use engine::{
    Changed, Engine, Fact, Fed, Feed, FeedError, Home, Poison, Progress, Views, ViewsError, rebuild,
};
