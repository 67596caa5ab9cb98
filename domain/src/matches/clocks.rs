//! Clocks: starting one, what happens when one runs out, and moving one after an outage.

use super::conclude::{After, conclude};
use super::decide::{Judged, MatchDraft};
use super::events::{
    DeadlineMoved, DepartedSecret, DepartureCause, MatchEvent, NoResultBy, Outcome, Parts,
    RecordExpired, ReleaseMoved, ReleaseReason, TakeoverWaitExpired, TakeoverWaitOpened, TurnKind,
    TurnStarted,
};
use super::refusal::MatchRefusal;
use super::state::Live;
use super::view::Phase;
use super::{assembling, leaving, settlement};
use crate::games::siguo::seat::Seat;
use crate::kernel::{OutageId, Time};

/// The turn reaches a seat: its clock starts, or the takeover wait if nobody sits there.
pub(super) fn start_turn(draft: &mut MatchDraft, seat: Seat) {
    let seated = draft.state().live().is_some_and(|live| live.person(seat).is_some());
    start(draft, seat, if seated { TurnKind::Normal } else { TurnKind::Vacant });
}

/// Starts a clock of the given kind.
pub(super) fn start(draft: &mut MatchDraft, seat: Seat, kind: TurnKind) {
    let Some(live) = draft.state().live() else { return };
    let rules = &live.sheet.public.rules;
    let turn = live.sheet.public.turns + 1;
    let now = draft.now();
    let event = match kind {
        TurnKind::Vacant => {
            let deadline = now + rules.takeover_wait;
            MatchEvent::TakeoverWaitOpened(Parts::public(TakeoverWaitOpened {
                turn,
                seat,
                deadline,
            }))
        }
        TurnKind::Normal | TurnKind::TakeoverFirst => {
            let span = if kind == TurnKind::Normal { rules.turn } else { rules.takeover_first };
            let deadline = now + span;
            MatchEvent::TurnStarted(Parts::public(TurnStarted {
                turn,
                seat,
                turn_kind: kind,
                deadline,
            }))
        }
    };
    draft.push(event);
}

/// What is due happens. The instant of the decision is the deadline itself.
pub(super) fn expire(draft: &mut MatchDraft, live: &Live) -> Judged {
    match live.due() {
        Some(due) if draft.now() == due => {}
        // Decided at another instant than the one due, the log would tell a wrong time.
        Some(due) if draft.now() > due => return Err(MatchRefusal::ClockFault),
        _ => return Ok(()),
    }
    match live.phase() {
        Phase::Assembling => {
            for seat in Seat::ALL {
                let Some(live) = draft.state().live().cloned() else { break };
                if live.person(seat).is_some() && !live.sheet.own[seat].ready {
                    assembling::release(draft, &live, seat, ReleaseReason::NotReady)?;
                }
            }
            Ok(())
        }
        Phase::Playing => match live.turn() {
            Some(turn) if turn.kind == TurnKind::Vacant => {
                let part = TakeoverWaitExpired { turn: turn.number, seat: turn.seat };
                draft.push(MatchEvent::TakeoverWaitExpired(Parts::public(part)));
                settlement::end(draft, Outcome::NoResult { by: NoResultBy::WaitExpired });
                Ok(())
            }
            Some(turn) => {
                let seat = turn.seat;
                let departed = leaving::departed(live, seat)?;
                let secret = DepartedSecret { cause: DepartureCause::Timeout };
                draft.push(MatchEvent::TimedOut(Parts::public(departed).with_secret(secret)));
                leaving::vacate(draft, live, seat)
            }
            None => Ok(()),
        },
        Phase::Ended => {
            let settled = live.sheet.public.ended.unwrap_or(live.last);
            draft.push(MatchEvent::RecordExpired(Parts::public(RecordExpired { settled })));
            Ok(())
        }
    }
}

/// The clock stood still during `[from, to]`: an open deadline at or after its start moves by its length.
/// A clock that began after it stays. Each outage moves a match once; gaps
/// shorter than the rule set's minimum move nothing (decision L17). What was due before must have happened.
pub(super) fn move_deadline(
    draft: &mut MatchDraft,
    live: &Live,
    outage: OutageId,
    from: Time,
    to: Time,
) -> Judged {
    let public = &live.sheet.public;
    let (Some(due), Some(since)) = (public.deadline(), public.clock_since()) else {
        return Ok(());
    };
    let known = live.truth.outages.contains(&outage);
    if to - from < public.rules.outage_minimum || since >= to || known {
        return Ok(());
    }
    if due < from {
        return Err(MatchRefusal::ClockFault);
    }
    let length = to - from;
    let event = match live.turn() {
        Some(turn) => MatchEvent::DeadlineMoved(Parts::public(DeadlineMoved {
            turn: turn.number,
            seat: turn.seat,
            from: due,
            to: due + length,
            outage,
        })),
        None => MatchEvent::ReleaseMoved(Parts::public(ReleaseMoved {
            from: due,
            to: due + length,
            outage,
        })),
    };
    draft.push(event);
    Ok(())
}

/// After a departure from the seat on turn, the takeover wait opens; from another seat nothing starts.
pub(super) fn after_departure(draft: &mut MatchDraft, seat: Seat) {
    conclude(draft, After { board: false, passes_from: None, fallen: None });
    let waits = draft.state().live().is_some_and(|live| {
        live.phase() == Phase::Playing && live.turn().is_some_and(|turn| turn.seat == seat)
    });
    if waits {
        start(draft, seat, TurnKind::Vacant);
    }
}
