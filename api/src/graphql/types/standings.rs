//! The leaderboard and what everybody may know of a player: points and statistics. Must not say why somebody is
//! not listed.

use super::actions::PageInfo;
use super::pages;
use super::people::Player;
use crate::app::App;
use crate::graphql::errors::fault;
use crate::graphql::viewer::app;
use async_graphql::{Context, Enum, Error, Object, SimpleObject};
use yibu_domain::kernel::PlayerId;
use yibu_domain::players::Record;
use yibu_projections::models::leaderboard::{Mark, Order, Period, Ranked};

/// What comes first in the leaderboard.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaderboardOrder {
    /// Points, then wins.
    Points,
    /// Wins, then points.
    Wins,
}

/// Which time points and statistics are counted over.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaderboardPeriod {
    /// From the beginning.
    AllTime,
    /// Today and the 29 days before, in UTC.
    ThirtyDays,
}

impl LeaderboardOrder {
    fn order(self) -> Order {
        match self {
            Self::Points => Order::Points,
            Self::Wins => Order::Wins,
        }
    }
}

impl LeaderboardPeriod {
    fn period(self, app: &App) -> Period {
        match self {
            Self::AllTime => Period::AllTime,
            Self::ThirtyDays => Period::ThirtyDays { now: app.clock().now() },
        }
    }
}

/// What a player earned in a period. Matches against house players count; house players themselves do not.
#[derive(SimpleObject)]
#[graphql(name = "PlayerStatistics")]
pub struct Statistics {
    /// Points (平台积分); they begin at 0 and may go below.
    pub points: i64,
    /// Matches taken part in; candidacies are none.
    pub matches: u32,
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
    /// Without result.
    pub no_results: u32,
    /// Left after the start.
    pub leaves: u32,
    /// Timed out.
    pub timeouts: u32,
    /// Seats taken over.
    pub takeovers: u32,
}

impl From<Record> for Statistics {
    fn from(record: Record) -> Self {
        let Record {
            points,
            matches,
            wins,
            losses,
            draws,
            no_results,
            leaves,
            timeouts,
            takeovers,
        } = record;
        Self { points, matches, wins, losses, draws, no_results, leaves, timeouts, takeovers }
    }
}

/// A player's place in the leaderboard.
#[derive(SimpleObject)]
pub struct LeaderboardEntry {
    /// From 1; players with the same points and wins share a rank.
    pub rank: u64,
    /// Who.
    pub player: Player,
    /// What was earned in the period.
    pub statistics: Statistics,
}

/// A place with its cursor.
#[derive(SimpleObject)]
pub struct LeaderboardEdge {
    /// Names the place in the list, for `after`.
    pub cursor: String,
    /// The place.
    pub node: LeaderboardEntry,
}

/// A page of the leaderboard, the best first.
#[derive(SimpleObject)]
pub struct LeaderboardConnection {
    /// The places with their cursors.
    pub edges: Vec<LeaderboardEdge>,
    /// Where the page lies in the list.
    pub page_info: PageInfo,
    /// How many players are listed.
    pub total_count: u64,
}

impl LeaderboardConnection {
    /// The page that is asked for.
    ///
    /// # Errors
    /// A bad length or cursor, or faults of the read model.
    pub async fn of(
        app: &App,
        order: LeaderboardOrder,
        period: LeaderboardPeriod,
        first: Option<i32>,
        after: Option<&str>,
    ) -> Result<Self, Error> {
        let length = pages::length(first)?;
        let after = pages::place(after, read)?;
        let (order, period) = (order.order(), period.period(app));
        let board = app.leaderboard().await;
        let mut found = board.page(order, period, after, length + 1).await.map_err(fault)?;
        let total_count = board.total(period).await.map_err(fault)?;
        let cursor = |place: &Ranked| cursor(place.mark(order));
        let page_info = pages::cut(&mut found, length, after.is_some(), cursor);
        let edges = found.into_iter().map(|place| LeaderboardEdge {
            cursor: cursor(&place),
            node: LeaderboardEntry {
                rank: place.rank,
                player: place.player.into(),
                statistics: place.record.into(),
            },
        });
        Ok(Self { edges: edges.collect(), page_info, total_count })
    }
}

/// A place as clients hand it back.
fn cursor(Mark(first, second, player): Mark) -> String {
    format!("{first}.{second}.{}", player.0.simple())
}

fn read(cursor: &str) -> Option<Mark> {
    let mut parts = cursor.split('.');
    let (first, second) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let player = parts.next().filter(|id| id.len() == 32)?.parse().ok()?;
    parts.next().is_none().then_some(Mark(first, second, player))
}

/// What everybody may know of a player.
pub struct PlayerProfile {
    /// Who.
    pub player: PlayerId,
}

/// What everybody may know of a player.
#[Object]
impl PlayerProfile {
    /// Who.
    async fn player(&self) -> Player {
        self.player.into()
    }

    /// What the player earned.
    async fn statistics(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which time is counted.", default_with = "LeaderboardPeriod::AllTime")]
        period: LeaderboardPeriod,
    ) -> Result<Statistics, Error> {
        let app = app(ctx)?;
        let board = app.leaderboard().await;
        let found = board.statistics(self.player, period.period(app)).await.map_err(fault)?;
        Ok(found.record.into())
    }

    /// The player's rank in the leaderboard; null for a player who is not listed there.
    async fn rank(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What comes first.", default_with = "LeaderboardOrder::Points")]
        order: LeaderboardOrder,
        #[graphql(desc = "Which time is counted.", default_with = "LeaderboardPeriod::AllTime")]
        period: LeaderboardPeriod,
    ) -> Result<Option<u64>, Error> {
        let app = app(ctx)?;
        let board = app.leaderboard().await;
        let found = board.rank(self.player, order.order(), period.period(app)).await;
        Ok(found.map_err(fault)?.map(|place| place.rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_go_there_and_back_and_others_are_refused() {
        let mark = Mark(-12, 3, PlayerId(uuid::Uuid::from_u128(77)));
        assert_eq!(read(&cursor(mark)), Some(mark));
        let good = cursor(mark);
        for text in ["", "1.2", "1.2.x", &format!("{good}.1"), &good[1..].replace('.', "")] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
