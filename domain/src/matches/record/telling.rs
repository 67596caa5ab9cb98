//! From the events of a finished match to its complete record. Reads results out of events and decides nothing: the
//! same events and names give the same record.

use super::complete::{
    Chain, Chances, Complete, Kept, Left, Participant, Roll, Rules, Sent, Settled, Setup, Stood,
};
use super::deeds::{Deed, Gone, Move, Shown, Told};
use super::utc::Utc;
use super::{FORMAT, VERSION};
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::position::Position;
use crate::games::siguo::seat::{BySeat, Seat};
use crate::kernel::{Bytes32, Dated, PlayerId, Time};
use crate::matches::events::{
    Action, Departed, Draw, Ended, MatchEvent, Moved, MovedSecret, Occupant, Person,
};
use crate::matches::state::MatchState;

/// The nickname of a player at a revision; none where it was erased.
pub(super) type Names<'a> = &'a dyn Fn(PlayerId, u32) -> Option<String>;

/// Whose nicknames a record of these events needs, each at which revision.
pub fn people(events: &[Dated<MatchEvent>]) -> Vec<(PlayerId, u32)> {
    let mut roster = Vec::new();
    for dated in events {
        match dated.event.action() {
            Some(Action::Started(part)) => {
                let seated = part.seats.iter().filter_map(|(_, person)| person.as_ref());
                roster.extend(seated.map(|person| (person.player, person.nickname)));
            }
            Some(Action::SeatTakenOver(part)) => {
                roster.push((part.person.player, part.person.nickname));
            }
            _ => {}
        }
    }
    roster
}

impl Complete {
    /// The record of a match, from all its events in order, each with the head of the hash chain after it. What
    /// happened after the end is no part of it. `None`: the match still runs, or ended before it started.
    pub fn of<'a>(
        events: impl IntoIterator<Item = (&'a Dated<MatchEvent>, Bytes32)>,
        names: Names<'_>,
    ) -> Option<Self> {
        let mut telling = Telling::default();
        let mut state = MatchState::default();
        for (count, (dated, hash)) in (1..).zip(events) {
            telling.take(&state, dated, names);
            state.evolve(dated);
            if let MatchEvent::Ended(parts) = &dated.event {
                let chain = Chain { events: count, hash };
                return telling.finish(&state, parts.public.as_ref()?, chain, dated.at);
            }
        }
        None
    }
}

#[derive(Default)]
struct Telling {
    events: Vec<Told>,
    roster: Roster,
    seats: Option<BySeat<Setup>>,
    seed: Option<(String, Bytes32, Bytes32)>,
    draws: Vec<Roll>,
}

impl Telling {
    fn take(&mut self, before: &MatchState, dated: &Dated<MatchEvent>, names: Names<'_>) {
        match &dated.event {
            MatchEvent::Opened(parts) => {
                if let (Some(public), Some(facts)) = (&parts.public, &parts.secret.facts) {
                    self.seed = Some((public.draws.clone(), public.commitment, facts.seed));
                }
            }
            MatchEvent::SeatTaken(parts) => {
                if let Some(facts) = &parts.secret.facts {
                    let men = parts.seat.get(facts.seat).map(|part| part.men.as_slice());
                    let men = men.unwrap_or_default().iter().map(|man| man.identity);
                    self.draws.push(roll(&facts.seat_draw, facts.seat, Vec::new()));
                    self.draws.push(roll(&facts.formation_draw, facts.seat, men.collect()));
                }
            }
            MatchEvent::Started(parts) => {
                if let (Some(public), Some(facts)) = (&parts.public, &parts.secret.facts) {
                    self.draws.push(roll(&facts.draw, public.first, Vec::new()));
                    self.seats = before.position().map(setup);
                }
            }
            _ => {}
        }
        self.roster.take(dated, names);
        if let Some(deed) = tell(before.position(), &dated.event) {
            let number = u32::try_from(self.events.len() + 1).unwrap_or(u32::MAX);
            self.events.push(Told { number, at: Utc(dated.at), deed });
        }
    }

    fn finish(self, state: &MatchState, end: &Ended, log: Chain, at: Time) -> Option<Complete> {
        let public = &state.live()?.sheet.public;
        let (algorithm, commitment, seed) = self.seed?;
        Some(Complete {
            format: FORMAT.to_owned(),
            version: VERSION,
            kept: Kept { id: public.match_id, started_at: Utc(public.started?), ended_at: Utc(at) },
            rules: Rules::from(&public.rules),
            seats: self.seats?,
            settlement: settlement(end, &self.roster.0),
            participants: self.roster.in_order(),
            events: self.events,
            outcome: end.outcome,
            draws: Chances { algorithm, commitment, seed, draws: self.draws },
            log,
        })
    }
}

fn roll(draw: &Draw, seat: Seat, formation: Vec<Piece>) -> Roll {
    let nonces = draw.nonces.iter().map(|nonce| Sent { value: nonce.value, by: nonce.by });
    Roll {
        purpose: draw.purpose.clone(),
        algorithm: draw.algorithm.clone(),
        nonces: nonces.collect(),
        choices: draw.choices.clone(),
        seat,
        formation,
    }
}

fn setup(position: &Position) -> BySeat<Setup> {
    BySeat::from_fn(|seat| {
        let pieces = position.pieces(seat).map(|(at, _, piece)| Stood { at, piece });
        Setup { side: seat.side(), pieces: pieces.collect() }
    })
}

/// The lines of a settlement, with the nicknames of those who sit there.
pub(super) fn settlement(end: &Ended, roster: &[Participant]) -> Vec<Settled> {
    let lines = end.lines.iter().map(|line| Settled {
        seat: line.seat,
        player: line.person.player,
        nickname: roster
            .iter()
            .rfind(|one| one.seat == line.seat && one.player == line.person.player)
            .and_then(|one| one.nickname.clone()),
        joined: line.person.joined,
        result: line.result,
        points: line.points,
    });
    lines.collect()
}

/// Who sat where, in the order of time.
#[derive(Default)]
pub(super) struct Roster(pub(super) Vec<Participant>);

impl Roster {
    /// Takes an event in.
    pub(super) fn take(&mut self, dated: &Dated<MatchEvent>, names: Names<'_>) {
        let at = dated.at;
        match dated.event.action() {
            Some(Action::Started(part)) => self.sit_all(&part.seats, at, names),
            Some(Action::PositionPlaced(part)) => self.sit_all(&part.seats, at, names),
            Some(Action::SeatTakenOver(part)) => self.sit(part.seat, &part.person, at, names),
            Some(Action::Left(part)) => self.leave(&part, at, Left::Left),
            Some(Action::TimedOut(part)) => self.leave(&part, at, Left::TimedOut),
            _ => {}
        }
    }

    fn sit_all(&mut self, seats: &BySeat<Option<Person>>, at: Time, names: Names<'_>) {
        for (seat, person) in seats.iter() {
            if let Some(person) = person {
                self.sit(seat, person, at, names);
            }
        }
    }

    fn sit(&mut self, seat: Seat, person: &Person, at: Time, names: Names<'_>) {
        self.0.push(Participant {
            seat,
            player: person.player,
            nickname: names(person.player, person.nickname),
            house: person.occupant == Occupant::House,
            joined: person.joined,
            joined_at: Utc(at),
            left_at: None,
            left_why: None,
        });
    }

    fn leave(&mut self, part: &Departed, at: Time, why: Left) {
        if let Some(one) = self.0.iter_mut().rfind(|one| one.seat == part.seat) {
            (one.left_at, one.left_why) = (Some(Utc(at)), Some(why));
        }
    }

    /// By seat, and in each by time.
    pub(super) fn in_order(mut self) -> Vec<Participant> {
        self.0.sort_by_key(|one| one.seat);
        self.0
    }
}

/// What an event was, on the board as it stood before; `None` for what is not public, and for what is no part of a
/// record.
pub(super) fn tell(before: Option<&Position>, event: &MatchEvent) -> Option<Deed> {
    if let MatchEvent::Moved(parts) = event {
        let (public, facts) = (parts.public.as_ref()?, parts.secret.facts.as_ref()?);
        return Some(Deed::Moved(Box::new(moved(public, facts))));
    }
    Some(match event.action()? {
        Action::Opened(_) => Deed::Opened {},
        Action::SeatTaken(part) => {
            Deed::SeatTaken { taken: part.taken, release: part.release.map(Utc) }
        }
        Action::SeatReleased(part) => Deed::SeatReleased { taken: part.taken, ready: part.ready },
        Action::Ready(part) => Deed::Ready { ready: part.ready },
        Action::ReadyTakenBack(part) => Deed::ReadyTakenBack { ready: part.ready },
        Action::ReleaseMoved(part) => {
            Deed::ReleaseMoved { old_deadline: Utc(part.from), new_deadline: Utc(part.to) }
        }
        Action::Started(part) => Deed::Started { seat: part.first },
        Action::TurnStarted(part) => Deed::TurnStarted {
            turn: part.turn,
            seat: part.seat,
            turn_kind: part.turn_kind,
            deadline: Utc(part.deadline),
        },
        Action::Skipped(part) => {
            Deed::Skipped { turn: part.turn, seat: part.seat, used: part.used }
        }
        Action::DrawOffered(part) => Deed::DrawOffered { offer: part.offer, seat: part.seat },
        Action::DrawVoted(part) => {
            Deed::DrawVoted { offer: part.offer, seat: part.seat, accept: part.accept }
        }
        Action::DrawLapsed(part) => {
            Deed::DrawLapsed { offer: part.offer, seat: part.seat, reason: part.reason }
        }
        Action::DrawAgreed(part) => Deed::DrawAgreed { offer: part.offer, seat: part.seat },
        Action::Surrendered(part) => {
            Deed::Surrendered { seat: part.seat, player: part.person.player }
        }
        Action::TeamSurrenderConfirmed(part) => Deed::TeamSurrenderConfirmed { side: part.side },
        Action::Left(Departed { seat, person, points, turn, .. }) => {
            Deed::Left { seat, player: person.player, turn, points }
        }
        Action::TimedOut(Departed { seat, person, points, turn, .. }) => {
            Deed::TimedOut { seat, player: person.player, turn, points }
        }
        Action::SeatVacated(part) => {
            Deed::SeatVacated { seat: part.seat, player: part.person.player }
        }
        Action::TakeoverWaitOpened(part) => Deed::TakeoverWaitOpened {
            turn: part.turn,
            seat: part.seat,
            deadline: Utc(part.deadline),
        },
        Action::TakeoverWaitExpired(part) => {
            Deed::TakeoverWaitExpired { turn: part.turn, seat: part.seat }
        }
        Action::SeatTakenOver(part) => Deed::SeatTakenOver {
            seat: part.seat,
            player: part.person.player,
            turn: part.turn,
            tenure: part.tenure,
        },
        Action::SeatEliminated(part) => {
            let standing = before.into_iter().flat_map(|position| position.pieces(part.seat));
            let removed = standing.map(|(_, start, piece)| Gone { seat: part.seat, start, piece });
            Deed::SeatEliminated { seat: part.seat, cause: part.cause, removed: removed.collect() }
        }
        Action::DeadlineMoved(part) => Deed::DeadlineMoved {
            turn: part.turn,
            seat: part.seat,
            old_deadline: Utc(part.from),
            new_deadline: Utc(part.to),
        },
        Action::Voided(part) => Deed::Voided { reason: part.reason },
        Action::Ended(_) => Deed::Ended {},
        Action::Moved(_) | Action::RecordExpired(_) | Action::PositionPlaced(_) => return None,
    })
}

fn moved(public: &Moved, facts: &MovedSecret) -> Move {
    let gone = |seat: Seat, start: Pos, piece| Gone { seat, start, piece };
    let attacker = public.outcome.takes_attacker();
    let attacker = attacker.then(|| gone(public.seat, public.piece, facts.attacker));
    let met = public.met.as_ref().zip(facts.defender).filter(|_| public.outcome.takes_defender());
    let defender = met.map(|(met, piece)| gone(met.seat, met.piece, piece));
    let revealed = public.revealed.iter().map(|flag| Shown { seat: flag.seat, at: flag.at });
    Move {
        turn: public.turn,
        seat: public.seat,
        start: public.piece,
        from: public.from,
        to: public.to,
        route: public.route.clone(),
        outcome: public.outcome,
        attacker: facts.attacker,
        defender: facts.defender,
        removed: attacker.into_iter().chain(defender).collect(),
        revealed: revealed.collect(),
        captured: public.captured,
    }
}
