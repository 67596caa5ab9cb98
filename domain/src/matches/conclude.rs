//! What follows from an action, in a fixed order: eliminations, the end on the board, the end of a side,
//! proposals and draw offers that lost their ground, and the next clock.

use super::clocks;
use super::decide::MatchDraft;
use super::draw_vote;
use super::events::{
    self, DrawBy, MatchEvent, NoResultBy, Outcome, Parts, ProposalEnd, ProposalEndedSide, WinBy,
};
use super::play::ground;
use super::settlement;
use super::state::Live;
use crate::games::siguo::rules::{BoardEnd, Cause, WinBy as BoardWin, aftermath};
use crate::games::siguo::seat::{Seat, Side};

/// What the actor's own events were about.
#[derive(Clone, Copy)]
pub(super) struct After {
    /// The rules of the board are asked: an action on the board, or an elimination.
    pub(super) board: bool,
    /// The seat whose turn is over with this.
    pub(super) passes_from: Option<Seat>,
    /// A seat that falls by the action itself.
    pub(super) fallen: Option<(Seat, Cause)>,
}

/// Draws the consequences. Returns after the first end.
pub(super) fn conclude(draft: &mut MatchDraft, after: After) {
    let mut next = None;
    if after.board {
        let Some(live) = draft.state().live().cloned() else { return };
        let turn_of = live.turn().map(|turn| turn.seat).or(after.passes_from);
        let Some(turn_of) = after.passes_from.or(turn_of) else { return };
        let result = aftermath(&ground(&live), turn_of, after.passes_from.is_some(), after.fallen);
        for (seat, cause) in result.eliminated {
            eliminate(draft, seat, cause);
        }
        if let Some(end) = result.end {
            settlement::end(draft, board_outcome(end));
            return;
        }
        next = result.next.filter(|_| after.passes_from.is_some());
    }
    for side in Side::ALL {
        let Some(live) = draft.state().live() else { return };
        if live.gone(side) {
            let outcome = Outcome::Win { side: side.other(), by: WinBy::SideGone };
            settlement::end(draft, outcome);
            return;
        }
    }
    close_proposals(draft);
    if draw_vote::resolve(draft) {
        return;
    }
    if let Some(seat) = next {
        draw_vote::lapse_at_turn(draft, seat);
        clocks::start_turn(draft, seat);
    }
}

fn eliminate(draft: &mut MatchDraft, seat: Seat, cause: Cause) {
    let person = draft.state().live().and_then(|live| live.person(seat)).cloned();
    let part = events::SeatEliminated { seat, cause, person };
    draft.push(MatchEvent::SeatEliminated(Parts::public(part)));
}

fn board_outcome(end: BoardEnd) -> Outcome {
    match end {
        BoardEnd::Win { side, by: BoardWin::Board } => Outcome::Win { side, by: WinBy::Board },
        BoardEnd::Win { side, by: BoardWin::BothStuck } => {
            Outcome::Win { side, by: WinBy::BothStuck }
        }
        BoardEnd::NoResult => Outcome::NoResult { by: NoResultBy::BothStuck },
        BoardEnd::Draw => Outcome::Draw { by: DrawBy::NoLoss },
    }
}

/// A proposal lives while both its seats are seated and active.
fn close_proposals(draft: &mut MatchDraft) {
    for side in Side::ALL {
        let Some(live) = draft.state().live() else { return };
        let Some(proposal) = open_proposal(live, side) else { continue };
        let eliminated = side.seats().into_iter().any(|seat| !live.active(seat));
        let empty = side.seats().into_iter().any(|seat| live.person(seat).is_none());
        let reason = match (empty, eliminated) {
            (true, _) => ProposalEnd::Left,
            (false, true) => ProposalEnd::Eliminated,
            (false, false) => continue,
        };
        end_proposal(draft, side, proposal.0, reason);
    }
}

/// The side's open proposal: its ordinal and who made it.
pub(super) fn open_proposal(live: &Live, side: Side) -> Option<(u32, Seat)> {
    // Both seats' documents carry it; a seat that was just vacated has forgotten it.
    side.seats()
        .into_iter()
        .find_map(|seat| live.sheet.own[seat].proposal.as_ref())
        .map(|open| (open.proposal, open.seat))
}

/// Ends a proposal unconfirmed.
pub(super) fn end_proposal(draft: &mut MatchDraft, side: Side, proposal: u32, reason: ProposalEnd) {
    let part = ProposalEndedSide { proposal, reason };
    draft.push(MatchEvent::TeamSurrenderEnded(Parts::of_side(side, part)));
}
