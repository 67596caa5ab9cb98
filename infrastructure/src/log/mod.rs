//! The event log: port, stores, hash chain, codec. Everything above this folder asks the port alone.

mod actor_bytes;
pub mod anchor;
pub mod archive;
pub mod carry;
pub mod chain;
mod claims;
pub mod codec;
pub mod custody;
pub mod eventstoredb;
mod figures;
pub mod lines;
pub mod looks;
pub mod memory;
mod open_error;
pub mod port;
pub mod postgres;
mod recent;
mod sealing;
pub mod sqlite;
pub mod stores;
mod upcasts;

pub use archive::ArchivedLog;
pub use claims::ClaimTable;
pub use eventstoredb::EventStoreLog;
pub use memory::MemoryLog;
pub use open_error::OpenError;
pub use postgres::PostgresLog;
pub use sqlite::SqliteLog;
pub use stores::{StoreConfig, open, open_to_read};
