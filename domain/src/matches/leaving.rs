//! Leaving after the start, by will or by time, and ending a broken match.

use super::commands::Removal;
use super::decide::{Judged, MatchDraft, person_of};
use super::events::{
    Departed, DepartedSecret, DepartureCause, MatchEvent, NoResultBy, Outcome, Parts,
    ReleaseReason, SeatVacated, Voided,
};
use super::refusal::MatchRefusal;
use super::settlement;
use super::state::Live;
use super::view::Phase;
use super::{assembling, clocks, takeover};
use crate::games::siguo::seat::Seat;
use crate::kernel::{PlayerId, Reason};

/// A person leaves the running match: the seat becomes vacant, the person can never return.
pub(super) fn leave(draft: &mut MatchDraft, live: &Live, seat: Seat) -> Judged {
    leave_as(draft, live, seat, DepartureCause::OwnWill)
}

fn leave_as(draft: &mut MatchDraft, live: &Live, seat: Seat, cause: DepartureCause) -> Judged {
    let public = departed(live, seat)?;
    draft.push(MatchEvent::Left(Parts::public(public).with_secret(DepartedSecret { cause })));
    vacate(draft, live, seat)
}

/// The departure of the person who sits there, with its points.
pub(super) fn departed(live: &Live, seat: Seat) -> Result<Departed, MatchRefusal> {
    let public = &live.sheet.public;
    Ok(Departed {
        seat,
        tenure: public.seats[seat].tenure,
        person: person_of(live, seat)?,
        points: public.rules.points.departure,
        turn: public.turns,
    })
}

/// The seat has nobody from now on; what follows from that follows.
pub(super) fn vacate(draft: &mut MatchDraft, live: &Live, seat: Seat) -> Judged {
    let part = SeatVacated {
        seat,
        tenure: live.sheet.public.seats[seat].tenure,
        person: person_of(live, seat)?,
    };
    draft.push(MatchEvent::SeatVacated(Parts::public(part)));
    clocks::after_departure(draft, seat);
    Ok(())
}

/// The server makes a person go: from a seat before the start, from an active seat as a leave, from a
/// candidacy. Nothing to leave: nothing happens.
pub(super) fn remove(
    draft: &mut MatchDraft,
    live: &Live,
    player: PlayerId,
    cause: Removal,
) -> Judged {
    let (departure, release) = match cause {
        Removal::AccountDeleted => (DepartureCause::AccountDeleted, ReleaseReason::AccountDeleted),
        Removal::Suspended => (DepartureCause::Suspended, ReleaseReason::Suspended),
    };
    match (live.phase(), live.seat_of(player)) {
        (Phase::Assembling, Some(seat)) => assembling::release(draft, live, seat, release),
        (Phase::Playing, Some(seat)) if live.active(seat) => leave_as(draft, live, seat, departure),
        (Phase::Playing, None)
            if live.sheet.people.candidates.iter().any(|person| person.player == player) =>
        {
            takeover::withdraw(draft, live, player, departure)
        }
        _ => Ok(()),
    }
}

/// An administrator ends a broken match without result; earlier departures keep their points.
pub(super) fn void(draft: &mut MatchDraft, live: &Live, reason: &Reason) -> Judged {
    match live.phase() {
        Phase::Ended => Err(MatchRefusal::MatchEnded),
        Phase::Assembling | Phase::Playing => {
            draft.push(MatchEvent::Voided(Parts::public(Voided { reason: reason.clone() })));
            settlement::end(draft, Outcome::NoResult { by: NoResultBy::Voided });
            Ok(())
        }
    }
}
