//! The folded match: the documents that viewers get, beside the truth that nobody gets. Folding copies
//! results out of events; it knows no rule and cannot fail.

use super::events::{Man, MatchEvent, Nonce, Person, TurnKind};
use super::view::{Phase, Sheet, TurnView};
use crate::games::siguo::position::Position;
use crate::games::siguo::seat::{BySeat, Seat, Side};
use crate::kernel::{Bytes32, Dated, OutageId, PlayerId, Time};

/// A match, or the empty stream before it.
#[derive(Clone, Default, PartialEq)]
pub struct MatchState {
    live: Option<Live>,
}

/// Everything that decisions read about an existing match.
#[derive(Clone, PartialEq)]
pub struct Live {
    /// What viewers get, each the own part.
    pub sheet: Sheet,
    /// Instant of the last event.
    pub last: Time,
    pub(super) truth: Truth,
}

/// What nobody gets: private, without `Serialize`, and its `Debug` says nothing.
#[derive(Clone, PartialEq)]
pub(super) struct Truth {
    pub(super) position: Position,
    pub(super) seed: Bytes32,
    pub(super) nonces: BySeat<Option<Nonce>>,
    /// Moves since a piece last left the board.
    pub(super) quiet: u32,
    pub(super) revealed: BySeat<bool>,
    /// The last proposal's ordinal of each side.
    pub(super) proposals: [u32; 2],
    pub(super) outages: Vec<OutageId>,
    /// How often a seat was taken before the start: numbers the draws.
    pub(super) takes: u32,
}

impl std::fmt::Debug for MatchState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.live {
            Some(live) => write!(f, "MatchState({:?})", live.sheet.public),
            None => f.write_str("MatchState(none)"),
        }
    }
}

impl std::fmt::Debug for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Truth(…)")
    }
}

impl MatchState {
    /// The match, if it was opened.
    pub fn live(&self) -> Option<&Live> {
        self.live.as_ref()
    }

    /// Folds an event in.
    pub fn evolve(&mut self, event: &Dated<MatchEvent>) {
        match &mut self.live {
            Some(live) => live.evolve(event),
            None => {
                if let (Some(sheet), MatchEvent::Opened(parts)) =
                    (Sheet::begin(event), &event.event)
                {
                    let seed = parts.secret.facts.as_ref().map_or(Bytes32([0; 32]), |f| f.seed);
                    self.live = Some(Live { sheet, last: event.at, truth: Truth::new(seed) });
                }
            }
        }
    }

    /// The whole truth of the board: for audits, replays of ended matches, and nothing that faces a player.
    pub fn position(&self) -> Option<&Position> {
        self.live.as_ref().map(|live| &live.truth.position)
    }
}

impl Live {
    fn evolve(&mut self, event: &Dated<MatchEvent>) {
        self.last = self.last.max(event.at);
        self.truth.apply(&event.event);
        self.sheet.apply(event);
    }

    /// Where the match stands.
    pub fn phase(&self) -> Phase {
        self.sheet.public.phase
    }

    /// The clock that runs.
    pub fn turn(&self) -> Option<&TurnView> {
        self.sheet.public.turn.as_ref()
    }

    /// The next instant at which something happens by itself; see [`PublicView::due`](super::view::PublicView::due).
    pub fn due(&self) -> Option<Time> {
        self.sheet.public.due()
    }

    /// Who sits in the seat, before and after the start.
    pub fn person(&self, seat: Seat) -> Option<&Person> {
        self.sheet.own[seat].person.as_ref()
    }

    /// The seat that the player sits in.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        Seat::ALL
            .into_iter()
            .find(|&seat| self.person(seat).is_some_and(|person| person.player == player))
    }

    /// Free seats of a table that assembles, in seat order.
    pub fn free_seats(&self) -> Vec<Seat> {
        let plays = &self.sheet.public.rules.options.seats;
        match self.phase() {
            Phase::Assembling => Seat::ALL
                .into_iter()
                .filter(|&seat| plays[seat] && self.person(seat).is_none())
                .collect(),
            Phase::Playing | Phase::Ended => Vec::new(),
        }
    }

    /// The seat that a takeover is sought for now.
    pub fn vacancy(&self) -> Option<Seat> {
        self.turn().filter(|turn| turn.kind == TurnKind::Vacant).map(|turn| turn.seat)
    }

    /// Whether the player may be matched with this match's vacancy: never sat after the start, chance unused.
    pub fn takeover_open_to(&self, player: PlayerId) -> bool {
        let people = &self.sheet.people;
        self.vacancy().is_some()
            && !people.chances.contains(&player)
            && !matches!(
                people.role(player),
                Some(
                    super::view::Role::Seated { .. }
                        | super::view::Role::Left
                        | super::view::Role::TimedOut
                )
            )
    }

    /// Still plays: not eliminated.
    pub fn active(&self, seat: Seat) -> bool {
        self.sheet.public.seats[seat].active
    }

    pub(super) fn active_seats(&self) -> BySeat<bool> {
        BySeat::from_fn(|seat| self.active(seat))
    }

    /// Active and with a person in it.
    pub(super) fn plays(&self, seat: Seat) -> bool {
        self.active(seat) && self.person(seat).is_some()
    }

    /// Nobody is left in any of the side's seats: each left or timed out, and nobody took over. Who was
    /// eliminated still sits there.
    pub(super) fn gone(&self, side: Side) -> bool {
        let plays = &self.sheet.public.rules.options.seats;
        side.seats().into_iter().all(|seat| !plays[seat] || self.person(seat).is_none())
    }
}

impl Truth {
    fn new(seed: Bytes32) -> Self {
        Self {
            position: Position::default(),
            seed,
            nonces: BySeat::default(),
            quiet: 0,
            revealed: BySeat::default(),
            proposals: [0; 2],
            outages: Vec::new(),
            takes: 0,
        }
    }

    fn apply(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::SeatTaken(parts) => {
                self.takes = parts.secret.facts.as_ref().map_or(self.takes, |facts| facts.take);
                for (seat, part) in parts.seat.iter() {
                    self.arrange(seat, &part.men);
                }
            }
            MatchEvent::FormationArranged(parts) => {
                for (seat, part) in parts.seat.iter() {
                    self.arrange(seat, &part.men);
                }
            }
            MatchEvent::SeatReleased(parts) => {
                for (seat, _) in parts.seat.iter() {
                    self.position.remove_seat(seat);
                    self.nonces[seat] = None;
                }
            }
            MatchEvent::Ready(parts) => {
                if let Some(facts) = &parts.secret.facts {
                    self.nonces[facts.seat] = Some(facts.nonce.clone());
                }
            }
            MatchEvent::ReadyTakenBack(parts) => {
                for (seat, _) in parts.seat.iter() {
                    self.nonces[seat] = None;
                }
            }
            MatchEvent::PositionPlaced(parts) => {
                for (seat, part) in parts.seat.iter() {
                    for man in &part.men {
                        self.position.place(man.piece, seat, man.identity);
                    }
                }
            }
            MatchEvent::Moved(parts) => {
                if let Some(part) = &parts.public {
                    self.position.apply_move(part.from, part.to, part.outcome);
                    self.quiet = part.quiet;
                    for flag in &part.revealed {
                        self.revealed[flag.seat] = true;
                    }
                }
            }
            MatchEvent::SeatEliminated(parts) => {
                if let Some(part) = &parts.public {
                    self.position.remove_seat(part.seat);
                    self.quiet = 0;
                }
            }
            MatchEvent::TeamSurrenderProposed(parts) => {
                for (index, side) in Side::ALL.into_iter().enumerate() {
                    if let Some(part) = parts.side.get(side) {
                        self.proposals[index] = part.proposal;
                    }
                }
            }
            MatchEvent::DeadlineMoved(parts) => {
                self.outages.extend(parts.public.iter().map(|part| part.outage));
            }
            MatchEvent::ReleaseMoved(parts) => {
                self.outages.extend(parts.public.iter().map(|part| part.outage));
            }
            _ => {}
        }
    }

    fn arrange(&mut self, seat: Seat, men: &[Man]) {
        self.position.remove_seat(seat);
        for man in men {
            self.position.place(man.piece, seat, man.identity);
        }
    }
}
