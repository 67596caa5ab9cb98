//! The public action list of a match, with the viewer's own identities joined by handle. Pages through the
//! read model; never shows an action that the view beside it has not reached.

use super::board::Move;
use super::enums::{ActionKind, EliminationCause, LapseReason, Seat, Side, TurnKind};
use super::outcome::{Outcome, SettlementLine};
use super::people::Person;
use crate::graphql::errors::coded;
use crate::graphql::scalars::DateTime;
use async_graphql::{Error, SimpleObject};
use std::ops::Range;
use yibu_domain::kernel::Time;
use yibu_domain::matches::events::Action;
use yibu_domain::matches::view::MatchView;

/// The most actions of one page.
pub const MOST: u64 = 100;
/// The length of a page of which the client says none.
const USUAL: u64 = 50;

/// One thing that happened, as everybody at the table saw it. Which fields are set depends on the kind.
#[derive(SimpleObject, Default)]
#[graphql(name = "MatchAction")]
pub struct MatchAction {
    /// The public version of the match after it.
    pub version: u64,
    /// When it happened.
    pub at: DateTime,
    /// What it was.
    pub kind: ActionKind,
    /// The seat that acted, or that it happened to.
    pub seat: Option<Seat>,
    /// The side that gave up.
    pub side: Option<Side>,
    /// Who acted, or whom it happened to.
    pub person: Option<Person>,
    /// The ordinal of the clock that it belongs to.
    pub turn: Option<u32>,
    /// Which clock started.
    pub turn_kind: Option<TurnKind>,
    /// When the clock that started, or was moved, runs out.
    pub deadline: Option<DateTime>,
    /// The move.
    #[graphql(name = "move")]
    pub moved: Option<Move>,
    /// The draw offer that it is about.
    pub offer: Option<u32>,
    /// Whether the vote was yes.
    pub accept: Option<bool>,
    /// Why a draw offer ended.
    pub lapse_reason: Option<LapseReason>,
    /// Why a seat fell.
    pub cause: Option<EliminationCause>,
    /// Points for leaving or timing out.
    pub points: Option<i32>,
    /// Seats taken then, before the start.
    pub taken: Option<u32>,
    /// Seats ready then, before the start.
    pub ready: Option<u32>,
    /// Skips that the person had used then.
    pub skips_used: Option<u32>,
    /// How the match ended.
    pub outcome: Option<Outcome>,
    /// The settlement.
    pub settlement: Option<Vec<SettlementLine>>,
    /// The stable reason of an administrator who ended the match.
    pub reason: Option<String>,
}

impl Default for DateTime {
    fn default() -> Self {
        Self(Time(0))
    }
}

#[expect(clippy::derivable_impls, reason = "the list of the schema has no default of its own")]
impl Default for ActionKind {
    fn default() -> Self {
        Self::Opened
    }
}

impl MatchAction {
    /// An action for a viewer.
    pub fn of(view: &MatchView, version: u64, at: Time, action: &Action) -> Self {
        let base = Self { version, at: DateTime(at), kind: kind_of(action), ..Self::default() };
        match action {
            Action::Opened(_) | Action::PositionPlaced(_) | Action::RecordExpired(_) => base,
            Action::SeatTaken(part) => Self {
                taken: Some(part.taken.into()),
                deadline: part.release.map(DateTime),
                ..base
            },
            Action::SeatReleased(part) => {
                Self { taken: Some(part.taken.into()), ready: Some(part.ready.into()), ..base }
            }
            Action::Ready(part) | Action::ReadyTakenBack(part) => {
                Self { ready: Some(part.ready.into()), ..base }
            }
            Action::Started(part) => Self { seat: Some(part.first.into()), ..base },
            Action::TurnStarted(part) => Self {
                turn: Some(part.turn),
                turn_kind: Some(part.turn_kind.into()),
                deadline: Some(DateTime(part.deadline)),
                ..base.at_seat(part.seat)
            },
            Action::TakeoverWaitOpened(part) => Self {
                turn: Some(part.turn),
                turn_kind: Some(TurnKind::Vacant),
                deadline: Some(DateTime(part.deadline)),
                ..base.at_seat(part.seat)
            },
            Action::TakeoverWaitExpired(part) => {
                Self { turn: Some(part.turn), ..base.at_seat(part.seat) }
            }
            Action::Moved(part) => Self {
                turn: Some(part.turn),
                moved: Some(Move::of(view, part)),
                ..base.at_seat(part.seat)
            },
            Action::Skipped(part) => Self {
                turn: Some(part.turn),
                skips_used: Some(part.used.into()),
                ..base.at_seat(part.seat)
            },
            Action::DrawOffered(part) => {
                Self { offer: Some(part.offer), ..base.at_seat(part.seat) }
            }
            Action::DrawVoted(part) => Self {
                offer: Some(part.offer),
                accept: Some(part.accept),
                ..base.at_seat(part.seat)
            },
            Action::DrawLapsed(part) => Self {
                offer: Some(part.offer),
                lapse_reason: Some(part.reason.into()),
                ..base.at_seat(part.seat)
            },
            Action::DrawAgreed(part) => Self { offer: Some(part.offer), ..base.at_seat(part.seat) },
            Action::Surrendered(part) => base.of_person(Some(&part.person)).at_seat(part.seat),
            Action::TeamSurrenderConfirmed(part) => Self { side: Some(part.side.into()), ..base },
            Action::Left(part) | Action::TimedOut(part) => Self {
                points: Some(part.points),
                turn: Some(part.turn),
                ..base.of_person(Some(&part.person)).at_seat(part.seat)
            },
            Action::SeatVacated(part) => base.at_seat(part.seat),
            Action::SeatTakenOver(part) => base.of_person(Some(&part.person)).at_seat(part.seat),
            Action::SeatEliminated(part) => Self {
                cause: Some(part.cause.into()),
                ..base.of_person(part.person.as_ref()).at_seat(part.seat)
            },
            Action::DeadlineMoved(part) => Self {
                turn: Some(part.turn),
                deadline: Some(DateTime(part.to)),
                ..base.at_seat(part.seat)
            },
            Action::ReleaseMoved(part) => Self { deadline: Some(DateTime(part.to)), ..base },
            Action::Voided(part) => Self { reason: Some(part.reason.to_string()), ..base },
            Action::Ended(part) => Self {
                outcome: Some(part.outcome.into()),
                settlement: Some(part.lines.iter().map(SettlementLine::from).collect()),
                ..base
            },
        }
    }

    fn at_seat(self, seat: yibu_domain::games::siguo::seat::Seat) -> Self {
        Self { seat: Some(seat.into()), ..self }
    }

    fn of_person(self, person: Option<&yibu_domain::matches::events::Person>) -> Self {
        Self { person: person.cloned().map(Person), ..self }
    }
}

fn kind_of(action: &Action) -> ActionKind {
    match action {
        Action::Opened(_) => ActionKind::Opened,
        Action::SeatTaken(_) => ActionKind::SeatTaken,
        Action::SeatReleased(_) => ActionKind::SeatReleased,
        Action::Ready(_) => ActionKind::Ready,
        Action::ReadyTakenBack(_) => ActionKind::ReadyTakenBack,
        Action::Started(_) => ActionKind::Started,
        Action::TurnStarted(_) => ActionKind::TurnStarted,
        Action::Moved(_) => ActionKind::Moved,
        Action::Skipped(_) => ActionKind::Skipped,
        Action::DrawOffered(_) => ActionKind::DrawOffered,
        Action::DrawVoted(_) => ActionKind::DrawVoted,
        Action::DrawLapsed(_) => ActionKind::DrawLapsed,
        Action::DrawAgreed(_) => ActionKind::DrawAgreed,
        Action::Surrendered(_) => ActionKind::Surrendered,
        Action::TeamSurrenderConfirmed(_) => ActionKind::TeamSurrenderConfirmed,
        Action::Left(_) => ActionKind::Left,
        Action::TimedOut(_) => ActionKind::TimedOut,
        Action::SeatVacated(_) => ActionKind::SeatVacated,
        Action::TakeoverWaitOpened(_) => ActionKind::TakeoverWaitOpened,
        Action::TakeoverWaitExpired(_) => ActionKind::TakeoverWaitExpired,
        Action::SeatTakenOver(_) => ActionKind::SeatTakenOver,
        Action::SeatEliminated(_) => ActionKind::SeatEliminated,
        Action::DeadlineMoved(_) => ActionKind::DeadlineMoved,
        Action::ReleaseMoved(_) => ActionKind::ReleaseMoved,
        Action::Voided(_) => ActionKind::Voided,
        Action::Ended(_) => ActionKind::Ended,
        Action::RecordExpired(_) => ActionKind::RecordExpired,
        Action::PositionPlaced(_) => ActionKind::PositionPlaced,
    }
}

/// A page of the public action list, oldest first.
#[derive(SimpleObject)]
#[graphql(name = "MatchActionConnection")]
pub struct ActionConnection {
    /// The actions with their cursors.
    pub edges: Vec<ActionEdge>,
    /// Where the page lies in the list.
    pub page_info: PageInfo,
    /// How many actions the match had at this version.
    pub total_count: u64,
}

/// An action with its cursor.
#[derive(SimpleObject)]
#[graphql(name = "MatchActionEdge")]
pub struct ActionEdge {
    /// Names the place in the list, for `after` and `before`.
    pub cursor: String,
    /// The action.
    pub node: MatchAction,
}

/// Where a page lies in its list.
#[derive(SimpleObject)]
#[graphql(name = "PageInfo")]
pub struct PageInfo {
    /// Something comes after this page.
    pub has_next_page: bool,
    /// Something comes before this page.
    pub has_previous_page: bool,
    /// The cursor of the page's first item.
    pub start_cursor: Option<String>,
    /// The cursor of the page's last item.
    pub end_cursor: Option<String>,
}

/// What a client asks of a connection.
#[derive(Default)]
pub struct Paging {
    /// So many from the front.
    pub first: Option<i32>,
    /// After this cursor.
    pub after: Option<String>,
    /// So many from the back.
    pub last: Option<i32>,
    /// Before this cursor.
    pub before: Option<String>,
}

/// The cursor of the action that made this version.
pub fn cursor(version: u64) -> String {
    format!("v{version}")
}

/// The versions of the page that is asked for, of a list that has versions 1 to `total`.
///
/// # Errors
/// A cursor that is none, a length outside 0…100, or `first` and `last` together.
pub fn page(paging: &Paging, total: u64) -> Result<Range<u64>, Error> {
    let wrong = |text: &str| coded("BAD_INPUT", text);
    let read = |cursor: &Option<String>| match cursor {
        None => Ok(None),
        Some(text) => {
            let version = text.strip_prefix('v').and_then(|digits| digits.parse::<u64>().ok());
            version.map(Some).ok_or_else(|| wrong("this cursor is none of this list"))
        }
    };
    let length = |asked: Option<i32>| match asked.map(u64::try_from) {
        None => Ok(None),
        Some(Ok(length)) if length <= MOST => Ok(Some(length)),
        Some(_) => Err(wrong("a page has 0 to 100 items")),
    };
    let start = read(&paging.after)?.map_or(1, |after| after.saturating_add(1)).clamp(1, total + 1);
    let end = read(&paging.before)?.unwrap_or(total + 1).clamp(start, total + 1);
    match (length(paging.first)?, length(paging.last)?) {
        (Some(_), Some(_)) => Err(wrong("a page is asked for by first or by last")),
        (None, Some(last)) => Ok(start.max(end.saturating_sub(last))..end),
        (first, None) => Ok(start..end.min(start + first.unwrap_or(USUAL))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(
        first: Option<i32>,
        after: Option<&str>,
        last: Option<i32>,
        before: Option<&str>,
    ) -> Range<u64> {
        let (after, before) = (after.map(str::to_owned), before.map(str::to_owned));
        page(&Paging { first, after, last, before }, 10).unwrap()
    }

    #[test]
    fn pages_lie_where_they_should() {
        assert_eq!(range(None, None, None, None), 1..11);
        assert_eq!(range(Some(3), None, None, None), 1..4);
        assert_eq!(range(Some(3), Some("v8"), None, None), 9..11);
        assert_eq!(range(Some(3), Some("v99"), None, None), 11..11);
        assert_eq!(range(None, None, Some(4), None), 7..11);
        assert_eq!(range(None, None, Some(4), Some("v3")), 1..3);
        assert_eq!(range(Some(0), None, None, None), 1..1);
        assert_eq!(range(Some(5), Some("v18446744073709551615"), None, Some("v1")), 11..11);
    }

    #[test]
    fn strange_wishes_are_refused() {
        for (first, after, last) in [
            (Some(101), None, None),
            (Some(-1), None, None),
            (None, Some("8"), None),
            (Some(1), None, Some(1)),
        ] {
            let after = after.map(str::to_owned);
            assert!(page(&Paging { first, after, last, before: None }, 10).is_err());
        }
    }
}
