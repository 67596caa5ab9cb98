//! A match as an administrator finds it: its public facts. Must not show more than the public document holds, to an
//! administrator neither: no piece, no candidate, nobody before the start.

use crate::graphql::ids::Global;
use crate::graphql::scalars::{DateTime, instant};
use crate::graphql::types::enums::{Phase, Seat};
use crate::graphql::types::outcome::Outcome;
use crate::graphql::types::people::Player;
use async_graphql::{ID, SimpleObject};
use yibu_domain::games::siguo::seat;
use yibu_domain::matches::view::{self, PublicView};

/// A seat of a match as an administrator finds it.
#[derive(SimpleObject)]
pub struct AdminSeat {
    /// Which seat.
    pub seat: Seat,
    /// Who sits there; null before the start, and while the seat is vacant.
    pub player: Option<Player>,
    /// Plays and is not eliminated.
    pub active: bool,
}

/// A match as an administrator finds it: public facts alone.
#[derive(SimpleObject)]
pub struct AdminMatch {
    /// The match's global id.
    pub id: ID,
    /// Where it stands in its life.
    pub phase: Phase,
    /// When the table was opened.
    pub opened_at: DateTime,
    /// When it started.
    pub started_at: Option<DateTime>,
    /// When it was settled.
    pub ended_at: Option<DateTime>,
    /// The four seats in the order s, e, n, w.
    pub seats: Vec<AdminSeat>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Whether it can be ended without result.
    pub voidable: bool,
}

impl From<&PublicView> for AdminMatch {
    fn from(public: &PublicView) -> Self {
        let seats = seat::Seat::ALL.into_iter().map(|seat| AdminSeat {
            seat: seat.into(),
            player: public.seats[seat].person.as_ref().map(|person| person.player.into()),
            active: public.seats[seat].active,
        });
        Self {
            id: Global::Match(public.match_id).id(),
            phase: public.phase.into(),
            opened_at: DateTime(public.opened),
            started_at: instant(public.started),
            ended_at: instant(public.ended),
            seats: seats.collect(),
            outcome: public.outcome.map(Into::into),
            voidable: public.phase != view::Phase::Ended,
        }
    }
}
