//! Random histories: many matches side by side, driven by commands that the domain judges. The same seed
//! makes the same history.

use yibu_domain::games::siguo::formation::slots;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{
    Actor, Bytes32, Ctx, Dated, Decider, Dice, Event, FairDraw, MatchId, OutageId, PlayerId, Span,
    Time, fold,
};
use yibu_domain::matches::commands::{Choice, Removal};
use yibu_domain::matches::events::{Occupant, TurnKind};
use yibu_domain::matches::view::{Audience, Phase, view};
use yibu_domain::matches::{Guest, Live, Match, MatchCommand, MatchEvent, MatchState, RuleSet};
use yibu_domain::players::{Player, PlayerCommand, PlayerState};
use yibu_domain::site::{Limits, SiteEvent};
use yibu_projections::{Fact, Fed};

/// A history in the making, with the folded truth beside it.
pub(crate) struct World {
    pub(crate) log: Vec<Fed>,
    pub(crate) matches: Vec<(MatchId, MatchState)>,
    pub(crate) players: Vec<PlayerId>,
    pub(crate) limits: Option<Limits>,
    versions: Vec<u64>,
    /// What administrators did about each player, with the versions of their streams.
    people: Vec<(PlayerState, u64)>,
    now: Time,
    draw: FairDraw,
    office: FairDraw,
    most_open: usize,
}

impl World {
    pub(crate) fn new(seed: u64, players: usize, most_open: usize) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut world = Self {
            log: Vec::new(),
            matches: Vec::new(),
            players: Vec::new(),
            limits: None,
            versions: Vec::new(),
            people: vec![Default::default(); players],
            now: Time(1_700_000_000_000),
            draw: FairDraw::new("history", MatchId(uuid::Uuid::nil()), &Bytes32(key), &[]),
            office: FairDraw::new("office", MatchId(uuid::Uuid::nil()), &Bytes32(key), &[]),
            most_open,
        };
        for index in 0..players {
            let player = PlayerId(world.uuid());
            world.players.push(player);
            world.about(index, world.actor(player), &PlayerCommand::Register, "register");
        }
        world
    }

    /// Lets time go by in which nobody does anything: what is due happens.
    pub(crate) fn pass(&mut self, span: Span) {
        self.now = self.now + span;
        for index in 0..self.matches.len() {
            let due = |world: &Self| world.matches[index].1.live().and_then(Live::due);
            while let Some(due) = due(self).filter(|due| *due <= self.now) {
                self.ask(index, Actor::Timer, &MatchCommand::Expire, Some(due));
            }
        }
    }

    /// Lets things happen until the log has about `events` events.
    pub(crate) fn grow(&mut self, events: usize) {
        while self.log.len() < events {
            self.step();
        }
    }

    /// The state of a match folded anew from the first `position` events of the log.
    pub(crate) fn at(&self, id: MatchId, position: u64) -> MatchState {
        let events: Vec<_> = self
            .log
            .iter()
            .filter(|fed| fed.position <= position)
            .filter_map(|fed| match &fed.fact {
                Ok(Fact::Match(of, event)) if *of == id => Some(event),
                _ => None,
            })
            .collect();
        fold::<Match>(events)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.draw.below(u32::try_from(bound).unwrap()) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn uuid(&mut self) -> uuid::Uuid {
        let words: Vec<u8> = (0..4).flat_map(|_| self.draw.below(u32::MAX).to_le_bytes()).collect();
        uuid::Uuid::from_slice(&words).unwrap()
    }

    /// One in eight players belongs to the house.
    fn house(&self, player: PlayerId) -> bool {
        player.0.as_bytes()[0] < 32
    }

    fn anybody(&mut self) -> PlayerId {
        let index = self.below(self.players.len());
        self.players[index]
    }

    fn guest(&self, player: PlayerId) -> Guest {
        let occupant = if self.house(player) { Occupant::House } else { Occupant::Player };
        Guest { player, occupant, nickname: 1 }
    }

    fn record(&mut self, actor: Actor, command: &str, version: u64, fact: Fact) {
        let (stream, name) = match &fact {
            Fact::Match(id, event) => (format!("match-{id}"), event.event.name()),
            Fact::Player(id, event) => (format!("player-{id}"), event.event.name()),
            Fact::Site(event) => (format!("site-{}", uuid::Uuid::nil()), event.event.name()),
            Fact::Other => unreachable!("nothing else happens here"),
        };
        self.log.push(Fed {
            position: self.log.len() as u64 + 1,
            stream,
            version,
            name: name.to_owned(),
            recorded: self.now,
            actor,
            command: command.to_owned(),
            fact: Ok(fact),
        });
    }

    /// An administrator does something about somebody.
    fn administer(&mut self) {
        let index = self.office.below(u32::try_from(self.players.len()).unwrap()) as usize;
        let reason = "test".parse().unwrap();
        let (command, kind) = match self.office.below(10) {
            0..3 => (PlayerCommand::Suspend { reason }, "suspend"),
            3..6 => (PlayerCommand::Reinstate { reason }, "reinstate"),
            6 => (PlayerCommand::Delete, "delete"),
            _ => {
                let points = i64::from(self.office.below(41)) - 20;
                (PlayerCommand::AdjustPoints { points, reason }, "adjust_points")
            }
        };
        self.about(index, Actor::Admin(self.players[0]), &command, kind);
    }

    fn about(&mut self, index: usize, actor: Actor, command: &PlayerCommand, kind: &str) {
        let mut dice = Dice::seeded([0; 32]);
        let mut ctx = Ctx { now: self.now, actor, dice: &mut dice };
        let events = Player::decide(&self.people[index].0, command, &mut ctx);
        for event in events.unwrap_or_default() {
            let event = Dated { at: self.now, event };
            let (state, version) = &mut self.people[index];
            Player::evolve(state, &event);
            *version += 1;
            let version = *version;
            self.record(actor, kind, version, Fact::Player(self.players[index], event));
        }
    }

    fn step(&mut self) {
        self.now.0 += self.below(20_000) as i64;
        if self.office.below(150) == 0 {
            self.administer();
        }
        if self.below(500) == 0 {
            let (full, takeover) = (self.below(9) as u32, self.below(9) as u32);
            let limits = Limits { full, takeover, reason: "test".parse().unwrap() };
            self.limits = Some(limits.clone());
            let event = Dated { at: self.now, event: SiteEvent::LimitsSet(limits) };
            self.record(Actor::System, "set_limits", 1, Fact::Site(event));
        }
        let open: Vec<usize> = (0..self.matches.len())
            .filter(|index| {
                self.matches[*index].1.live().is_some_and(|live| live.phase() != Phase::Ended)
            })
            .collect();
        if open.len() < self.most_open && (open.is_empty() || self.chance(10)) {
            self.open();
            return;
        }
        if self.chance(1) && !self.matches.is_empty() {
            let any = self.below(self.matches.len());
            let live = self.matches[any].1.live();
            if let Some(due) = live.filter(|live| live.phase() == Phase::Ended).and_then(Live::due)
            {
                self.ask(any, Actor::Timer, &MatchCommand::Expire, Some(due));
            }
            return;
        }
        let index = open[self.below(open.len())];
        let Some(live) = self.matches[index].1.live().cloned() else { return };
        match live.phase() {
            Phase::Assembling => self.assemble(index, &live),
            Phase::Playing => self.play(index, &live),
            Phase::Ended => {}
        }
    }

    fn open(&mut self) {
        let id = MatchId(self.uuid());
        let player = self.anybody();
        let release = if self.chance(50) { 48 } else { 0 };
        let command = MatchCommand::Open {
            match_id: id,
            rules: RuleSet::formal(Span::hours(release)),
            seed: None,
            guest: self.guest(player),
            nonce: None,
        };
        self.matches.push((id, MatchState::default()));
        self.versions.push(0);
        self.ask(self.matches.len() - 1, self.actor(player), &command, None);
    }

    fn assemble(&mut self, index: usize, live: &Live) {
        let seat = Seat::ALL[self.below(4)];
        let sitter = live.person(seat).map(|person| person.player);
        match (self.below(100), sitter) {
            (0..3, _) if live.due().is_some() => {
                self.ask(index, Actor::Timer, &MatchCommand::Expire, live.due());
            }
            (3..5, _) => self.outage(index, live),
            (5..10, Some(player)) => self.person(index, player, MatchCommand::Leave),
            (10..25, Some(player)) => {
                let own: Vec<_> = slots(seat).collect();
                let (a, b) = (own[self.below(own.len())], own[self.below(own.len())]);
                let command =
                    MatchCommand::Swap { a: a.to_string(), b: b.to_string(), expected: None };
                self.person(index, player, command);
            }
            (25..30, Some(player)) => {
                self.person(index, player, MatchCommand::Unready { expected: None });
            }
            (_, Some(player)) => {
                let command = MatchCommand::Ready { nonce: None, expected: None };
                self.person(index, player, command);
            }
            (_, None) => {
                let player = self.anybody();
                let tables = Choice::all(vec![self.matches[index].0]);
                let guest = self.guest(player);
                self.person(index, player, MatchCommand::TakeSeat { guest, nonce: None, tables });
            }
        }
    }

    fn play(&mut self, index: usize, live: &Live) {
        let Some(turn) = live.turn() else { return };
        if turn.kind == TurnKind::Vacant && self.chance(60) {
            self.take_over(index, live);
            return;
        }
        let seat = Seat::ALL[self.below(4)];
        let person = live.person(seat).map(|person| person.player);
        match (self.below(1000), person) {
            (0..10, _) => self.ask(index, Actor::Timer, &MatchCommand::Expire, live.due()),
            (10..18, _) => self.outage(index, live),
            (18..20, _) => {
                let command = MatchCommand::Void { reason: "test".parse().unwrap() };
                self.ask(index, Actor::System, &command, None);
            }
            (20..24, Some(player)) => {
                let command = MatchCommand::Remove { player, cause: Removal::Suspended };
                self.ask(index, Actor::System, &command, None);
            }
            (24..28, Some(player)) => self.person(index, player, MatchCommand::Leave),
            (28..34, Some(player)) => self.person(index, player, MatchCommand::Surrender),
            (34..60, Some(player)) => {
                let command = match self.below(6) {
                    0..3 => MatchCommand::ProposeTeamSurrender,
                    3 => MatchCommand::ConfirmTeamSurrender { proposal: None },
                    4 => MatchCommand::DeclineTeamSurrender { proposal: None },
                    _ => MatchCommand::WithdrawTeamSurrender { proposal: None },
                };
                self.person(index, player, command);
            }
            (60..120, Some(player)) if live.sheet.public.draw.is_some() => {
                let accept = self.chance(80);
                let command = MatchCommand::VoteDraw { offer: None, accept };
                self.person(index, player, command);
            }
            (120..140, _) => self.on_turn(index, live, MatchCommand::OfferDraw),
            (140..160, _) => self.on_turn(index, live, MatchCommand::Skip { expected: None }),
            _ => self.move_piece(index, live),
        }
    }

    fn move_piece(&mut self, index: usize, live: &Live) {
        let Some(turn) = live.turn() else { return };
        let moves = view(&live.sheet, Audience::Seat(turn.seat)).legal_moves();
        let Some(moves) = moves.filter(|moves| !moves.is_empty()) else {
            self.on_turn(index, live, MatchCommand::Skip { expected: None });
            return;
        };
        let which = self.below(moves.len());
        let Some((from, to)) = moves.iter().nth(which) else { return };
        let (from, to) = (from.to_string(), to.to_string());
        self.on_turn(index, live, MatchCommand::Move { from, to, expected: None });
    }

    fn take_over(&mut self, index: usize, live: &Live) {
        let candidates = &live.sheet.people.candidates;
        let some = candidates.len().checked_sub(1).map(|last| self.below(last + 1));
        match (self.below(10), some) {
            (0..3, Some(some)) => {
                let player = candidates[some].player;
                self.person(index, player, MatchCommand::ConfirmTakeover);
            }
            (3, Some(some)) => {
                let player = candidates[some].player;
                self.person(index, player, MatchCommand::WithdrawTakeover);
            }
            _ => {
                let player = self.anybody();
                let choices = Choice::all(vec![self.matches[index].0]);
                let guest = self.guest(player);
                self.person(index, player, MatchCommand::MatchTakeover { guest, choices });
            }
        }
    }

    fn outage(&mut self, index: usize, live: &Live) {
        let outage = OutageId(self.uuid());
        let (from, to) = (live.last, Time(live.last.0 + 600_000));
        let command = MatchCommand::MoveDeadline { outage, from, to };
        self.ask(index, Actor::System, &command, Some(to));
    }

    fn on_turn(&mut self, index: usize, live: &Live, command: MatchCommand) {
        let on_turn = live.turn().and_then(|turn| live.person(turn.seat));
        if let Some(player) = on_turn.map(|person| person.player) {
            self.person(index, player, command);
        }
    }

    fn actor(&self, player: PlayerId) -> Actor {
        if self.house(player) { Actor::House(player) } else { Actor::Player(player) }
    }

    #[allow(clippy::needless_pass_by_value, reason = "commands are made where they are given")]
    fn person(&mut self, index: usize, player: PlayerId, command: MatchCommand) {
        self.ask(index, self.actor(player), &command, None);
    }

    /// Judges a command; what is refused simply does not happen.
    fn ask(&mut self, index: usize, actor: Actor, command: &MatchCommand, at: Option<Time>) {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&self.draw.below(u32::MAX).to_le_bytes());
        let mut dice = Dice::seeded(seed);
        let state = &self.matches[index].1;
        let last = state.live().map_or(self.now, |live| live.last);
        let now = at.unwrap_or(self.now).max(last);
        let events = Match::decide(state, command, &mut Ctx { now, actor, dice: &mut dice });
        for event in events.unwrap_or_default() {
            self.happen(index, actor, command.kind(), Dated { at: now, event });
        }
    }

    fn happen(&mut self, index: usize, actor: Actor, kind: &str, event: Dated<MatchEvent>) {
        Match::evolve(&mut self.matches[index].1, &event);
        self.versions[index] += 1;
        let (id, version) = (self.matches[index].0, self.versions[index]);
        self.record(actor, kind, version, Fact::Match(id, event));
    }
}
