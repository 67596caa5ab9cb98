//! Draw offers (求和): offering on the own turn, voting, and how an offer ends.

use super::decide::{Judged, MatchDraft};
use super::events::{
    DrawAgreed, DrawBy, DrawLapsed, DrawOffered, DrawVoted, LapseReason, MatchEvent, Outcome, Parts,
};
use super::play::own_turn;
use super::refusal::MatchRefusal;
use super::settlement;
use super::state::Live;
use crate::games::siguo::seat::{Seat, Side};

fn opponent_plays(live: &Live, side: Side) -> bool {
    side.other().seats().into_iter().any(|seat| live.plays(seat))
}

/// Offers a draw to everybody who still plays.
pub(super) fn offer(draft: &mut MatchDraft, live: &Live, seat: Seat) -> Judged {
    let turn = own_turn(live, seat)?;
    if turn.draw_offered {
        return Err(MatchRefusal::DrawAlreadyOffered);
    }
    if live.sheet.public.draw.is_some() {
        return Err(MatchRefusal::DrawOfferOpen);
    }
    if !opponent_plays(live, seat.side()) {
        return Err(MatchRefusal::DrawNoOpponent);
    }
    let offer = live.sheet.public.offers + 1;
    draft.push(MatchEvent::DrawOffered(Parts::public(DrawOffered { offer, seat })));
    Ok(())
}

/// Answers the open offer; one decline ends it, the last accept agrees the draw.
pub(super) fn vote(
    draft: &mut MatchDraft,
    live: &Live,
    seat: Seat,
    offer: Option<u32>,
    accept: bool,
) -> Judged {
    let open = live.sheet.public.draw.as_ref();
    let open = open.filter(|open| offer.is_none_or(|offer| offer == open.offer));
    let open = open.ok_or(MatchRefusal::DrawNotOpen)?;
    if open.seat == seat {
        return Err(MatchRefusal::DrawOwnOffer);
    }
    if open.accepted.contains(&seat) {
        return Err(MatchRefusal::DrawAlreadyVoted);
    }
    let part = DrawVoted { offer: open.offer, seat, accept };
    draft.push(MatchEvent::DrawVoted(Parts::public(part)));
    if accept {
        resolve(draft);
    } else {
        lapse(draft, LapseReason::Declined);
    }
    Ok(())
}

/// Agrees or lapses the open offer if the votes that still count say so. True when the match ended.
pub(super) fn resolve(draft: &mut MatchDraft) -> bool {
    let Some(live) = draft.state().live() else { return false };
    let Some(open) = live.sheet.public.draw.clone() else { return false };
    if !live.plays(open.seat) {
        lapse(draft, LapseReason::OffererGone);
        return false;
    }
    if !opponent_plays(live, open.seat.side()) {
        lapse(draft, LapseReason::NoOpponent);
        return false;
    }
    let voters = Seat::ALL.into_iter().filter(|&seat| seat != open.seat && live.plays(seat));
    let all = voters.clone().all(|seat| open.accepted.contains(&seat));
    // With an opponent among the voters, "all" already means one accept from the other side.
    if all {
        let part = DrawAgreed { offer: open.offer, seat: open.seat };
        draft.push(MatchEvent::DrawAgreed(Parts::public(part)));
        settlement::end(draft, Outcome::Draw { by: DrawBy::Agreed });
    }
    all
}

/// The offering seat's next turn ends its open offer.
pub(super) fn lapse_at_turn(draft: &mut MatchDraft, next: Seat) {
    let open = draft.state().live().and_then(|live| live.sheet.public.draw.as_ref());
    if open.is_some_and(|open| open.seat == next) {
        lapse(draft, LapseReason::NextTurn);
    }
}

fn lapse(draft: &mut MatchDraft, reason: LapseReason) {
    let open = draft.state().live().and_then(|live| live.sheet.public.draw.clone());
    if let Some(open) = open {
        let part = DrawLapsed { offer: open.offer, seat: open.seat, reason };
        draft.push(MatchEvent::DrawLapsed(Parts::public(part)));
    }
}
