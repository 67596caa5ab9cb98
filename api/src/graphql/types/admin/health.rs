//! How the inside fares: read models, clocks, mails. Numbers and states alone; names no match and nobody.

use crate::app::ModelStatus;
use crate::graphql::scalars::{DateTime, instant, seconds};
use async_graphql::{Enum, SimpleObject};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::outbox::OutboxFigures;
use yibu_projections::engine::Standing;

/// Whether a read model goes on.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProjectionState {
    /// No worker of this node keeps it.
    Idle,
    /// This node's worker follows the log.
    Running,
    /// Another node's worker keeps it, and this node follows.
    Following,
    /// It stands before an event that it cannot take in.
    Stopped,
}

/// A read model.
#[derive(SimpleObject)]
pub struct ProjectionStatus {
    /// Its name.
    pub name: String,
    /// Everything up to this position of the log is in it.
    pub position: u64,
    /// So many events it does not have yet.
    pub lag: u64,
    /// For so many seconds the first of them has been waiting; 0 when it has all.
    pub lag_seconds: i64,
    /// Whether it goes on.
    pub state: ProjectionState,
    /// Why it stopped; null unless it did.
    pub fault: Option<String>,
}

impl From<ModelStatus> for ProjectionStatus {
    fn from(status: ModelStatus) -> Self {
        let (state, fault) = match status.standing {
            Standing::Idle => (ProjectionState::Idle, None),
            Standing::Running => (ProjectionState::Running, None),
            Standing::Following => (ProjectionState::Following, None),
            Standing::Stopped { problem, .. } => (ProjectionState::Stopped, Some(problem)),
        };
        Self {
            name: status.name.to_owned(),
            position: status.position,
            lag: status.lag,
            lag_seconds: seconds(status.behind),
            state,
            fault,
        }
    }
}

/// The mails that are to be sent. Codes and links that open something are handed over at once and never wait.
#[derive(SimpleObject)]
pub struct MailQueue {
    /// Mails to be sent that no try failed for.
    pub waiting: u64,
    /// Mails to be sent for which a try failed; they are tried again.
    pub delayed: u64,
    /// Since when the oldest of them was to go; null when none is late.
    pub oldest_at: Option<DateTime>,
    /// Sent in the last 24 hours, with those that were handed over at once.
    pub sent_last_day: u64,
    /// Given up in the last 24 hours.
    pub failed_last_day: u64,
}

impl From<OutboxFigures> for MailQueue {
    fn from(figures: OutboxFigures) -> Self {
        Self {
            waiting: figures.waiting,
            delayed: figures.retrying,
            oldest_at: instant(figures.oldest),
            sent_last_day: figures.sent + figures.handed_over,
            failed_last_day: figures.failed,
        }
    }
}

/// Whether clocks are acted upon in time.
#[derive(SimpleObject)]
pub struct Lateness {
    /// So many deadlines were over for a second or more and not acted upon.
    pub overdue_deadlines: u64,
    /// For so many seconds the earliest of them has been over; 0 when there is none.
    pub latest_seconds: i64,
}

impl From<(u64, Span)> for Lateness {
    fn from((overdue_deadlines, latest): (u64, Span)) -> Self {
        Self { overdue_deadlines, latest_seconds: seconds(latest) }
    }
}
