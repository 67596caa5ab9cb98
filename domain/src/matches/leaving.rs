//! Leaving after the start, by will or by time, and ending a broken match.

use super::clocks;
use super::decide::{Judged, MatchDraft, person_of};
use super::events::{
    Departed, MatchEvent, NoResultBy, Outcome, Parts, SeatVacated, Voided,
};
use super::refusal::MatchRefusal;
use super::settlement;
use super::state::Live;
use super::view::Phase;
use crate::games::siguo::seat::Seat;

/// A person leaves the running match: the seat becomes vacant, the person can never return.
pub(super) fn leave(draft: &mut MatchDraft, live: &Live, seat: Seat) -> Judged {
    draft.push(MatchEvent::Left(Parts::public(departed(live, seat)?)));
    vacate(draft, seat);
    Ok(())
}

/// The departure of the person who sits there, with its points.
pub(super) fn departed(live: &Live, seat: Seat) -> Result<Departed, MatchRefusal> {
    let public = &live.sheet.public;
    Ok(Departed {
        seat,
        person: person_of(live, seat)?,
        points: public.rules.points.departure,
        turn: public.turns,
    })
}

/// The seat has nobody from now on; what follows from that follows.
pub(super) fn vacate(draft: &mut MatchDraft, seat: Seat) {
    draft.push(MatchEvent::SeatVacated(Parts::public(SeatVacated { seat })));
    clocks::after_departure(draft, seat);
}

/// An administrator ends a broken match without result; earlier departures keep their points.
pub(super) fn void(draft: &mut MatchDraft, live: &Live, reason: &str) -> Judged {
    match live.phase() {
        Phase::Ended => Err(MatchRefusal::MatchEnded),
        Phase::Assembling | Phase::Playing => {
            draft.push(MatchEvent::Voided(Parts::public(Voided { reason: reason.to_owned() })));
            settlement::end(draft, Outcome::NoResult { by: NoResultBy::Voided });
            Ok(())
        }
    }
}
