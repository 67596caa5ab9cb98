//! Putting an arbitrary playing match in place: contract tests need it, whoever judges a record again, and later
//! puzzles. No door of the product leads here: nothing of it is ever written to a log.

use super::commands::Placement;
use super::decide::{Judged, MatchDraft};
use super::events::{Man, MatchEvent, MenSeat, Parts, Placed, PositionPlaced};
use super::{assembling, clocks};
use crate::games::siguo::seat::Seat;

/// Opens the match and places everything; the clock of the named turn starts.
pub(super) fn place(draft: &mut MatchDraft, placement: &Placement) -> Judged {
    assembling::opened(draft, placement.match_id, &placement.rules, placement.seed);
    // By position, so that the order of the command tells nothing.
    let mut men = placement.men.clone();
    men.sort_unstable_by_key(|(at, ..)| *at);
    let public = PositionPlaced {
        seats: placement.seats.clone(),
        eliminated: placement.eliminated.clone(),
        men: men.iter().map(|&(at, seat, _)| Placed { seat, at }).collect(),
    };
    let mut parts = Parts::public(public);
    for seat in Seat::ALL {
        let own = men.iter().filter(|(_, owner, _)| *owner == seat);
        let own = own.map(|&(piece, _, identity)| Man { piece, identity }).collect();
        parts.seat.set(seat, MenSeat { men: own });
    }
    draft.push(MatchEvent::PositionPlaced(parts));
    let seated = placement.seats[placement.turn].is_some();
    if seated {
        clocks::start(draft, placement.turn, placement.turn_kind);
    } else {
        clocks::start_turn(draft, placement.turn);
    }
    Ok(())
}
