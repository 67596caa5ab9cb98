//! The viewer's in-app notices. Names matches, seats and clocks, never a person; must not be asked for anybody else.

use super::actions::PageInfo;
use super::admin::Announcement;
use super::enums::{NoticeKind, Seat};
use super::pages;
use crate::app::App;
use crate::graphql::errors::{account_fault, coded};
use crate::graphql::ids::Global;
use crate::graphql::scalars::{DateTime, instant};
use async_graphql::{Error, ID, SimpleObject};
use yibu_domain::kernel::PlayerId;
use yibu_infrastructure::accounts::reminders;

/// So many of the latest come with each frame of the subscription.
const LATEST: u32 = 20;

/// Something that the viewer is told in the app.
#[derive(SimpleObject, Clone, PartialEq)]
pub struct Notice {
    /// Names the notice among the viewer's own, for `markNoticesRead`.
    pub id: ID,
    /// What it says.
    pub kind: NoticeKind,
    /// When that was so.
    pub at: DateTime,
    /// The match that it is about. Its record may be gone.
    pub match_id: Option<ID>,
    /// The seat that it is about, where it is about one: who left, who offers, whose clock was moved.
    pub seat: Option<Seat>,
    /// The ordinal of the clock that it is about, where it is about one.
    pub turn: Option<u32>,
    /// When that clock runs out, when seats that are not ready are released, or when the record expires.
    pub deadline: Option<DateTime>,
    /// Whether the viewer has read it. What is told of a turn counts as read once the turn is seen, and everything
    /// once it is done.
    pub read: bool,
    /// Whether what it calls for (a turn, a vote, getting ready, saving a replay …) was done, or can no longer be
    /// done. False where it calls for nothing.
    pub done: bool,
}

/// A notice with its cursor.
#[derive(SimpleObject)]
pub struct NoticeEdge {
    /// Names the place in the list, for `after`.
    pub cursor: String,
    /// The notice.
    pub node: Notice,
}

/// A page of the viewer's notices, the latest first. They are kept for 30 days, 200 at the most.
#[derive(SimpleObject)]
pub struct NoticeConnection {
    /// The notices with their cursors.
    pub edges: Vec<NoticeEdge>,
    /// Where the page lies in the list.
    pub page_info: PageInfo,
    /// How many of all are not read.
    pub unread: u32,
}

/// How the viewer's notices stand, and what everybody is told.
#[derive(SimpleObject, Clone, PartialEq)]
pub struct NoticesUpdate {
    /// How many are not read.
    pub unread: u32,
    /// The latest, at most 20, the latest first.
    pub latest: Vec<Notice>,
    /// What the banner says to everybody; null when nothing.
    pub announcement: Option<Announcement>,
}

fn cursor(notice: &reminders::Notice) -> String {
    format!("n{}", notice.number)
}

fn read(cursor: &str) -> Option<u64> {
    cursor.strip_prefix('n')?.parse().ok()
}

/// The number of a notice that an id names.
///
/// # Errors
/// The text is no notice's id.
pub fn number_of(id: &ID) -> Result<u64, Error> {
    read(id).ok_or_else(|| coded("BAD_INPUT", "this is no notice's id"))
}

impl From<reminders::Notice> for Notice {
    fn from(notice: reminders::Notice) -> Self {
        Self {
            id: ID(cursor(&notice)),
            kind: notice.kind.into(),
            at: DateTime(notice.at),
            match_id: Some(Global::Match(notice.match_id).id()),
            seat: notice.seat.map(Into::into),
            turn: notice.turn,
            deadline: instant(notice.deadline),
            read: notice.read,
            done: notice.done,
        }
    }
}

impl NoticeConnection {
    /// A page of a player's notices.
    ///
    /// # Errors
    /// A bad length or cursor, or faults of the accounts.
    pub async fn of(
        app: &App,
        player: PlayerId,
        first: Option<i32>,
        after: Option<&str>,
    ) -> Result<Self, Error> {
        let length = pages::length(first)?;
        let after = pages::place(after, read)?;
        let accounts = app.accounts();
        let found = accounts.notices(player, after, length + 1).await;
        let mut found = found.map_err(account_fault)?;
        let unread = accounts.unread_notices(player).await.map_err(account_fault)?;
        let page_info = pages::cut(&mut found, length, after.is_some(), cursor);
        let edges = found.into_iter();
        let edges = edges.map(|notice| NoticeEdge { cursor: cursor(&notice), node: notice.into() });
        Ok(Self { edges: edges.collect(), page_info, unread })
    }
}

impl NoticesUpdate {
    /// How a player's notices stand now.
    ///
    /// # Errors
    /// Faults of the accounts.
    pub async fn of(app: &App, player: PlayerId) -> Result<Self, Error> {
        let accounts = app.accounts();
        let latest = accounts.notices(player, None, LATEST).await.map_err(account_fault)?;
        let unread = accounts.unread_notices(player).await.map_err(account_fault)?;
        let latest = latest.into_iter().map(Into::into).collect();
        let announcement = app.announced().borrow().as_ref().map(Into::into);
        Ok(Self { unread, latest, announcement })
    }
}
