//! The watch over outages: the clocks of matches stand still while no node can serve. Nodes mark every few
//! seconds that they could serve; a gap in these marks is made good before anything else happens. Moves
//! deadlines only by commands, and knows of read models only the small trait below.

mod declaring;
mod trust;

pub use declaring::Declaration;

use crate::executor::{Executor, Gate, MatchExecutor, Request};
use crate::system::Clock;
use async_trait::async_trait;
use futures_util::{TryStreamExt as _, stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use trust::Trust;
use yibu_domain::kernel::{Actor, MatchId, Span, Time};
use yibu_domain::site::{Outage, OutageCause, SITE, Site, SiteCommand, SiteState};

/// The shortest gap that is taken for an outage. Each match moves by its own rule set's minimum.
const OUTAGE_MINIMUM: Span = Span::seconds(60);

/// How often a node marks that it can serve.
pub const BEAT_EVERY: Span = Span::seconds(5);

/// And so often even where the clock stands still.
const AT_THE_LATEST: std::time::Duration = std::time::Duration::from_secs(5);

/// So far a clock may be off where nobody says otherwise.
const MOST_SKEW: Span = Span(100);

/// So many matches are made good at the same time.
const AT_ONCE: usize = 64;

/// Making an outage good takes time in which nobody can serve either. After so many rounds the rest, which
/// is this server's own work, is no longer taken for an outage: else a large site might never open again.
const ROUNDS: u32 = 3;

/// Which clocks run.
#[async_trait]
pub trait OpenClocks: Send + Sync + 'static {
    /// Every match with an open due time; includes everything committed before it was asked for.
    ///
    /// # Errors
    /// What the read model says.
    async fn open(&self) -> Result<Vec<(MatchId, Time)>, String>;
}

/// Lets commands and the timer through while the marks have no gap, and closes a gap first.
pub struct OutageGate {
    /// A handle without a gate.
    matches: MatchExecutor,
    site: Executor<Site>,
    clocks: Arc<dyn OpenClocks>,
    node: String,
    /// The latest mark of any node, as far as this one knows.
    last: AtomicI64,
    /// Whether this node's clock can be trusted.
    trust: Trust,
    /// The last mark that was tried is in the log.
    marks: AtomicBool,
    /// A declared outage is being made good.
    declaring: AtomicBool,
    /// One at a time marks, or closes a gap.
    marking: Mutex<()>,
}

impl OutageGate {
    /// A gate that is closed until it was opened once. `matches` must be a handle without a gate.
    pub fn new(
        matches: MatchExecutor,
        site: Executor<Site>,
        clocks: Arc<dyn OpenClocks>,
        node: impl Into<String>,
    ) -> Self {
        Self {
            matches,
            site,
            clocks,
            node: node.into(),
            last: AtomicI64::new(i64::MIN),
            trust: Trust::allowing(MOST_SKEW),
            marks: AtomicBool::new(true),
            declaring: AtomicBool::new(false),
            marking: Mutex::new(()),
        }
    }

    /// Lets the clock be off by this much, and no more.
    #[must_use]
    pub fn allowing(mut self, most: Span) -> Self {
        self.trust = Trust::allowing(most);
        self
    }

    /// Marks that this node can serve now; where there is a gap before, closes it first. A node whose clock is off
    /// cannot serve, and marks nothing.
    ///
    /// # Errors
    /// The clock is off, the log failed, or the gap could not be closed. Nothing is lost: the next call goes on
    /// from there.
    pub async fn beat(&self) -> Result<(), String> {
        let _one = self.marking.lock().await;
        let now = self.clock().now();
        let marked = match self.look().await {
            Ok(()) => {
                self.trusted()?;
                if self.gap(now) { self.close_gap().await } else { self.mark(now).await }
            }
            failed => failed,
        };
        self.marks.store(marked.is_ok(), Ordering::Release);
        marked
    }

    /// Whether this node's clock is off by more than is allowed, so that no command of a match passes.
    pub fn is_off(&self) -> bool {
        self.trusted().is_err()
    }

    /// Whether the last try to mark got into the log: whether the log takes writes.
    pub fn marks(&self) -> bool {
        self.marks.load(Ordering::Acquire)
    }

    /// How far this node's clock is behind what it has shown, or behind what the log has seen of any node; zero
    /// where it is not.
    pub fn behind(&self) -> Span {
        self.trust.behind(self.clock().as_ref())
    }

    /// How far this node's clock and the store's own are apart, either way, as of the last mark; zero where the
    /// store has none.
    pub fn skew(&self) -> Span {
        self.trust.skew()
    }

    /// Marks every few seconds until `stop`.
    pub async fn run(&self, stop: CancellationToken) {
        loop {
            match self.beat().await {
                // That was said, and is no fault of the log's.
                Err(_) if self.is_off() => {}
                Err(fault) => tracing::error!(%fault, "this node could not mark that it serves"),
                Ok(()) => {}
            }
            let next = self.clock().now() + BEAT_EVERY;
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.clock().until(next) => {}
                // A clock that stands still wakes nobody.
                () = tokio::time::sleep(AT_THE_LATEST) => {}
            }
        }
    }

    fn clock(&self) -> &Arc<dyn Clock> {
        self.matches.clock()
    }

    async fn look(&self) -> Result<(), String> {
        let looked = self.trust.look(self.matches.log().as_ref()).await;
        looked.map_err(|error| error.to_string())
    }

    /// Whether this node's clock may be served by, as far as is known without asking.
    fn trusted(&self) -> Result<(), String> {
        self.trust.judge(self.clock().as_ref()).map_err(|off| off.to_string())
    }

    /// Whether `now` is too long after the last mark. A clock that was set back makes no gap.
    fn gap(&self, now: Time) -> bool {
        now - Time(self.last.load(Ordering::Acquire)) >= OUTAGE_MINIMUM
    }

    async fn mark(&self, at: Time) -> Result<(), String> {
        let marked = self.matches.log().beat(&self.node, at).await;
        marked.map_err(|error| error.to_string())?;
        self.last.fetch_max(at.0, Ordering::AcqRel);
        Ok(())
    }

    /// Finds out what the gap is and makes it good, round by round, until none is left.
    async fn close_gap(&self) -> Result<(), String> {
        for _ in 0..ROUNDS {
            let marked = self.matches.log().last_beat().await;
            let marked = marked.map_err(|error| error.to_string())?;
            let now = self.clock().now();
            let Some(from) = marked else {
                // Nobody ever served: there is nothing to make good.
                return self.mark(now).await;
            };
            self.last.fetch_max(from.0, Ordering::AcqRel);
            if !self.gap(now) && self.begun(from).await?.is_none() {
                // Short as it was, what comes next must not be added to it.
                return self.mark(now).await;
            }
            let outage = self.noted(from, now).await?;
            let length = outage.to - outage.from;
            tracing::warn!(
                from = %outage.from,
                to = %outage.to,
                "an outage of {length} was measured (nobody served, or the machine's clock was set forward): \
                 every open deadline moves by it"
            );
            self.make_good(&outage).await?;
            self.mark(outage.to).await?;
        }
        let now = self.clock().now();
        if self.gap(now) {
            tracing::warn!("making an outage good took longer than an outage");
            self.mark(now).await?;
        }
        Ok(())
    }

    /// The outage that began at `from`, as it stands in the log: begun by an earlier attempt or another node,
    /// or noted now.
    async fn noted(&self, from: Time, to: Time) -> Result<Outage, String> {
        if let Some(begun) = self.begun(from).await? {
            return Ok(begun);
        }
        let outage = self.matches.entropy().outage_id();
        let outage = Outage { outage, from, to, cause: OutageCause::Gap };
        let command = SiteCommand::NoteOutage(outage);
        let correlation = self.matches.entropy().uuid();
        let request = Request::new(SITE, command, Actor::System, correlation);
        let done = self.site.execute(request).await;
        let done = done.map_err(|error| error.to_string())?;
        let outage = unfinished(&done.state, from);
        outage.ok_or_else(|| "an outage was noted and is not there".to_owned())
    }

    /// An outage in the log that marks up to `marked` do not show as made good.
    async fn begun(&self, marked: Time) -> Result<Option<Outage>, String> {
        let site = self.site.state(SITE).await.map_err(|error| error.to_string())?;
        Ok(unfinished(&site, marked))
    }

    /// Returns how many matches had a deadline that moved.
    async fn make_good(&self, outage: &Outage) -> Result<usize, String> {
        let seconds = u64::try_from((outage.to - outage.from).0).unwrap_or(0) / 1000;
        metrics::counter!("yibu_outages_total").increment(1);
        metrics::counter!("yibu_outage_seconds_total").increment(seconds);
        let open = self.clocks.open().await?;
        let count = AtomicUsize::new(0);
        let counted = &count;
        stream::iter(open.into_iter().map(Ok))
            .try_for_each_concurrent(AT_ONCE, |(id, _)| async move {
                let moved = self.matches.stand_still(id, outage).await;
                let moved = moved.map_err(|error| format!("match {id}: {error}"))?;
                counted.fetch_add(usize::from(moved), Ordering::Relaxed);
                Ok::<(), String>(())
            })
            .await?;
        Ok(count.into_inner())
    }
}

#[async_trait]
impl Gate for OutageGate {
    fn is_open(&self, now: Time) -> bool {
        !self.gap(now) && !self.declaring.load(Ordering::Acquire) && self.trusted().is_ok()
    }

    async fn open(&self) -> Result<(), String> {
        let _one = self.marking.lock().await;
        // Somebody else may have opened it while this one waited.
        if self.is_open(self.clock().now()) {
            return Ok(());
        }
        // Only a mark looks again at a clock that was off: whoever waits here must not hammer at the store.
        self.trusted()?;
        let closed = match self.look().await {
            Ok(()) => {
                self.trusted()?;
                self.close_gap().await
            }
            failed => failed,
        };
        if let Err(fault) = &closed {
            tracing::error!(%fault, "an outage could not be made good");
        }
        closed
    }
}

/// The first outage that may not have been made good yet: marks do not pass one before it is.
fn unfinished(site: &SiteState, marked: Time) -> Option<Outage> {
    site.outages.iter().find(|outage| outage.to > marked).cloned()
}
