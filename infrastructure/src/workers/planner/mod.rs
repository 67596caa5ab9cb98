//! The planner of reminders: follows the log, notes on each person's desk what happens, looks at desks when they are
//! due, and leaves mails in the outbox and notices among the accounts. It may run on several nodes at once; each step
//! is one transaction that stands only if nobody was faster. Must not be part of a rebuild: what it has said is said.
//!
//! A look is always at the present. Whoever comes late, after a stop or behind a long queue, judges by what is so now:
//! nothing is told of turns that are over, and no limit is got round.

mod alive;
mod calls;
mod clocks;
mod news;
mod step;

pub use step::Step;

use super::again::Again;
use crate::accounts::{Accounts, Broken};
use crate::executor::Executor;
use crate::log::codec::CodecError;
use crate::log::port::{EventLog, ReadError};
use crate::system::Clock;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::{MatchId, Time};
use yibu_domain::reminders::Wait;
use yibu_domain::site::{SITE, Site};

/// The longest that nobody looks: what another node noted and then did not live to act upon is found by then.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// What happens in so short a time is taken in at once.
const GATHER: Duration = Duration::from_millis(25);

/// The administrator's wait before normal mails.
#[async_trait]
pub trait NormalWait: Send + Sync + 'static {
    /// The wait of now.
    ///
    /// # Errors
    /// Why it cannot be told.
    async fn wait(&self) -> Result<Wait, String>;
}

/// What the administrators set.
#[async_trait]
impl NormalWait for Executor<Site> {
    async fn wait(&self) -> Result<Wait, String> {
        let site = self.state(SITE).await.map_err(|error| error.to_string())?;
        Wait::minutes(site.normal_mail_wait_minutes).map_err(|error| error.to_string())
    }
}

/// A wait that stands.
#[async_trait]
impl NormalWait for Wait {
    async fn wait(&self) -> Result<Wait, String> {
        Ok(*self)
    }
}

/// Why a step could not be made. Nothing of it was kept.
#[derive(Debug, Error)]
pub enum PlanFault {
    /// The accounts failed.
    #[error(transparent)]
    Accounts(#[from] Broken),
    /// The log could not be read.
    #[error(transparent)]
    Log(#[from] ReadError),
    /// An event is of a newer program, or broken. What came before it was taken in.
    #[error(transparent)]
    Event(#[from] CodecError),
    /// The administrator's wait is not known.
    #[error("the wait before normal mails is not known: {0}")]
    Wait(String),
    /// What is known of a match does not fit the log.
    #[error("match {0} is not known as the log has it")]
    Lost(MatchId),
}

/// Plans reminders.
pub struct Planner {
    accounts: Accounts,
    log: Arc<dyn EventLog>,
    clock: Arc<dyn Clock>,
    wait: Arc<dyn NormalWait>,
}

impl Planner {
    /// Over the accounts, the log and the administrator's wait.
    pub fn new(
        accounts: Accounts,
        log: Arc<dyn EventLog>,
        clock: Arc<dyn Clock>,
        wait: Arc<dyn NormalWait>,
    ) -> Self {
        Self { accounts, log, clock, wait }
    }

    /// Works until `stop`; the step that is under way then is finished first.
    pub async fn run(&self, stop: CancellationToken) {
        let (mut changes, mut wishes) = (self.log.changes(), self.accounts.wishes());
        let mut faults = 0;
        let (mut begun, mut watching) = (false, true);
        while !stop.is_cancelled() {
            // Before the step: what changes during it wakes again.
            changes.borrow_and_update();
            wishes.borrow_and_update();
            let stepped = if begun { self.step().await } else { self.begin().await };
            begun |= stepped.is_ok();
            let until = match stepped {
                Ok(Step::More) => continue,
                Ok(Step::Until(until)) => {
                    faults = 0;
                    until
                }
                Err(fault) => {
                    tracing::error!(%fault, "reminders cannot be planned now");
                    let again = self.clock.now() + Again::WORK.after(faults);
                    faults += 1;
                    Some(again)
                }
            };
            // After a fault, changes would only hammer at it.
            let listens = faults == 0;
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.wait_until(until) => {}
                () = tokio::time::sleep(LOOK_AGAIN) => {}
                changed = changes.changed(), if listens && watching => {
                    watching = changed.is_ok();
                    tokio::time::sleep(GATHER).await;
                }
                changed = wishes.changed(), if listens => if changed.is_err() { return },
            }
        }
    }

    /// The first step of a process. A log without the event that was taken in last is another one, restored for
    /// instance: it is followed anew.
    ///
    /// # Errors
    /// See [`PlanFault`].
    pub async fn begin(&self) -> Result<Step, PlanFault> {
        let (known, _) = self.accounts.planned().await?;
        if let Some(event) = known.event {
            let last = self.log.read_all(known.position - 1, 1).await?;
            if last.first().is_none_or(|last| last.id != event) {
                tracing::warn!("the log is not the one that the planner of reminders knows");
                self.accounts.forget_plan().await?;
            }
        }
        Ok(Step::More)
    }

    async fn wait_until(&self, until: Option<Time>) {
        match until {
            Some(until) => self.clock.until(until).await,
            None => std::future::pending().await,
        }
    }
}
