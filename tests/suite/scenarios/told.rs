//! Events and states in the words of the vectors, so that they can be compared with what is expected.

use super::model::{Names, seconds};
use serde_json::{Map, Value, json};
use yibu_domain::games::siguo::seat::{Seat, Side};
use yibu_domain::kernel::{Dated, MatchId, PlayerId};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Action, Man, Outcome, Person};
use yibu_domain::matches::view::Phase;
use yibu_domain::matches::{Live, MatchState};

/// An event with the match that it belongs to.
pub struct Happened {
    pub game: MatchId,
    pub event: Dated<MatchEvent>,
}

fn formation(men: &[Man]) -> Value {
    let men = men.iter();
    men.map(|man| (man.piece.to_string(), json!(man.identity))).collect::<Map<_, _>>().into()
}

fn person(names: &Names, person: &Person) -> Value {
    json!(names.name(person.player.0))
}

/// The event as the vectors tell it; `None` for what they do not know.
pub fn event(names: &Names, happened: &Happened) -> Option<Value> {
    let mut told = match &happened.event.event {
        MatchEvent::SeatTaken(parts) => {
            let (seat, part) = parts.seat.iter().next()?;
            json!({"kind": "seat_taken", "seat": seat, "person": person(names, &part.person),
                "formation": formation(&part.men)})
        }
        MatchEvent::FormationArranged(parts) => {
            let (seat, part) = parts.seat.iter().next()?;
            json!({"kind": "formation_arranged", "seat": seat, "formation": formation(&part.men)})
        }
        MatchEvent::Ready(parts) => json!({"kind": "ready", "seat": parts.seat.iter().next()?.0}),
        MatchEvent::ReadyTakenBack(parts) => {
            json!({"kind": "ready_taken_back", "seat": parts.seat.iter().next()?.0})
        }
        MatchEvent::SeatReleased(parts) => {
            let facts = parts.secret.facts.as_ref()?;
            json!({"kind": "seat_released", "seat": facts.seat, "person": person(names, &facts.person)})
        }
        MatchEvent::TeamSurrenderProposed(parts) => {
            let (side, part) = of_side(|side| parts.side.get(side))?;
            json!({"kind": "team_surrender_proposed", "side": side, "seat": part.seat})
        }
        MatchEvent::TeamSurrenderEnded(parts) => {
            let (side, part) = of_side(|side| parts.side.get(side))?;
            json!({"kind": "team_surrender_ended", "side": side, "reason": part.reason})
        }
        MatchEvent::CandidateMatched(parts) => {
            let facts = parts.secret.facts.as_ref()?;
            json!({"kind": "candidate_matched", "seat": facts.seat, "person": person(names, &facts.person)})
        }
        MatchEvent::CandidateWithdrew(parts) => {
            json!({"kind": "candidate_withdrew", "person": person(names, &parts.secret.facts.as_ref()?.person)})
        }
        MatchEvent::CandidateLost(parts) => {
            json!({"kind": "candidate_lost", "person": person(names, &parts.secret.facts.as_ref()?.person)})
        }
        MatchEvent::Moved(parts) => {
            let (part, facts) = (parts.public.as_ref()?, parts.secret.facts.as_ref()?);
            let revealed: Vec<Value> =
                part.revealed.iter().map(|flag| json!([flag.seat, flag.at])).collect();
            json!({"kind": "moved", "seat": part.seat, "from": part.from, "to": part.to,
                "route": part.route, "outcome": part.outcome, "attacker": facts.attacker,
                "defender": facts.defender, "revealed": revealed})
        }
        MatchEvent::TeamSurrenderConfirmed(parts) => {
            let (side, part) = of_side(|side| parts.side.get(side))?;
            json!({"kind": "team_surrender_confirmed", "side": side, "seat": part.seat})
        }
        other => action(names, &other.action()?)?,
    };
    let fields = told.as_object_mut()?;
    fields.insert("match".to_owned(), json!(names.name(happened.game.0)));
    fields.insert("at".to_owned(), seconds(happened.event.at));
    Some(told)
}

fn of_side<'a, T>(part: impl Fn(Side) -> Option<&'a T>) -> Option<(Side, &'a T)> {
    Side::ALL.into_iter().find_map(|side| Some((side, part(side)?)))
}

fn action(names: &Names, action: &Action) -> Option<Value> {
    Some(match action {
        Action::Opened(_) => json!({"kind": "match_opened"}),
        Action::Started(part) => json!({"kind": "started", "first": part.first}),
        Action::TurnStarted(part) => json!({"kind": "turn_started", "seat": part.seat,
            "turn_kind": part.turn_kind, "deadline": seconds(part.deadline)}),
        Action::Skipped(part) => json!({"kind": "skipped", "seat": part.seat, "used": part.used}),
        Action::DrawOffered(part) => json!({"kind": "draw_offered", "seat": part.seat}),
        Action::DrawVoted(part) => {
            json!({"kind": "draw_voted", "seat": part.seat, "accept": part.accept})
        }
        Action::DrawLapsed(part) => {
            json!({"kind": "draw_lapsed", "seat": part.seat, "reason": part.reason})
        }
        Action::DrawAgreed(part) => json!({"kind": "draw_agreed", "seat": part.seat}),
        Action::Surrendered(part) => {
            json!({"kind": "surrendered", "seat": part.seat, "person": person(names, &part.person)})
        }
        Action::SeatEliminated(part) => {
            json!({"kind": "seat_eliminated", "seat": part.seat, "cause": part.cause})
        }
        Action::Left(part) => json!({"kind": "left", "seat": part.seat,
            "person": person(names, &part.person), "points": part.points}),
        Action::TimedOut(part) => json!({"kind": "timed_out", "seat": part.seat,
            "person": person(names, &part.person), "points": part.points}),
        Action::SeatVacated(part) => json!({"kind": "seat_vacated", "seat": part.seat}),
        Action::TakeoverWaitOpened(part) => json!({"kind": "takeover_wait_opened",
            "seat": part.seat, "deadline": seconds(part.deadline)}),
        Action::TakeoverWaitExpired(part) => {
            json!({"kind": "takeover_wait_expired", "seat": part.seat})
        }
        Action::SeatTakenOver(part) => json!({"kind": "seat_taken_over", "seat": part.seat,
            "person": person(names, &part.person)}),
        Action::DeadlineMoved(part) => json!({"kind": "deadline_moved", "seat": part.seat,
            "from": seconds(part.from), "to": seconds(part.to)}),
        Action::Ended(part) => {
            let lines: Vec<Value> = part
                .lines
                .iter()
                .map(|line| {
                    json!({"person": person(names, &line.person), "seat": line.seat,
                        "points": line.points, "result": line.result})
                })
                .collect();
            json!({"kind": "ended", "outcome": outcome(&part.outcome), "lines": lines})
        }
        _ => return None,
    })
}

/// The state as the vectors tell it at an instant.
pub fn state(names: &Names, state: &MatchState) -> Value {
    let live = state.live().expect("the match exists");
    let public = &live.sheet.public;
    let turn = public.turn.as_ref().map(
        |turn| json!({"seat": turn.seat, "kind": turn.kind, "deadline": seconds(turn.deadline)}),
    );
    let seats: Map<String, Value> =
        Seat::ALL.into_iter().map(|at| (at.to_string(), seat(names, live, at))).collect();
    let offer =
        public.draw.as_ref().map(|draw| json!({"seat": draw.seat, "accepted": draw.accepted}));
    let proposals = Side::ALL.into_iter().filter_map(|side| {
        let mut seats = side.seats().into_iter();
        let open = seats.find_map(|seat| live.sheet.own[seat].proposal.clone())?;
        Some((json!(side).as_str()?.to_owned(), json!(open.seat)))
    });
    let mut candidates: Vec<&str> =
        live.sheet.people.candidates.iter().map(|person| names.name(person.player.0)).collect();
    candidates.sort_unstable();
    json!({"phase": public.phase, "turn": turn, "seats": seats, "draw_offer": offer,
        "team_surrender": proposals.collect::<Map<_, _>>(), "candidates": candidates,
        "outcome": public.outcome.as_ref().map(outcome)})
}

fn seat(names: &Names, live: &Live, seat: Seat) -> Value {
    let own = &live.sheet.own[seat];
    let ready = (live.phase() == Phase::Assembling).then_some(own.ready);
    let view = &live.sheet.public.seats[seat];
    json!({"person": live.person(seat).map(|p| person(names, p)), "active": view.active,
        "ready": ready, "skips": view.skips_used})
}

/// The formation that the player's seat has stored.
pub fn stored_formation(live: &Live, player: PlayerId) -> Option<Value> {
    let seat = live.seat_of(player)?;
    Some(formation(&live.sheet.own[seat].men))
}

/// The vectors do not say how a draw came about.
fn outcome(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Draw { .. } => json!({"kind": "draw"}),
        other => json!(other),
    }
}
