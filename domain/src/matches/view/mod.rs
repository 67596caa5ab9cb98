//! What a viewer may see of a match. [`Sheet`] holds every document that is ever shown, each folded from
//! the parts of the events that its readers may have; [`view`] is the only way from a match to a client.

mod own;
mod people;
mod public;

pub use own::{OwnView, ProposalView};
pub use people::{People, Role};
pub use public::{DrawView, ManView, Phase, PublicView, SeatView, TurnView};

use super::events::{Action, MatchEvent};
use crate::games::siguo::moves::{Moves, legal_moves};
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::{BySeat, Seat};
use crate::games::siguo::view::Sight;
use crate::kernel::{Dated, PlayerId};
use serde::{Deserialize, Serialize};

/// All documents of a match, side by side. The read model stores them apart and hands them out by audience.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sheet {
    /// For everybody who may see the match.
    pub public: PublicView,
    /// For the person in each seat.
    pub own: BySeat<OwnView>,
    /// For nobody: who may see what.
    pub people: People,
}

/// Whose eyes. There is no default: it must be named.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Audience {
    /// The person in this seat.
    Seat(Seat),
    /// An open candidate: the public document.
    Candidate(Seat),
    /// Who left or timed out: the public document.
    Departed,
}

/// A match as one viewer sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchView {
    /// For whom.
    pub audience: Audience,
    /// The public document.
    pub public: PublicView,
    /// The seat's own document.
    pub own: Option<OwnView>,
}

impl Sheet {
    /// The documents after the match's first event; `None` if the match cannot begin with it.
    pub fn begin(event: &Dated<MatchEvent>) -> Option<Self> {
        match event.event.action()? {
            Action::Opened(part) => Some(Self {
                public: PublicView::opened(&part, event.at),
                own: BySeat::default(),
                people: People::default(),
            }),
            _ => None,
        }
    }

    /// Takes an event in.
    pub fn apply(&mut self, event: &Dated<MatchEvent>) {
        if let Some(action) = event.event.action() {
            self.public.apply(&action, event.at);
        }
        for seat in Seat::ALL {
            self.own[seat].apply(seat, &event.event);
        }
        self.people.apply(&event.event);
    }

    /// Drops the board, public and private: everything else folds on without it.
    pub fn forget_board(&mut self) {
        self.public.men.clear();
        self.public.last_move = None;
        for seat in Seat::ALL {
            self.own[seat].men.clear();
        }
    }

    /// What the player may see, if anything: the one place where a person becomes an audience.
    pub fn audience(&self, player: PlayerId) -> Option<Audience> {
        if self.public.record_expired {
            return None;
        }
        match self.people.role(player)? {
            Role::Seated { seat } => Some(Audience::Seat(seat)),
            Role::Left | Role::TimedOut => Some(Audience::Departed),
            // The public view is what a takeover chance buys, for as long as there is something to take over.
            Role::Candidate { seat } if self.public.phase == Phase::Playing => {
                Some(Audience::Candidate(seat))
            }
            Role::Candidate { .. } | Role::Missed | Role::Withdrew | Role::Lost => None,
        }
    }
}

/// The match as `audience` may see it.
pub fn view(sheet: &Sheet, audience: Audience) -> MatchView {
    let own = match audience {
        Audience::Seat(seat) => Some(sheet.own[seat].clone()),
        Audience::Candidate(_) | Audience::Departed => None,
    };
    MatchView { audience, public: sheet.public.clone(), own }
}

impl MatchView {
    /// The seat whose person looks.
    pub fn seat(&self) -> Option<Seat> {
        match self.audience {
            Audience::Seat(seat) => Some(seat),
            Audience::Candidate(_) | Audience::Departed => None,
        }
    }

    /// The board through the viewer's eyes.
    pub fn sight(&self) -> Option<Sight> {
        let seat = self.seat()?;
        let own = self.own.as_ref()?;
        let mut sight = Sight::new(seat);
        for man in &self.public.men {
            let identity = if man.seat == seat { own.identity(man.piece) } else { None };
            sight.put(man.at, man.seat, identity);
        }
        Some(sight)
    }

    /// The viewer's legal moves: none unless it is the viewer's turn.
    pub fn legal_moves(&self) -> Option<Moves> {
        let seat = self.seat()?;
        let turn = self.public.turn.as_ref()?;
        if turn.seat != seat || self.public.phase != Phase::Playing {
            return None;
        }
        self.sight().map(|sight| legal_moves(&sight))
    }

    /// The route of one of the viewer's own legal moves.
    pub fn route(&self, from: Pos, to: Pos) -> Option<Vec<Pos>> {
        crate::games::siguo::moves::route(&self.sight()?, from, to)
    }
}
