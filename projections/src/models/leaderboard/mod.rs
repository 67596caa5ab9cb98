//! Points and statistics per player: all time, by day, and entry by entry. Folded from public parts of matches and
//! from what administrators did; house players are never counted. Names are joined by whoever asks.

mod entry;
mod folding;
mod history;
mod queries;

pub use entry::{Entry, EntryCause};
pub use history::Booked;
pub use queries::{Leaderboard, Mark, Order, Period, Ranked, Statistics};

use crate::engine::{Fold, Projection, Views};
use yibu_domain::kernel::Time;

pub(super) const NAME: &str = "leaderboard";

/// The columns of a record, in the order in which they are bound and read.
const RECORD: [&str; 9] = [
    "points",
    "matches",
    "wins",
    "losses",
    "draws",
    "no_results",
    "leaves",
    "timeouts",
    "takeovers",
];

/// How a player stands with the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// In good standing: listed once there is something to list.
    Listed,
    /// Suspended by an administrator: not listed.
    Suspended,
    /// The account is deleted: not listed.
    Deleted,
    /// A house player: never counted.
    House,
}

impl Standing {
    const ALL: [Self; 4] = [Self::Listed, Self::Suspended, Self::Deleted, Self::House];

    /// As it stands in the rows.
    fn code(self) -> i64 {
        self as i64
    }

    fn read(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|standing| standing.code() == code)
    }
}

/// The number of an instant's UTC day.
fn day(at: Time) -> i64 {
    at.0.div_euclid(24 * 3_600_000)
}

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
        &["leaderboard", "leaderboard_days", "leaderboard_entries"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../../migrations/views/leaderboard.sql")
    }

    fn begin(&self, _views: &Views, generation: u64) -> Box<dyn Fold> {
        Box::new(folding::Folding::new(generation))
    }
}
