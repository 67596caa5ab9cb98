//! What one seat's person knows beyond the public document: the own men, readiness, the side's proposal.
//! A fold of that seat's and that side's parts of the events; a new tenure starts from nothing.

use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::{Seat, Side};
use crate::matches::events::{Man, MatchEvent, MenSeat, Person};
use serde::{Deserialize, Serialize};

/// An open team-surrender proposal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProposalView {
    /// Its ordinal among the side's proposals.
    pub proposal: u32,
    /// Who proposed.
    pub seat: Seat,
}

/// One seat's private document, of the present tenure only.
#[derive(Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct OwnView {
    /// Ordinal of the tenure: 0 before the start, 1 for who starts, one more with each takeover.
    pub tenure: u32,
    /// How many private events this tenure had (the seat's and the side's).
    pub version: u64,
    /// Who sits there; before the start the only place that says so.
    pub person: Option<Person>,
    /// Ready to start.
    pub ready: bool,
    /// The tenure's men by handle, the lost ones too.
    pub men: Vec<Man>,
    /// The side's open proposal.
    pub proposal: Option<ProposalView>,
}

/// Does not print the men.
impl std::fmt::Debug for OwnView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OwnView(tenure {}, version {})", self.tenure, self.version)
    }
}

impl OwnView {
    /// What the man with this handle is, if it is one of the tenure's own.
    pub fn identity(&self, piece: Pos) -> Option<Piece> {
        self.men.iter().find(|man| man.piece == piece).map(|man| man.identity)
    }

    /// Takes an event in: the seat's own part, the side's part, and changes of who sits there.
    pub fn apply(&mut self, seat: Seat, event: &MatchEvent) {
        if event.concerns_seat(seat) || event.concerns_side(seat.side()) {
            self.version += 1;
        }
        match event {
            MatchEvent::SeatTaken(parts) => {
                if let Some(part) = parts.seat.get(seat) {
                    self.begin(0, Some(part.person.clone()));
                    self.men.clone_from(&part.men);
                }
            }
            MatchEvent::FormationArranged(parts) => {
                if let Some(part) = parts.seat.get(seat) {
                    self.men.clone_from(&part.men);
                }
            }
            MatchEvent::Ready(parts) => {
                if let Some(part) = parts.seat.get(seat) {
                    self.ready = part.ready;
                }
            }
            MatchEvent::ReadyTakenBack(parts) => {
                if let Some(part) = parts.seat.get(seat) {
                    self.ready = part.ready;
                }
            }
            MatchEvent::SeatReleased(parts) => {
                if parts.seat.get(seat).is_some() {
                    self.begin(0, None);
                }
            }
            MatchEvent::Started(_) => self.tenure = 1,
            MatchEvent::SeatVacated(parts) => {
                if parts.public.as_ref().is_some_and(|part| part.seat == seat) {
                    self.begin(0, None);
                }
            }
            MatchEvent::SeatTakenOver(parts) => {
                if let (Some(public), Some(part)) = (&parts.public, parts.seat.get(seat)) {
                    self.begin(public.tenure, Some(public.person.clone()));
                    self.men.clone_from(&part.men);
                }
            }
            MatchEvent::PositionPlaced(parts) => {
                let person = parts.public.as_ref().and_then(|part| part.seats[seat].clone());
                self.begin(1, person);
                if let Some(MenSeat { men }) = parts.seat.get(seat) {
                    self.men.clone_from(men);
                }
            }
            _ => self.apply_side(seat.side(), event),
        }
    }

    fn apply_side(&mut self, side: Side, event: &MatchEvent) {
        match event {
            MatchEvent::TeamSurrenderProposed(parts) => {
                if let Some(part) = parts.side.get(side) {
                    self.proposal = Some(ProposalView { proposal: part.proposal, seat: part.seat });
                }
            }
            MatchEvent::TeamSurrenderEnded(parts) if parts.side.get(side).is_some() => {
                self.proposal = None;
            }
            MatchEvent::Ended(_) => self.proposal = None,
            _ => {}
        }
    }

    /// A tenure begins, or the seat is empty: nothing of the one before stays.
    fn begin(&mut self, tenure: u32, person: Option<Person>) {
        *self = Self { tenure, person, version: 1, ..Self::default() };
    }
}
