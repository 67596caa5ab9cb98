//! GraphQL, HTTP and the composition root of Yibu: the only place that knows both wings. Must not hold a rule
//! of the game.

pub mod app;
pub mod bounded;
pub mod cli;
pub mod files;
pub mod graphql;
pub mod house;
pub mod http;
pub mod local;
pub mod pulse;
pub mod runtime;
pub mod settings;
pub mod telemetry;
