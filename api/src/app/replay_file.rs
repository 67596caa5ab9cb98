//! The file of a finished match: made from the log with the nicknames of then, judged by the rules, and given to
//! those who took part. Must not hand out a match that runs.

use super::App;
use crate::files;
use crate::graphql::errors::{account_fault, fault, unread};
use async_graphql::Error;
use tokio::sync::Semaphore;
use yibu_domain::kernel::{Bytes32, Dated, MatchId, PlayerId, Time};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::record::{Complete, Playback, people};
use yibu_domain::matches::{Match, MatchEvent};
use yibu_infrastructure::accounts::{Accounts, Failure};
use yibu_infrastructure::executor::{Unread, stream_name};
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{EventLog, Stored};
use yibu_projections::models::Replays;

/// The read model of finished matches.
pub const REPLAYS: &str = "replays";

/// Events read at a time.
const PAGE: usize = 500;

/// So many files are made at the same time: one request may ask for many.
static MAKING: Semaphore = Semaphore::const_new(2);

/// The file of a finished match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayFile {
    /// Of which match.
    pub match_id: MatchId,
    /// What the file is called.
    pub name: String,
    /// What is in it: UTF-8.
    pub text: String,
    /// When the match started.
    pub started: Time,
    /// When it ended.
    pub ended: Time,
    /// Until when players keep it.
    pub expires: Time,
}

/// Why there is no file of a match that ended.
#[derive(Debug, thiserror::Error)]
pub enum RecordFault {
    /// The match cannot be read.
    #[error(transparent)]
    Unread(#[from] Unread),
    /// The nicknames cannot be read.
    #[error(transparent)]
    Accounts(#[from] Failure),
    /// The rules say that it cannot be so, or it cannot be written.
    #[error("{0}")]
    Broken(String),
}

/// All events of a match in order; none when there is no such match.
///
/// # Errors
/// The log cannot be read, or a newer program wrote in it.
pub async fn events_of(
    log: &dyn EventLog,
    id: MatchId,
) -> Result<Vec<(Stored, Dated<MatchEvent>)>, Unread> {
    let stream = stream_name::<Match>(id.0);
    let mut events = Vec::new();
    loop {
        let page = log.read_stream(&stream, events.len() as u64, PAGE).await?;
        let full = page.len() == PAGE;
        for stored in page {
            let event = codec::decode::<MatchEvent>(&stored)?;
            events.push((stored, event));
        }
        if !full {
            return Ok(events);
        }
    }
}

/// The file of a match that ended, whoever took part, expired or not; `None` while it runs, and where it never
/// started.
///
/// # Errors
/// See [`RecordFault`].
pub async fn replay_file(
    log: &dyn EventLog,
    accounts: &Accounts,
    id: MatchId,
) -> Result<Option<ReplayFile>, RecordFault> {
    let turn = MAKING.acquire().await;
    let _turn = turn.map_err(|closed| RecordFault::Broken(closed.to_string()))?;
    let (stored, events): (Vec<_>, Vec<_>) = events_of(log, id).await?.into_iter().unzip();
    let names = accounts.nickname_at(&people(&events)).await?;
    // Judging hundreds of moves is work that would hold up whoever shares the thread.
    let making = tokio::task::spawn_blocking(move || {
        let hashes = stored.iter().map(|stored| Bytes32(stored.hash));
        let name = |player: PlayerId, revision: u32| names.get(&(player, revision)).cloned();
        let record = Complete::of(events.iter().zip(hashes), &name);
        record.map(|record| file(&record)).transpose()
    });
    making.await.map_err(|error| RecordFault::Broken(error.to_string()))?
}

fn file(record: &Complete) -> Result<ReplayFile, RecordFault> {
    let broken = |problem: String| RecordFault::Broken(problem);
    Playback::new(record).play().map_err(|wrong| broken(wrong.to_string()))?;
    let text = files::replay::write(record).map_err(|error| broken(error.to_string()))?;
    let (started, ended) = (record.kept.started_at, record.kept.ended_at);
    let (day, id) = (started.to_string(), record.kept.id.0.simple().to_string());
    let (day, id) = (day.get(..10).unwrap_or_default(), id.get(..8).unwrap_or_default());
    Ok(ReplayFile {
        match_id: record.kept.id,
        name: format!("{day}-{id}.yibu-replay.json"),
        text,
        started: started.0,
        ended: ended.0,
        expires: ended.0 + record.rules.rule_set().retention,
    })
}

impl App {
    /// The file of a match that ended; for mails and tools, which know whom they give it to. `None` while it runs.
    ///
    /// # Errors
    /// Faults.
    pub async fn replay_file(&self, id: MatchId) -> Result<Option<ReplayFile>, Error> {
        replay_file(self.log(), &self.accounts, id).await.map_err(|error| match error {
            RecordFault::Unread(problem) => unread(problem),
            RecordFault::Accounts(failure) => account_fault(failure),
            RecordFault::Broken(problem) => {
                tracing::error!(%problem, %id, "a finished match cannot be told");
                fault(problem)
            }
        })
    }

    /// The same for a player who took part, until the players' retention is over. `None` to everybody else, and
    /// for a match that runs or does not exist: the answers cannot be told apart.
    ///
    /// # Errors
    /// Faults.
    pub async fn replay_for(
        &self,
        id: MatchId,
        player: PlayerId,
    ) -> Result<Option<ReplayFile>, Error> {
        self.acknowledged(REPLAYS).await;
        let found = Replays::new(&self.views).one(id).await.map_err(fault)?;
        let now = self.clock.now();
        let kept = found.filter(|replay| !replay.expired && now < replay.expires);
        let took_part =
            kept.is_some_and(|replay| {
                replay.seats.iter().flat_map(|(_, sat)| sat).any(|one| {
                    one.person.player == player && one.person.occupant == Occupant::Player
                })
            });
        if took_part { self.replay_file(id).await } else { Ok(None) }
    }
}
