//! The executor of matches: what is due at a command's instant happens before the command is judged, through
//! one queue with the timer. Knows when to look at the clock, and no rule of the game.

use super::figures;
use super::gate::Gate;
use super::hosted::Hosted;
use super::streams::{Attempt, Executor, Prepared, TRIES, contended};
use super::unread::Unread;
use super::{Done, Rejected, Request, to_its_end};
use crate::log::port::EventLog;
use crate::system::{Clock, Entropy};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;
use tracing::Instrument as _;
use yibu_domain::kernel::{Actor, Dice, MatchId, Span, Time};
use yibu_domain::matches::{Live, Match, MatchCommand, MatchRefusal, MatchState};
use yibu_domain::site::Outage;

/// What can be set about executing commands of matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// A deadline is acted upon so long after it at the earliest: what arrived before it is judged first.
    pub grace: Span,
    /// How many folded matches are kept in memory.
    pub cache_states: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { grace: Span(250), cache_states: 2048 }
    }
}

/// What came of a look at a match's deadlines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expired {
    /// So many deadlines ran out and were acted upon, each in a commit of its own.
    pub count: u32,
    /// The deadline that is open now, if any.
    pub next: Option<Time>,
}

/// How long a command waits out the grace before it looks again whether it may be served.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

type Judged<T> = Result<T, Rejected<MatchRefusal>>;

/// Executes commands of matches. Clones share everything.
#[derive(Clone)]
pub struct MatchExecutor {
    streams: Executor<Match>,
    grace: Span,
    gate: Option<Arc<dyn Gate>>,
    draining: Arc<AtomicBool>,
    under_way: TaskTracker,
}

impl MatchExecutor {
    /// An executor over a log, without a gate. `node` and `build` go into every event's metadata.
    pub fn new(
        log: Arc<dyn EventLog>,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
        node: impl Into<String>,
        build: impl Into<String>,
        settings: Settings,
    ) -> Self {
        Self {
            streams: Executor::new(log, clock, entropy, node, build, settings.cache_states),
            grace: settings.grace,
            gate: None,
            draining: Arc::default(),
            under_way: TaskTracker::new(),
        }
    }

    /// A handle to the same executor whose commands pass `gate`. What the gate itself does goes through a
    /// handle without one.
    #[must_use]
    pub fn gated(mut self, gate: Arc<dyn Gate>) -> Self {
        self.gate = Some(gate);
        self
    }

    /// Executes a command. Its instant T is now, never earlier than the match's last event. What is due at T
    /// happens first; within the grace after a deadline the command waits. Runs to its end even if the caller
    /// goes away.
    ///
    /// # Errors
    /// See [`Rejected`].
    pub async fn execute(&self, request: Request<MatchCommand>) -> Judged<Done<Match>> {
        let dice = self.entropy().dice();
        self.execute_with(request, dice).await
    }

    /// As [`Self::execute`], with dice of the caller's: a door for tests that force draws.
    ///
    /// # Errors
    /// See [`Rejected`].
    pub async fn execute_with(
        &self,
        request: Request<MatchCommand>,
        dice: Dice,
    ) -> Judged<Done<Match>> {
        let received = self.clock().now();
        self.run(Prepared::new(request)?, received, dice).await
    }

    /// As [`Self::execute`], where the server chose a part of the command: `input` is its sender's part.
    pub(super) async fn execute_chosen(
        &self,
        request: Request<MatchCommand>,
        input: [u8; 32],
    ) -> Judged<Done<Match>> {
        let (received, dice) = (self.clock().now(), self.entropy().dice());
        let prepared = Prepared::with_input(request, input);
        self.run(prepared, received, dice).await
    }

    /// Acts upon the match's deadlines that ran out at least the grace ago, each at its own instant. The
    /// timer's entry; does nothing where nothing is due.
    ///
    /// # Errors
    /// See [`Rejected`]; nothing is refused.
    pub async fn expire_due(&self, id: MatchId) -> Judged<Expired> {
        let token = self.admit()?;
        let this = self.clone();
        to_its_end(async move {
            let _token = token;
            let now = this.passed().await?;
            let lane = this.streams.inner.lanes.enter(id.0);
            let _turn = lane.turn().await;
            let mut hosted = this.streams.inner.known(id.0).await?;
            let over = |due: Time, _| due + this.grace <= now;
            let mut count = this.expire(id, &mut hosted, over).await?;
            if count == 0 {
                // What is known here may be older than the log.
                hosted = this.streams.inner.current(id.0).await?;
                count = this.expire(id, &mut hosted, over).await?;
            }
            let next = due(&hosted);
            Ok(Expired { count, next })
        })
        .await
    }

    /// The match as it is now; `None` if it was never opened. What is due and not yet acted upon has not
    /// happened.
    ///
    /// # Errors
    /// The log could not be read, or holds what this program does not know.
    pub async fn state(&self, id: MatchId) -> Result<Option<Arc<MatchState>>, Unread> {
        let hosted = self.streams.inner.current(id.0).await?;
        Ok((hosted.version() > 0).then(|| Arc::clone(hosted.state())))
    }

    /// Refuses new commands from now on and returns when those under way are done.
    pub async fn drain(&self) {
        self.draining.store(true, Ordering::Release);
        self.under_way.close();
        self.under_way.wait().await;
    }

    /// The grace after a deadline.
    pub fn grace(&self) -> Span {
        self.grace
    }

    /// The clock that commands are stamped with.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.streams.inner.clock
    }

    pub(crate) fn log(&self) -> &Arc<dyn EventLog> {
        &self.streams.inner.log
    }

    pub(crate) fn entropy(&self) -> &Entropy {
        &self.streams.inner.entropy
    }

    /// Makes an outage good for one match: what was due before it happens, then an open deadline moves. May
    /// be done again. Returns whether one moved.
    pub(crate) async fn stand_still(&self, id: MatchId, outage: &Outage) -> Judged<bool> {
        let inner = &self.streams.inner;
        let lane = inner.lanes.enter(id.0);
        let _turn = lane.turn().await;
        let command =
            MatchCommand::MoveDeadline { outage: outage.outage, from: outage.from, to: outage.to };
        let prepared = self.own_command(id, command, Actor::System)?;
        let mut dice = inner.entropy.dice();
        let mut hosted = inner.refresh(id.0).await?;
        if hosted.version() == 0 {
            return Ok(false);
        }
        for _ in 0..TRIES {
            self.expire(id, &mut hosted, |due, _| due < outage.from).await?;
            let now = outage.to.at_least(hosted.last());
            let attempt = inner.attempt(&prepared, now, &mut dice, &mut hosted);
            if let Attempt::Done(done) = attempt.await? {
                figures::count("move_deadline", "OK");
                return Ok(!done.events.is_empty());
            }
        }
        Err(contended(&id.to_string()))
    }

    async fn run(
        &self,
        prepared: Prepared<Match>,
        received: Time,
        mut dice: Dice,
    ) -> Judged<Done<Match>> {
        let (kind, since, span) = (prepared.kind(), Instant::now(), prepared.span());
        let result = match self.admit() {
            Err(rejected) => Err(rejected),
            Ok(token) => {
                let this = self.clone();
                let work = to_its_end(async move {
                    let _token = token;
                    this.judge(&prepared, received, &mut dice).await
                });
                work.instrument(span).await
            }
        };
        figures::command(kind, since, &result);
        result
    }

    /// Lets a command in unless this node is stopping. The token is the command's mark of being under way.
    fn admit(&self) -> Judged<TaskTrackerToken> {
        // First the mark, then the question: whoever drains sees one of the two.
        let token = self.under_way.token();
        if self.draining.load(Ordering::Acquire) {
            return Err(Rejected::Unavailable);
        }
        Ok(token)
    }

    /// The instant of now, once the gate lets it pass. Deadlines are compared with this instant and no later
    /// one: had the process stood still since, they would move first.
    async fn passed(&self) -> Judged<Time> {
        loop {
            let now = self.clock().now();
            let Some(gate) = &self.gate else {
                return Ok(now);
            };
            if gate.is_open(now) {
                return Ok(now);
            }
            gate.open().await.map_err(|_| Rejected::Unavailable)?;
        }
    }

    async fn judge(
        &self,
        prepared: &Prepared<Match>,
        received: Time,
        dice: &mut Dice,
    ) -> Judged<Done<Match>> {
        let inner = &self.streams.inner;
        let id = prepared.request.id;
        let mut tries = 0;
        loop {
            let now = self.passed().await?;
            let lane = inner.lanes.enter(id);
            let turn = lane.turn().await;
            let mut hosted = inner.known(id).await?;
            let is_due = |due: Time, last: Time| due <= received.at_least(last);
            let waits = due(&hosted).filter(|due| is_due(*due, hosted.last()));
            if let Some(until) = waits.map(|due| due + self.grace).filter(|end| now < *end) {
                // Outside the lane: what was received before the deadline may still come, and goes first.
                drop(turn);
                drop(lane);
                // And no longer than a look: a clock that was set back meanwhile would keep it for hours.
                let _ = tokio::time::timeout(LOOK_AGAIN, self.clock().until(until)).await;
                continue;
            }
            let over = |due: Time, last: Time| is_due(due, last) && due + self.grace <= now;
            if self.expire(MatchId(id), &mut hosted, over).await? > 0
                && due(&hosted).is_some_and(|due| is_due(due, hosted.last()))
            {
                continue;
            }
            let at = received.at_least(hosted.last());
            let attempt = inner.attempt(prepared, at, dice, &mut hosted);
            if let Attempt::Done(done) = attempt.await? {
                return Ok(done);
            }
            tries += 1;
            if tries == TRIES {
                return Err(contended(&id.to_string()));
            }
        }
    }

    /// Acts upon one deadline after the other while `over` says so of the deadline and the match's last event,
    /// each in a commit at its own instant. Leaves the newest state in `hosted`; returns how many there were.
    async fn expire(
        &self,
        id: MatchId,
        hosted: &mut Hosted<Match>,
        over: impl Fn(Time, Time) -> bool,
    ) -> Judged<u32> {
        let inner = &self.streams.inner;
        let (mut count, mut tries) = (0, 0);
        while let Some(due) = due(hosted).filter(|due| over(*due, hosted.last())) {
            let prepared = self.own_command(id, MatchCommand::Expire, Actor::Timer)?;
            let mut dice = inner.entropy.dice();
            let now = due.at_least(hosted.last());
            match inner.attempt(&prepared, now, &mut dice, hosted).await? {
                Attempt::Done(done) if done.events.is_empty() => {
                    // Must not be; but then people must still be able to play on or leave.
                    tracing::error!(%id, due = due.0, "a deadline ran out and nothing happened");
                    break;
                }
                Attempt::Done(_) => {
                    figures::count("expire", "OK");
                    count += 1;
                }
                Attempt::Moved => tries += 1,
            }
            if tries == TRIES {
                return Err(contended(&id.to_string()));
            }
        }
        Ok(count)
    }

    fn own_command(
        &self,
        id: MatchId,
        command: MatchCommand,
        actor: Actor,
    ) -> Judged<Prepared<Match>> {
        let correlation = self.entropy().uuid();
        Prepared::new(Request::new(id.0, command, actor, correlation))
    }
}

/// The next instant at which something happens in a match by itself.
fn due(hosted: &Hosted<Match>) -> Option<Time> {
    hosted.state().live().and_then(Live::due)
}
