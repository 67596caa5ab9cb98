//! In-app notices (站内通知): what there is to tell, the rows, and what their owner does with them. A notice names a
//! match, a seat and a clock, never a person and nothing of a board.

use super::super::codes::DAY;
use super::super::db::{Conn, Row};
use super::super::turns::Turn;
use super::super::{Accounts, Failure, rows};
use super::desks::Kept;
use sqlx::Row as _;
use std::str::FromStr;
use std::sync::LazyLock;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{MatchId, PlayerId, Span, Time};
use yibu_domain::reminders;

/// How long a notice is kept.
pub(in crate::accounts) const KEPT: Span = Span(30 * DAY.0);

/// The most notices that are kept of a person.
const MOST: u64 = 200;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal),* $(,)?) => {
        /// What a notice says.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum NoticeKind { $($(#[$doc])* $kind),* }

        impl NoticeKind {
            /// All of them.
            const ALL: &[Self] = &[$(Self::$kind),*];

            /// The stable name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }
        }

        impl FromStr for NoticeKind {
            type Err = UnknownKind;
            fn from_str(name: &str) -> Result<Self, UnknownKind> {
                match name { $($name => Ok(Self::$kind),)* _ => Err(UnknownKind) }
            }
        }
    };
}

/// The name is of no kind of notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no kind of notice has this name")]
pub struct UnknownKind;

kinds! {
    /// The own turn begins.
    YourTurn = "your_turn",
    /// The own turn, four hours left.
    Turn4h = "turn_4h",
    /// The own turn, one hour left.
    Turn1h = "turn_1h",
    /// The own first move after a takeover, one hour left.
    TakeoverFirst1h = "takeover_first_1h",
    /// The takeover wait, four hours left.
    TakeoverWait4h = "takeover_wait_4h",
    /// The takeover wait, one hour left.
    TakeoverWait1h = "takeover_wait_1h",
    /// A draw offer waits for the person's vote.
    DrawVote = "draw_vote",
    /// The team-mate's proposal to surrender waits for the person's answer.
    TeamSurrenderVote = "team_surrender_vote",
    /// The table is full, and the person is not ready yet.
    TableFull = "table_full",
    /// The person is still not ready, and the seat is released within a day.
    ReleaseSoon = "release_soon",
    /// The match started.
    TableStarted = "table_started",
    /// The match ended.
    MatchEnded = "match_ended",
    /// Another seat lost its person.
    SeatLeft = "seat_left",
    /// Somebody took another seat over.
    SeatTakenOver = "seat_taken_over",
    /// There is nothing left to take over: somebody else was first, or the match ended.
    CandidacyEnded = "candidacy_ended",
    /// An outage moved the deadline of a clock that concerns the person.
    DeadlineMoved = "deadline_moved",
    /// The person's own time ran out.
    TimedOut = "timed_out",
    /// The person left.
    Left = "left",
    /// The record of a match of the person's expires within a day.
    ReplayExpires = "replay_expires",
    /// The person was not ready in time, and the seat is free again.
    Released = "released",
}

impl From<reminders::NoticeKind> for NoticeKind {
    fn from(kind: reminders::NoticeKind) -> Self {
        use reminders::NoticeKind as Clock;
        match kind {
            Clock::Turn4h => Self::Turn4h,
            Clock::Turn1h => Self::Turn1h,
            Clock::TakeoverFirst1h => Self::TakeoverFirst1h,
            Clock::TakeoverWait4h => Self::TakeoverWait4h,
            Clock::TakeoverWait1h => Self::TakeoverWait1h,
        }
    }
}

/// What there is to tell somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct News {
    pub(crate) kind: NoticeKind,
    pub(crate) match_id: MatchId,
    /// Which seat it is about, where it is about one.
    pub(crate) seat: Option<Seat>,
    /// Which clock it is about, where it is about one.
    pub(crate) turn: Option<u32>,
    /// When that clock runs out, or the record expires.
    pub(crate) deadline: Option<Time>,
}

impl From<reminders::Notice> for News {
    fn from(notice: reminders::Notice) -> Self {
        Self {
            kind: notice.kind.into(),
            match_id: notice.turn.match_id,
            seat: None,
            turn: Some(notice.turn.turn),
            deadline: Some(notice.deadline),
        }
    }
}

/// A notice as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Its number, which rises per person.
    pub number: u64,
    /// What it says.
    pub kind: NoticeKind,
    /// When that was so.
    pub at: Time,
    /// Of which match.
    pub match_id: MatchId,
    /// Which seat it is about, where it is about one.
    pub seat: Option<Seat>,
    /// Which clock it is about, where it is about one.
    pub turn: Option<u32>,
    /// When that clock runs out, or the record expires.
    pub deadline: Option<Time>,
    /// The owner has read it.
    pub read: bool,
    /// What it calls for was done, or can no longer be done. Such a notice is read.
    pub done: bool,
}

/// Numbers what is new on these desks and writes it; what is beyond the most goes.
pub(super) async fn give(on: &mut Conn, desks: &mut [Kept]) -> Result<(), sqlx::Error> {
    let (mut given, mut over) = (Vec::new(), Vec::new());
    for kept in desks {
        let before = kept.latest;
        for (news, at) in kept.news.drain(..) {
            kept.latest += 1;
            given.push((kept.player, kept.latest, news, at));
        }
        let last = kept.latest.checked_sub(MOST).filter(|_| kept.latest > before);
        over.extend(last.map(|last| (kept.player, last)));
    }
    let into = "notices (player, number, kind, match_id, seat, turn, deadline, at)";
    rows::insert(on, (into, 8, ""), &given, |query, (player, number, news, at)| {
        query
            .bind(rows::bytes(player.0))
            .bind(rows::signed(*number))
            .bind(news.kind.name())
            .bind(rows::bytes(news.match_id.0))
            .bind(news.seat.map(|seat| seat.to_string()))
            .bind(news.turn.map(i64::from))
            .bind(news.deadline.map(|deadline| deadline.0))
            .bind(at.0)
    })
    .await?;
    for (player, last) in over {
        sqlx::query("DELETE FROM notices WHERE player = $1 AND number <= $2")
            .bind(rows::bytes(player.0))
            .bind(rows::signed(last))
            .execute(&mut *on)
            .await?;
    }
    Ok(())
}

/// While versions overlap, a newer one may tell what this one has no words for: that is passed over.
static KNOWN: LazyLock<String> =
    LazyLock::new(|| format!("kind IN ({})", quoted(NoticeKind::ALL.iter().copied())));

/// Kinds as a list of SQL.
pub(super) fn quoted(kinds: impl IntoIterator<Item = NoticeKind>) -> String {
    kinds.into_iter().map(|kind| format!("'{}'", kind.name())).collect::<Vec<_>>().join(", ")
}

fn notice(row: &Row) -> Result<Notice, sqlx::Error> {
    let kind: String = row.try_get("kind")?;
    let seat: Option<String> = row.try_get("seat")?;
    let seat = seat.map(|seat| seat.parse()).transpose();
    let turn: Option<i64> = row.try_get("turn")?;
    Ok(Notice {
        number: rows::number(row, "number")?,
        kind: kind.parse().map_err(|error| rows::broken("kind", error))?,
        at: rows::time(row, "at")?,
        match_id: MatchId(rows::id(row, "match_id")?),
        seat: seat.map_err(|error| rows::broken("seat", error))?,
        turn: turn.and_then(|turn| u32::try_from(turn).ok()),
        deadline: row.try_get::<Option<i64>, _>("deadline")?.map(Time),
        read: rows::flag(row, "read")?,
        done: rows::flag(row, "done")?,
    })
}

impl Accounts {
    /// A person's notices below `before`, the latest first, at most `limit`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn notices(
        &self,
        player: PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Notice>, Failure> {
        let sql = format!(
            "SELECT number, kind, match_id, seat, turn, deadline, at, read, done FROM notices \
             WHERE player = $1 AND number < $2 AND {} ORDER BY number DESC LIMIT $3",
            *KNOWN
        );
        let found = sqlx::query(&sql)
            .bind(rows::bytes(player.0))
            .bind(before.map_or(i64::MAX, rows::signed))
            .bind(i64::from(limit))
            .fetch_all(self.inner.db.reading())
            .await?;
        Ok(found.iter().map(notice).collect::<Result<_, _>>()?)
    }

    /// How many of them the person has not read.
    ///
    /// # Errors
    /// The database failed.
    pub async fn unread_notices(&self, player: PlayerId) -> Result<u32, Failure> {
        let sql = format!(
            "SELECT COUNT(*) AS unread FROM notices WHERE player = $1 AND read = 0 AND {}",
            *KNOWN
        );
        let query = sqlx::query(&sql).bind(rows::bytes(player.0));
        let row = query.fetch_one(self.inner.db.reading()).await?;
        Ok(rows::count(&row, "unread")?)
    }

    /// Notes that the person has read all notices up to this number, or all there are. What was read stays read.
    ///
    /// # Errors
    /// The database failed.
    pub async fn mark_notices_read(
        &self,
        player: PlayerId,
        up_to: Option<u64>,
    ) -> Result<(), Failure> {
        let mut tx = self.inner.db.write(&[Turn::Desks]).await?;
        let sql = "UPDATE notices SET read = 1 WHERE player = $1 AND number <= $2 AND read = 0";
        let changed = sqlx::query(sql)
            .bind(rows::bytes(player.0))
            .bind(up_to.map_or(i64::MAX, rows::signed))
            .execute(&mut *tx)
            .await?;
        if changed.rows_affected() > 0 {
            sqlx::query("UPDATE desks SET reads = reads + 1 WHERE player = $1")
                .bind(rows::bytes(player.0))
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            self.inner.bells.ring([player]);
        }
        Ok(())
    }
}
