//! The marks of running clocks that follow from the log: a turn starts, four hours left, one hour left, out. What a
//! person wants, has seen and was told is the planner's and stands elsewhere.

mod folding;
mod queries;
mod table;

pub use queries::NotificationSchedule;
pub use table::{Mark, MarkKind, Running};

use crate::engine::{Fold, Projection, Views};

pub(super) const NAME: &str = "notification_schedule";

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
        &["notification_schedule", "notification_schedule_marks"]
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../../migrations/views/notification_schedule.sql")
    }

    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        Box::new(folding::Folding::new(views, generation))
    }
}
