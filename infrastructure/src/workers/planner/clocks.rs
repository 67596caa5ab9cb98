//! Whom the running clock of a match concerns, and what each of them notes when it changes. Pure: no rows, no time of
//! its own.

use crate::accounts::reminders::Call;
use std::collections::{BTreeMap, BTreeSet};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Dated, MatchId, PlayerId, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::TurnKind;
use yibu_domain::matches::view::{Phase, Role, Sheet};
use yibu_domain::reminders::{Happening, TurnRef};

/// A clock that runs for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ticking {
    pub(super) turn: u32,
    kind: TurnKind,
    pub(super) since: Time,
    pub(super) deadline: Time,
}

impl Ticking {
    pub(super) fn name(&self, match_id: MatchId) -> TurnRef {
        TurnRef { match_id, turn: self.turn }
    }

    /// What it calls for.
    pub(super) fn call(&self) -> Call {
        if self.kind == TurnKind::Vacant { Call::Wait(self.turn) } else { Call::Turn(self.turn) }
    }

    pub(super) fn started(&self, match_id: MatchId) -> Happening {
        Happening::Started { match_id, turn: self.turn, kind: self.kind, deadline: self.deadline }
    }
}

/// Takes an event into what is known of its match. Boards are nobody's business here.
pub(super) fn advance(sheet: &mut Sheet, event: &Dated<MatchEvent>) {
    sheet.apply(event);
    sheet.forget_board();
    // The turn is over with the move, and not only when the next one starts.
    if matches!(event.event, MatchEvent::Moved(_) | MatchEvent::Skipped(_)) {
        sheet.public.turn = None;
    }
}

/// Who sits where, eliminated or not.
pub(super) fn seated(sheet: &Sheet) -> impl Iterator<Item = (Seat, PlayerId)> {
    let assembling = sheet.public.phase == Phase::Assembling;
    Seat::ALL.into_iter().filter_map(move |seat| {
        let before = sheet.own[seat].person.as_ref().filter(|_| assembling);
        let person = before.or(sheet.public.seats[seat].person.as_ref())?;
        Some((seat, person.player))
    })
}

/// Who really took part: everybody who sat there after the start.
pub(super) fn partakers(sheet: &Sheet) -> impl Iterator<Item = PlayerId> {
    let started = sheet.public.started.is_some();
    let roles = sheet.people.roles.iter().filter(move |_| started);
    let took_part = |role: &Role| matches!(role, Role::Seated { .. } | Role::Left | Role::TimedOut);
    roles.filter(move |(_, role)| took_part(role)).map(|(player, _)| *player)
}

/// Open candidates.
pub(super) fn candidates(sheet: &Sheet) -> Vec<PlayerId> {
    sheet.people.candidates.iter().map(|person| person.player).collect()
}

/// Whom the clock that runs concerns: whoever is on turn; a takeover wait all who sit there, and open candidates.
pub(super) fn concerned(sheet: &Sheet) -> BTreeMap<PlayerId, Ticking> {
    let Some(turn) = &sheet.public.turn else { return BTreeMap::new() };
    let (kind, since, deadline) = (turn.kind, turn.since, turn.deadline);
    let ticking = Ticking { turn: turn.number, kind, since, deadline };
    let waits = kind == TurnKind::Vacant;
    let on_turn = |seat: Seat| seat == turn.seat && sheet.public.seats[seat].active;
    let mut whom: BTreeMap<_, _> = seated(sheet)
        .filter(|(seat, _)| waits || on_turn(*seat))
        .map(|(_, player)| (player, ticking))
        .collect();
    if waits {
        whom.extend(candidates(sheet).into_iter().map(|player| (player, ticking)));
    }
    whom
}

/// What each person notes of an event, by whom the clock concerned before it and whom it concerns now.
pub(super) fn happenings(
    match_id: MatchId,
    event: &MatchEvent,
    before: &BTreeMap<PlayerId, Ticking>,
    after: &BTreeMap<PlayerId, Ticking>,
) -> Vec<(PlayerId, Happening)> {
    let timed_out = match event {
        MatchEvent::TimedOut(parts) => parts.public.as_ref().map(|part| part.person.player),
        _ => None,
    };
    let all: BTreeSet<_> = before.keys().chain(after.keys()).copied().collect();
    let note = |player: PlayerId| match (before.get(&player), after.get(&player)) {
        (Some(old), Some(new)) if old.turn == new.turn => {
            let deadline = new.deadline;
            (old.deadline != deadline).then_some(Happening::DeadlineMoved { match_id, deadline })
        }
        (_, Some(new)) => Some(new.started(match_id)),
        (Some(_), None) if timed_out == Some(player) => Some(Happening::TimedOut { match_id }),
        (Some(_), None) => Some(Happening::Ended { match_id }),
        (None, None) => None,
    };
    all.into_iter().filter_map(|player| Some((player, note(player)?))).collect()
}
