//! The log as the read models see it: the adapter between the two wings. Must not skip an event: what
//! cannot be read is handed on as poison.

use async_trait::async_trait;
use std::sync::Arc;
use tokio::sync::watch;
use yibu_domain::kernel::{Decider, MatchId, PlayerId};
use yibu_domain::matches::Match;
use yibu_domain::players::Player;
use yibu_domain::site::Site;
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{EventLog, ReadError, Stored};
use yibu_projections::{Fact, Fed, Feed, FeedError, Poison};

/// A log, decoded.
pub struct LogFeed {
    log: Arc<dyn EventLog>,
}

impl LogFeed {
    /// The feed of a log.
    pub fn new(log: Arc<dyn EventLog>) -> Self {
        Self { log }
    }
}

#[async_trait]
impl Feed for LogFeed {
    async fn read(&self, after: u64, limit: usize) -> Result<Vec<Fed>, FeedError> {
        let stored = self.log.read_all(after, limit).await;
        let stored = stored.map_err(unread)?;
        Ok(stored.into_iter().map(fed).collect())
    }

    async fn head(&self) -> Result<u64, FeedError> {
        Ok(self.log.head().await.map_err(unread)?.position)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.log.changes()
    }
}

fn unread(error: ReadError) -> FeedError {
    match error {
        ReadError::Unreachable(problem) => FeedError::Away(problem),
        ReadError::Failed(problem) => FeedError::Broken(problem),
    }
}

fn fed(stored: Stored) -> Fed {
    Fed {
        fact: fact(&stored),
        position: stored.position,
        stream: stored.stream,
        version: stored.version,
        name: stored.name,
        recorded: stored.recorded,
        actor: stored.stamp.actor,
        command: stored.stamp.command,
    }
}

fn fact(stored: &Stored) -> Result<Fact, Poison> {
    // The codec's errors name the event and hold nothing of its text.
    let poison = |error: codec::CodecError| Poison(error.to_string());
    let stream = stored.stream.as_str();
    if let Some(id) = named::<Match>(stream) {
        return codec::decode(stored).map(|event| Fact::Match(MatchId(id), event)).map_err(poison);
    }
    if let Some(id) = named::<Player>(stream) {
        return codec::decode(stored)
            .map(|event| Fact::Player(PlayerId(id), event))
            .map_err(poison);
    }
    if aggregate_id::<Site>(stream).is_some() {
        return codec::decode(stored).map(Fact::Site).map_err(poison);
    }
    Ok(Fact::Other)
}

/// The id in a stream's name. The nil id belongs to the site alone.
fn named<D: Decider>(stream: &str) -> Option<uuid::Uuid> {
    aggregate_id::<D>(stream).filter(|id| !id.is_nil())
}
