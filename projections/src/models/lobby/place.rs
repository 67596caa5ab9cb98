//! What one match is for one player, read off the match's sheet. A pure function: the rows are its results.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::{Counter, MatchId, PlayerId, Time};
use yibu_domain::matches::events::{Joined, Occupant, Outcome, Person, TurnKind};
use yibu_domain::matches::view::{Phase, Sheet};

/// What a player is at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceRole {
    /// Sits there and plays.
    Seated,
    /// Sits there, the seat is out.
    Eliminated,
    /// May take the vacant seat over.
    Candidate,
}

/// A player's match: where it stands and what waits for the player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Which match.
    pub match_id: MatchId,
    /// What the player is there.
    pub role: PlaceRole,
    /// The own seat, or the one to take over.
    pub seat: Seat,
    /// Where the match stands.
    pub phase: Phase,
    /// When the table was opened.
    pub opened: Time,
    /// When the match started.
    pub started: Option<Time>,
    /// Who sits where; nobody is named before the start.
    pub people: BySeat<Option<Person>>,
    /// Seats taken (before the start).
    pub taken: u8,
    /// Seats ready (before the start).
    pub ready: u8,
    /// Whose clock runs.
    pub turn: Option<Seat>,
    /// How many clocks have run, that one included.
    pub turns: u32,
    /// Which kind of clock.
    pub turn_kind: Option<TurnKind>,
    /// When the clock runs out, or seats that are not ready are released.
    pub deadline: Option<Time>,
    /// It is the player's turn.
    pub my_turn: bool,
    /// A draw offer waits for the player's vote.
    pub draw_waiting: bool,
    /// The team-mate's proposal to surrender waits for the player's answer.
    pub proposal_waiting: bool,
    /// The player's formation is not ready yet.
    pub arranging: bool,
    /// When the match ended.
    pub ended: Option<Time>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The limit that the seat counts against.
    pub counted: Option<Counter>,
}

impl Place {
    /// Something waits for the player.
    pub fn waits(&self) -> bool {
        self.my_turn
            || self.draw_waiting
            || self.proposal_waiting
            || self.arranging
            || self.role == PlaceRole::Candidate
    }
}

/// Everybody whose match this is now. Those who left or lost their chance are not among them, and nobody is
/// once the players' retention is over.
pub(super) fn places(sheet: &Sheet) -> BTreeMap<PlayerId, Place> {
    let mut places = BTreeMap::new();
    if sheet.public.record_expired {
        return places;
    }
    for (seat, own) in sheet.own.iter() {
        if let Some(person) = &own.person {
            places.insert(person.player, seated(sheet, seat, person));
        }
    }
    let vacancy = sheet.public.turn.as_ref().filter(|turn| turn.kind == TurnKind::Vacant);
    if let Some(turn) = vacancy {
        for person in &sheet.people.candidates {
            let place = bare(sheet, PlaceRole::Candidate, turn.seat);
            places.entry(person.player).or_insert(place);
        }
    }
    places
}

fn bare(sheet: &Sheet, role: PlaceRole, seat: Seat) -> Place {
    let public = &sheet.public;
    let turn = public.turn.as_ref();
    Place {
        match_id: public.match_id,
        role,
        seat,
        phase: public.phase,
        opened: public.opened,
        started: public.started,
        people: BySeat::from_fn(|at| public.seats[at].person.clone()),
        taken: public.taken,
        ready: public.ready,
        turn: turn.map(|turn| turn.seat),
        turns: public.turns,
        turn_kind: turn.map(|turn| turn.kind),
        deadline: public.deadline(),
        my_turn: false,
        draw_waiting: false,
        proposal_waiting: false,
        arranging: false,
        ended: public.ended,
        outcome: public.outcome,
        counted: None,
    }
}

fn seated(sheet: &Sheet, seat: Seat, person: &Person) -> Place {
    let (public, own) = (&sheet.public, &sheet.own[seat]);
    let active = public.seats[seat].active;
    let plays = active && public.phase == Phase::Playing;
    let role = if active { PlaceRole::Seated } else { PlaceRole::Eliminated };
    let counter = match (person.occupant, person.joined) {
        (Occupant::House, _) => None,
        (Occupant::Player, Joined::Full) => Some(Counter::Full),
        (Occupant::Player, Joined::Takeover) => Some(Counter::Takeover),
    };
    let offer = public.draw.as_ref();
    Place {
        my_turn: plays && public.turn.as_ref().is_some_and(|turn| turn.seat == seat),
        draw_waiting: plays
            && offer.is_some_and(|open| open.seat != seat && !open.accepted.contains(&seat)),
        proposal_waiting: plays && own.proposal.as_ref().is_some_and(|open| open.seat != seat),
        arranging: public.phase == Phase::Assembling && !own.ready,
        counted: counter.filter(|_| active && public.phase != Phase::Ended),
        ..bare(sheet, role, seat)
    }
}

/// Free seats of a table that assembles.
pub(super) fn free_seats(sheet: &Sheet) -> Vec<Seat> {
    let open = sheet.public.phase == Phase::Assembling;
    let plays = &sheet.public.rules.options.seats;
    let free = |seat: &Seat| open && plays[*seat] && sheet.own[*seat].person.is_none();
    Seat::ALL.into_iter().filter(free).collect()
}
