//! A match as reminders see it: which clock runs and whom it concerns, and the marks that follow. Knows no board.
//! House players need no reminder and do not stand here.

use serde::{Deserialize, Serialize};
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::{MatchId, PlayerId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Occupant, Person, TurnKind};

/// A running clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Running {
    /// Ordinal of the clock in the match.
    pub turn: u32,
    /// Which seat is on turn.
    pub seat: Seat,
    /// A turn, the first move after a takeover, or the takeover wait.
    pub kind: TurnKind,
    /// When it started.
    pub started: Time,
    /// When it runs out; outages have moved it already.
    pub deadline: Time,
}

/// What an instant means for a clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MarkKind {
    /// The person's turn starts; the wait of a normal mail is counted from here.
    Started,
    /// Four hours left.
    FourHours,
    /// One hour left.
    OneHour,
    /// The person's turn runs out.
    Deadline,
}

/// An instant at which a running clock may concern a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// When.
    pub due: Time,
    /// What then.
    pub kind: MarkKind,
    /// In which match.
    pub match_id: MatchId,
    /// Whom it concerns.
    pub player: PlayerId,
    /// Ordinal of the clock in the match.
    pub turn: u32,
    /// Which clock.
    pub turn_kind: TurnKind,
    /// When the clock runs out.
    pub deadline: Time,
}

/// A match in memory, and as stored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Table {
    pub(super) clock: Option<Running>,
    pub(super) seats: BySeat<Option<PlayerId>>,
    pub(super) candidates: Vec<PlayerId>,
}

/// Whom a reminder could reach.
fn reached(person: &Person) -> Option<PlayerId> {
    (person.occupant == Occupant::Player).then_some(person.player)
}

impl Table {
    /// Takes an event in.
    pub(super) fn apply(&mut self, event: &MatchEvent, at: Time) {
        match event {
            MatchEvent::Started(parts) => {
                if let Some(part) = &parts.public {
                    self.sit(&part.seats);
                }
            }
            MatchEvent::PositionPlaced(parts) => {
                if let Some(part) = &parts.public {
                    self.sit(&part.seats);
                }
            }
            MatchEvent::TurnStarted(parts) => {
                self.clock = parts.public.as_ref().map(|part| Running {
                    turn: part.turn,
                    seat: part.seat,
                    kind: part.turn_kind,
                    started: at,
                    deadline: part.deadline,
                });
            }
            MatchEvent::TakeoverWaitOpened(parts) => {
                self.clock = parts.public.as_ref().map(|part| Running {
                    turn: part.turn,
                    seat: part.seat,
                    kind: TurnKind::Vacant,
                    started: at,
                    deadline: part.deadline,
                });
            }
            MatchEvent::DeadlineMoved(parts) => {
                if let (Some(clock), Some(part)) = (&mut self.clock, &parts.public) {
                    clock.deadline = part.to;
                }
            }
            MatchEvent::Moved(_) | MatchEvent::Skipped(_) => self.clock = None,
            MatchEvent::Left(parts) | MatchEvent::TimedOut(parts) => {
                if let Some(part) = &parts.public {
                    self.seats[part.seat] = None;
                }
            }
            MatchEvent::CandidateMatched(parts) => {
                self.candidates
                    .extend(parts.secret.facts.iter().filter_map(|f| reached(&f.person)));
            }
            MatchEvent::CandidateWithdrew(parts) => {
                self.dismiss(parts.secret.facts.as_ref().map(|facts| &facts.person));
            }
            MatchEvent::CandidateLost(parts) => {
                self.dismiss(parts.secret.facts.as_ref().map(|facts| &facts.person));
            }
            MatchEvent::SeatTakenOver(parts) => {
                if let Some(part) = &parts.public {
                    self.dismiss(Some(&part.person));
                    self.seats[part.seat] = reached(&part.person);
                }
            }
            MatchEvent::TakeoverWaitExpired(_) => {
                self.clock = None;
                self.candidates.clear();
            }
            MatchEvent::Ended(_) => *self = Self::default(),
            _ => {}
        }
    }

    fn sit(&mut self, seats: &BySeat<Option<Person>>) {
        self.seats = BySeat::from_fn(|seat| seats[seat].as_ref().and_then(reached));
    }

    fn dismiss(&mut self, person: Option<&Person>) {
        if let Some(person) = person {
            self.candidates.retain(|player| *player != person.player);
        }
    }

    /// The marks of the running clock, in the order of their times. What would lie before the clock's start is none.
    pub(super) fn marks(&self, match_id: MatchId) -> Vec<Mark> {
        let Some(clock) = self.clock else { return Vec::new() };
        let before = |hours: i64| clock.deadline - Span::hours(hours);
        let start = (MarkKind::Started, clock.started);
        let four = (MarkKind::FourHours, before(4));
        let one = (MarkKind::OneHour, before(1));
        let out = (MarkKind::Deadline, clock.deadline);
        let own = self.seats[clock.seat].into_iter().collect();
        let (persons, times): (Vec<PlayerId>, Vec<(MarkKind, Time)>) = match clock.kind {
            TurnKind::Normal => (own, vec![start, four, one, out]),
            TurnKind::TakeoverFirst => (own, vec![start, one, out]),
            // Everybody who waits with the vacant seat: those who sit there, and those who may sit down.
            TurnKind::Vacant => {
                let mut all: Vec<PlayerId> =
                    self.seats.iter().filter_map(|(_, person)| *person).collect();
                all.extend(&self.candidates);
                all.sort_unstable();
                (all, vec![four, one])
            }
        };
        let ahead =
            |(kind, due): &(MarkKind, Time)| *due > clock.started || *kind == MarkKind::Started;
        times
            .into_iter()
            .filter(ahead)
            .flat_map(|(kind, due)| {
                persons.iter().map(move |&player| Mark {
                    due,
                    kind,
                    match_id,
                    player,
                    turn: clock.turn,
                    turn_kind: clock.kind,
                    deadline: clock.deadline,
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_starts_with_less_left_has_no_earlier_marks() {
        let (id, player) = (MatchId(uuid::Uuid::nil()), PlayerId(uuid::Uuid::from_u128(1)));
        let clock = |kind, hours| Running {
            turn: 1,
            seat: Seat::E,
            kind,
            started: Time(0),
            deadline: Time(0) + Span::hours(hours),
        };
        let seats = BySeat::from_fn(|seat| (seat == Seat::E).then_some(player));
        let kinds = |kind, hours| -> Vec<MarkKind> {
            let clock = Some(clock(kind, hours));
            let table = Table { clock, seats, candidates: Vec::new() };
            table.marks(id).into_iter().map(|mark| mark.kind).collect()
        };
        let (started, out) = (MarkKind::Started, MarkKind::Deadline);
        assert_eq!(kinds(TurnKind::Normal, 1), [started, out]);
        assert_eq!(kinds(TurnKind::Normal, 4), [started, MarkKind::OneHour, out]);
        assert_eq!(kinds(TurnKind::Vacant, 3), [MarkKind::OneHour]);
        assert_eq!(kinds(TurnKind::Vacant, 1), []);
    }
}
