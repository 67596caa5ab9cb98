//! The executor of one kind of aggregate: load, judge, append. Knows no particular aggregate; what a match
//! needs besides (deadlines, the gate) is in `matches`.

use super::cache::{Cache, Known};
use super::figures::{self, Coded};
use super::hosted::{Hosted, PAGE};
use super::input::{Input, input_hash};
use super::lanes::Lanes;
use super::unread::Unread;
use super::{Done, Rejected, Request, stream_name, to_its_end};
use crate::log::codec;
use crate::log::port::{
    AppendError, Commit, EventLog, Expected, Memo, ReadError, Receipt, Remembered, Stamp,
};
use crate::system::{Clock, Entropy};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;
use tracing::Instrument as _;
use uuid::Uuid;
use yibu_domain::kernel::{Ctx, Dated, Decider, Dice, Time};

/// So often a command is judged anew because another node committed to its stream meanwhile.
pub(super) const TRIES: u32 = 16;

/// What came of a command whose memo says nothing more special; there is no other yet.
pub const RESULT: &str = "OK";

/// Executes commands of one kind of aggregate. Clones share everything.
pub struct Executor<D: Decider> {
    pub(super) inner: Arc<Inner<D>>,
}

impl<D: Decider> Clone for Executor<D> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

pub(super) struct Inner<D: Decider> {
    pub(super) log: Arc<dyn EventLog>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Entropy,
    pub(super) lanes: Lanes,
    node: String,
    build: String,
    cache: Cache<D>,
    grown: watch::Receiver<u64>,
}

/// A request with what is derived from it once.
pub(super) struct Prepared<D: Decider> {
    pub(super) request: Request<D::Command>,
    stream: String,
    kind: &'static str,
    input: [u8; 32],
}

/// What one try came to.
pub(super) enum Attempt<D: Decider> {
    Done(Done<D>),
    /// The state was not the newest; now it is: judge again.
    Moved,
}

impl<D: Decider> Prepared<D>
where
    D::Command: Input,
{
    /// A request whose input is the command as it stands.
    pub(super) fn new(request: Request<D::Command>) -> Result<Self, Rejected<D::Refusal>> {
        let (stream, kind) = (stream_name::<D>(request.id), request.command.kind());
        // Hashed only where somebody may send it again.
        let input = match request.key {
            None => [0; 32],
            Some(_) => {
                let canonical = request.command.canonical();
                let canonical = canonical.map_err(|error| Rejected::Failed(error.to_string()))?;
                input_hash(&stream, kind, &canonical)
            }
        };
        Ok(Self { request, stream, kind, input })
    }

    /// A request of which the server chose a part: `input` is what its sender chose.
    pub(super) fn with_input(request: Request<D::Command>, input: [u8; 32]) -> Self {
        let (stream, kind) = (stream_name::<D>(request.id), request.command.kind());
        Self { request, stream, kind, input }
    }
}

impl<D: Decider> Prepared<D> {
    /// The command's kind, for figures.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// What is logged and traced of a command: nothing that its sender wrote.
    pub(super) fn span(&self) -> tracing::Span {
        let (kind, stream) = (self.kind, &self.stream);
        tracing::info_span!("command", kind, %stream, correlation = %self.request.correlation)
    }

    fn memo(&self) -> Option<Memo> {
        Some(Memo {
            account: self.request.actor.player()?,
            id: self.request.key?,
            input: self.input,
            result: RESULT.to_owned(),
        })
    }
}

impl<D: Decider> Executor<D>
where
    D::Command: Input,
    D::Refusal: Coded,
{
    /// An executor over a log. `node` and `build` go into every event's metadata; at most `cache_states`
    /// folded states are kept.
    pub fn new(
        log: Arc<dyn EventLog>,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
        node: impl Into<String>,
        build: impl Into<String>,
        cache_states: usize,
    ) -> Self {
        let grown = log.changes();
        let inner = Inner {
            log,
            clock,
            entropy,
            lanes: Lanes::default(),
            node: node.into(),
            build: build.into(),
            cache: Cache::new(cache_states),
            grown,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Executes a command, after those of the same aggregate that came before it on this node. Runs to its
    /// end even if the caller goes away. A command that was sent before under its key does nothing and is
    /// answered with today's state.
    ///
    /// # Errors
    /// See [`Rejected`].
    pub async fn execute(
        &self,
        request: Request<D::Command>,
    ) -> Result<Done<D>, Rejected<D::Refusal>> {
        let (received, since) = (self.inner.clock.now(), Instant::now());
        let inner = Arc::clone(&self.inner);
        let prepared = Prepared::new(request)?;
        let (kind, span) = (prepared.kind, prepared.span());
        let work = to_its_end(async move {
            let mut dice = inner.entropy.dice();
            let lane = inner.lanes.enter(prepared.request.id);
            let _turn = lane.turn().await;
            let mut hosted = inner.known(prepared.request.id).await?;
            for _ in 0..TRIES {
                let now = received.at_least(hosted.last());
                let attempt = inner.attempt(&prepared, now, &mut dice, &mut hosted);
                if let Attempt::Done(done) = attempt.await? {
                    return Ok(done);
                }
            }
            Err(contended(&prepared.stream))
        });
        let result = work.instrument(span).await;
        figures::command(kind, since, &result);
        result
    }

    /// The newest state that this node can know of: the log is read where its hint says that it has grown.
    ///
    /// # Errors
    /// The log could not be read, or holds what this program does not know.
    pub async fn state(&self, id: Uuid) -> Result<Arc<D::State>, Unread> {
        Ok(Arc::clone(self.inner.current(id).await?.state()))
    }

    /// A state that may be a little older where another node writes, without a look at the log where the
    /// state is cached. Includes everything that this node committed.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub async fn cached_state(&self, id: Uuid) -> Result<Arc<D::State>, Unread> {
        Ok(Arc::clone(self.inner.known(id).await?.state()))
    }
}

pub(super) fn contended<R: std::error::Error>(stream: &str) -> Rejected<R> {
    Rejected::Failed(format!("{stream} changes faster than a command is judged"))
}

impl<D: Decider> Inner<D> {
    /// From the cache, else from the log.
    pub(super) async fn known(&self, id: Uuid) -> Result<Hosted<D>, Unread> {
        match self.cache.get(id) {
            Some(known) => Ok(known.hosted),
            None => self.refresh(id).await,
        }
    }

    /// From the cache where nothing was committed since it was checked, else with what is new in the log.
    pub(super) async fn current(&self, id: Uuid) -> Result<Hosted<D>, Unread> {
        let hint = *self.grown.borrow();
        match self.cache.get(id) {
            Some(known) if known.checked >= hint => Ok(known.hosted),
            _ => self.refresh(id).await,
        }
    }

    /// What is cached, with everything that the log has beyond it.
    pub(super) async fn refresh(&self, id: Uuid) -> Result<Hosted<D>, Unread> {
        let known = self.cache.get(id);
        let mut hosted = known.map(|known| known.hosted).unwrap_or_default();
        self.advance(id, &mut hosted).await?;
        Ok(hosted)
    }

    /// Folds in what the log has beyond `hosted`. Returns whether there was anything.
    async fn advance(&self, id: Uuid, hosted: &mut Hosted<D>) -> Result<bool, Unread> {
        // Before the read: what is at or before it will be read.
        let checked = *self.grown.borrow();
        let (stream, before) = (stream_name::<D>(id), hosted.version());
        loop {
            let after = hosted.version();
            let page = self.log.read_stream(&stream, after, PAGE).await?;
            for stored in &page {
                let (found, last) = (stored.version, hosted.version());
                if found != last + 1 {
                    let text = format!("{stream}: version {found} follows version {last}");
                    return Err(ReadError::Failed(text).into());
                }
                hosted.fold(&codec::decode(stored)?);
            }
            if page.len() < PAGE {
                break;
            }
        }
        let known = Known { hosted: hosted.clone(), checked };
        self.cache.put(id, known);
        Ok(hosted.version() > before)
    }

    /// Judges a command once on `hosted` and commits what it yields. Leaves the newest state in `hosted`,
    /// except on an error. Must be called in the aggregate's lane.
    pub(super) async fn attempt(
        &self,
        prepared: &Prepared<D>,
        now: Time,
        dice: &mut Dice,
        hosted: &mut Hosted<D>,
    ) -> Result<Attempt<D>, Rejected<D::Refusal>> {
        let request = &prepared.request;
        let actor = request.actor;
        let mut ctx = Ctx { now, actor, dice };
        let decided = D::admit(request.id, &request.command, actor)
            .and_then(|()| D::decide(hosted.state(), &request.command, &mut ctx));
        let events = match decided {
            Ok(events) if !events.is_empty() => events,
            refused_or_nothing => {
                // The log judges a repeat before everything else, but only where there is something to
                // append. Here it is asked, after making sure that this was judged on the newest state.
                if self.advance(request.id, hosted).await? {
                    return Ok(Attempt::Moved);
                }
                if let Some(memo) = prepared.memo()
                    && let Some(found) = self.log.find_command(memo.account, memo.id).await?
                {
                    return self.repeat(prepared, found).await;
                }
                return match refused_or_nothing {
                    Err(refusal) => Err(Rejected::Refused(refusal)),
                    Ok(_) => Ok(Attempt::Done(done(hosted, Vec::new(), None))),
                };
            }
        };
        let receipt = match self.append(prepared, now, hosted.version(), &events).await {
            Ok(receipt) => receipt,
            Err(AppendError::Conflict { .. }) => {
                self.advance(request.id, hosted).await?;
                return Ok(Attempt::Moved);
            }
            Err(AppendError::Repeated(found)) => return self.repeat(prepared, *found).await,
            Err(AppendError::LimitReached { counter }) => {
                return Err(Rejected::LimitReached(counter));
            }
            Err(AppendError::Taken { key }) => return Err(Rejected::Taken { key }),
            Err(AppendError::Unreachable(_)) => return Err(Rejected::Unavailable),
            Err(AppendError::Fault(fault)) => return Err(Rejected::Failed(fault)),
        };
        let events: Vec<_> = events.into_iter().map(|event| Dated { at: now, event }).collect();
        for event in &events {
            hosted.fold(event);
        }
        // No other commit to this stream stands between its last event and this position.
        let known = Known { hosted: hosted.clone(), checked: receipt.position };
        self.cache.put(request.id, known);
        Ok(Attempt::Done(done(hosted, events, Some(receipt))))
    }

    async fn append(
        &self,
        prepared: &Prepared<D>,
        now: Time,
        version: u64,
        events: &[D::Event],
    ) -> Result<Receipt, AppendError> {
        let request = &prepared.request;
        let new = events.iter().map(|event| codec::new_event(self.entropy.event_id(), event));
        let new: Result<Vec<_>, _> = new.collect();
        let commit = Commit {
            stream: prepared.stream.clone(),
            expected: Expected::Exact(version),
            events: new.map_err(|error| AppendError::Fault(error.to_string()))?,
            stamp: Stamp {
                at: now,
                actor: request.actor,
                command: prepared.kind.to_owned(),
                command_id: request.key,
                correlation: request.correlation,
                causation: request.causation,
                node: self.node.clone(),
                build: self.build.clone(),
            },
            claims: events.iter().flat_map(D::claims).collect(),
            memo: prepared.memo(),
        };
        self.log.append(commit).await
    }

    /// The answer to a key that was used before.
    async fn repeat(
        &self,
        prepared: &Prepared<D>,
        found: Remembered,
    ) -> Result<Attempt<D>, Rejected<D::Refusal>> {
        if found.memo.input != prepared.input {
            return Err(Rejected::IdempotencyConflict);
        }
        let id = super::aggregate_id::<D>(&found.stream).ok_or(Rejected::IdempotencyConflict)?;
        let now = self.refresh(id).await?;
        Ok(Attempt::Done(Done { repeated: Some(found), ..done(&now, Vec::new(), None) }))
    }
}

fn done<D: Decider>(
    hosted: &Hosted<D>,
    events: Vec<Dated<D::Event>>,
    receipt: Option<Receipt>,
) -> Done<D> {
    Done { state: Arc::clone(hosted.state()), events, receipt, repeated: None }
}
