//! Keeps read models true to the log: reads it in order, folds, commits rows and checkpoint together, and
//! rebuilds a model beside the one that is served. Must not know what any model means.

mod bulk;
mod dump;
mod fault;
mod feed;
mod following;
mod memory;
mod pages;
mod progress;
mod projection;
mod projector;
mod rebuild;
pub(crate) mod registry;
mod running;
mod schema;
mod store;
mod views;

pub use fault::{Fault, ViewsError};
pub use feed::{Fact, Fed, Feed, FeedError, Poison};
pub use pages::Pages;
pub use progress::{NotReached, Progress, Standing};
pub use projection::{Changed, Fold, Projection};
pub use projector::{Projector, Step};
pub use rebuild::{RebuildError, Rebuilding, Rebuilt, rebuild};
pub use running::Engine;
pub use store::{Bound, Conn, Home, Row};
pub use views::{Reading, Views};

pub(crate) use bulk::{Insert, Lookup, id};
pub(crate) use memory::Memory;
