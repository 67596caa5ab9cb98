//! The complete record of a finished match (复盘): everything open, for those who took part. [`Complete`] is the
//! document that files hold, made from the log's events by [`Complete::of`] and judged again by [`Playback`]; [`Old`]
//! is what older files hold. Beside the views this is the only way for identities to leave, and only after the end:
//! must not be made of a match that runs, and must not name a candidate or why an account had to go.

mod complete;
mod deeds;
mod draws;
mod old;
mod referee;
mod telling;
mod utc;
mod verdict;

pub use complete::{
    Chain, Chances, Complete, Durations, Kept, Left, Participant, Roll, Rules, Sent, Settled,
    Setup, Sides, Stood,
};
pub use deeds::{Deed, Gone, Move, Shown, Told};
pub use draws::DrawFault;
pub use old::{Old, OldMove, OldPiece, OldPlayback};
pub use referee::Playback;
pub use telling::people;
pub use utc::Utc;
pub use verdict::{Contradiction, Why};

/// The name of the format.
pub const FORMAT: &str = "yibu-replay";

/// The version that is written.
pub const VERSION: u32 = 2;
