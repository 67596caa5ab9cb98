//! GraphQL, HTTP and the composition root of Yibu: the only place that knows both wings. Must not hold a rule
//! of the game.

pub mod app;
pub mod graphql;
pub mod http;
pub mod pulse;
pub mod runtime;
