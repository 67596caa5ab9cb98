//! The only places that ask the world: for the time and for chance. Everything else is handed a [`Clock`]
//! and an [`Entropy`], so that tests can turn the one and seed the other.

pub mod clock;
pub mod entropy;
pub mod folder;
pub mod private;

pub use clock::{Clock, ManualClock, SystemClock};
pub use entropy::{Entropy, NoEntropy};
pub use folder::{LOCK, escaped, hold, hold_to_read, make_private, stands_alone};
pub use private::{Tightened, make_private_file, private, tighten, tighten_whole};
