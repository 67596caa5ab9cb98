//! A long log of whole random matches, as a site of some months would have: many tables side by side, many
//! people, each match to its end and out of the record. Events come out ready to be carried into a store.
//! Measures nothing.

use std::collections::{HashSet, VecDeque};
use std::error::Error;
use uuid::Uuid;
use yibu_domain::kernel::{
    Actor, Bytes32, CommandId, Ctx, Dated, Decider, Event, FairDraw, MatchId, PlayerId, Span, Time,
};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::view::{Audience, Phase, view};
use yibu_domain::matches::{Choice, Guest, Live, Match, MatchCommand, MatchState, RuleSet};
use yibu_domain::players::{Player, PlayerEvent, Registered};
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::log::chain::{self, Roller};
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{NewEvent, Stamp, Stored};
use yibu_infrastructure::system::Entropy;

/// Tables at the same time: one for so many events that the log will have, and not more than the most.
const EVENTS_PER_TABLE: u64 = 2_000;
const MOST_TABLES: u64 = 50;
/// People of the site.
const PEOPLE: u32 = 8_000;
/// Two steps are no further apart.
const STEP: u32 = 60_000;

type Fault = Box<dyn Error>;

/// A stream's end.
struct Tip {
    stream: String,
    version: u64,
    hash: [u8; 32],
}

struct Table {
    state: MatchState,
    players: Vec<PlayerId>,
    tip: Tip,
}

/// A log in the making. The same seed makes the same one.
pub(crate) struct History {
    entropy: Entropy,
    draw: FairDraw,
    tables: u64,
    registered: HashSet<PlayerId>,
    open: Vec<Table>,
    ended: VecDeque<Table>,
    roller: Roller,
    now: Time,
    events: Vec<Stored>,
}

impl History {
    /// One that shall have about so many events.
    pub(crate) fn new(seed: u64, events: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self {
            entropy: Entropy::seeded(seed),
            draw: FairDraw::new("history", MatchId(Uuid::nil()), &Bytes32(bytes), &[]),
            tables: (events / EVENTS_PER_TABLE).clamp(1, MOST_TABLES),
            registered: HashSet::new(),
            open: Vec::new(),
            ended: VecDeque::new(),
            roller: Roller::new(),
            now: Time(1_700_000_000_000),
            events: Vec::new(),
        }
    }

    /// The last instant.
    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// How many events there are so far.
    pub(crate) fn len(&self) -> u64 {
        self.roller.head().position
    }

    /// About so many events more.
    pub(crate) fn next(&mut self, many: usize) -> Result<Vec<Stored>, Fault> {
        while self.events.len() < many {
            if (self.open.len() as u64) < self.tables {
                self.seat()?;
            }
            self.step()?;
        }
        Ok(std::mem::take(&mut self.events))
    }

    /// The rest of the matches that are open: nothing is claimed any more after it.
    pub(crate) fn finish(&mut self) -> Result<Vec<Stored>, Fault> {
        while !self.open.is_empty() {
            self.step()?;
        }
        Ok(std::mem::take(&mut self.events))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.draw.below(u32::try_from(bound).unwrap_or(u32::MAX)) as usize
    }

    /// A turn at one of the tables, and what is due meanwhile.
    fn step(&mut self) -> Result<(), Fault> {
        self.now = self.now + Span(i64::from(self.draw.below(STEP)));
        let due = |table: &Table| table.state.live().and_then(Live::due);
        while let Some(at) = self.ended.front().and_then(due).filter(|at| *at <= self.now)
            && let Some(mut table) = self.ended.pop_front()
        {
            self.ask(&mut table, at, Actor::Timer, &MatchCommand::Expire)?;
        }
        let index = self.below(self.open.len());
        let mut table = self.open.swap_remove(index);
        self.turn(&mut table)?;
        if table.state.live().is_some_and(|live| live.phase() == Phase::Ended) {
            self.ended.push_back(table);
        } else {
            self.open.push(table);
        }
        Ok(())
    }

    fn turn(&mut self, table: &mut Table) -> Result<(), Fault> {
        let live = table.state.live().ok_or("no match")?;
        let seat = live.turn().ok_or("nobody's turn")?.seat;
        let player = live.person(seat).ok_or("an empty seat on turn")?.player;
        let own = view(&live.sheet, Audience::Seat(seat));
        let (sight, moves) = own.sight().zip(own.legal_moves()).ok_or("no view of the own men")?;
        let mut moves: Vec<_> = moves.iter().collect();
        // An attack every other time where there is one, so that matches are as long as people's.
        let attacks = |(_, to): &(_, _)| sight.owner(*to).is_some();
        if self.below(2) == 0 && moves.iter().any(attacks) {
            moves.retain(attacks);
        }
        let command = match moves.get(self.below(moves.len())) {
            Some((from, to)) => {
                MatchCommand::Move { from: from.to_string(), to: to.to_string(), expected: None }
            }
            None => MatchCommand::Surrender,
        };
        self.ask(table, self.now, Actor::Player(player), &command)
    }

    /// Four people who sit nowhere else come to a new table and get ready.
    fn seat(&mut self) -> Result<(), Fault> {
        let id = self.entropy.match_id();
        let tip = Tip { stream: stream_name::<Match>(id.0), version: 0, hash: chain::START };
        let mut table = Table { state: MatchState::default(), players: Vec::new(), tip };
        while table.players.len() < 4 {
            let player = PlayerId(Uuid::from_u128(u128::from(self.draw.below(PEOPLE)) + 1));
            let sits = |table: &Table| table.players.contains(&player);
            if sits(&table) || self.open.iter().any(sits) {
                continue;
            }
            self.register(player)?;
            let guest = Guest { player, occupant: Occupant::Player, nickname: 1 };
            let command = if table.players.is_empty() {
                let rules = RuleSet::formal(Span(0));
                MatchCommand::Open { match_id: id, rules, seed: None, guest, nonce: None }
            } else {
                MatchCommand::TakeSeat { guest, nonce: None, tables: Choice::all(vec![id]) }
            };
            self.ask(&mut table, self.now, Actor::Player(player), &command)?;
            table.players.push(player);
        }
        for player in table.players.clone() {
            let ready = MatchCommand::Ready { nonce: None, expected: None };
            self.ask(&mut table, self.now, Actor::Player(player), &ready)?;
        }
        self.open.push(table);
        Ok(())
    }

    fn register(&mut self, player: PlayerId) -> Result<(), Fault> {
        if !self.registered.insert(player) {
            return Ok(());
        }
        let stream = stream_name::<Player>(player.0);
        let mut tip = Tip { stream, version: 0, hash: chain::START };
        let stamp = self.stamp(self.now, Actor::Player(player), "register");
        self.record(&mut tip, &stamp, &PlayerEvent::Registered(Registered { house: false }))
    }

    /// Judges a command; none of them may be refused.
    fn ask(
        &mut self,
        table: &mut Table,
        now: Time,
        actor: Actor,
        command: &MatchCommand,
    ) -> Result<(), Fault> {
        let mut dice = self.entropy.dice();
        let mut ctx = Ctx { now, actor, dice: &mut dice };
        let decided = Match::decide(&table.state, command, &mut ctx);
        let stamp = self.stamp(now, actor, command.kind());
        for event in decided.map_err(|refusal| format!("{}: {refusal}", command.kind()))? {
            self.record(&mut table.tip, &stamp, &event)?;
            Match::evolve(&mut table.state, &Dated { at: now, event });
        }
        Ok(())
    }

    fn stamp(&self, at: Time, actor: Actor, command: &str) -> Stamp {
        Stamp {
            at,
            actor,
            command: command.to_owned(),
            command_id: actor.player().map(|_| CommandId(self.entropy.uuid())),
            correlation: self.entropy.uuid(),
            causation: None,
            node: "node-a".to_owned(),
            build: "0.1.0".to_owned(),
        }
    }

    fn record<E: Event>(&mut self, tip: &mut Tip, stamp: &Stamp, event: &E) -> Result<(), Fault> {
        let NewEvent { id, name, payload } = codec::new_event(self.entropy.event_id(), event)?;
        let mut stored = Stored {
            position: self.len() + 1,
            stream: tip.stream.clone(),
            version: tip.version + 1,
            id,
            name: name.to_owned(),
            payload,
            stamp: stamp.clone(),
            recorded: stamp.at,
            salt: self.entropy.salt(),
            hash: chain::START,
        };
        stored.hash = chain::event_hash(&tip.hash, &stored);
        (tip.version, tip.hash) = (stored.version, stored.hash);
        self.roller.push(&stored)?;
        self.events.push(stored);
        Ok(())
    }
}
