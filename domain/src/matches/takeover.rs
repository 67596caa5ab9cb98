//! Takeover of a vacant seat: matching a candidate, withdrawing, and the first confirmation that wins.

use super::clocks;
use super::commands::Guest;
use super::decide::{Judged, MatchDraft};
use super::events::{
    CandidateLostSecret, CandidateMatchedSecret, CandidateWithdrewSecret, DepartureCause, Joined,
    Man, MatchEvent, MenSeat, Parts, SeatTakenOver, TurnKind,
};
use super::refusal::MatchRefusal;
use super::state::Live;
use super::view::Role;
use crate::kernel::PlayerId;

/// Makes the guest a candidate; uses up the guest's one chance for this match.
pub(super) fn become_candidate(draft: &mut MatchDraft, live: &Live, guest: &Guest) -> Judged {
    let turn = live.turn().filter(|turn| {
        turn.kind == TurnKind::Vacant
            && draft.now() < turn.deadline
            && live.takeover_open_to(guest.player)
    });
    let turn = turn.ok_or(MatchRefusal::NoVacancy)?;
    let facts = CandidateMatchedSecret {
        match_id: live.sheet.public.match_id,
        person: guest.seated(Joined::Takeover),
        seat: turn.seat,
        turn: turn.number,
    };
    draft.push(MatchEvent::CandidateMatched(Parts::secret(facts)));
    Ok(())
}

/// Seats the candidate with the pieces as they stand and three hours for the first move; the others lose.
pub(super) fn confirm(draft: &mut MatchDraft, live: &Live, player: PlayerId) -> Judged {
    match live.sheet.people.role(player) {
        Some(Role::Lost) => return Err(MatchRefusal::VacancyTaken),
        Some(Role::Candidate { .. }) => {}
        _ => return Err(MatchRefusal::NotACandidate),
    }
    let candidates = &live.sheet.people.candidates;
    let person = candidates.iter().find(|person| person.player == player);
    let person = person.ok_or(MatchRefusal::NotACandidate)?.clone();
    let turn = live.turn().filter(|turn| turn.kind == TurnKind::Vacant);
    let turn = turn.ok_or(MatchRefusal::VacancyTaken)?;
    let seat = turn.seat;
    let tenure = live.sheet.public.seats[seat].tenure + 1;
    let men = live.truth.position.pieces(seat);
    let men = men.map(|(_, piece, identity)| Man { piece, identity }).collect();
    let public = SeatTakenOver { seat, person, tenure, turn: turn.number };
    draft.push(MatchEvent::SeatTakenOver(Parts::public(public).with_seat(seat, MenSeat { men })));
    for other in candidates.iter().filter(|other| other.player != player) {
        let facts = CandidateLostSecret { person: other.clone(), to: player };
        draft.push(MatchEvent::CandidateLost(Parts::secret(facts)));
    }
    clocks::start(draft, seat, TurnKind::TakeoverFirst);
    Ok(())
}

/// Gives the candidacy up; the chance stays used.
pub(super) fn withdraw(
    draft: &mut MatchDraft,
    live: &Live,
    player: PlayerId,
    cause: DepartureCause,
) -> Judged {
    let mut candidates = live.sheet.people.candidates.iter();
    let person = candidates.find(|person| person.player == player);
    let person = person.ok_or(MatchRefusal::NotACandidate)?.clone();
    draft.push(MatchEvent::CandidateWithdrew(Parts::secret(CandidateWithdrewSecret {
        person,
        cause,
    })));
    Ok(())
}
