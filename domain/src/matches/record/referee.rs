//! A complete record judged again: every deed is asked of the decider itself, and must bring what the record tells.
//! Stops at the first contradiction; what came before it stands. Never trusts a result of the record.

use super::complete::{Complete, Participant};
use super::deeds::{Deed, Told};
use super::telling::{Roster, settlement, tell};
use super::verdict::{Contradiction, Why};
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::{BySeat, Seat};
use crate::kernel::{Actor, Ctx, Dated, Decider, Dice, OutageId, PlayerId, Time};
use crate::matches::commands::{Choice, Guest, MatchCommand, Placement};
use crate::matches::events::{Ended, Joined, MatchEvent, Occupant, Person, TurnKind};
use crate::matches::refusal::MatchRefusal;
use crate::matches::{Match, MatchState};
use std::collections::VecDeque;

/// A record as it is played through, event by event.
pub struct Playback<'a> {
    record: &'a Complete,
    state: MatchState,
    /// Decided and not yet told by the record.
    due: VecDeque<Dated<MatchEvent>>,
    roster: Roster,
    done: usize,
    ended: bool,
    stopped: Option<Contradiction>,
}

type Judged = Result<(), (Why, String)>;

impl<'a> Playback<'a> {
    /// At the initial position.
    pub fn new(record: &'a Complete) -> Self {
        Self {
            record,
            state: MatchState::default(),
            due: VecDeque::new(),
            roster: Roster::default(),
            done: 0,
            ended: false,
            stopped: None,
        }
    }

    /// How many events are played.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The last event that was played.
    pub fn last(&self) -> Option<&'a Told> {
        self.record.events.get(self.done.checked_sub(1)?)
    }

    /// What stands on a position now.
    pub fn look(&self, at: Pos) -> Option<(Seat, Option<Piece>)> {
        match self.state.position() {
            Some(position) => Some((position.owner(at)?, position.piece(at))),
            None => self.record.seats.iter().find_map(|(seat, setup)| {
                let found = setup.pieces.iter().find(|stood| stood.at == at)?;
                Some((seat, Some(found.piece)))
            }),
        }
    }

    /// Plays the next event. `false`: there is none left, and the match is over.
    ///
    /// # Errors
    /// The first contradiction, and the same again from then on.
    pub fn step(&mut self) -> Result<bool, Contradiction> {
        if let Some(stopped) = &self.stopped {
            return Err(stopped.clone());
        }
        let told = self.record.events.get(self.done);
        let judged = match told {
            Some(told) => self.judge(told),
            None if self.ended => return Ok(false),
            None => Err((Why::Unfinished, "the end".to_owned())),
        };
        match judged {
            Ok(()) => {
                self.done += 1;
                Ok(true)
            }
            Err((why, at)) => {
                let contradiction = Contradiction { event: self.done + 1, at, why };
                self.stopped = Some(contradiction.clone());
                Err(contradiction)
            }
        }
    }

    /// Plays on to the end.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn play(&mut self) -> Result<(), Contradiction> {
        while self.step()? {}
        Ok(())
    }

    fn judge(&mut self, told: &Told) -> Judged {
        let place = || told.deed.place();
        if self.ended {
            return Err((Why::AfterEnd, place()));
        }
        if usize::try_from(told.number).ok() != Some(self.done + 1) {
            return Err((Why::OutOfOrder, format!("number {}", told.number)));
        }
        if self.state.live().is_none() {
            return self.before_start(told);
        }
        if self.due.is_empty() {
            self.act(told)?;
        }
        self.settle_unseen();
        let Some(next) = self.due.front() else { return Err((Why::OutOfPlace, place())) };
        if next.at != told.at.0 {
            return Err((Why::OutOfOrder, format!("at {}", told.at)));
        }
        let deed = tell(self.state.position(), &next.event);
        if deed.as_ref() != Some(&told.deed) {
            let why = deed.map_or(Why::OutOfPlace, |deed| deed.differs(&told.deed));
            return Err((why, place()));
        }
        if let MatchEvent::Ended(parts) = &next.event
            && let Some(end) = parts.public.clone()
        {
            self.end(&end)?;
        }
        self.evolve();
        self.settle_unseen();
        Ok(())
    }

    /// What nobody is told of changes the state all the same.
    fn settle_unseen(&mut self) {
        while self.due.front().is_some_and(|next| !next.event.is_public()) {
            self.evolve();
        }
    }

    fn evolve(&mut self) {
        if let Some(dated) = self.due.pop_front() {
            self.roster.take(&dated, &|_, _| None);
            self.state.evolve(&dated);
        }
    }

    fn before_start(&mut self, told: &Told) -> Judged {
        match &told.deed {
            Deed::Opened {}
            | Deed::SeatTaken { .. }
            | Deed::SeatReleased { .. }
            | Deed::Ready { .. }
            | Deed::ReadyTakenBack { .. }
            | Deed::ReleaseMoved { .. } => Ok(()),
            Deed::Started { seat } => {
                if told.at != self.record.kept.started_at {
                    return Err((Why::OutOfOrder, format!("at {}", told.at)));
                }
                self.start(*seat, told.at.0)
            }
            other => Err((Why::OutOfPlace, other.place())),
        }
    }

    fn start(&mut self, first: Seat, at: Time) -> Judged {
        let record = self.record;
        let men = record.seats.iter().flat_map(|(seat, setup)| {
            setup.pieces.iter().map(move |stood| (stood.at, seat, stood.piece))
        });
        let placement = Placement {
            match_id: record.kept.id,
            rules: record.rules.rule_set(),
            seed: record.draws.seed,
            seats: BySeat::from_fn(|seat| record.sat(seat).next().map(person)),
            eliminated: Vec::new(),
            men: men.collect(),
            turn: first,
            turn_kind: TurnKind::Normal,
        };
        self.decide(&MatchCommand::Place(Box::new(placement)), Actor::System, at)
            .map_err(|_| (Why::OutOfPlace, "started".to_owned()))?;
        // The opening and the placement stand for everything that came before the start.
        self.evolve();
        self.evolve();
        Ok(())
    }

    /// Asks the decider for what the record says was done.
    fn act(&mut self, told: &Told) -> Judged {
        let at = told.at.0;
        let command = match &told.deed {
            Deed::Moved(part) => {
                let position = self.state.position();
                if position.and_then(|position| position.owner(part.from)) != Some(part.seat) {
                    return Err((Why::NotAPiece, part.from.to_string()));
                }
                let (from, to) = (part.from.to_string(), part.to.to_string());
                (self.sitting(part.seat)?, MatchCommand::Move { from, to, expected: None })
            }
            Deed::Skipped { seat, .. } => {
                (self.sitting(*seat)?, MatchCommand::Skip { expected: None })
            }
            Deed::DrawOffered { seat, .. } => (self.sitting(*seat)?, MatchCommand::OfferDraw),
            Deed::DrawVoted { offer, seat, accept } => {
                let command = MatchCommand::VoteDraw { offer: Some(*offer), accept: *accept };
                (self.sitting(*seat)?, command)
            }
            Deed::Surrendered { seat, .. } => (self.sitting(*seat)?, MatchCommand::Surrender),
            Deed::TeamSurrenderConfirmed { side } => {
                // Who proposed is the side's own affair; it comes to the same.
                let [proposer, confirmer] = side.seats();
                let (proposer, confirmer) = (self.sitting(proposer)?, self.sitting(confirmer)?);
                self.ask(&MatchCommand::ProposeTeamSurrender, proposer, told)?;
                self.settle_unseen();
                (confirmer, MatchCommand::ConfirmTeamSurrender { proposal: None })
            }
            Deed::Left { seat, .. } => (self.sitting(*seat)?, MatchCommand::Leave),
            Deed::TimedOut { .. } | Deed::TakeoverWaitExpired { .. } => {
                (Actor::Timer, MatchCommand::Expire)
            }
            Deed::SeatTakenOver { seat, player, .. } => {
                let guest = self.newcomer(*seat, *player)?;
                let actor = actor(guest.player, guest.occupant == Occupant::House);
                let choices = Choice::default();
                self.ask(&MatchCommand::MatchTakeover { guest, choices }, actor, told)?;
                self.settle_unseen();
                (actor, MatchCommand::ConfirmTakeover)
            }
            Deed::DeadlineMoved { old_deadline, new_deadline, .. } => {
                let length = new_deadline.0 - old_deadline.0;
                let from = old_deadline.0.min(at - length);
                let number = u128::try_from(self.done).unwrap_or_default();
                let outage = OutageId(uuid::Uuid::from_u128(number));
                let command = MatchCommand::MoveDeadline { outage, from, to: from + length };
                (Actor::System, command)
            }
            Deed::Voided { reason } => {
                (Actor::System, MatchCommand::Void { reason: reason.clone() })
            }
            other => return Err((Why::OutOfPlace, other.place())),
        };
        self.ask(&command.1, command.0, told)
    }

    fn ask(&mut self, command: &MatchCommand, actor: Actor, told: &Told) -> Judged {
        self.decide(command, actor, told.at.0).map_err(|refusal| {
            let why = match refusal {
                MatchRefusal::NotYourTurn => Why::NotItsTurn,
                MatchRefusal::IllegalMove => Why::Illegal,
                MatchRefusal::NotSeated | MatchRefusal::LeftMatch | MatchRefusal::NoVacancy => {
                    Why::WrongPerson
                }
                MatchRefusal::MatchEnded => Why::AfterEnd,
                MatchRefusal::ClockFault | MatchRefusal::TurnExpired => Why::OutOfOrder,
                _ => Why::OutOfPlace,
            };
            (why, format!("{}, {}", told.deed.place(), refusal.code()))
        })
    }

    fn decide(
        &mut self,
        command: &MatchCommand,
        actor: Actor,
        now: Time,
    ) -> Result<(), MatchRefusal> {
        // No command of a match that runs leaves anything to chance.
        let mut dice = Dice::seeded([0; 32]);
        let events = Match::decide(&self.state, command, &mut Ctx { now, actor, dice: &mut dice })?;
        self.due.extend(events.into_iter().map(|event| Dated { at: now, event }));
        Ok(())
    }

    /// The person who sits there now.
    fn sitting(&self, seat: Seat) -> Result<Actor, (Why, String)> {
        let person = self.state.live().and_then(|live| live.person(seat));
        let person = person.ok_or_else(|| (Why::WrongPerson, format!("seat {seat}")))?;
        Ok(actor(person.player, person.occupant == Occupant::House))
    }

    /// Who takes the seat over, by the list of participants.
    fn newcomer(&self, seat: Seat, player: PlayerId) -> Result<Guest, (Why, String)> {
        let before = self.roster.0.iter().filter(|one| one.seat == seat).count();
        let next = self.record.sat(seat).nth(before).filter(|one| one.player == player);
        let next = next.ok_or_else(|| (Why::WrongPerson, format!("seat {seat}")))?;
        let Person { player, occupant, nickname, .. } = person(next);
        Ok(Guest { player, occupant, nickname })
    }

    /// What the record says of the whole match must be what came of it.
    fn end(&mut self, end: &Ended) -> Judged {
        let record = self.record;
        let at = record.events.get(self.done).map(|told| told.at);
        if record.outcome != end.outcome || at != Some(record.kept.ended_at) {
            return Err((Why::WrongEnd, "outcome".to_owned()));
        }
        let nameless = |one: &Participant| Participant { nickname: None, ..one.clone() };
        let roster = Roster(self.roster.0.clone()).in_order();
        if !roster.iter().eq(record.participants.iter().map(nameless).collect::<Vec<_>>().iter()) {
            return Err((Why::WrongPerson, "participants".to_owned()));
        }
        if settlement(end, &record.participants) != record.settlement {
            return Err((Why::WrongSettlement, "settlement".to_owned()));
        }
        self.ended = true;
        Ok(())
    }
}

fn person(one: &Participant) -> Person {
    let occupant = if one.house { Occupant::House } else { Occupant::Player };
    // Which revision of the nickname it was is not told, and nothing rests on it.
    Person { player: one.player, occupant, joined: Joined::Full, nickname: 0 }
}

fn actor(player: PlayerId, house: bool) -> Actor {
    if house { Actor::House(player) } else { Actor::Player(player) }
}
