//! The sender: takes open mails from the outbox, lets them be composed, hands them over and notes what became of
//! them. Several nodes may send: a mail is one node's at a time. Must not know what a mail is about.
//!
//! A mail is marked as sent after a mail server took it: where a crash comes between, it is handed over once more,
//! under the same Message-ID. A crash anywhere else costs nothing but the rest of the lease.

use super::again::Again;
use crate::accounts::Broken;
use crate::accounts::outbox::{End, Job, Lease, Outbox};
use crate::mail::{Letter, Mail, Mailbox};
use crate::system::Clock;
use async_trait::async_trait;
use futures_util::future::join_all;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::{Span, Time};

/// How long a mail is one node's. Longer than composing and handing over may take.
pub const LEASE: Span = Span::seconds(180);
/// The longest that composing may take.
const COMPOSING: Duration = Duration::from_secs(60);
/// So many mails are sent at the same time.
const AT_ONCE: usize = 4;
/// How often the outbox is looked at while nothing is due.
const EVERY: Span = Span::seconds(1);
/// How often its figures are taken.
const FIGURES: Span = Span::seconds(10);
/// The wait after a fault of the database.
const AFTER_FAULT: Span = Span::seconds(5);
/// How long mails under way may take to finish when the server stops; the others go after the next start.
const FAREWELL: Duration = Duration::from_secs(5);
/// The waits between tries of one mail.
const AGAIN: Again = Again::new(Span::seconds(30), Span::hours(1));

/// Makes of what was posted what is mailed.
#[async_trait]
pub trait Composer: Send + Sync + 'static {
    /// What becomes of a mail now. Asked before each try.
    ///
    /// # Errors
    /// It cannot be told now; asked again later.
    async fn compose(&self, job: &Job) -> Result<Composed, ComposeFault>;
}

/// What becomes of a mail.
pub enum Composed {
    /// It goes, and says this.
    Send(Mail),
    /// Not before this instant; then the composer is asked again.
    Hold(Time),
    /// There is nothing left to say, or nobody to say it to.
    Drop,
}

/// A mail cannot be composed now. Carries no personal data.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ComposeFault(pub String);

/// Sends what is in the outbox.
pub struct Sender {
    outbox: Outbox,
    composer: Arc<dyn Composer>,
    mailbox: Arc<dyn Mailbox>,
    clock: Arc<dyn Clock>,
}

impl Sender {
    /// A sender from an outbox to a mailbox.
    pub fn new(
        outbox: Outbox,
        composer: Arc<dyn Composer>,
        mailbox: Arc<dyn Mailbox>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { outbox, composer, mailbox, clock }
    }

    /// Sends until `stop`.
    pub async fn run(&self, stop: CancellationToken) {
        let mut figures = self.clock.now();
        while !stop.is_cancelled() {
            let working = self.send_due();
            let farewell = async {
                stop.cancelled().await;
                tokio::time::sleep(FAREWELL).await;
            };
            let wait = tokio::select! {
                done = working => match done {
                    Ok(_) => EVERY,
                    Err(fault) => {
                        tracing::error!(%fault, "the outbox cannot be read");
                        AFTER_FAULT
                    }
                },
                () = farewell => return,
            };
            if self.clock.now() >= figures {
                figures = self.clock.now() + FIGURES;
                self.note_figures().await;
            }
            let next = self.clock.now() + wait;
            stop.run_until_cancelled(self.clock.until(next)).await;
        }
    }

    /// Sends everything that is due now; how many mails were looked at.
    ///
    /// # Errors
    /// The database failed. What was under way is finished or comes again.
    pub async fn send_due(&self) -> Result<usize, Broken> {
        let mut sent = 0;
        loop {
            let leases = self.lease().await?;
            if leases.is_empty() {
                return Ok(sent);
            }
            sent += leases.len();
            let done = join_all(leases.iter().map(|lease| self.send(lease))).await;
            done.into_iter().collect::<Result<(), _>>()?;
        }
    }

    /// As many mails as are sent at the same time.
    async fn lease(&self) -> Result<Vec<Lease>, Broken> {
        let mut leases = Vec::with_capacity(AT_ONCE);
        while leases.len() < AT_ONCE {
            let now = self.clock.now();
            let Some(lease) = self.outbox.lease(now, now + LEASE).await? else { break };
            leases.push(lease);
        }
        Ok(leases)
    }

    async fn send(&self, lease: &Lease) -> Result<(), Broken> {
        let job = &lease.job;
        if self.clock.now() >= job.expires {
            return self.end(lease, End::Expired).await;
        }
        let composed = tokio::time::timeout(COMPOSING, self.composer.compose(job)).await;
        let composed =
            composed.unwrap_or_else(|_| Err(ComposeFault("it took too long".to_owned())));
        let mail = match composed {
            Ok(Composed::Send(mail)) => mail,
            Ok(Composed::Hold(until)) => return self.outbox.hold(lease, until).await,
            Ok(Composed::Drop) => return self.end(lease, End::Dropped).await,
            Err(fault) => return self.fail(lease, &fault).await,
        };
        let letter = match Letter::write(&mail, job.id, self.mailbox.from(), self.clock.now()) {
            Ok(letter) => letter,
            Err(fault) => {
                // The same words and the same address the next time.
                tracing::error!(error = &fault as &dyn Error, job = %job.id, "a letter cannot be written");
                return self.end(lease, End::Refused).await;
            }
        };
        // Whoever was held up for so long that another node took over leaves it to that one.
        if !self.outbox.keep(lease, self.clock.now() + LEASE).await? {
            return Ok(());
        }
        match self.mailbox.deliver(&letter).await {
            Ok(()) => self.end(lease, End::Sent).await,
            Err(fault) if fault.is_final() => {
                let kind = job.posting.name();
                tracing::warn!(%fault, job = %job.id, kind, "a mail was refused");
                self.end(lease, End::Refused).await
            }
            Err(fault) => self.fail(lease, &fault).await,
        }
    }

    async fn fail(
        &self,
        lease: &Lease,
        fault: &(dyn Error + Sync + 'static),
    ) -> Result<(), Broken> {
        let job = &lease.job;
        let (kind, tries) = (job.posting.name(), job.tries + 1);
        tracing::warn!(error = fault as &dyn Error, job = %job.id, kind, tries, "a mail was not sent yet");
        let at = self.clock.now() + AGAIN.after(job.tries);
        if at >= job.expires {
            return self.end(lease, End::Expired).await;
        }
        metrics::counter!("yibu_mails_total", "outcome" => "retried").increment(1);
        self.outbox.try_again(lease, at).await
    }

    async fn end(&self, lease: &Lease, end: End) -> Result<(), Broken> {
        self.outbox.end(lease, end, self.clock.now()).await?;
        metrics::counter!("yibu_mails_total", "outcome" => end.name()).increment(1);
        Ok(())
    }

    async fn note_figures(&self) {
        let now = self.clock.now();
        let figures = match self.outbox.figures(now).await {
            Ok(figures) => figures,
            Err(fault) => {
                tracing::warn!(%fault, "the outbox cannot be counted");
                return;
            }
        };
        let age = figures.oldest.map_or(Span(0), |oldest| now - oldest);
        metrics::gauge!("yibu_outbox_age_seconds").set(number(age.0.unsigned_abs()) / 1000.0);
        metrics::gauge!("yibu_outbox_waiting").set(number(figures.waiting));
        metrics::gauge!("yibu_outbox_retrying").set(number(figures.retrying));
    }
}

/// Exact below 2^53; beyond that nobody counts single mails.
#[expect(clippy::cast_precision_loss, reason = "a figure on a graph")]
fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_an_hour() {
        let waits: Vec<i64> = (0..9).map(|tries| AGAIN.after(tries).0 / 1000).collect();
        assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    }
}
