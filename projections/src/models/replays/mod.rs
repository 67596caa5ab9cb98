//! Finished matches: who took part, how they ended, and until when the players keep them. The moves are not here:
//! a replay's file is made from the log.

mod folding;
mod queries;
mod record;

pub use queries::{Replay, Replays};
pub use record::{Parted, Participant};

use crate::engine::{Fold, Projection, Views};

pub(super) const NAME: &str = "replays";

/// The read model as the engine knows it.
pub struct Model;

impl Projection for Model {
    fn name(&self) -> &'static str {
        NAME
    }

    fn shape(&self) -> u32 {
        1
    }

    fn tables(&self) -> &'static [&'static str] {
        &["replays", "replays_players"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../../migrations/views/replays.sql")
    }

    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        Box::new(folding::Folding::new(views, generation))
    }
}
