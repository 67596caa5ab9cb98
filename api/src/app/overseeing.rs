//! What administrators look at: how the read models, the clocks and the mails fare, and what the office did. Must
//! not decide who may look.

use super::App;
use super::reading::AUDIT_TRAIL;
use crate::graphql::errors::fault;
use async_graphql::Error;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::outbox::OutboxFigures;
use yibu_projections::engine::Standing;
use yibu_projections::models::audit_trail::{Sought, Trace};

/// A clock is acted upon within a second of its deadline; what is later than that is late.
const PUNCTUAL: Span = Span::seconds(1);

/// How a read model fares.
pub struct ModelStatus {
    /// Its name.
    pub name: &'static str,
    /// Everything up to this position of the log is in it.
    pub position: u64,
    /// So many events it does not have yet.
    pub lag: u64,
    /// How long ago the first of them was written; zero where it has all.
    pub behind: Span,
    /// Whether it goes on.
    pub standing: Standing,
}

impl App {
    /// How the read models fare, in their fixed order.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn models(&self) -> Result<Vec<ModelStatus>, Error> {
        let head = *self.log.changes().borrow();
        let mut found = Vec::new();
        for name in self.views.names() {
            let Some(progress) = self.views.progress(name) else { continue };
            let progress = progress.borrow().clone();
            let position = progress.checkpoint;
            let lag = head.saturating_sub(position);
            let missing =
                if lag > 0 { self.log.read_all(position, 1).await.map_err(fault)? } else { vec![] };
            let behind = missing.first().map(|event| self.clock.now() - event.recorded);
            let behind = behind.unwrap_or_default().max(Span(0));
            found.push(ModelStatus { name, position, lag, behind, standing: progress.standing });
        }
        Ok(found)
    }

    /// How many clocks ran out and were not acted upon in time, and by how much the latest of them is late.
    ///
    /// # Errors
    /// Faults of the read model.
    pub async fn lateness(&self) -> Result<(u64, Span), Error> {
        let now = self.clock.now();
        let (count, first) = self.deadlines.overdue(now - PUNCTUAL).await.map_err(fault)?;
        Ok((count, first.map(|due| now - due).unwrap_or_default()))
    }

    /// What administrators did and what concerned the site before a position (`None`: before now), the latest
    /// first, with everything that was acknowledged before the call.
    ///
    /// # Errors
    /// Faults of the read model.
    pub async fn office_trail(&self, before: Option<u64>, limit: u32) -> Result<Vec<Trace>, Error> {
        self.acknowledged(AUDIT_TRAIL).await;
        let sought = Sought { office: true, ..Sought::default() };
        self.audit_trail.page(sought, before, limit).await.map_err(fault)
    }

    /// How the mails fare.
    ///
    /// # Errors
    /// They cannot be counted.
    pub async fn mail_queue(&self) -> Result<OutboxFigures, Error> {
        self.accounts.outbox().figures(self.clock.now()).await.map_err(fault)
    }
}
