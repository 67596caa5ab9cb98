//! The lobby: tables with free seats, seats open for takeover, each player's matches with what waits for
//! them, and counts against the limits. Folds the domain's sheet without its board; holds no identity.

mod folding;
mod place;
mod queries;

pub use place::{Place, PlaceRole};
pub use queries::{Counts, Lobby, OpenTable, Vacancy};

use crate::engine::{Fold, Projection, Views};

pub(super) const NAME: &str = "lobby";

/// The read model as the engine knows it.
pub struct Model;

impl Projection for Model {
    fn name(&self) -> &'static str {
        NAME
    }

    fn shape(&self) -> u32 {
        4
    }

    fn tables(&self) -> &'static [&'static str] {
        &["lobby_tables", "lobby_places", "lobby_limits"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../../migrations/views/lobby.sql")
    }

    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        Box::new(folding::Folding::new(views, generation))
    }
}
