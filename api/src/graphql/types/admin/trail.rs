//! What administrators did, and what concerned the site. Must not show how people play: an administrator may sit at
//! a table, too.

use crate::app::App;
use crate::graphql::ids::Global;
use crate::graphql::scalars::DateTime;
use crate::graphql::types::actions::PageInfo;
use crate::graphql::types::pages;
use crate::graphql::types::people::Player;
use async_graphql::{Error, ID, SimpleObject};
use yibu_domain::kernel::{Actor, MatchId, PlayerId};
use yibu_projections::models::audit_trail::Trace;

/// A page of what was done, the latest first.
#[derive(SimpleObject)]
pub struct TrailConnection {
    /// The entries with their cursors.
    pub edges: Vec<TrailEdge>,
    /// Where the page lies in the list.
    pub page_info: PageInfo,
}

/// An entry with its cursor.
#[derive(SimpleObject)]
pub struct TrailEdge {
    /// Names the place in the list, for `after`.
    pub cursor: String,
    /// The entry.
    pub node: TrailEntry,
}

/// Something that an administrator did, or that concerned the site.
#[derive(SimpleObject)]
pub struct TrailEntry {
    /// When.
    pub at: DateTime,
    /// The administrator; null when it was the server itself, or its command line.
    pub by: Option<Player>,
    /// What was asked for, for instance `set_limits`.
    pub command: String,
    /// What happened, by the event's stored name, for instance `site.limits_set.v1`.
    pub event: String,
    /// Why, by the code that was given; null where none was asked for.
    pub reason: Option<String>,
    /// The match that it is about.
    pub match_id: Option<ID>,
    /// The player that it is about.
    pub player: Option<Player>,
}

impl From<Trace> for TrailEntry {
    fn from(trace: Trace) -> Self {
        let by = match trace.actor {
            Actor::Admin(player) => Some(player.into()),
            Actor::Player(_) | Actor::House(_) | Actor::Timer | Actor::System => None,
        };
        Self {
            at: DateTime(trace.happened),
            by,
            match_id: (trace.category == "match").then(|| Global::Match(MatchId(trace.id)).id()),
            player: (trace.category == "player").then(|| PlayerId(trace.id).into()),
            command: trace.command,
            event: trace.name,
            reason: trace.reason,
        }
    }
}

impl TrailConnection {
    /// A page of the trail.
    ///
    /// # Errors
    /// A bad length or cursor, or faults of the read model.
    pub async fn of(app: &App, first: Option<i32>, after: Option<&str>) -> Result<Self, Error> {
        let length = pages::length(first)?;
        let after = pages::place(after, |cursor| app.seal().open(cursor))?;
        let mut found = app.office_trail(after, length + 1).await?;
        let cursor = |trace: &Trace| app.seal().seal(trace.position);
        let mut page_info = pages::cut(&mut found, length, after.is_some(), cursor);
        let edges: Vec<TrailEdge> = found
            .into_iter()
            .map(|trace| TrailEdge { cursor: cursor(&trace), node: trace.into() })
            .collect();
        // A seal is another text each time: the page's ends are named as its edges are.
        page_info.start_cursor = edges.first().map(|edge| edge.cursor.clone());
        page_info.end_cursor = edges.last().map(|edge| edge.cursor.clone());
        Ok(Self { edges, page_info })
    }
}
