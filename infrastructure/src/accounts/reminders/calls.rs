//! What notices call for, and what becomes of them: read once their owner has it before the eyes, done once it was
//! done or can no longer be done. What calls for somebody is the planner's to say.

use super::super::db::Conn;
use super::super::rows;
use super::desks::Kept;
use super::notices::{NoticeKind, quoted};
use sqlx::Row as _;
use yibu_domain::kernel::{MatchId, PlayerId};
use yibu_domain::reminders::TurnRef;

/// Something in a match that waits for a person.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Call {
    /// An own turn, by its number.
    Turn(u32),
    /// A seat to be taken over by somebody, by the number of its clock.
    Wait(u32),
    /// A draw offer, by its number, to be voted on.
    Draw(u32),
    /// The team-mate's proposal, by its number, to be answered.
    Surrender(u32),
    /// The table is full, and the person is not ready.
    Ready,
    /// A match goes on, to be looked at.
    Match,
    /// A record that will expire, to be saved.
    Record,
}

impl Call {
    /// One of each.
    const KINDS: [Self; 7] = [
        Self::Turn(0),
        Self::Wait(0),
        Self::Draw(0),
        Self::Surrender(0),
        Self::Ready,
        Self::Match,
        Self::Record,
    ];

    /// The notices that say so. Whoever had an own turn knows that the match began.
    pub(crate) const fn notices(self) -> &'static [NoticeKind] {
        match self {
            Self::Turn(_) => &[
                NoticeKind::YourTurn,
                NoticeKind::Turn4h,
                NoticeKind::Turn1h,
                NoticeKind::TakeoverFirst1h,
                NoticeKind::TableStarted,
            ],
            Self::Wait(_) => &[NoticeKind::TakeoverWait4h, NoticeKind::TakeoverWait1h],
            Self::Draw(_) => &[NoticeKind::DrawVote],
            Self::Surrender(_) => &[NoticeKind::TeamSurrenderVote],
            Self::Ready => &[NoticeKind::TableFull, NoticeKind::ReleaseSoon],
            Self::Match => &[NoticeKind::TableStarted],
            Self::Record => &[NoticeKind::ReplayExpires],
        }
    }

    /// Which clock it is about.
    const fn turn(self) -> Option<u32> {
        match self {
            Self::Turn(turn) | Self::Wait(turn) => Some(turn),
            _ => None,
        }
    }
}

/// A notice that calls for something and is not done yet.
pub(crate) struct Calling {
    pub(crate) player: PlayerId,
    pub(crate) match_id: MatchId,
    number: u64,
    kind: NoticeKind,
    turn: Option<u32>,
}

impl Calling {
    /// Whether this is what it calls for.
    pub(crate) fn is_for(&self, call: Call) -> bool {
        let turns = call.turn().zip(self.turn);
        call.notices().contains(&self.kind) && turns.is_none_or(|(one, other)| one == other)
    }
}

/// Notices of a match that are done.
pub(super) struct Done {
    match_id: MatchId,
    kinds: &'static [NoticeKind],
    /// The first and the last number.
    numbers: (u64, u64),
}

impl Kept {
    /// Nothing of this calls for the person any more: what was told of it so far is done.
    pub(crate) fn close(&mut self, match_id: MatchId, call: Call) {
        let told = self.latest + self.news.len() as u64;
        self.done.push(Done { match_id, kinds: call.notices(), numbers: (1, told) });
    }

    /// This very notice is done.
    pub(crate) fn close_one(&mut self, calling: &Calling) {
        let numbers = (calling.number, calling.number);
        let call = Call::KINDS.into_iter().find(|call| call.notices().contains(&calling.kind));
        let done = |call: Call| Done { match_id: calling.match_id, kinds: call.notices(), numbers };
        self.done.extend(call.map(done));
    }

    /// Whether notices become read or done by what was noted.
    pub(super) fn settles(&self) -> bool {
        !(self.seen.is_empty() && self.done.is_empty())
    }
}

/// Every notice that calls for something and is not done yet.
pub(super) async fn calling(on: &mut Conn) -> Result<Vec<Calling>, sqlx::Error> {
    let kinds = Call::KINDS.into_iter().flat_map(|call| call.notices().iter().copied());
    let sql = format!(
        "SELECT player, match_id, number, kind, turn FROM notices \
         WHERE done = 0 AND kind IN ({}) ORDER BY player, number",
        quoted(kinds)
    );
    let found = sqlx::query(&sql).fetch_all(on).await?;
    let calling = found.iter().map(|row| {
        let kind: String = row.try_get("kind")?;
        let turn: Option<i64> = row.try_get("turn")?;
        Ok(Calling {
            player: rows::player(row, "player")?,
            match_id: MatchId(rows::id(row, "match_id")?),
            number: rows::number(row, "number")?,
            kind: kind.parse().map_err(|error| rows::broken("kind", error))?,
            turn: turn.and_then(|turn| u32::try_from(turn).ok()),
        })
    });
    calling.collect()
}

/// Marks what these desks have before the eyes, and what is done; after news were given their numbers.
pub(super) async fn settle(on: &mut Conn, desks: &[Kept]) -> Result<(), sqlx::Error> {
    for kept in desks {
        for TurnRef { match_id, turn } in &kept.seen {
            let sql = format!(
                "UPDATE notices SET read = 1 WHERE player = $1 AND match_id = $2 AND read = 0 \
                 AND (turn IS NULL OR turn <= $3) AND kind IN ({})",
                quoted(Call::Turn(*turn).notices().iter().copied())
            );
            sqlx::query(&sql)
                .bind(rows::bytes(kept.player.0))
                .bind(rows::bytes(match_id.0))
                .bind(i64::from(*turn))
                .execute(&mut *on)
                .await?;
        }
        for Done { match_id, kinds, numbers: (first, last) } in &kept.done {
            let sql = format!(
                "UPDATE notices SET read = 1, done = 1 WHERE player = $1 AND match_id = $2 \
                 AND number >= $3 AND number <= $4 AND done = 0 AND kind IN ({})",
                quoted(kinds.iter().copied())
            );
            sqlx::query(&sql)
                .bind(rows::bytes(kept.player.0))
                .bind(rows::bytes(match_id.0))
                .bind(rows::signed(*first))
                .bind(rows::signed(*last))
                .execute(&mut *on)
                .await?;
        }
    }
    Ok(())
}
