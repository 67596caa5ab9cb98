//! Giving up: a person alone, or a side together.

use super::conclude::{After, conclude, end_proposal, open_proposal};
use super::decide::{Judged, MatchDraft, person_of};
use super::events::{
    MatchEvent, Outcome, Parts, ProposalConfirmedSide, ProposalEnd, ProposedSide, Surrendered,
    TeamSurrenderConfirmed, WinBy,
};
use super::refusal::MatchRefusal;
use super::settlement;
use super::state::Live;
use crate::games::siguo::rules::Cause;
use crate::games::siguo::seat::Seat;

/// Eliminates the own seat; it becomes no vacancy, its person stays in the result.
pub(super) fn personal(draft: &mut MatchDraft, live: &Live, seat: Seat) -> Judged {
    let person = person_of(live, seat)?;
    draft.push(MatchEvent::Surrendered(Parts::public(Surrendered { seat, person })));
    let on_turn = live.turn().is_some_and(|turn| turn.seat == seat);
    let fallen = Some((seat, Cause::Surrender));
    conclude(draft, After { board: true, passes_from: on_turn.then_some(seat), fallen });
    Ok(())
}

/// Proposes to the team-mate to give up together.
pub(super) fn propose(draft: &mut MatchDraft, live: &Live, seat: Seat) -> Judged {
    let side = seat.side();
    if open_proposal(live, side).is_some() {
        return Err(MatchRefusal::TeamSurrenderPending);
    }
    if !side.seats().into_iter().all(|seat| live.plays(seat)) {
        return Err(MatchRefusal::TeamSurrenderUnavailable);
    }
    let proposal = live.truth.proposals[side as usize] + 1;
    let part = ProposedSide { proposal, seat };
    draft.push(MatchEvent::TeamSurrenderProposed(Parts::of_side(side, part)));
    Ok(())
}

/// The open proposal of the seat's side, if it is the one meant.
fn pending(live: &Live, seat: Seat, meant: Option<u32>) -> Result<(u32, Seat), MatchRefusal> {
    open_proposal(live, seat.side())
        .filter(|(proposal, _)| meant.is_none_or(|meant| meant == *proposal))
        .ok_or(MatchRefusal::TeamSurrenderNotPending)
}

/// The open proposal of the team-mate.
fn mates(live: &Live, seat: Seat, meant: Option<u32>) -> Result<u32, MatchRefusal> {
    match pending(live, seat, meant)? {
        (_, proposer) if proposer == seat => Err(MatchRefusal::TeamSurrenderOwnProposal),
        (proposal, _) => Ok(proposal),
    }
}

/// Confirms the team-mate's proposal: the match ends.
pub(super) fn confirm(
    draft: &mut MatchDraft,
    live: &Live,
    seat: Seat,
    meant: Option<u32>,
) -> Judged {
    let proposal = mates(live, seat, meant)?;
    let side = seat.side();
    let public = TeamSurrenderConfirmed { side };
    draft.push(MatchEvent::TeamSurrenderConfirmed(
        Parts::public(public).with_side(side, ProposalConfirmedSide { proposal, seat }),
    ));
    settlement::end(draft, Outcome::Win { side: side.other(), by: WinBy::TeamSurrender });
    Ok(())
}

/// Declines the team-mate's proposal.
pub(super) fn decline(
    draft: &mut MatchDraft,
    live: &Live,
    seat: Seat,
    meant: Option<u32>,
) -> Judged {
    let proposal = mates(live, seat, meant)?;
    end_proposal(draft, seat.side(), proposal, ProposalEnd::Declined);
    Ok(())
}

/// Withdraws the own proposal.
pub(super) fn withdraw(
    draft: &mut MatchDraft,
    live: &Live,
    seat: Seat,
    meant: Option<u32>,
) -> Judged {
    match pending(live, seat, meant)? {
        (proposal, proposer) if proposer == seat => {
            end_proposal(draft, seat.side(), proposal, ProposalEnd::Withdrawn);
            Ok(())
        }
        _ => Err(MatchRefusal::TeamSurrenderNotProposer),
    }
}
