//! What the suites share: a private server per test, clocks that tests turn, builders. Holds no assertion about the product.

pub mod app;
pub mod client;
pub mod eventstore;
pub mod letters;
pub mod outbox;
pub mod postgres;
pub mod smtp;
pub mod table;
pub mod vectors;
