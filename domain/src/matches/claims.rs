//! The cross-stream claims of a match, derived from its events and from nothing else, so that they can be
//! rebuilt from the log. House players are never counted.

use super::events::{Joined, MatchEvent, Occupant, Person};
use crate::kernel::{Claim, Counter};

fn counter(person: &Person) -> Option<Counter> {
    match (person.occupant, person.joined) {
        (Occupant::House, _) => None,
        (Occupant::Player, Joined::Full) => Some(Counter::Full),
        (Occupant::Player, Joined::Takeover) => Some(Counter::Takeover),
    }
}

fn take(person: &Person) -> Option<Claim> {
    Some(Claim::Take { counter: counter(person)?, player: person.player })
}

fn release(person: &Person) -> Option<Claim> {
    Some(Claim::Release { counter: counter(person)?, player: person.player })
}

/// What this event claims.
pub(super) fn claims(event: &MatchEvent) -> Vec<Claim> {
    match event {
        MatchEvent::SeatTaken(parts) => {
            parts.seat.iter().filter_map(|(_, part)| take(&part.person)).collect()
        }
        MatchEvent::SeatReleased(parts) => {
            parts.secret.facts.iter().filter_map(|facts| release(&facts.person)).collect()
        }
        MatchEvent::Left(parts) | MatchEvent::TimedOut(parts) => {
            parts.public.iter().filter_map(|part| release(&part.person)).collect()
        }
        MatchEvent::SeatEliminated(parts) => {
            let person = parts.public.as_ref().and_then(|part| part.person.as_ref());
            person.and_then(release).into_iter().collect()
        }
        MatchEvent::SeatTakenOver(parts) => {
            parts.public.iter().filter_map(|part| take(&part.person)).collect()
        }
        MatchEvent::Ended(parts) => {
            let freed = parts.secret.facts.iter().flat_map(|facts| &facts.freed);
            freed.filter_map(|freed| release(&freed.person)).collect()
        }
        MatchEvent::CandidateMatched(parts) => parts
            .secret
            .facts
            .iter()
            .flat_map(|facts| {
                let player = facts.person.player;
                let key = format!("chance/{}/{player}", facts.match_id);
                let room = counter(&facts.person);
                let room = room.map(|counter| Claim::Room { counter, player });
                room.into_iter().chain([Claim::Unique { key }])
            })
            .collect(),
        MatchEvent::PositionPlaced(parts) => {
            let part = parts.public.iter();
            let seats = part.flat_map(|part| {
                part.seats.iter().filter(|(seat, _)| !part.eliminated.contains(seat))
            });
            seats.filter_map(|(_, person)| take(person.as_ref()?)).collect()
        }
        _ => Vec::new(),
    }
}
