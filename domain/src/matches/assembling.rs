//! A table before its start: opening, seating by fair draws, arranging, ready, leaving, and the start.

use super::commands::{Guest, MatchCommand};
use super::decide::{Judged, MatchDraft, person_of};
use super::events::{
    self, Draw, Joined, Man, MatchEvent, Nonce, NonceBy, Parts, ReadyCount, ReleaseReason,
};
use super::refusal::MatchRefusal;
use super::ruleset::RuleSet;
use super::state::Live;
use super::{clocks, view::Phase};
use crate::games::siguo::formation::{Formation, SwapFault};
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::{BySeat, Seat};
use crate::kernel::{Bytes32, Ctx, Dice, FairDraw, MatchId, Span, dice};
use std::collections::BTreeMap;

/// Draws the chance that the sender left to the server, so that the command can be judged again as it was.
pub(super) fn complete(command: &MatchCommand, ctx: &mut Ctx<'_>) -> MatchCommand {
    let mut command = command.clone();
    if let MatchCommand::Open { seed, .. } = &mut command {
        seed.get_or_insert_with(|| ctx.dice.bytes32());
    }
    if let MatchCommand::Open { nonce, .. }
    | MatchCommand::TakeSeat { nonce, .. }
    | MatchCommand::Ready { nonce, .. } = &mut command
    {
        nonce.get_or_insert_with(|| Nonce { value: ctx.dice.bytes32(), by: NonceBy::Server });
    }
    command
}

/// Opens the table and seats its first person.
pub(super) fn open(
    draft: &mut MatchDraft,
    match_id: MatchId,
    rules: &RuleSet,
    seed: Option<Bytes32>,
    guest: &Guest,
    nonce: Option<&Nonce>,
    dice: &mut Dice,
) -> Judged {
    let seed = seed.unwrap_or_else(|| dice.bytes32());
    opened(draft, match_id, rules, seed);
    match draft.state().live().cloned() {
        Some(live) => take_seat(draft, &live, guest, nonce, dice),
        None => Err(MatchRefusal::MatchNotFound),
    }
}

/// The first event of every match.
pub(super) fn opened(draft: &mut MatchDraft, match_id: MatchId, rules: &RuleSet, seed: Bytes32) {
    let public = events::Opened {
        match_id,
        rules: rules.clone(),
        draws: dice::ALGORITHM.to_owned(),
        commitment: dice::commitment(match_id, &seed),
    };
    draft
        .push(MatchEvent::Opened(Parts::public(public).with_secret(events::OpenedSecret { seed })));
}

/// Seats the guest at a seat drawn among the free ones, with a random legal formation.
pub(super) fn take_seat(
    draft: &mut MatchDraft,
    live: &Live,
    guest: &Guest,
    nonce: Option<&Nonce>,
    dice: &mut Dice,
) -> Judged {
    let free = live.free_seats();
    if free.is_empty() || live.seat_of(guest.player).is_some() {
        return Err(MatchRefusal::TableFull);
    }
    let nonce =
        nonce.cloned().unwrap_or_else(|| Nonce { value: dice.bytes32(), by: NonceBy::Server });
    let take = live.truth.takes + 1;
    let (seat, seat_draw) =
        draw_seat(live, "seat", &format!("seat/{take}"), std::slice::from_ref(&nonce), &free, dice);
    let purpose = format!("formation/{take}");
    let forced = dice.forced("formation").and_then(|codes| Formation::from_codes(seat, codes));
    let formation_draw = named_draw(purpose, vec![nonce], Vec::new(), forced.is_some());
    let formation =
        forced.unwrap_or_else(|| Formation::random(seat, &mut fair_draw(live, &formation_draw)));
    let taken = live.sheet.public.taken + 1;
    let rules = &live.sheet.public.rules;
    let full = free.len() == 1 && rules.release_unready > Span(0);
    let release = full.then(|| draft.now() + rules.release_unready);
    let part = events::SeatTakenSeat { person: guest.seated(Joined::Full), men: men(&formation) };
    let secret = events::SeatTakenSecret { seat, take, seat_draw, formation_draw };
    draft.push(MatchEvent::SeatTaken(
        Parts::public(events::SeatTaken { taken, release })
            .with_seat(seat, part)
            .with_secret(secret),
    ));
    Ok(())
}

fn draw_seat(
    live: &Live,
    forced: &str,
    purpose: &str,
    nonces: &[Nonce],
    choices: &[Seat],
    dice: &Dice,
) -> (Seat, Draw) {
    let ordered = dice.forced(forced).and_then(|values| values.first().copied());
    let ordered =
        ordered.and_then(|index| choices.iter().find(|s| s.index() == usize::from(index)));
    let names = choices.iter().map(ToString::to_string).collect();
    let draw = named_draw(purpose.to_owned(), nonces.to_vec(), names, ordered.is_some());
    let seat = ordered.copied().unwrap_or_else(|| {
        let bound = u32::try_from(choices.len()).unwrap_or(0);
        choices[fair_draw(live, &draw).below(bound) as usize]
    });
    (seat, draw)
}

fn named_draw(purpose: String, nonces: Vec<Nonce>, choices: Vec<String>, forced: bool) -> Draw {
    let algorithm = if forced { dice::FORCED } else { dice::ALGORITHM }.to_owned();
    Draw { algorithm, purpose, nonces, choices }
}

/// The numbers of a draw of this match.
fn fair_draw(live: &Live, draw: &Draw) -> FairDraw {
    let nonces: Vec<Bytes32> = draw.nonces.iter().map(|nonce| nonce.value).collect();
    FairDraw::new(&draw.purpose, live.sheet.public.match_id, &live.truth.seed, &nonces)
}

fn men(formation: &Formation) -> Vec<Man> {
    formation.iter().map(|(piece, identity)| Man { piece, identity }).collect()
}

/// Judges the commands of a seated person before the start.
pub(super) fn judge(
    draft: &mut MatchDraft,
    live: &Live,
    seat: Seat,
    command: &MatchCommand,
) -> Judged {
    let ready = live.sheet.own[seat].ready;
    match command {
        MatchCommand::Arrange { .. } | MatchCommand::Swap { .. } | MatchCommand::Ready { .. }
            if ready =>
        {
            Err(MatchRefusal::AlreadyReady)
        }
        MatchCommand::Arrange { formation, .. } => arrange(draft, seat, formation),
        MatchCommand::Swap { a, b, .. } => swap(draft, live, seat, a, b),
        MatchCommand::Ready { nonce, .. } => set_ready(draft, live, seat, nonce.as_ref()),
        MatchCommand::Unready { .. } if !ready => Err(MatchRefusal::NotReady),
        MatchCommand::Unready { .. } => {
            let public = ReadyCount { ready: live.sheet.public.ready.saturating_sub(1) };
            draft.push(MatchEvent::ReadyTakenBack(
                Parts::public(public).with_seat(seat, events::ReadySeat { ready: false }),
            ));
            Ok(())
        }
        MatchCommand::Leave => release(draft, live, seat, ReleaseReason::Left),
        _ => Err(MatchRefusal::MatchNotStarted),
    }
}

fn arrange(draft: &mut MatchDraft, seat: Seat, pieces: &BTreeMap<String, String>) -> Judged {
    let formation = Formation::check(seat, pieces).map_err(MatchRefusal::IllegalFormation)?;
    arranged(draft, seat, &formation);
    Ok(())
}

fn swap(draft: &mut MatchDraft, live: &Live, seat: Seat, a: &str, b: &str) -> Judged {
    let position = |text: &str| text.parse::<Pos>().map_err(|_| MatchRefusal::InvalidSwap);
    let (a, b) = (position(a)?, position(b)?);
    let stored: Vec<_> =
        live.sheet.own[seat].men.iter().map(|man| (man.piece, man.identity)).collect();
    let stored = Formation::from_pieces(seat, &stored).map_err(MatchRefusal::IllegalFormation)?;
    let swapped = stored.swapped(a, b).map_err(|fault| match fault {
        SwapFault::NotOwnPiece => MatchRefusal::InvalidSwap,
        SwapFault::Illegal(faults) => MatchRefusal::IllegalFormation(faults),
    })?;
    arranged(draft, seat, &swapped);
    Ok(())
}

fn arranged(draft: &mut MatchDraft, seat: Seat, formation: &Formation) {
    let part = events::FormationArrangedSeat { men: men(formation) };
    draft.push(MatchEvent::FormationArranged(Parts::of_seat(seat, part)));
}

fn set_ready(draft: &mut MatchDraft, live: &Live, seat: Seat, nonce: Option<&Nonce>) -> Judged {
    let nonce = nonce.cloned().ok_or(MatchRefusal::NotAllowed)?;
    let ready = live.sheet.public.ready + 1;
    draft.push(MatchEvent::Ready(
        Parts::public(ReadyCount { ready })
            .with_seat(seat, events::ReadySeat { ready: true })
            .with_secret(events::ReadySecret { seat, nonce }),
    ));
    Ok(())
}

/// Starts the match when all its seats are ready: the first mover is drawn, the clock runs.
pub(super) fn start_if_ready(draft: &mut MatchDraft, dice: &Dice) {
    let Some(live) = draft.state().live().cloned() else { return };
    let plays = live.sheet.public.rules.options.seats;
    let seats: Vec<Seat> = Seat::ALL.into_iter().filter(|&seat| plays[seat]).collect();
    let all = seats.iter().all(|&seat| live.sheet.own[seat].ready);
    if live.phase() != Phase::Assembling || !all {
        return;
    }
    let nonces: Vec<Nonce> =
        seats.iter().filter_map(|&seat| live.truth.nonces[seat].clone()).collect();
    let (first, draw) = draw_seat(&live, "first", "first", &nonces, &seats, dice);
    let public = events::Started {
        first,
        seats: BySeat::from_fn(|seat| live.person(seat).cloned().filter(|_| plays[seat])),
    };
    draft.push(MatchEvent::Started(
        Parts::public(public).with_secret(events::StartedSecret { draw }),
    ));
    clocks::start_turn(draft, first);
}

/// Frees a seat before the start: no penalty, nothing counted.
pub(super) fn release(
    draft: &mut MatchDraft,
    live: &Live,
    seat: Seat,
    reason: ReleaseReason,
) -> Judged {
    let person = person_of(live, seat)?;
    let public = events::SeatReleased {
        taken: live.sheet.public.taken.saturating_sub(1),
        ready: live.sheet.public.ready - u8::from(live.sheet.own[seat].ready),
    };
    let secret = events::SeatReleasedSecret { seat, person, reason };
    let parts = Parts::public(public).with_seat(seat, events::SeatReleasedSeat {});
    draft.push(MatchEvent::SeatReleased(parts.with_secret(secret)));
    Ok(())
}
