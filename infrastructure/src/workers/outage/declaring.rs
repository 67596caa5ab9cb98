//! Outages that an operator declares: what of a stretch is not known yet is noted and made good. Measures nothing.

use super::{OUTAGE_MINIMUM, OutageGate};
use crate::executor::Request;
use std::sync::atomic::Ordering;
use yibu_domain::kernel::{Actor, Reason, Time};
use yibu_domain::site::{Outage, OutageCause, SITE, SiteCommand, SiteRefusal};

/// An outage that was declared and made good, as far as it was not known before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// When it began.
    pub from: Time,
    /// When it ended.
    pub to: Time,
    /// What of it the log had already, and has for another reason.
    pub known: Vec<Outage>,
    /// What of it was left out, since so short a stretch moves nothing.
    pub short: Vec<(Time, Time)>,
    /// So many open deadlines moved.
    pub moved: usize,
}

impl OutageGate {
    /// Makes an outage good that no gap in the marks shows, because an operator says so: people could not
    /// play though the server ran. Without an end it lasted until now. Nothing else happens to matches
    /// meanwhile. What of it is known already stays as it is, and the rest is made good. May be done again: a
    /// stretch that was declared before, and perhaps not made good to the end, is made good again.
    ///
    /// # Errors
    /// What the site refuses (it begins or ends in the future, or ends before it begins), nothing of it that is not known and
    /// long enough to move anything, or a fault.
    pub async fn declare(
        &self,
        from: Time,
        to: Option<Time>,
        reason: Reason,
    ) -> Result<Declaration, String> {
        let _one = self.marking.lock().await;
        self.trusted()?;
        if self.gap(self.clock().now()) {
            self.close_gap().await?;
        }
        let now = self.clock().now();
        if from > now {
            return Err(format!("an outage that is declared has begun; {from} lies in the future"));
        }
        let to = to.unwrap_or(now);
        if to > now {
            // Asked before anything is noted of a part of it.
            return Err(SiteRefusal::InvalidOutage.to_string());
        }
        if to - from < OUTAGE_MINIMUM {
            return Err("an outage begins at least a minute before it ends".to_owned());
        }
        self.declaring.store(true, Ordering::Release);
        let made_good = self.declared(from, to, &reason).await;
        self.declaring.store(false, Ordering::Release);
        made_good
    }

    async fn declared(&self, from: Time, to: Time, reason: &Reason) -> Result<Declaration, String> {
        let site = self.site.state(SITE).await.map_err(|error| error.to_string())?;
        let uncovered = site.uncovered(from, to);
        let long = |(from, to): &(Time, Time)| *to - *from >= OUTAGE_MINIMUM;
        let (new, short): (Vec<_>, Vec<_>) = uncovered.into_iter().partition(long);
        let within = |outage: &&Outage| {
            outage.cause == OutageCause::Declared && from <= outage.from && outage.to <= to
        };
        let (again, known): (Vec<_>, Vec<_>) =
            site.known(from, to).cloned().partition(|known| within(&known));
        if new.is_empty() && again.is_empty() {
            return Err(nothing_new(&known));
        }
        for (from, to) in new {
            let outage = self.matches.entropy().outage_id();
            let declare = SiteCommand::DeclareOutage { outage, from, to, reason: reason.clone() };
            let correlation = self.matches.entropy().uuid();
            let request = Request::new(SITE, declare, Actor::System, correlation);
            self.site.execute(request).await.map_err(|error| error.to_string())?;
            tracing::warn!(%from, %to, "an outage of {} was declared", to - from);
        }
        let site = self.site.state(SITE).await.map_err(|error| error.to_string())?;
        let mut moved = 0;
        for outage in site.known(from, to).filter(within) {
            moved += self.make_good(outage).await?;
        }
        Ok(Declaration { from, to, known, short, moved })
    }
}

/// Why nothing is left to be declared.
fn nothing_new(known: &[Outage]) -> String {
    let known = known.iter().map(|known| format!("from {} to {}", known.from, known.to));
    format!(
        "this outage is known already ({}), and what is left of it is shorter than a minute, which moves nothing",
        known.collect::<Vec<_>>().join(", ")
    )
}
