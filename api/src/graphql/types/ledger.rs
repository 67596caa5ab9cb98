//! The viewer's own points entry by entry, and the list of results. Must not be asked for anybody else.

use super::actions::PageInfo;
use super::enums::{Joined, MatchResult, Seat};
use super::outcome::Outcome;
use super::pages;
use crate::app::App;
use crate::graphql::errors::fault;
use crate::graphql::ids::Global;
use crate::graphql::scalars::DateTime;
use async_graphql::{Enum, Error, ID, SimpleObject};
use yibu_domain::kernel::PlayerId;
use yibu_projections::models::leaderboard::{Booked, EntryCause};

/// Why points changed, or why a part in a match is over.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointsCause {
    /// The match ended with the player in a seat.
    Settled,
    /// The player left after the start.
    Left,
    /// The player's time ran out.
    TimedOut,
    /// An administrator gave or took points.
    Adjusted,
}

/// A change of the viewer's points.
#[derive(SimpleObject)]
pub struct PointsEntry {
    /// When.
    pub at: DateTime,
    /// How many points; never 0.
    pub points: i64,
    /// The viewer's points after it.
    pub balance: i64,
    /// Why.
    pub cause: PointsCause,
    /// The match that it was about; null for an adjustment. Its table may be gone.
    pub match_id: Option<ID>,
    /// What the match was for the viewer, when it was settled.
    pub result: Option<MatchResult>,
    /// Why an administrator adjusted points, as a code.
    pub reason: Option<String>,
}

/// A change of points with its cursor.
#[derive(SimpleObject)]
pub struct PointsEdge {
    /// Names the place in the list, for `after`.
    pub cursor: String,
    /// The change.
    pub node: PointsEntry,
}

/// A page of the viewer's points ledger, the newest first.
#[derive(SimpleObject)]
pub struct PointsConnection {
    /// The changes with their cursors.
    pub edges: Vec<PointsEdge>,
    /// Where the page lies in the list.
    pub page_info: PageInfo,
}

/// A match in which the viewer's part is over.
#[derive(SimpleObject)]
pub struct PastResult {
    /// The match. Its table may be gone.
    pub match_id: ID,
    /// When the viewer's part was over.
    pub at: DateTime,
    /// The viewer's seat.
    pub seat: Seat,
    /// Whether the viewer joined before the start or by a takeover.
    pub joined: Joined,
    /// Whether the match was settled, or the viewer left or timed out before.
    pub cause: PointsCause,
    /// What the match was for the viewer; null for whoever left or timed out.
    pub result: Option<MatchResult>,
    /// How the match ended; null for whoever left or timed out.
    pub outcome: Option<Outcome>,
    /// What the viewer got for it.
    pub points: i64,
}

/// A result with its cursor.
#[derive(SimpleObject)]
pub struct PastResultEdge {
    /// Names the place in the list, for `after`.
    pub cursor: String,
    /// The result.
    pub node: PastResult,
}

/// A page of the viewer's results, the newest first.
#[derive(SimpleObject)]
pub struct PastResultConnection {
    /// The results with their cursors.
    pub edges: Vec<PastResultEdge>,
    /// Where the page lies in the list.
    pub page_info: PageInfo,
}

fn cursor(booked: &Booked) -> String {
    format!("n{}", booked.number)
}

fn read(cursor: &str) -> Option<u64> {
    cursor.strip_prefix('n')?.parse().ok()
}

impl From<Booked> for PointsEntry {
    fn from(Booked { balance, entry, .. }: Booked) -> Self {
        let match_id = entry.cause.match_id().map(|id| Global::Match(id).id());
        let (cause, result, reason) = match entry.cause {
            EntryCause::Settled { result, .. } => (PointsCause::Settled, Some(result), None),
            EntryCause::Left { .. } => (PointsCause::Left, None, None),
            EntryCause::TimedOut { .. } => (PointsCause::TimedOut, None, None),
            EntryCause::Adjusted { reason } => (PointsCause::Adjusted, None, Some(reason)),
        };
        Self {
            at: DateTime(entry.at),
            points: entry.points,
            balance,
            cause,
            match_id,
            result: result.map(Into::into),
            reason: reason.map(|reason| reason.to_string()),
        }
    }
}

/// An adjustment is no result.
fn result(booked: Booked) -> Option<PastResult> {
    let entry = booked.entry;
    let (cause, match_id, seat, joined, end) = match entry.cause {
        EntryCause::Settled { match_id, seat, joined, outcome, result } => {
            (PointsCause::Settled, match_id, seat, joined, Some((outcome, result)))
        }
        EntryCause::Left { match_id, seat, joined } => {
            (PointsCause::Left, match_id, seat, joined, None)
        }
        EntryCause::TimedOut { match_id, seat, joined } => {
            (PointsCause::TimedOut, match_id, seat, joined, None)
        }
        EntryCause::Adjusted { .. } => return None,
    };
    Some(PastResult {
        match_id: Global::Match(match_id).id(),
        at: DateTime(entry.at),
        seat: seat.into(),
        joined: joined.into(),
        cause,
        result: end.map(|(_, result)| result.into()),
        outcome: end.map(|(outcome, _)| outcome.into()),
        points: entry.points,
    })
}

/// A page of a player's points ledger.
///
/// # Errors
/// A bad length or cursor, or faults of the read model.
pub async fn points(
    app: &App,
    player: PlayerId,
    first: Option<i32>,
    after: Option<&str>,
) -> Result<PointsConnection, Error> {
    let length = pages::length(first)?;
    let after = pages::place(after, read)?;
    let board = app.leaderboard().await;
    let mut found = board.ledger(player, after, length + 1).await.map_err(fault)?;
    let page_info = pages::cut(&mut found, length, after.is_some(), cursor);
    let edges = found.into_iter();
    let edges = edges.map(|booked| PointsEdge { cursor: cursor(&booked), node: booked.into() });
    Ok(PointsConnection { edges: edges.collect(), page_info })
}

/// A page of a player's results.
///
/// # Errors
/// A bad length or cursor, or faults of the read model.
pub async fn results(
    app: &App,
    player: PlayerId,
    first: Option<i32>,
    after: Option<&str>,
) -> Result<PastResultConnection, Error> {
    let length = pages::length(first)?;
    let after = pages::place(after, read)?;
    let board = app.leaderboard().await;
    let mut found = board.results(player, after, length + 1).await.map_err(fault)?;
    let page_info = pages::cut(&mut found, length, after.is_some(), cursor);
    let edges = found.into_iter().filter_map(|booked| {
        Some(PastResultEdge { cursor: cursor(&booked), node: result(booked)? })
    });
    Ok(PastResultConnection { edges: edges.collect(), page_info })
}
