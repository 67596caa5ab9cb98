//! Two worlds, one history of commands. They begin with formations that differ only where the viewer
//! cannot look, and live together until their public outcomes part.

use super::Pairs;
use super::observe::Observe;
use uuid::Uuid;
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{
    Actor, Bytes32, Ctx, Dated, Decider, Dice, FairDraw, MatchId, PlayerId, Span, Time,
};
use yibu_domain::matches::events::{Action, Nonce, NonceBy, Occupant};
use yibu_domain::matches::view::{Audience, Phase, view};
use yibu_domain::matches::{
    Choice, Guest, Match, MatchCommand, MatchEvent, MatchRefusal, MatchState, RuleSet,
};

const START: Time = Time(1_900_000_000_000);

type Decided = Result<Vec<MatchEvent>, MatchRefusal>;

pub struct Pair {
    worlds: [MatchState; 2],
    /// The seat that looks; nobody for the public view alone.
    viewer: Option<Seat>,
    now: Time,
}

fn player(seat: Seat) -> PlayerId {
    PlayerId(Uuid::from_u128(1 + seat.index() as u128))
}

fn guest(id: PlayerId) -> Guest {
    Guest { player: id, occupant: Occupant::Player, nickname: 1 }
}

pub fn pick<'a, T>(draw: &mut FairDraw, items: &'a [T]) -> Option<&'a T> {
    items.get(draw.below(u32::try_from(items.len()).ok()?) as usize)
}

impl Pair {
    /// Two tables that assemble, with the same people in the same seats.
    pub fn new(draw: &mut FairDraw) -> Self {
        let viewer =
            pick(draw, &[None, Some(Seat::S), Some(Seat::E), Some(Seat::N), Some(Seat::W)]);
        let viewer = viewer.copied().flatten();
        let mut pair = Self { worlds: Default::default(), viewer, now: START };
        for seat in Seat::ALL {
            let formation = Formation::random(seat, draw);
            let hidden = viewer != Some(seat);
            let other = if hidden { twin(&formation, draw) } else { formation.clone() };
            let id = player(seat);
            let nonce = Some(Nonce { value: Bytes32([1; 32]), by: NonceBy::Client });
            let command = if seat == Seat::S {
                let seed = Some(Bytes32([2; 32]));
                let rules = RuleSet::formal(Span::hours(48));
                let match_id = MatchId(Uuid::from_u128(99));
                MatchCommand::Open { match_id, rules, seed, guest: guest(id), nonce }
            } else {
                MatchCommand::TakeSeat { guest: guest(id), nonce, tables: Choice::default() }
            };
            for (world, formation) in [formation, other].iter().enumerate() {
                let dice = Dice::seeded([0; 32])
                    .forcing("seat", vec![seat.index() as u8])
                    .forcing("formation", formation.codes().to_vec());
                let decided = pair.decide(world, &command, Actor::Player(id), dice);
                pair.apply(world, &decided.expect("seats are free"));
            }
        }
        pair
    }

    fn decide(
        &self,
        world: usize,
        command: &MatchCommand,
        actor: Actor,
        mut dice: Dice,
    ) -> Decided {
        let mut ctx = Ctx { now: self.now, actor, dice: &mut dice };
        Match::decide(&self.worlds[world], command, &mut ctx)
    }

    fn apply(&mut self, world: usize, events: &[MatchEvent]) {
        for event in events {
            let event = Dated { at: self.now, event: event.clone() };
            Match::evolve(&mut self.worlds[world], &event);
        }
    }

    fn both(&self, command: &MatchCommand, actor: Actor) -> [Decided; 2] {
        [0, 1].map(|world| self.decide(world, command, actor, Dice::seeded([9; 32])))
    }

    fn audiences(&self) -> Vec<Audience> {
        let public = [Audience::Candidate(Seat::S), Audience::Departed];
        self.viewer.map(Audience::Seat).into_iter().chain(public).collect()
    }

    /// Lives until the public outcomes part. A difference that a viewer could see is told.
    pub fn live(
        &mut self,
        draw: &mut FairDraw,
        observe: &dyn Observe,
        pairs: &mut Pairs,
    ) -> Option<String> {
        for step in 0..60 {
            pairs.steps += 1;
            if let Some(difference) = self.look(draw, observe) {
                return Some(format!("step {step}: {difference}"));
            }
            if let Some(difference) = self.probe(draw, pairs) {
                return Some(format!("step {step}: {difference}"));
            }
            self.now = self.now + Span::seconds(i64::from(1 + draw.below(100)));
            let (command, actor) = self.next(draw)?;
            let decided = self.both(&command, actor);
            let public = decided.each_ref().map(told);
            let [Ok(first), Ok(second)] = decided else {
                if public[0] == public[1] {
                    continue;
                }
                // Refused to somebody in one world alone. To the viewer that would be a leak; to another
                // it is hidden, but the histories part here.
                let own = self.viewer.is_some() && actor.player() == self.viewer.map(player);
                return own
                    .then(|| format!("step {step}: refusals differ: {public:?} for {command:?}"));
            };
            if actions(&first) != actions(&second) {
                return None;
            }
            count(&first, pairs);
            self.apply(0, &first);
            self.apply(1, &second);
            if self.viewer.is_some_and(|seat| !self.sits(seat)) {
                self.viewer = None;
            }
        }
        None
    }

    fn sits(&self, seat: Seat) -> bool {
        let live = self.worlds[0].live();
        live.is_some_and(|live| live.seat_of(player(seat)) == Some(seat))
    }

    fn look(&self, draw: &mut FairDraw, observe: &dyn Observe) -> Option<String> {
        let [first, second] = self.worlds.each_ref().map(|state| state.live());
        let (first, second) = (first?, second?);
        for audience in self.audiences() {
            let views = [first, second].map(|live| view(&live.sheet, audience));
            if views[0] != views[1] {
                return Some(format!("view of {audience:?} differs"));
            }
            if draw.below(4) == 0 {
                let seen = [
                    observe.see(&self.worlds[0], first, audience),
                    observe.see(&self.worlds[1], second, audience),
                ];
                if seen[0] != seen[1] {
                    return Some(format!("bytes of the view of {audience:?} differ"));
                }
            }
        }
        None
    }

    /// The viewer tries all sorts of things, most of them illegal: the answers must not tell the worlds apart.
    fn probe(&self, draw: &mut FairDraw, pairs: &mut Pairs) -> Option<String> {
        let seat = self.viewer?;
        let live = self.worlds[0].live()?;
        let men: Vec<String> = live.sheet.public.men.iter().map(|man| man.at.to_string()).collect();
        let spot = |draw: &mut FairDraw| {
            let anywhere = ["c22", "s33", "e61", "n11", "nowhere", ""].map(str::to_owned);
            let from_men = draw.below(3) > 0 && !men.is_empty();
            let list: &[String] = if from_men { &men } else { &anywhere };
            pick(draw, list).cloned().unwrap_or_default()
        };
        let command = match draw.below(8) {
            0..=3 => MatchCommand::Move { from: spot(draw), to: spot(draw), expected: None },
            4 => MatchCommand::Swap { a: spot(draw), b: spot(draw), expected: None },
            5 => MatchCommand::VoteDraw { offer: None, accept: true },
            6 => MatchCommand::ConfirmTeamSurrender { proposal: None },
            _ => MatchCommand::OfferDraw,
        };
        let decided = self.both(&command, Actor::Player(player(seat)));
        // An attack that both accept may well have two outcomes; that is play, not a probe.
        let codes = decided.each_ref().map(told);
        if codes[0].is_some() {
            pairs.refusals += 1;
        }
        (codes[0] != codes[1]).then(|| format!("answers differ: {codes:?} for {command:?}"))
    }

    /// A command that somebody could give.
    fn next(&self, draw: &mut FairDraw) -> Option<(MatchCommand, Actor)> {
        let live = self.worlds[0].live()?;
        let actor = |seat: Seat| live.person(seat).map(|person| Actor::Player(person.player));
        if live.phase() == Phase::Assembling {
            let waiting: Vec<Seat> =
                Seat::ALL.into_iter().filter(|&seat| !live.sheet.own[seat].ready).collect();
            let &seat = pick(draw, &waiting)?;
            let command = match draw.below(3) {
                0 if self.viewer != Some(seat) => self.swap(seat, draw),
                _ => {
                    let nonce = Some(Nonce { value: Bytes32([4; 32]), by: NonceBy::Client });
                    MatchCommand::Ready { nonce, expected: None }
                }
            };
            return Some((command, actor(seat)?));
        }
        let turn = live.turn()?;
        let Some(on_turn) = actor(turn.seat) else {
            return Some(self.take_over(draw));
        };
        let &seat = pick(draw, &Seat::ALL)?;
        let someone = actor(seat).unwrap_or(on_turn);
        Some(match draw.below(40) {
            0 => (MatchCommand::Leave, someone),
            1 => (MatchCommand::Surrender, someone),
            2 => (MatchCommand::OfferDraw, on_turn),
            3 | 4 => (MatchCommand::VoteDraw { offer: None, accept: draw.below(2) == 0 }, someone),
            5 => (MatchCommand::ProposeTeamSurrender, someone),
            6 => (MatchCommand::DeclineTeamSurrender { proposal: None }, someone),
            7 => (MatchCommand::Skip { expected: None }, on_turn),
            _ => {
                let sight = view(&live.sheet, Audience::Seat(turn.seat));
                let moves = sight.legal_moves()?;
                let mut moves: Vec<_> = moves.iter().collect();
                let held = |at| live.sheet.public.men.iter().any(|man| man.at == at);
                let attacks: Vec<_> = moves.iter().copied().filter(|(_, to)| held(*to)).collect();
                if draw.below(3) == 0 && !attacks.is_empty() {
                    moves = attacks;
                }
                let &(from, to) = pick(draw, &moves)?;
                let (from, to) = (from.to_string(), to.to_string());
                (MatchCommand::Move { from, to, expected: None }, on_turn)
            }
        })
    }

    fn swap(&self, seat: Seat, draw: &mut FairDraw) -> MatchCommand {
        let slots: Vec<String> =
            yibu_domain::games::siguo::formation::slots(seat).map(|at| at.to_string()).collect();
        let place = |draw: &mut FairDraw| pick(draw, &slots).cloned().unwrap_or_default();
        MatchCommand::Swap { a: place(draw), b: place(draw), expected: None }
    }

    fn take_over(&self, draw: &mut FairDraw) -> (MatchCommand, Actor) {
        let id = PlayerId(Uuid::from_u128(100 + u128::from(draw.below(3))));
        let command = match draw.below(3) {
            0 => MatchCommand::MatchTakeover { guest: guest(id), choices: Choice::default() },
            1 => MatchCommand::WithdrawTakeover,
            _ => MatchCommand::ConfirmTakeover,
        };
        (command, Actor::Player(id))
    }
}

/// A formation that looks the same from outside: a few legal swaps away.
pub fn twin(formation: &Formation, draw: &mut FairDraw) -> Formation {
    if draw.below(8) == 0 {
        return Formation::random(formation.seat(), draw);
    }
    let mut twin = formation.clone();
    let places: Vec<_> = formation.iter().map(|(at, _)| at).collect();
    for _ in 0..=draw.below(3) {
        if let (Some(&a), Some(&b)) = (pick(draw, &places), pick(draw, &places)) {
            twin = twin.swapped(a, b).unwrap_or(twin);
        }
    }
    twin
}

fn told(decided: &Decided) -> Option<String> {
    decided.as_ref().err().map(|refusal| format!("{} {refusal}", refusal.code()))
}

fn actions(events: &[MatchEvent]) -> Vec<Option<Action>> {
    events.iter().map(MatchEvent::action).collect()
}

fn count(events: &[MatchEvent], pairs: &mut Pairs) {
    for event in events {
        match event {
            MatchEvent::Moved(parts) => {
                pairs.moves += 1;
                pairs.battles += u64::from(parts.public.iter().any(|part| part.met.is_some()));
            }
            MatchEvent::SeatTakenOver(_) => pairs.takeovers += 1,
            MatchEvent::FormationArranged(_) => pairs.arranged += 1,
            _ => {}
        }
    }
}
