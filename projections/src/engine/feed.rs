//! What the read models need of the log: its events in order, already decoded. The composition root adapts
//! the log to it; nothing here knows a store.

use async_trait::async_trait;
use tokio::sync::watch;
use yibu_domain::kernel::{Actor, Dated, MatchId, PlayerId, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::players::PlayerEvent;
use yibu_domain::site::SiteEvent;

/// One event of the log.
#[derive(Clone, Debug)]
pub struct Fed {
    /// Global position: increasing, from 1.
    pub position: u64,
    /// The name of its stream, `{category}-{uuid}`.
    pub stream: String,
    /// Its number in its own stream, from 1.
    pub version: u64,
    /// Its stored name with version, for instance `siguo.moved.v1`.
    pub name: String,
    /// When the log wrote it.
    pub recorded: Time,
    /// Who caused it.
    pub actor: Actor,
    /// The kind of the command that caused it, for instance `move`.
    pub command: String,
    /// What happened and from when it counts, or why that cannot be read.
    pub fact: Result<Fact, Poison>,
}

/// What happened, and where.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all facts are the largest")]
pub enum Fact {
    /// To a match.
    Match(MatchId, Dated<MatchEvent>),
    /// To a player.
    Player(PlayerId, Dated<PlayerEvent>),
    /// To the site.
    Site(Dated<SiteEvent>),
    /// To a stream that no read model of this program follows.
    Other,
}

/// Why an event cannot be read. Holds nothing of its payload.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Poison(pub String);

/// The log could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FeedError {
    /// It is away; trying again may help.
    #[error("the log cannot be reached: {0}")]
    Away(String),
    /// What stands there cannot be read, until somebody puts it right.
    #[error("the log cannot be read: {0}")]
    Broken(String),
}

/// The log, as the read models see it.
#[async_trait]
pub trait Feed: Send + Sync + 'static {
    /// The events with a position above `after`, in order, at most `limit`.
    ///
    /// # Errors
    /// The log could not be read.
    async fn read(&self, after: u64, limit: usize) -> Result<Vec<Fed>, FeedError>;

    /// The last position; 0 when the log is empty.
    ///
    /// # Errors
    /// The log could not be read.
    async fn head(&self) -> Result<u64, FeedError>;

    /// Wakes when the log has grown; the value is a position. Only a hint.
    fn changes(&self) -> watch::Receiver<u64>;
}
