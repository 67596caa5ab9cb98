//! Routes each command to the file of its concern, after the judgements that all share, in the order in
//! which refusals take precedence: expired, ended, left, stale, then the command's own.

use super::commands::MatchCommand;
use super::events::{DepartureCause, Joined, MatchEvent, Occupant};
use super::refusal::MatchRefusal;
use super::state::{Live, MatchState};
use super::view::{Phase, Role};
use super::{assembling, clocks, draw_vote, leaving, placing, play, surrender, takeover};
use crate::games::siguo::seat::Seat;
use crate::kernel::{Actor, Claim, Ctx, Dated, Decider, Draft, PlayerId, Time};

/// The aggregate of one match. A name only; see [`Decider`].
pub struct Match;

/// A decision in the making about a match.
pub(super) type MatchDraft = Draft<Match>;

/// A list of events, or why not.
pub(super) type Judged = Result<(), MatchRefusal>;

impl Decider for Match {
    const CATEGORY: &'static str = "match";
    type State = MatchState;
    type Command = MatchCommand;
    type Event = MatchEvent;
    type Refusal = MatchRefusal;

    fn decide(
        state: &MatchState,
        command: &MatchCommand,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<MatchEvent>, MatchRefusal> {
        // What was left to chance is filled in first: the recorded input decides the same way again.
        let command = assembling::complete(command, ctx);
        let mut draft = MatchDraft::new(state, ctx.now);
        judge(state, &command, ctx, &mut draft)?;
        if matches!(command, MatchCommand::Ready { .. }) {
            assembling::start_if_ready(&mut draft, ctx.dice);
        }
        let mut events = draft.into_events();
        if let Some(first) = events.first_mut() {
            first.set_input(command);
        }
        Ok(events)
    }

    fn evolve(state: &mut MatchState, event: &Dated<MatchEvent>) {
        state.evolve(event);
    }

    fn claims(event: &MatchEvent) -> Vec<Claim> {
        super::claims::claims(event)
    }
}

fn judge(
    state: &MatchState,
    command: &MatchCommand,
    ctx: &mut Ctx<'_>,
    draft: &mut MatchDraft,
) -> Judged {
    own_guest(command, ctx.actor)?;
    let Some(live) = state.live() else {
        return match command {
            MatchCommand::Open { match_id, rules, seed, guest, nonce } => {
                assembling::open(draft, *match_id, rules, *seed, guest, nonce.as_ref(), ctx.dice)
            }
            MatchCommand::Place(placement) => placing::place(draft, placement),
            _ => Err(MatchRefusal::MatchNotFound),
        };
    };
    in_time(live, command, ctx)?;
    match command {
        MatchCommand::Open { .. } | MatchCommand::Place(_) => Err(MatchRefusal::MatchExists),
        MatchCommand::TakeSeat { guest, nonce, .. } => {
            assembling::take_seat(draft, live, guest, nonce.as_ref(), ctx.dice)
        }
        MatchCommand::MatchTakeover { guest, .. } => takeover::become_candidate(draft, live, guest),
        MatchCommand::Expire => by_server(ctx.actor).and_then(|()| clocks::expire(draft, live)),
        MatchCommand::MoveDeadline { outage, from, to } => by_server(ctx.actor)
            .and_then(|()| clocks::move_deadline(draft, live, *outage, *from, *to)),
        MatchCommand::Remove { player, cause } => match ctx.actor {
            Actor::Admin(_) | Actor::System => leaving::remove(draft, live, *player, *cause),
            _ => Err(MatchRefusal::NotAllowed),
        },
        MatchCommand::Void { reason } => match ctx.actor {
            Actor::Admin(_) | Actor::System => leaving::void(draft, live, reason),
            _ => Err(MatchRefusal::NotAllowed),
        },
        _ => {
            let (Actor::Player(player) | Actor::House(player)) = ctx.actor else {
                return Err(MatchRefusal::NotAllowed);
            };
            by_person(live, player, command, draft)
        }
    }
}

/// Who asks for a place asks for himself.
fn own_guest(command: &MatchCommand, actor: Actor) -> Judged {
    let (MatchCommand::Open { guest, .. }
    | MatchCommand::TakeSeat { guest, .. }
    | MatchCommand::MatchTakeover { guest, .. }) = command
    else {
        return Ok(());
    };
    let own = match (actor, guest.occupant) {
        (Actor::Player(player), Occupant::Player) | (Actor::House(player), Occupant::House) => {
            player == guest.player
        }
        _ => false,
    };
    if own { Ok(()) } else { Err(MatchRefusal::NotAllowed) }
}

/// The log stays in the order of time: what is due happens before anything else is judged (decision L1),
/// and nothing happens before the last event. Who is too late hears so even if the timer did not run yet.
fn in_time(live: &Live, command: &MatchCommand, ctx: &Ctx<'_>) -> Judged {
    if ctx.now < live.last {
        return Err(MatchRefusal::ClockFault);
    }
    let due = live.due().is_some_and(|due| ctx.now >= due);
    match command {
        MatchCommand::Expire | MatchCommand::MoveDeadline { .. } => Ok(()),
        _ if !due => Ok(()),
        _ => match ctx.actor.player() {
            Some(player) if expired(live, player, candidate_command(command), ctx.now) => {
                Err(MatchRefusal::TurnExpired)
            }
            _ => Err(MatchRefusal::ClockFault),
        },
    }
}

fn candidate_command(command: &MatchCommand) -> bool {
    matches!(command, MatchCommand::ConfirmTakeover | MatchCommand::WithdrawTakeover)
}

fn by_server(actor: Actor) -> Judged {
    match actor {
        Actor::Timer | Actor::System => Ok(()),
        Actor::Player(_) | Actor::House(_) | Actor::Admin(_) => Err(MatchRefusal::NotAllowed),
    }
}

fn by_person(
    live: &Live,
    player: PlayerId,
    command: &MatchCommand,
    draft: &mut MatchDraft,
) -> Judged {
    if expired(live, player, candidate_command(command), draft.now()) {
        return Err(MatchRefusal::TurnExpired);
    }
    if live.phase() == Phase::Ended {
        return Err(MatchRefusal::MatchEnded);
    }
    if live.sheet.people.role(player) == Some(Role::Left) {
        return Err(MatchRefusal::LeftMatch);
    }
    let seat = live.seat_of(player);
    if stale(live, seat, command) {
        return Err(MatchRefusal::StaleVersion);
    }
    match command {
        MatchCommand::ConfirmTakeover => return takeover::confirm(draft, live, player),
        MatchCommand::WithdrawTakeover => {
            return takeover::withdraw(draft, live, player, DepartureCause::OwnWill);
        }
        _ => {}
    }
    let seat = seat.ok_or(MatchRefusal::NotSeated)?;
    match (live.phase(), command) {
        (Phase::Assembling, command) => assembling::judge(draft, live, seat, command),
        (
            _,
            MatchCommand::Arrange { .. }
            | MatchCommand::Swap { .. }
            | MatchCommand::Ready { .. }
            | MatchCommand::Unready { .. },
        ) => Err(MatchRefusal::MatchStarted),
        _ if !live.active(seat) => Err(MatchRefusal::SeatEliminated),
        (_, command) => playing(draft, live, seat, command),
    }
}

fn playing(draft: &mut MatchDraft, live: &Live, seat: Seat, command: &MatchCommand) -> Judged {
    match command {
        MatchCommand::Move { from, to, .. } => play::move_piece(draft, live, seat, from, to),
        MatchCommand::Skip { .. } => play::skip(draft, live, seat),
        MatchCommand::OfferDraw => draw_vote::offer(draft, live, seat),
        MatchCommand::VoteDraw { offer, accept } => {
            draw_vote::vote(draft, live, seat, *offer, *accept)
        }
        MatchCommand::Surrender => surrender::personal(draft, live, seat),
        MatchCommand::ProposeTeamSurrender => surrender::propose(draft, live, seat),
        MatchCommand::ConfirmTeamSurrender { proposal } => {
            surrender::confirm(draft, live, seat, *proposal)
        }
        MatchCommand::DeclineTeamSurrender { proposal } => {
            surrender::decline(draft, live, seat, *proposal)
        }
        MatchCommand::WithdrawTeamSurrender { proposal } => {
            surrender::withdraw(draft, live, seat, *proposal)
        }
        MatchCommand::Leave => leaving::leave(draft, live, seat),
        _ => Err(MatchRefusal::NotAllowed),
    }
}

/// Too late: the person timed out in this match, or is on turn past the deadline, or is a candidate whose
/// wait ran out. The answer does not depend on whether the timer ran first (decisions L1, L2).
fn expired(live: &Live, player: PlayerId, candidate_command: bool, now: Time) -> bool {
    let late = live.turn().filter(|turn| now >= turn.deadline);
    match live.sheet.people.role(player) {
        Some(Role::TimedOut) => true,
        Some(Role::Missed) => candidate_command,
        Some(Role::Candidate { .. }) => {
            candidate_command && late.is_some() && live.vacancy().is_some()
        }
        Some(Role::Seated { seat }) => late.is_some_and(|turn| turn.seat == seat),
        _ => false,
    }
}

/// The sender looked at another version: the public one for moves and skips, the seat's private one for
/// the formation.
fn stale(live: &Live, seat: Option<Seat>, command: &MatchCommand) -> bool {
    let (expected, actual) = match command {
        MatchCommand::Move { expected, .. } | MatchCommand::Skip { expected } => {
            (*expected, seat.map(|_| live.sheet.public.version))
        }
        MatchCommand::Arrange { expected, .. }
        | MatchCommand::Swap { expected, .. }
        | MatchCommand::Ready { expected, .. }
        | MatchCommand::Unready { expected } => {
            (*expected, seat.map(|seat| live.sheet.own[seat].version))
        }
        _ => (None, None),
    };
    matches!((expected, actual), (Some(expected), Some(actual)) if expected != actual)
}

/// The seat's person after the start; a command of a seat implies one.
pub(super) fn person_of(live: &Live, seat: Seat) -> Result<super::events::Person, MatchRefusal> {
    live.person(seat).cloned().ok_or(MatchRefusal::NotSeated)
}

/// Joined by takeover: other points at the end.
pub(super) fn by_takeover(joined: Joined) -> bool {
    joined == Joined::Takeover
}
