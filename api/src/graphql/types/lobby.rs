//! The viewer's lobby: the own tables, what waits there, and what could be matched. Must not name a table or
//! a person that is none of the viewer's business.

use super::account::Allowance;
use super::enums::{Phase, Seat, TurnKind};
use super::outcome::Outcome;
use super::people::Person;
use crate::app::App;
use crate::graphql::errors::fault;
use crate::graphql::ids::Global;
use crate::graphql::scalars::{DateTime, instant};
use async_graphql::{Enum, Error, ID, Object, SimpleObject};
use std::sync::Arc;
use yibu_domain::kernel::{PlayerId, Time};
use yibu_projections::models::{Counts, Place, PlaceRole};

/// The most tables that one answer lists.
const MOST_TABLES: u32 = 100;
/// The most ended ones.
const MOST_ENDED: u32 = 20;

/// The viewer's lobby.
#[derive(Clone)]
pub struct Lobby {
    now: Time,
    counts: Counts,
    tables: Arc<[Place]>,
    ended: Arc<[Place]>,
    open_tables: usize,
    vacancies: usize,
}

impl Lobby {
    /// The lobby of a player, from the read models.
    ///
    /// # Errors
    /// Faults of the read models.
    pub async fn of(app: &App, player: PlayerId) -> Result<Self, Error> {
        let lobby = app.lobby();
        let tables = lobby.tables_of(player, MOST_TABLES).await.map_err(fault)?;
        let ended = lobby.ended_of(player, MOST_ENDED).await.map_err(fault)?;
        let counts = lobby.counts(player).await.map_err(fault)?;
        let open = lobby.assembling().await.map_err(fault)?;
        let vacancies = lobby.vacancies().await.map_err(fault)?;
        Ok(Self {
            now: app.clock().now(),
            counts,
            open_tables: open.iter().filter(|table| !table.players.contains(&player)).count(),
            vacancies: vacancies.len(),
            tables: tables.into(),
            ended: ended.into(),
        })
    }

    /// Whether a client would see no difference.
    pub fn same(&self, other: &Self) -> bool {
        self.counts == other.counts
            && self.tables == other.tables
            && self.ended == other.ended
            && (self.open_tables, self.vacancies) == (other.open_tables, other.vacancies)
    }
}

/// The viewer's lobby.
#[Object]
impl Lobby {
    /// The server's time when this was read.
    async fn now(&self) -> DateTime {
        DateTime(self.now)
    }

    /// Active seats in matches joined before their start, against the limit of now.
    async fn full_matches(&self) -> Allowance {
        Allowance { held: self.counts.full, limit: self.counts.full_limit }
    }

    /// Active seats taken over, against the limit of now.
    async fn takeovers(&self) -> Allowance {
        Allowance { held: self.counts.takeover, limit: self.counts.takeover_limit }
    }

    /// The viewer's matches that run or assemble, and candidacies: first those that wait for the viewer, then
    /// by deadline. At most 100.
    async fn tables(&self) -> Vec<LobbyTable> {
        self.tables.iter().cloned().map(LobbyTable).collect()
    }

    /// The viewer's matches that have ended, the latest first. At most 20.
    async fn ended_tables(&self) -> Vec<LobbyTable> {
        self.ended.iter().cloned().map(LobbyTable).collect()
    }

    /// Tables with a free seat at which the viewer does not sit.
    async fn open_tables(&self) -> usize {
        self.open_tables
    }

    /// Vacant seats that wait for a takeover. Some may not be open to the viewer.
    async fn vacancies(&self) -> usize {
        self.vacancies
    }
}

/// What the viewer is at a table of the lobby.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "PlaceRole")]
pub enum LobbyRole {
    /// Sits there and plays.
    Seated,
    /// Sits there; the seat is out.
    Eliminated,
    /// May take the vacant seat over.
    Candidate,
}

/// A seat of one of the viewer's matches.
#[derive(SimpleObject)]
pub struct LobbySeat {
    /// Which seat.
    pub seat: Seat,
    /// Who sits there; null before the start, and while the seat is vacant.
    pub person: Option<Person>,
}

/// One of the viewer's matches.
pub struct LobbyTable(Place);

/// One of the viewer's matches.
#[Object]
impl LobbyTable {
    /// The match's global id.
    async fn match_id(&self) -> ID {
        Global::Match(self.0.match_id).id()
    }

    /// What the viewer is there.
    async fn role(&self) -> LobbyRole {
        self.0.role.into()
    }

    /// The own seat, or the one to take over.
    async fn seat(&self) -> Seat {
        self.0.seat.into()
    }

    /// Where the match stands.
    async fn phase(&self) -> Phase {
        self.0.phase.into()
    }

    /// The four seats with who sits there, which is shown from the start on.
    async fn seats(&self) -> Vec<LobbySeat> {
        let people = self.0.people.iter();
        people
            .map(|(seat, person)| LobbySeat {
                seat: seat.into(),
                person: person.clone().map(Person),
            })
            .collect()
    }

    /// Seats taken, before the start.
    async fn seats_taken(&self) -> u32 {
        u32::from(self.0.taken)
    }

    /// Seats ready, before the start.
    async fn seats_ready(&self) -> u32 {
        u32::from(self.0.ready)
    }

    /// Whose clock runs.
    async fn turn(&self) -> Option<Seat> {
        self.0.turn.map(Into::into)
    }

    /// How many turns have begun, the one that runs included; 0 before the start.
    async fn turn_number(&self) -> u32 {
        self.0.turns
    }

    /// Which clock runs.
    async fn turn_kind(&self) -> Option<TurnKind> {
        self.0.turn_kind.map(Into::into)
    }

    /// When the clock runs out, or seats that are not ready are released.
    async fn deadline(&self) -> Option<DateTime> {
        instant(self.0.deadline)
    }

    /// Whether something waits for the viewer.
    async fn waits_for_me(&self) -> bool {
        self.0.waits()
    }

    /// Whether it is the viewer's turn.
    async fn my_turn(&self) -> bool {
        self.0.my_turn
    }

    /// Whether a draw offer waits for the viewer's vote.
    async fn draw_waiting(&self) -> bool {
        self.0.draw_waiting
    }

    /// Whether the team-mate's proposal to surrender waits for the viewer's answer.
    async fn team_surrender_waiting(&self) -> bool {
        self.0.proposal_waiting
    }

    /// Whether the viewer's formation is not ready yet.
    async fn arranging(&self) -> bool {
        self.0.arranging
    }

    /// When the table was opened.
    async fn opened_at(&self) -> DateTime {
        DateTime(self.0.opened)
    }

    /// When the match started.
    async fn started_at(&self) -> Option<DateTime> {
        instant(self.0.started)
    }

    /// When the match ended.
    async fn ended_at(&self) -> Option<DateTime> {
        instant(self.0.ended)
    }

    /// How it ended.
    async fn outcome(&self) -> Option<Outcome> {
        self.0.outcome.map(Into::into)
    }
}
