//! The two things that a seat does on its turn: move a piece, or skip.

use super::conclude::{After, conclude};
use super::decide::{Judged, MatchDraft};
use super::events::{self, MatchEvent, Met, MovedSecret, Parts, Revealed};
use super::refusal::MatchRefusal;
use super::state::Live;
use super::view::TurnView;
use crate::games::siguo::battle::Outcome as Battle;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::rules::{Cause, Ground, judge_move};
use crate::games::siguo::seat::Seat;

/// The running turn, if it is this seat's.
pub(super) fn own_turn(live: &Live, seat: Seat) -> Result<&TurnView, MatchRefusal> {
    live.turn().filter(|turn| turn.seat == seat).ok_or(MatchRefusal::NotYourTurn)
}

/// The board as the rules judge it.
pub(super) fn ground(live: &Live) -> Ground<'_> {
    Ground {
        position: &live.truth.position,
        active: live.active_seats(),
        options: &live.sheet.public.rules.options,
        revealed: live.truth.revealed,
        quiet: live.truth.quiet,
    }
}

/// Moves a piece by the rules of the board.
pub(super) fn move_piece(
    draft: &mut MatchDraft,
    live: &Live,
    seat: Seat,
    from: &str,
    to: &str,
) -> Judged {
    let turn = own_turn(live, seat)?.number;
    let position = |text: &str| text.parse::<Pos>().map_err(|_| MatchRefusal::IllegalMove);
    let (from, to) = (position(from)?, position(to)?);
    let result = judge_move(&ground(live), seat, from, to).ok_or(MatchRefusal::IllegalMove)?;
    let met = match (result.defender_seat, result.defender_handle) {
        (Some(seat), Some(piece)) => Some(Met { seat, piece }),
        _ => None,
    };
    let revealed = result.revealed.iter().map(|&(seat, at)| Revealed { seat, at }).collect();
    let public = events::Moved {
        turn,
        seat,
        piece: result.attacker_handle,
        from,
        to,
        route: result.route,
        outcome: result.outcome,
        met,
        revealed,
        captured: result.captured,
        quiet: if result.outcome == Battle::None { live.truth.quiet + 1 } else { 0 },
    };
    let secret = MovedSecret { attacker: result.attacker, defender: result.defender };
    draft.push(MatchEvent::Moved(Parts::public(public).with_secret(secret)));
    let fallen = result.captured.map(|seat| (seat, Cause::FlagCaptured));
    conclude(draft, After { board: true, passes_from: Some(seat), fallen });
    Ok(())
}

/// Passes the turn on.
pub(super) fn skip(draft: &mut MatchDraft, live: &Live, seat: Seat) -> Judged {
    let turn = own_turn(live, seat)?.number;
    let public = &live.sheet.public;
    let used = public.seats[seat].skips_used;
    if used >= public.rules.skips {
        return Err(MatchRefusal::SkipLimitReached);
    }
    draft.push(MatchEvent::Skipped(Parts::public(events::Skipped { turn, seat, used: used + 1 })));
    conclude(draft, After { board: true, passes_from: Some(seat), fallen: None });
    Ok(())
}
