//! The four seat cards, the clock and the votes of a table.

use super::enums::{EliminationCause, Seat, Side, TurnKind};
use super::people::Person;
use crate::graphql::scalars::DateTime;
use async_graphql::SimpleObject;
use yibu_domain::games::siguo::seat;
use yibu_domain::matches::view::{DrawView, Phase, PublicView, TurnView};

/// What everybody who may see the match sees of a seat.
#[derive(SimpleObject)]
pub struct SeatCard {
    /// Which seat.
    pub seat: Seat,
    /// Its side.
    pub side: Side,
    /// Who sits there; null before the start, and while the seat is vacant.
    pub person: Option<Person>,
    /// Plays and is not eliminated.
    pub active: bool,
    /// Nobody sits there although the match runs: left, timed out, and not taken over.
    pub vacant: bool,
    /// Why it fell; null while it stands.
    pub eliminated: Option<EliminationCause>,
    /// Skips that the person has used in this match.
    pub skips_used: u32,
    /// Pieces that it has on the board.
    pub pieces_left: usize,
    /// How many persons the seat has had, from 1 at the start.
    pub tenure: u32,
}

impl SeatCard {
    /// The card of a seat.
    pub fn of(view: &PublicView, seat: seat::Seat) -> Self {
        let card = &view.seats[seat];
        Self {
            seat: seat.into(),
            side: seat.side().into(),
            person: card.person.clone().map(Person),
            active: card.active,
            vacant: view.phase == Phase::Playing && card.active && card.person.is_none(),
            eliminated: card.eliminated.map(Into::into),
            skips_used: u32::from(card.skips_used),
            pieces_left: view.men_left(seat),
            tenure: card.tenure,
        }
    }
}

/// The clock that runs.
#[derive(SimpleObject)]
pub struct Turn {
    /// Its ordinal in the match, from 1.
    pub number: u32,
    /// Whose turn it is, or which vacant seat is waited for.
    pub seat: Seat,
    /// Which clock it is.
    pub kind: TurnKind,
    /// When it began.
    pub since: DateTime,
    /// When it runs out.
    pub deadline: DateTime,
    /// Whether a draw was offered in this turn.
    pub draw_offered: bool,
}

impl From<&TurnView> for Turn {
    fn from(turn: &TurnView) -> Self {
        Self {
            number: turn.number,
            seat: turn.seat.into(),
            kind: turn.kind.into(),
            since: DateTime(turn.since),
            deadline: DateTime(turn.deadline),
            draw_offered: turn.draw_offered,
        }
    }
}

/// An open draw offer.
#[derive(SimpleObject)]
pub struct DrawOffer {
    /// Its ordinal in the match, from 1. Votes name it.
    pub offer: u32,
    /// Whose offer it is.
    pub seat: Seat,
    /// Who has accepted.
    pub accepted: Vec<Seat>,
    /// Who still has to answer.
    pub pending: Vec<Seat>,
}

impl DrawOffer {
    /// The offer as it stands: every other active seat with a person in it has a vote.
    pub fn of(view: &PublicView, draw: &DrawView) -> Self {
        let votes = |seat: &seat::Seat| {
            let card = &view.seats[*seat];
            *seat != draw.seat
                && card.active
                && card.person.is_some()
                && !draw.accepted.contains(seat)
        };
        Self {
            offer: draw.offer,
            seat: draw.seat.into(),
            accepted: draw.accepted.iter().map(|seat| (*seat).into()).collect(),
            pending: seat::Seat::ALL.into_iter().filter(votes).map(Into::into).collect(),
        }
    }
}

/// An open team-surrender proposal of the viewer's own side. The other side never learns of it.
#[derive(SimpleObject)]
pub struct TeamSurrenderProposal {
    /// Its ordinal among the side's proposals. Answers name it.
    pub proposal: u32,
    /// Who proposed.
    pub seat: Seat,
}

/// The viewer's own open candidacy. Nobody learns of another's.
#[derive(SimpleObject)]
pub struct Candidacy {
    /// The vacant seat.
    pub seat: Seat,
    /// When the takeover wait runs out; null when the seat is not waited for any more.
    pub deadline: Option<DateTime>,
}
