//! The public document of a match: a fold of its public events and of nothing else, so that no hidden
//! identity can reach it. Candidates and those who left see exactly this.

use crate::games::siguo::pos::{Pos, PosKind};
use crate::games::siguo::rules::Cause;
use crate::games::siguo::seat::{BySeat, Seat};
use crate::kernel::{Bytes32, MatchId, Time};
use crate::matches::events::{Action, Line, Moved, Opened, Outcome, Person, TurnKind};
use crate::matches::ruleset::RuleSet;
use serde::{Deserialize, Serialize};

/// Where a match stands in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Seats fill and arrange (布阵).
    Assembling,
    /// Clocks run.
    Playing,
    /// Settled.
    Ended,
}

/// What everybody sees of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatView {
    /// Who sits there; nobody is shown before the start.
    pub person: Option<Person>,
    /// Plays and is not eliminated. True for every seat before the start.
    pub active: bool,
    /// Why it fell.
    pub eliminated: Option<Cause>,
    /// Skips that the person used in this match.
    pub skips_used: u8,
    /// Ordinal of the tenure, from 1 at the start.
    pub tenure: u32,
}

/// A man on the board, face down unless it is a flag that the rules made public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ManView {
    /// Whose.
    pub seat: Seat,
    /// Its handle: the position where it started, which everyone could follow.
    pub piece: Pos,
    /// Where it stands.
    pub at: Pos,
    /// A flag that is public.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub flag: bool,
}

/// The clock that runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnView {
    /// Its ordinal in the match.
    pub number: u32,
    /// Whose turn, or which vacant seat is waited for.
    pub seat: Seat,
    /// Normal, first after a takeover, or vacant.
    pub kind: TurnKind,
    /// When it began.
    pub since: Time,
    /// When it runs out.
    pub deadline: Time,
    /// A draw was offered in this turn.
    pub draw_offered: bool,
}

/// An open draw offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawView {
    /// Its ordinal in the match.
    pub offer: u32,
    /// Whose.
    pub seat: Seat,
    /// Who has accepted so far and still has a vote.
    pub accepted: Vec<Seat>,
}

/// Everything public about a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PublicView {
    /// The match.
    pub match_id: MatchId,
    /// How many public events it had.
    pub version: u64,
    /// Where it stands.
    pub phase: Phase,
    /// Its rules.
    pub rules: RuleSet,
    /// The promise of the seed of its fair draws.
    pub commitment: Bytes32,
    /// When the table was opened.
    pub opened: Time,
    /// When it started.
    pub started: Option<Time>,
    /// When it was settled.
    pub ended: Option<Time>,
    /// Seats taken, before the start.
    pub taken: u8,
    /// Seats ready, before the start.
    pub ready: u8,
    /// When seats that are not ready are released, before the start.
    pub release: Option<Time>,
    /// When that clock began.
    pub release_since: Option<Time>,
    /// The four seats.
    pub seats: BySeat<SeatView>,
    /// The men on the board, by seat and handle.
    pub men: Vec<ManView>,
    /// The clock that runs.
    pub turn: Option<TurnView>,
    /// Clocks started so far.
    pub turns: u32,
    /// The open draw offer.
    pub draw: Option<DrawView>,
    /// Draw offers so far.
    pub offers: u32,
    /// The last move.
    pub last_move: Option<Moved>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The settlement.
    pub lines: Vec<Line>,
    /// The players' retention of the finished match is over.
    pub record_expired: bool,
}

impl PublicView {
    /// A table that was just opened.
    pub fn opened(part: &Opened, at: Time) -> Self {
        let seats = BySeat::from_fn(|seat| SeatView {
            active: part.rules.options.seats[seat],
            ..SeatView::default()
        });
        Self {
            match_id: part.match_id,
            version: 1,
            phase: Phase::Assembling,
            rules: part.rules.clone(),
            commitment: part.commitment,
            opened: at,
            started: None,
            ended: None,
            taken: 0,
            ready: 0,
            release: None,
            release_since: None,
            seats,
            men: Vec::new(),
            turn: None,
            turns: 0,
            draw: None,
            offers: 0,
            last_move: None,
            outcome: None,
            lines: Vec::new(),
            record_expired: false,
        }
    }

    /// The deadline of the clock that runs, in play or before the start. An outage moves it.
    pub fn deadline(&self) -> Option<Time> {
        match self.phase {
            Phase::Assembling => self.release,
            Phase::Playing => self.turn.as_ref().map(|turn| turn.deadline),
            Phase::Ended => None,
        }
    }

    /// When that clock began.
    pub fn clock_since(&self) -> Option<Time> {
        match self.phase {
            Phase::Assembling => self.release_since,
            Phase::Playing => self.turn.as_ref().map(|turn| turn.since),
            Phase::Ended => None,
        }
    }

    /// The next instant at which something happens by itself: the deadline, or the end of the retention.
    pub fn due(&self) -> Option<Time> {
        match (self.phase, self.ended) {
            (Phase::Ended, Some(ended)) if !self.record_expired => {
                Some(ended + self.rules.retention)
            }
            _ => self.deadline(),
        }
    }

    /// How many men the seat has on the board.
    pub fn men_left(&self, seat: Seat) -> usize {
        self.men.iter().filter(|man| man.seat == seat).count()
    }

    /// Takes a public event in.
    pub fn apply(&mut self, action: &Action, at: Time) {
        self.version += 1;
        match action {
            Action::Opened(_) => {}
            Action::SeatTaken(part) => {
                self.taken = part.taken;
                self.release = part.release;
                self.release_since = part.release.map(|_| at);
            }
            Action::SeatReleased(part) => {
                self.taken = part.taken;
                self.ready = part.ready;
                self.release = None;
            }
            Action::Ready(part) | Action::ReadyTakenBack(part) => self.ready = part.ready,
            Action::Started(part) => self.start(&part.seats, at),
            Action::PositionPlaced(part) => {
                self.start(&part.seats, at);
                for &seat in &part.eliminated {
                    self.seats[seat].active = false;
                }
                self.men = (part.men.iter())
                    .map(|man| ManView { seat: man.seat, piece: man.at, at: man.at, flag: false })
                    .collect();
            }
            Action::TurnStarted(part) => {
                self.begin_turn(part.turn, part.seat, part.turn_kind, at, part.deadline);
            }
            Action::TakeoverWaitOpened(part) => {
                self.begin_turn(part.turn, part.seat, TurnKind::Vacant, at, part.deadline);
            }
            Action::TakeoverWaitExpired(_) | Action::Voided(_) => self.turn = None,
            Action::Moved(part) => self.moved(part),
            Action::Skipped(part) => self.seats[part.seat].skips_used = part.used,
            Action::DrawOffered(part) => {
                self.offers = part.offer;
                self.draw =
                    Some(DrawView { offer: part.offer, seat: part.seat, accepted: Vec::new() });
                if let Some(turn) = &mut self.turn {
                    turn.draw_offered = true;
                }
            }
            Action::DrawVoted(part) => {
                if let Some(draw) = self.draw.as_mut().filter(|_| part.accept) {
                    draw.accepted.push(part.seat);
                    draw.accepted.sort_unstable();
                }
            }
            Action::DrawLapsed(_) | Action::DrawAgreed(_) => self.draw = None,
            Action::Surrendered(_) | Action::TeamSurrenderConfirmed(_) => {}
            Action::Left(part) | Action::TimedOut(part) => self.seat_without_person(part.seat),
            Action::SeatVacated(part) => self.seat_without_person(part.seat),
            Action::SeatTakenOver(part) => {
                let seat = &mut self.seats[part.seat];
                seat.person = Some(part.person.clone());
                seat.tenure = part.tenure;
                seat.skips_used = 0;
            }
            Action::SeatEliminated(part) => {
                let seat = &mut self.seats[part.seat];
                seat.active = false;
                seat.eliminated = Some(part.cause);
                self.men.retain(|man| man.seat != part.seat);
                self.forget_vote(part.seat);
            }
            Action::DeadlineMoved(part) => {
                if let Some(turn) = &mut self.turn {
                    turn.deadline = part.to;
                }
            }
            Action::ReleaseMoved(part) => self.release = Some(part.to),
            Action::Ended(part) => {
                self.phase = Phase::Ended;
                self.ended = Some(at);
                self.turn = None;
                self.draw = None;
                self.outcome = Some(part.outcome);
                self.lines.clone_from(&part.lines);
            }
            Action::RecordExpired(_) => self.record_expired = true,
        }
    }

    /// Every playing seat starts with men on all its positions but the camps: that much is known to all,
    /// and part of what `siguo.started.v1` means.
    fn start(&mut self, seats: &BySeat<Option<Person>>, at: Time) {
        self.phase = Phase::Playing;
        self.started = Some(at);
        self.release = None;
        for (seat, person) in seats.iter() {
            let view = &mut self.seats[seat];
            view.person.clone_from(person);
            view.tenure = 1;
        }
        self.men = Pos::all()
            .filter_map(|at| Some((at.seat()?, at)))
            .filter(|(seat, at)| self.seats[*seat].active && at.kind() != PosKind::Camp)
            .map(|(seat, at)| ManView { seat, piece: at, at, flag: false })
            .collect();
    }

    fn begin_turn(&mut self, number: u32, seat: Seat, kind: TurnKind, since: Time, deadline: Time) {
        self.turns = number;
        self.turn = Some(TurnView { number, seat, kind, since, deadline, draw_offered: false });
    }

    fn moved(&mut self, part: &Moved) {
        let fate = part.outcome;
        self.men.retain(|man| {
            !(fate.takes_attacker() && man.at == part.from
                || fate.takes_defender() && man.at == part.to)
        });
        if let Some(man) = self.men.iter_mut().find(|man| man.at == part.from) {
            man.at = part.to;
        }
        for flag in &part.revealed {
            if let Some(man) = self.men.iter_mut().find(|man| man.at == flag.at) {
                man.flag = true;
            }
        }
        self.last_move = Some(part.clone());
    }

    fn seat_without_person(&mut self, seat: Seat) {
        self.seats[seat].person = None;
        self.seats[seat].skips_used = 0;
        self.forget_vote(seat);
    }

    fn forget_vote(&mut self, seat: Seat) {
        if let Some(draw) = &mut self.draw {
            draw.accepted.retain(|&voter| voter != seat);
        }
    }
}
