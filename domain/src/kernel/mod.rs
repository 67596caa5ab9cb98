//! The ground that every aggregate stands on: identities, time, chance, the decider's shape. Knows no game.

pub mod actor;
pub mod claim;
pub mod decider;
pub mod dice;
pub mod draft;
pub mod ids;
pub mod plain;
pub mod reason;
pub mod time;

pub use actor::Actor;
pub use claim::{Claim, Counter, DEFAULT_LIMIT};
pub use decider::{Ctx, Dated, Decider, Event, fold};
pub use dice::{Bytes32, Dice, FairDraw};
pub use draft::Draft;
pub use ids::{CommandId, EventId, MatchId, OutageId, PlayerId};
pub use plain::{is_plain, visible};
pub use reason::{NotAReason, Reason};
pub use time::{Span, Time};
