//! A match by those who took part in it. Folded from public events; why an account had to go is not among them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use yibu_domain::games::siguo::seat::BySeat;
use yibu_domain::kernel::{Dated, PlayerId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Departed, Ended, MatchResult, Occupant, Outcome, Person};

/// How somebody parted from a running match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parted {
    /// Left.
    Left,
    /// Timed out.
    TimedOut,
}

/// Somebody who took part: sat there after the start. Candidates did not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Participant {
    /// Who, with the revision of the nickname then, joined before the start or by takeover.
    pub person: Person,
    /// From when: the start or the takeover.
    pub since: Time,
    /// When and how they parted before the end.
    pub parted: Option<(Time, Parted)>,
    /// What the match was for them, where they sat there at its end.
    pub result: Option<MatchResult>,
    /// What they got for it, at parting or at the end.
    pub points: i32,
}

/// A match in memory, and as stored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) retention: Span,
    pub(super) started: Option<Time>,
    pub(super) ended: Option<Time>,
    pub(super) outcome: Option<Outcome>,
    pub(super) expired: bool,
    pub(super) seats: BySeat<Vec<Participant>>,
}

impl Record {
    /// Whether an event of this kind says anything about who takes part.
    pub(super) fn follows(event: &MatchEvent) -> bool {
        matches!(
            event,
            MatchEvent::Opened(_)
                | MatchEvent::Started(_)
                | MatchEvent::PositionPlaced(_)
                | MatchEvent::SeatTakenOver(_)
                | MatchEvent::Left(_)
                | MatchEvent::TimedOut(_)
                | MatchEvent::Ended(_)
                | MatchEvent::RecordExpired(_)
        )
    }

    /// Takes an event in; those that it does not follow change nothing.
    pub(super) fn apply(&mut self, event: &Dated<MatchEvent>) {
        let at = event.at;
        match &event.event {
            MatchEvent::Opened(parts) => {
                self.retention =
                    parts.public.as_ref().map(|part| part.rules.retention).unwrap_or_default();
            }
            MatchEvent::Started(parts) => {
                if let Some(part) = &parts.public {
                    self.start(&part.seats, at);
                }
            }
            MatchEvent::PositionPlaced(parts) => {
                if let Some(part) = &parts.public {
                    self.start(&part.seats, at);
                }
            }
            MatchEvent::SeatTakenOver(parts) => {
                if let Some(part) = &parts.public {
                    self.seats[part.seat].push(joined(&part.person, at));
                }
            }
            MatchEvent::Left(parts) => {
                if let Some(part) = &parts.public {
                    self.part(part, at, Parted::Left);
                }
            }
            MatchEvent::TimedOut(parts) => {
                if let Some(part) = &parts.public {
                    self.part(part, at, Parted::TimedOut);
                }
            }
            MatchEvent::Ended(parts) => {
                if let Some(part) = parts.public.as_ref().filter(|_| self.started.is_some()) {
                    self.end(part, at);
                }
            }
            MatchEvent::RecordExpired(_) => self.expired = true,
            _ => {}
        }
    }

    fn start(&mut self, seats: &BySeat<Option<Person>>, at: Time) {
        self.started = Some(at);
        self.seats =
            BySeat::from_fn(|seat| seats[seat].iter().map(|person| joined(person, at)).collect());
    }

    fn part(&mut self, part: &Departed, at: Time, how: Parted) {
        if let Some(last) = self.seats[part.seat].last_mut() {
            last.parted = Some((at, how));
            last.points = part.points;
        }
    }

    fn end(&mut self, part: &Ended, at: Time) {
        self.ended = Some(at);
        self.outcome = Some(part.outcome);
        for line in &part.lines {
            if let Some(last) = self.seats[line.seat].last_mut() {
                last.result = Some(line.result);
                last.points = line.points;
            }
        }
    }

    /// When the players' retention is over.
    pub(super) fn expires(&self) -> Option<Time> {
        self.ended.map(|ended| ended + self.retention)
    }

    /// Those in whose lists the match stands now, with its end; house players have no lists.
    pub(super) fn listed(&self) -> BTreeSet<PlayerId> {
        if self.ended.is_none() || self.expired {
            return BTreeSet::new();
        }
        let everybody = self.seats.iter().flat_map(|(_, participants)| participants);
        let players = everybody.filter(|one| one.person.occupant == Occupant::Player);
        players.map(|one| one.person.player).collect()
    }
}

fn joined(person: &Person, since: Time) -> Participant {
    Participant { person: person.clone(), since, parted: None, result: None, points: 0 }
}
