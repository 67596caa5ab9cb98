//! The formal match (正式四暗对局): one aggregate from the empty table to the settlement. `decide` judges,
//! `state` folds, `view` shows; every concern has its own file. Knows no store and no clock.

mod assembling;
mod claims;
mod clocks;
pub mod commands;
mod conclude;
mod decide;
mod draw_vote;
pub mod events;
pub mod house;
mod leaving;
pub mod marks;
mod placing;
mod play;
pub mod record;
mod refusal;
pub mod ruleset;
mod settlement;
mod state;
mod surrender;
mod takeover;
pub mod view;

pub use commands::{Choice, Guest, MatchCommand, Placement, Removal};
pub use decide::Match;
pub use events::MatchEvent;
pub use marks::{Mark, MarkColour, MarkRefusal};
pub use refusal::MatchRefusal;
pub use ruleset::{Points, RuleSet};
pub use state::{Live, MatchState};
