//! Commands through the executor over real logs: order, deadlines, repeats, races, matchmaking, outages.

pub(crate) mod company;
mod deadlines;
pub(crate) mod fixture;
mod making;
pub(crate) mod model;
mod outages;
mod races;
mod repeats;
mod state;
