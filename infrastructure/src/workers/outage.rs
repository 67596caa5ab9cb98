//! The watch over outages: the clocks of matches stand still while no node can serve. Nodes mark every few
//! seconds that they could serve; a gap in these marks is made good before anything else happens. Moves
//! deadlines only by commands, and knows of read models only the small trait below.

use crate::executor::{Executor, Gate, MatchExecutor, Request};
use crate::system::Clock;
use async_trait::async_trait;
use futures_util::{TryStreamExt as _, stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::{Actor, MatchId, Reason, Span, Time};
use yibu_domain::site::{Outage, OutageCause, SITE, Site, SiteCommand, SiteState};

/// The shortest gap that is taken for an outage. Each match moves by its own rule set's minimum.
const OUTAGE_MINIMUM: Span = Span::seconds(60);

/// How often a node marks that it can serve.
pub const BEAT_EVERY: Span = Span::seconds(5);

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

/// An outage that was declared and made good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The outage as the log has it.
    pub outage: Outage,
    /// So many matches had an open deadline that moved.
    pub moved: usize,
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
    /// The latest mark of any node in the log, for comparing clocks.
    seen: AtomicI64,
    /// How far the store's own clock was ahead at the last mark.
    skew: AtomicI64,
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
            seen: AtomicI64::new(i64::MIN),
            skew: AtomicI64::new(0),
            marks: AtomicBool::new(true),
            declaring: AtomicBool::new(false),
            marking: Mutex::new(()),
        }
    }

    /// Marks that this node can serve now; where there is a gap before, closes it first.
    ///
    /// # Errors
    /// The log failed, or the gap could not be closed. Nothing is lost: the next call goes on from there.
    pub async fn beat(&self) -> Result<(), String> {
        let _one = self.marking.lock().await;
        let now = self.clock().now();
        let marked = if self.gap(now) { self.close_gap().await } else { self.mark(now).await };
        self.marks.store(marked.is_ok(), Ordering::Release);
        marked
    }

    /// Whether the last try to mark got into the log: whether the log takes writes.
    pub fn marks(&self) -> bool {
        self.marks.load(Ordering::Acquire)
    }

    /// How far this node's clock is behind the latest mark of any node; zero where it is not.
    pub fn behind(&self) -> Span {
        Span((Time(self.seen.load(Ordering::Acquire)) - self.clock().now()).0.max(0))
    }

    /// How far this node's clock and the store's own are apart, either way, as of the last mark; zero where the
    /// store has none.
    pub fn skew(&self) -> Span {
        Span(self.skew.load(Ordering::Acquire).saturating_abs())
    }

    /// Makes an outage good that no gap in the marks shows, because an operator says so: people could not
    /// play though the server ran. Without an end it lasted until now. Nothing else happens to matches
    /// meanwhile. May be done again: a stretch that was declared before, and perhaps not made good to the
    /// end, is made good again.
    ///
    /// # Errors
    /// What the site refuses (it ends in the future or before it begins, a part of it is known already), a
    /// stretch too short to move anything, or a fault.
    pub async fn declare(
        &self,
        from: Time,
        to: Option<Time>,
        reason: Reason,
    ) -> Result<Declaration, String> {
        let _one = self.marking.lock().await;
        if self.gap(self.clock().now()) {
            self.close_gap().await?;
        }
        let to = to.unwrap_or_else(|| self.clock().now());
        if to - from < OUTAGE_MINIMUM {
            return Err("an outage begins at least a minute before it ends".to_owned());
        }
        let outage = self.matches.entropy().outage_id();
        let declare = SiteCommand::DeclareOutage { outage, from, to, reason };
        self.declaring.store(true, Ordering::Release);
        let made_good = self.declared(declare, from, to).await;
        self.declaring.store(false, Ordering::Release);
        made_good
    }

    async fn declared(
        &self,
        declare: SiteCommand,
        from: Time,
        to: Time,
    ) -> Result<Declaration, String> {
        let correlation = self.matches.entropy().uuid();
        let request = Request::new(SITE, declare, Actor::System, correlation);
        let done = self.site.execute(request).await.map_err(|error| error.to_string())?;
        let stretch = |known: &&Outage| (known.from, known.to) == (from, to);
        let outage = done.state.outages.iter().find(stretch).cloned();
        let outage = outage.ok_or("an outage was declared and is not there")?;
        tracing::warn!(from = from.0, to = to.0, length = (to - from).0, "an outage was declared");
        let moved = self.make_good(&outage).await?;
        Ok(Declaration { outage, moved })
    }

    /// Marks every few seconds until `stop`.
    pub async fn run(&self, stop: CancellationToken) {
        loop {
            if let Err(fault) = self.beat().await {
                tracing::error!(%fault, "this node could not mark that it serves");
            }
            let next = self.clock().now() + BEAT_EVERY;
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.clock().until(next) => {}
            }
        }
    }

    fn clock(&self) -> &Arc<dyn Clock> {
        self.matches.clock()
    }

    /// Whether `now` is too long after the last mark. A clock that was set back makes no gap.
    fn gap(&self, now: Time) -> bool {
        now - Time(self.last.load(Ordering::Acquire)) >= OUTAGE_MINIMUM
    }

    async fn mark(&self, at: Time) -> Result<(), String> {
        let marked = self.matches.log().beat(&self.node, at).await;
        marked.map_err(|error| error.to_string())?;
        self.last.fetch_max(at.0, Ordering::AcqRel);
        if let Ok(Some(seen)) = self.matches.log().last_beat().await {
            self.seen.store(seen.0, Ordering::Release);
        }
        if let Ok(skew) = self.matches.log().skew().await {
            self.skew.store(skew.0, Ordering::Release);
        }
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
            self.seen.store(from.0, Ordering::Release);
            if !self.gap(now) && self.begun(from).await?.is_none() {
                // Short as it was, what comes next must not be added to it.
                return self.mark(now).await;
            }
            let outage = self.noted(from, now).await?;
            let length = outage.to - outage.from;
            tracing::warn!(from = outage.from.0, to = outage.to.0, length = length.0, "an outage");
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
        !self.gap(now) && !self.declaring.load(Ordering::Acquire)
    }

    async fn open(&self) -> Result<(), String> {
        let _one = self.marking.lock().await;
        // Somebody else may have opened it while this one waited.
        if self.is_open(self.clock().now()) {
            return Ok(());
        }
        let closed = self.close_gap().await;
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
