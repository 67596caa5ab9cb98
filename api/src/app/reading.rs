//! Reading the models: waiting for them a bounded time, and the adapters that show them to the workers and to
//! matchmaking. Must not hand a view out without a viewer.

use super::App;
use async_graphql::Error;
use async_trait::async_trait;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use yibu_domain::kernel::{MatchId, PlayerId, Time};
use yibu_domain::matches::MatchRefusal;
use yibu_infrastructure::executor::{OpenTable, Rejected, Tables, Vacancy};
use yibu_infrastructure::log::port::{EventLog, ReadError};
use yibu_infrastructure::workers::{DueTimes, OpenClocks};
use yibu_projections::engine::Standing;
use yibu_projections::models::{Deadlines, Leaderboard, Lobby, Recorded, Seen};
use yibu_projections::{Views, ViewsError};

use crate::graphql::errors::{self, coded, fault};

/// The read model of dark views.
pub const MATCH_VIEWS: &str = "match_views";
/// The read model of public actions.
pub const MATCH_ACTIONS: &str = "match_actions";
/// The read model of the lobby.
pub const LOBBY: &str = "lobby";
/// The read model of running clocks.
pub const DEADLINES: &str = "deadlines";
/// The read model of points and statistics.
pub const LEADERBOARD: &str = "leaderboard";
/// The read model of who did what when.
pub(super) const AUDIT_TRAIL: &str = "audit_trail";

/// The longest wait of a reader for its own writes.
const READER_WAITS: Duration = Duration::from_secs(2);
/// The longest wait of the server's own work for a read model.
const WORKER_WAITS: Duration = Duration::from_secs(20);

impl App {
    /// Waits, for a bounded time, until a read model has what a token names.
    ///
    /// # Errors
    /// `POSITION_INVALID` for what is no token of this site; the read model is late or stands still.
    pub async fn catch_up(&self, model: &str, token: &str) -> Result<(), Error> {
        let invalid = || coded("POSITION_INVALID", "this is no position that this site has given");
        let position = self.seal.open(token).ok_or_else(invalid)?;
        let reached = self.views.reached(model, position, READER_WAITS).await;
        reached.map_err(|_| coded("UNAVAILABLE", "this is not readable yet; try again soon"))
    }

    /// The match as the player may see it, with everything that was acknowledged before the call: whoever
    /// just sat down finds the match. Where the read model is late, what it has.
    ///
    /// # Errors
    /// Faults of the read model; it is late and has nothing for the player, who may sit there all the same.
    pub async fn view_now(&self, id: MatchId, player: PlayerId) -> Result<Option<Seen>, Error> {
        let complete = self.acknowledged(MATCH_VIEWS).await;
        match self.view_for(id, player).await? {
            None if !complete => {
                Err(coded("UNAVAILABLE", "this is not readable yet; try again soon"))
            }
            seen => Ok(seen),
        }
    }

    /// Queries on points and statistics, with everything that was acknowledged before the call. Where the read
    /// model is late, what it has.
    pub async fn leaderboard(&self) -> &Leaderboard {
        self.acknowledged(LEADERBOARD).await;
        &self.leaderboard
    }

    /// Waits, for a bounded time, until a read model has everything that was acknowledged before the call; says
    /// whether it has.
    pub(super) async fn acknowledged(&self, model: &str) -> bool {
        let acknowledged = *self.log.changes().borrow();
        let late = self.views.reached(model, acknowledged, READER_WAITS).await.is_err();
        if late {
            tracing::warn!(acknowledged, "a reader does not wait any longer for {model}");
        }
        !late
    }

    /// The match as the player may see it by what the read model has now.
    ///
    /// # Errors
    /// Faults of the read model.
    pub async fn view_for(&self, id: MatchId, player: PlayerId) -> Result<Option<Seen>, Error> {
        self.match_views.view_for(id, player).await.map_err(fault)
    }

    /// The public actions of these versions. Whoever asks has a view of the match that goes as far.
    ///
    /// # Errors
    /// Faults of the read model, or it is late.
    pub async fn actions(
        &self,
        id: MatchId,
        versions: Range<u64>,
        position: Option<u64>,
    ) -> Result<Vec<Recorded>, Error> {
        if let Some(position) = position {
            let reached = self.views.reached(MATCH_ACTIONS, position, READER_WAITS).await;
            reached.map_err(|_| coded("UNAVAILABLE", "the actions are not readable yet"))?;
        }
        let count = u32::try_from(versions.end - versions.start).unwrap_or(u32::MAX);
        self.match_actions.page(id, versions.start - 1, count).await.map_err(fault)
    }
}

/// Waits until a read model has everything that the log had when asked.
pub(super) async fn caught_up(
    log: &dyn EventLog,
    views: &Views,
    model: &str,
) -> Result<(), Behind> {
    let head = log.head().await?;
    let reached = views.reached(model, head.position, WORKER_WAITS).await;
    let standing = || views.progress(model).map(|progress| progress.borrow().standing.clone());
    reached.map_err(|error| match standing() {
        Some(Standing::Stopped { problem, .. }) => {
            Behind::Late(format!("{model}: {error}: {problem}"))
        }
        _ => Behind::Late(format!("{model}: {error}")),
    })
}

/// Why a read model does not have everything.
#[derive(Debug, thiserror::Error)]
pub(super) enum Behind {
    /// The log does not tell how far it is.
    #[error(transparent)]
    Log(#[from] ReadError),
    /// It did not get there in time.
    #[error("{0}")]
    Late(String),
}

impl From<Behind> for Rejected<MatchRefusal> {
    fn from(behind: Behind) -> Self {
        match behind {
            Behind::Log(error) => error.into(),
            // It catches up, or says aloud why it does not.
            Behind::Late(_) => Self::Unavailable,
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn rejected(error: ViewsError) -> Rejected<MatchRefusal> {
    if errors::is_away(&error) {
        return Rejected::Unavailable;
    }
    Rejected::Failed(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn text(error: ViewsError) -> String {
    error.to_string()
}

/// The lobby as matchmaking sees it.
pub(super) struct LobbyTables {
    pub(super) log: Arc<dyn EventLog>,
    pub(super) views: Views,
}

#[async_trait]
impl Tables for LobbyTables {
    async fn assembling(&self) -> Result<Vec<OpenTable>, Rejected<MatchRefusal>> {
        caught_up(self.log.as_ref(), &self.views, LOBBY).await?;
        let tables = Lobby::new(&self.views).assembling().await.map_err(rejected)?;
        let open = tables.into_iter().map(|table| OpenTable {
            match_id: table.match_id,
            free: table.free,
            players: table.players,
        });
        Ok(open.collect())
    }

    async fn vacancies(&self) -> Result<Vec<Vacancy>, Rejected<MatchRefusal>> {
        caught_up(self.log.as_ref(), &self.views, LOBBY).await?;
        let vacancies = Lobby::new(&self.views).vacancies().await.map_err(rejected)?;
        let open = vacancies.into_iter().map(|vacancy| Vacancy {
            match_id: vacancy.match_id,
            seat: vacancy.seat,
            deadline: vacancy.deadline,
        });
        Ok(open.collect())
    }
}

/// The running clocks as the timer and the watch over outages see them.
pub(super) struct Clocks {
    pub(super) log: Arc<dyn EventLog>,
    pub(super) views: Views,
    pub(super) changes: watch::Receiver<u64>,
}

#[async_trait]
impl DueTimes for Clocks {
    async fn due(&self, until: Time, limit: usize) -> Result<Vec<(MatchId, Time)>, String> {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let due = Deadlines::new(&self.views).due(until, limit).await.map_err(text)?;
        Ok(due.into_iter().map(|clock| (clock.match_id, clock.due)).collect())
    }

    async fn next(&self, after: Time) -> Result<Option<Time>, String> {
        Deadlines::new(&self.views).next(after).await.map_err(text)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }
}

#[async_trait]
impl OpenClocks for Clocks {
    async fn open(&self) -> Result<Vec<(MatchId, Time)>, String> {
        let caught_up = caught_up(self.log.as_ref(), &self.views, DEADLINES).await;
        caught_up.map_err(|behind| behind.to_string())?;
        let open = Deadlines::new(&self.views).open().await.map_err(text)?;
        Ok(open.into_iter().map(|clock| (clock.match_id, clock.due)).collect())
    }
}
