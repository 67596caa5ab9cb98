//! Who is what to a match: decides which view a person may have. Private to the server; never sent.

use crate::games::siguo::seat::Seat;
use crate::kernel::PlayerId;
use crate::matches::events::{MatchEvent, Person};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a person is to a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Role {
    /// Sits there, active or eliminated.
    Seated {
        /// Where.
        seat: Seat,
    },
    /// Left after the start.
    Left,
    /// Timed out after the start.
    TimedOut,
    /// Open candidate of a takeover.
    Candidate {
        /// Of which seat.
        seat: Seat,
    },
    /// Gave the candidacy up.
    Withdrew,
    /// Another candidate was first.
    Lost,
    /// Was a candidate until the wait ran out.
    Missed,
}

/// Everybody who ever had to do with the match after its start, and who sits before it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct People {
    /// The present role of each.
    pub roles: BTreeMap<PlayerId, Role>,
    /// Open candidates in the order in which they were matched.
    pub candidates: Vec<Person>,
    /// Who has used the one takeover chance.
    pub chances: BTreeSet<PlayerId>,
}

impl People {
    /// What the player is to the match, if anything.
    pub fn role(&self, player: PlayerId) -> Option<Role> {
        self.roles.get(&player).copied()
    }

    /// Takes an event in.
    pub fn apply(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::SeatTaken(parts) => {
                for (seat, part) in parts.seat.iter() {
                    self.seat(seat, &part.person);
                }
            }
            MatchEvent::SeatReleased(parts) => {
                if let Some(facts) = &parts.secret.facts {
                    self.roles.remove(&facts.person.player);
                }
            }
            MatchEvent::PositionPlaced(parts) => {
                let seats = parts.public.iter().flat_map(|part| part.seats.iter());
                for (seat, person) in seats {
                    if let Some(person) = person {
                        self.seat(seat, person);
                    }
                }
            }
            MatchEvent::Left(parts) => {
                if let Some(part) = &parts.public {
                    self.roles.insert(part.person.player, Role::Left);
                }
            }
            MatchEvent::TimedOut(parts) => {
                if let Some(part) = &parts.public {
                    self.roles.insert(part.person.player, Role::TimedOut);
                }
            }
            MatchEvent::CandidateMatched(parts) => {
                if let Some(facts) = &parts.secret.facts {
                    let player = facts.person.player;
                    self.chances.insert(player);
                    self.candidates.push(facts.person.clone());
                    self.roles.insert(player, Role::Candidate { seat: facts.seat });
                }
            }
            MatchEvent::CandidateWithdrew(parts) => {
                if let Some(facts) = &parts.secret.facts {
                    self.close_candidacy(facts.person.player, Role::Withdrew);
                }
            }
            MatchEvent::CandidateLost(parts) => {
                if let Some(facts) = &parts.secret.facts {
                    self.close_candidacy(facts.person.player, Role::Lost);
                }
            }
            MatchEvent::SeatTakenOver(parts) => {
                if let Some(part) = &parts.public {
                    self.candidates.retain(|person| person.player != part.person.player);
                    self.seat(part.seat, &part.person);
                }
            }
            MatchEvent::TakeoverWaitExpired(_) => {
                for person in std::mem::take(&mut self.candidates) {
                    self.roles.insert(person.player, Role::Missed);
                }
            }
            // There is nothing to confirm any more.
            MatchEvent::Ended(_) => self.candidates.clear(),
            _ => {}
        }
    }

    fn seat(&mut self, seat: Seat, person: &Person) {
        self.roles.insert(person.player, Role::Seated { seat });
    }

    fn close_candidacy(&mut self, player: PlayerId, role: Role) {
        self.candidates.retain(|person| person.player != player);
        self.roles.insert(player, role);
    }
}
