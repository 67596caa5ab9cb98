//! A small server without doors: a private log, a clock that the test turns, the executors, and a read model
//! that folds the log whenever it is asked. Short ways to seat four people and to play.

use super::company::Acquainted;
use super::model::LogModel;
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Actor, CommandId, Dice, MatchId, PlayerId, Span, Time};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::view::{Audience, Phase, view};
use yibu_domain::matches::{
    Choice, Guest, Live, Match, MatchCommand, MatchRefusal, MatchState, RuleSet,
};
use yibu_domain::site::Site;
use yibu_infrastructure::executor::{
    Done, Executor, MatchExecutor, Matchmaker, Rejected, Request, Settings,
};
use yibu_infrastructure::log::port::{EventLog, Stored};
use yibu_infrastructure::log::{StoreConfig, open};
use yibu_infrastructure::system::{Entropy, ManualClock};
use yibu_tests::postgres::Cluster;

/// When every test begins.
pub(crate) const DAWN: Time = Time(1_800_000_000_000);

/// A normal turn.
pub(crate) const TURN: Span = Span::hours(16);

/// The grace after a deadline.
pub(crate) const GRACE: Span = Span(250);

/// What a command to a match comes to.
pub(crate) type Answer = Result<Done<Match>, Rejected<MatchRefusal>>;

pub(crate) struct World {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) clock: ManualClock,
    pub(crate) entropy: Entropy,
    pub(crate) matches: MatchExecutor,
    pub(crate) site: Executor<Site>,
    pub(crate) model: Arc<LogModel>,
    pub(crate) maker: Arc<Matchmaker>,
    pub(crate) company: Arc<Acquainted>,
    _folder: TempDir,
}

pub(crate) async fn memory() -> World {
    let folder = tempfile::tempdir().unwrap();
    world(StoreConfig::Memory, folder).await
}

pub(crate) async fn sqlite() -> World {
    let folder = tempfile::tempdir().unwrap();
    let store = StoreConfig::Sqlite { folder: folder.path().to_owned() };
    world(store, folder).await
}

pub(crate) async fn postgres() -> World {
    postgres_at(Cluster::shared().database()).await
}

/// A world on the database at `url`.
pub(crate) async fn postgres_at(url: String) -> World {
    world(
        StoreConfig::Postgres { url, connections: 4, archive: None },
        tempfile::tempdir().unwrap(),
    )
    .await
}

async fn world(store: StoreConfig, folder: TempDir) -> World {
    let clock = ManualClock::at(DAWN);
    let entropy = Entropy::seeded(3);
    let log = open(store, Arc::new(clock.clone()), entropy.clone());
    let log = log.await.unwrap();
    let matches = executor(&log, &clock, &entropy, 1000);
    let site =
        Executor::new(Arc::clone(&log), Arc::new(clock.clone()), entropy.clone(), "n", "b", 4);
    let model = Arc::new(LogModel::new(Arc::clone(&log)));
    let tables = Arc::clone(&model);
    let company = Arc::new(Acquainted::default());
    let maker = Matchmaker::new(matches.clone(), site.clone(), tables, company.clone());
    let maker = Arc::new(maker);
    World { log, clock, entropy, matches, site, model, maker, company, _folder: folder }
}

/// An executor of its own, like that of another node or after a restart.
pub(crate) fn executor(
    log: &Arc<dyn EventLog>,
    clock: &ManualClock,
    entropy: &Entropy,
    cache_states: usize,
) -> MatchExecutor {
    let settings = Settings { grace: GRACE, cache_states };
    let (log, clock) = (Arc::clone(log), Arc::new(clock.clone()));
    MatchExecutor::new(log, clock, entropy.clone(), "n", "b", settings)
}

pub(crate) fn player(n: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(n))
}

pub(crate) fn guest(n: u128) -> Guest {
    Guest { player: player(n), occupant: Occupant::Player, nickname: 1 }
}

pub(crate) fn key(n: u128) -> CommandId {
    CommandId(Uuid::from_u128(n))
}

/// A command of player `n`.
pub(crate) fn ask(id: MatchId, n: u128, command: MatchCommand) -> Request<MatchCommand> {
    Request::new(id.0, command, Actor::Player(player(n)), Uuid::nil())
}

pub(crate) fn live(state: &MatchState) -> &Live {
    state.live().unwrap()
}

/// The number of the player whose turn it is.
pub(crate) fn on_turn(state: &MatchState) -> u128 {
    let live = live(state);
    let seat = live.turn().unwrap().seat;
    live.person(seat).unwrap().player.0.as_u128()
}

/// A legal move of the player on turn, aware of the version.
pub(crate) fn a_move(state: &MatchState) -> MatchCommand {
    let seat = live(state).turn().unwrap().seat;
    let view = view(&live(state).sheet, Audience::Seat(seat));
    let (from, to) = view.legal_moves().unwrap().iter().next().unwrap();
    MatchCommand::Move {
        from: from.to_string(),
        to: to.to_string(),
        expected: Some(version(state)),
    }
}

pub(crate) fn skip(state: &MatchState) -> MatchCommand {
    MatchCommand::Skip { expected: Some(version(state)) }
}

pub(crate) fn version(state: &MatchState) -> u64 {
    live(state).sheet.public.version
}

pub(crate) fn phase(state: &MatchState) -> Phase {
    live(state).phase()
}

impl World {
    /// A running match of players `first` … `first + 3`, seated south, east, north, west in the order of the
    /// seats; the first of them is on turn.
    pub(crate) async fn playing(&self, first: u128) -> MatchId {
        let id = self.entropy.match_id();
        for (index, n) in (0_u8..4).zip(first..) {
            let command = match index {
                0 => MatchCommand::Open {
                    match_id: id,
                    rules: RuleSet::formal(Span(0)),
                    seed: None,
                    guest: guest(n),
                    nonce: None,
                },
                _ => MatchCommand::TakeSeat {
                    guest: guest(n),
                    nonce: None,
                    tables: Choice::all(vec![id]),
                },
            };
            let dice = Dice::seeded([7; 32]).forcing("seat", vec![index]);
            let request = ask(id, n, command);
            self.matches.execute_with(request, dice).await.unwrap();
        }
        for n in first..first + 4 {
            let command = MatchCommand::Ready { nonce: None, expected: None };
            let dice = Dice::seeded([7; 32]).forcing("first", vec![0]);
            let request = ask(id, n, command);
            self.matches.execute_with(request, dice).await.unwrap();
        }
        let state = self.state(id).await;
        assert_eq!(on_turn(&state), first);
        assert_eq!(live(&state).turn().unwrap().seat, Seat::ALL[0]);
        id
    }

    pub(crate) async fn send(&self, id: MatchId, n: u128, command: MatchCommand) -> Answer {
        self.matches.execute(ask(id, n, command)).await
    }

    pub(crate) async fn state(&self, id: MatchId) -> Arc<MatchState> {
        self.matches.state(id).await.unwrap().unwrap()
    }

    /// When the open clock runs out.
    pub(crate) async fn due(&self, id: MatchId) -> Time {
        live(&*self.state(id).await).due().unwrap()
    }

    pub(crate) async fn events(&self, id: MatchId) -> Vec<Stored> {
        let stream = format!("match-{id}");
        let events = self.log.read_stream(&stream, 0, usize::MAX);
        events.await.unwrap()
    }

    /// How often an event of this kind stands in the match's stream.
    pub(crate) async fn count(&self, id: MatchId, name: &str) -> usize {
        let events = self.events(id).await;
        let named = events.iter().filter(|event| event.name.contains(name));
        named.count()
    }

    /// Lets others run until so many wait for the clock.
    pub(crate) async fn until_waiting(&self, count: usize) {
        while self.clock.waiting() < count {
            tokio::task::yield_now().await;
        }
    }
}
