//! What people are reminded of, as it is kept: desks with settings and with what was said, notices, and how far the
//! planner has come. What is to be said is the domain's to decide (`yibu_domain::reminders`), and when to ask it is
//! the planner's (`workers::planner`). Holds nothing of a board.

mod bells;
mod calls;
mod desks;
mod notices;
mod planning;
mod wishes;

pub use bells::Bell;
pub(crate) use calls::Call;
pub(crate) use desks::Kept;
pub(crate) use notices::News;
pub use notices::{Notice, NoticeKind};
pub(crate) use planning::{Checkpoint, Followed, Plan};

pub(super) use bells::{Bells, follow};
pub(super) use notices::KEPT as NOTICES_KEPT;
