//! What of a match calls for whom. Pure; what is told of it is `news`'s.

use super::clocks::{concerned, partakers, seated};
use crate::accounts::reminders::Call;
use std::collections::{BTreeMap, BTreeSet};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::PlayerId;
use yibu_domain::matches::view::{Phase, Sheet};

/// What calls for each.
pub(super) type Calls = BTreeMap<PlayerId, BTreeSet<Call>>;

/// Everything in a match that calls for somebody now.
pub(super) fn calls(sheet: &Sheet) -> Calls {
    let mut calls = Calls::new();
    let mut call = |players: Vec<PlayerId>, call: Call| {
        for player in players {
            calls.entry(player).or_default().insert(call);
        }
    };
    for (player, ticking) in concerned(sheet) {
        call(vec![player], ticking.call());
    }
    match sheet.public.phase {
        Phase::Assembling => call(waited_for(sheet).collect(), Call::Ready),
        Phase::Playing => {
            call(seated(sheet).map(|(_, player)| player).collect(), Call::Match);
            if let Some(draw) = &sheet.public.draw {
                call(voters(sheet).collect(), Call::Draw(draw.offer));
            }
            for (seat, player) in seated(sheet) {
                if let Some(proposal) = sheet.own[seat].proposal.as_ref()
                    && proposal.seat == seat.mate()
                {
                    call(vec![player], Call::Surrender(proposal.proposal));
                }
            }
        }
        Phase::Ended if sheet.public.record_expired => {}
        Phase::Ended => call(partakers(sheet).collect(), Call::Record),
    }
    calls
}

/// What called for somebody before and does not now.
pub(super) fn closed(before: &Calls, after: &Calls) -> Vec<(PlayerId, Call)> {
    let open = |player, call| after.get(player).is_some_and(|calls| calls.contains(call));
    let all =
        before.iter().flat_map(|(player, calls)| calls.iter().map(move |call| (player, call)));
    all.filter(|(player, call)| !open(player, call))
        .map(|(player, call)| (*player, *call))
        .collect()
}

/// Who has a vote on the open draw offer and has not cast it.
pub(super) fn voters(sheet: &Sheet) -> impl Iterator<Item = PlayerId> {
    let draw = sheet.public.draw.as_ref();
    let asked = move |seat: Seat| {
        draw.is_some_and(|draw| draw.seat != seat && !draw.accepted.contains(&seat))
            && sheet.public.seats[seat].active
    };
    seated(sheet).filter(move |(seat, _)| asked(*seat)).map(|(_, player)| player)
}

/// Once the last seat is taken, and before the start: who is not ready.
pub(super) fn waited_for(sheet: &Sheet) -> impl Iterator<Item = PlayerId> {
    let plays = sheet.public.rules.options.seats.iter().filter(|(_, plays)| **plays).count();
    let full = usize::from(sheet.public.taken) >= plays;
    let late = seated(sheet).filter(move |(seat, _)| full && !sheet.own[*seat].ready);
    late.map(|(_, player)| player)
}
