//! A world of the real executor: a log on some store, a clock that the scenario turns, the outage gate.

use super::model::{Names, Step, rules, time};
use super::told::Happened;
use super::{Came, World, at};
use crate::executor::model::LogModel;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::sync::Arc;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, Counter, MatchId, PlayerId, Span, Time};
use yibu_domain::matches::{Choice, Live, MatchCommand, MatchRefusal, MatchState};
use yibu_domain::site::{SITE, Site, SiteCommand, SiteEvent};
use yibu_infrastructure::executor::{Executor, Gate, MatchExecutor, Rejected, Request, Settings};
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::log::{StoreConfig, open};
use yibu_infrastructure::system::{Entropy, ManualClock};
use yibu_infrastructure::workers::OutageGate;
use yibu_tests::postgres::Cluster;

/// Waits are crossed in strides below the shortest outage.
const STRIDE: Span = Span::seconds(59);

pub struct Served {
    log: Arc<dyn EventLog>,
    clock: ManualClock,
    matches: MatchExecutor,
    site: Executor<Site>,
    model: Arc<LogModel>,
    gate: Arc<OutageGate>,
    order: Vec<MatchId>,
    seen: u64,
    _folder: tempfile::TempDir,
}

fn limit(counter: Counter) -> (String, Vec<yibu_domain::games::siguo::formation::Fault>) {
    let code = match counter {
        Counter::Full => "FULL_LIMIT_REACHED",
        Counter::Takeover => "TAKEOVER_LIMIT_REACHED",
    };
    (code.to_owned(), Vec::new())
}

impl Served {
    /// On a private store of the named kind.
    pub async fn on(store: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = match store {
            "memory" => StoreConfig::Memory,
            "sqlite" => StoreConfig::Sqlite { folder: folder.path().to_owned() },
            "postgres" => StoreConfig::Postgres {
                url: Cluster::shared().database(),
                connections: 2,
                archive: None,
            },
            other => panic!("no store is called {other}"),
        };
        let clock = ManualClock::at(time(0));
        let entropy = Entropy::seeded(11);
        let log = open(config, Arc::new(clock.clone()), entropy.clone()).await.expect("a log");
        // The vectors know no grace.
        let settings = Settings { grace: Span(0), cache_states: 2 };
        let shared: Arc<ManualClock> = Arc::new(clock.clone());
        let matches =
            MatchExecutor::new(log.clone(), shared.clone(), entropy.clone(), "n", "b", settings);
        let site = Executor::new(log.clone(), shared, entropy, "n", "b", 4);
        let model = Arc::new(LogModel::new(log.clone()));
        let gate = OutageGate::new(matches.clone(), site.clone(), model.clone(), "n");
        let gate = Arc::new(gate);
        let matches = matches.gated(gate.clone() as Arc<dyn Gate>);
        Self { log, clock, matches, site, model, gate, order: Vec::new(), seen: 0, _folder: folder }
    }

    /// Turns the clock as a server that lives: it marks that it serves, so that no gap opens.
    async fn turn_to(&self, to: Time) {
        while self.now() + STRIDE < to {
            self.clock.set(self.now() + STRIDE);
            self.log.beat("n", self.now()).await.expect("a mark");
            self.gate.beat().await.expect("a mark");
        }
        self.clock.set(to.max(self.now()));
        self.log.beat("n", self.now()).await.expect("a mark");
        self.gate.beat().await.expect("a mark");
    }

    fn now(&self) -> Time {
        yibu_infrastructure::system::Clock::now(&self.clock)
    }

    async fn live(&self, game: MatchId) -> Live {
        let state = self.matches.state(game).await.expect("readable").expect("opened");
        state.live().expect("opened").clone()
    }

    /// What the log has gained, match by match.
    async fn gained(&mut self) -> Vec<Happened> {
        let mut gained = Vec::new();
        for stored in self.log.read_all(self.seen, usize::MAX).await.expect("readable") {
            self.seen = stored.position;
            let Some(id) = stored.stream.strip_prefix("match-") else { continue };
            let game = MatchId(id.parse().expect("an id"));
            if !self.order.contains(&game) {
                self.order.push(game);
            }
            let event = codec::decode(&stored).expect("a known event");
            gained.push(Happened { game, event });
        }
        gained
    }

    async fn run_clock(&mut self, until: Time, inclusive: bool) -> Vec<Happened> {
        loop {
            let mut first: Option<(Time, MatchId)> = None;
            for game in self.order.clone() {
                let due = self.live(game).await.due();
                let reached = |due: &Time| if inclusive { *due <= until } else { *due < until };
                if let Some(due) = due.filter(reached)
                    && first.is_none_or(|(earliest, _)| due < earliest)
                {
                    first = Some((due, game));
                }
            }
            let Some((due, game)) = first else { break };
            self.turn_to(due).await;
            let expired = self.matches.expire_due(game).await.expect("the timer is never refused");
            assert!(expired.count > 0, "a due deadline does something");
        }
        self.gained().await
    }

    async fn send(
        &mut self,
        step: &Step,
        game: MatchId,
        actor: Actor,
        command: MatchCommand,
    ) -> Came {
        let request = Request::new(game.0, command, actor, Uuid::nil());
        let came = match self.matches.execute_with(request, step.dice()).await {
            Ok(_) => Came::default(),
            Err(Rejected::Refused(refusal)) => {
                let faults = match &refusal {
                    MatchRefusal::IllegalFormation(faults) => faults.clone(),
                    _ => Vec::new(),
                };
                Came { refused: Some((refusal.code().to_owned(), faults)), ..Came::default() }
            }
            Err(Rejected::LimitReached(counter)) => {
                Came { refused: Some(limit(counter)), ..Came::default() }
            }
            Err(other) => panic!("{other}"),
        };
        Came { events: self.gained().await, ..came }
    }

    async fn room(&self, counter: Counter, player: PlayerId) -> bool {
        let (held, most) = self.log.count(counter, player).await.expect("readable");
        held < most
    }

    async fn match_new(&mut self, step: &Step, names: &mut Names) -> Came {
        let player = names.player(&step.actor);
        let guest = names.guest(&step.actor);
        let mut tables = Vec::new();
        let mut choices = BTreeMap::new();
        for game in self.order.clone() {
            let live = self.live(game).await;
            let free = live.free_seats();
            if !free.is_empty() && live.seat_of(player).is_none() {
                let seats = free.iter().map(ToString::to_string).collect();
                choices.insert(names.name(game.0).to_owned(), seats);
                tables.push(game);
            }
        }
        let Some(game) = step.drawn_match().map(|name| names.game(&name)) else {
            assert!(!self.room(Counter::Full, player).await, "a draw is missing");
            let refused = Some(limit(Counter::Full));
            return Came { refused, choices: Some(choices), ..Came::default() };
        };
        let command = if tables.is_empty() {
            MatchCommand::Open { match_id: game, rules: rules(), seed: None, guest, nonce: None }
        } else {
            MatchCommand::TakeSeat { guest, nonce: None, tables: Choice::all(tables) }
        };
        let came = self.send(step, game, Actor::Player(player), command).await;
        Came { choices: Some(choices), ..came }
    }

    async fn match_takeover(&mut self, step: &Step, names: &mut Names) -> Came {
        let player = names.player(&step.actor);
        let guest = names.guest(&step.actor);
        let mut open = Vec::new();
        let mut choices = BTreeMap::new();
        for game in self.order.clone() {
            let live = self.live(game).await;
            if let Some(seat) = live.vacancy().filter(|_| live.takeover_open_to(player)) {
                choices.insert(names.name(game.0).to_owned(), vec![seat.to_string()]);
                open.push(game);
            }
        }
        let refused = match (self.room(Counter::Takeover, player).await, open.is_empty()) {
            (false, _) => Some(limit(Counter::Takeover)),
            (true, true) => Some((MatchRefusal::NoVacancy.code().to_owned(), Vec::new())),
            (true, false) => None,
        };
        if refused.is_some() {
            return Came { refused, choices: Some(choices), ..Came::default() };
        }
        let game = names.game(&step.drawn_match().expect("a drawn match"));
        let command = MatchCommand::MatchTakeover { guest, choices: Choice::all(open) };
        let came = self.send(step, game, Actor::Player(player), command).await;
        Came { choices: Some(choices), ..came }
    }

    async fn set_limits(&mut self, step: &Step, names: &mut Names) -> Came {
        let number = |name: &str| step.args[name].as_i64().expect("a whole number");
        let command = SiteCommand::SetLimits {
            full: number("full"),
            takeover: number("takeover"),
            reason: "scenario".parse().expect("a reason code"),
        };
        let actor = Actor::Admin(names.player(&step.actor));
        match self.site.execute(Request::new(SITE, command, actor, Uuid::nil())).await {
            Ok(done) => {
                let limits = done.events.iter().find_map(|event| match &event.event {
                    SiteEvent::LimitsSet(limits) => Some(limits.clone()),
                    _ => None,
                });
                Came { limits, ..Came::default() }
            }
            Err(Rejected::Refused(refusal)) => {
                let refused = Some((refusal.code().to_owned(), Vec::new()));
                Came { refused, ..Came::default() }
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// Nobody marks between the two instants; the gate finds the gap and makes it good.
    async fn outage(&mut self, step: &Step) -> Came {
        self.clock.set(at(step));
        self.model.catch_up().await;
        self.gate.beat().await.expect("the gap is closed");
        let mut events = self.gained().await;
        let place = |game: MatchId| self.order.iter().position(|known| *known == game);
        events.sort_by_key(|happened| place(happened.game));
        Came { events, ..Came::default() }
    }
}

#[async_trait]
impl World for Served {
    async fn step(&mut self, step: &Step, names: &mut Names) -> Came {
        let outage = step.command == "outage";
        let until = match outage {
            true => time(step.args["from"].as_i64().expect("from")),
            false => at(step),
        };
        let clock = self.run_clock(until, !outage).await;
        self.turn_to(until).await;
        let came = match step.command.as_str() {
            "match_new" => self.match_new(step, names).await,
            "takeover_match" => self.match_takeover(step, names).await,
            "set_limits" => self.set_limits(step, names).await,
            "outage" => self.outage(step).await,
            "tick" => Came::default(),
            _ => {
                let game = names.game(step.on.as_deref().expect("a match"));
                let player = names.player(&step.actor);
                let command = step.to_match(names);
                self.send(step, game, Actor::Player(player), command).await
            }
        };
        Came { clock, ..came }
    }

    async fn state(&mut self, game: MatchId) -> MatchState {
        MatchState::clone(&*self.matches.state(game).await.expect("readable").expect("opened"))
    }
}
