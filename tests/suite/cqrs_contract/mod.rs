//! The same aggregates on the `cqrs_es` framework over our log: a scripted match gives the same events,
//! the same states and the same refusals as our executor.

use crate::executor::fixture::{
    World, a_move, ask, executor, guest, live, memory, on_turn, player, postgres, skip, sqlite,
};
use cqrs_es::persist::PersistedEventStore;
use cqrs_es::{AggregateError, CqrsFramework};
use std::collections::HashMap;
use std::sync::Arc;
use yibu_domain::kernel::{Actor, Bytes32, Dated, Dice, MatchId, Span, fold};
use yibu_domain::matches::{
    Choice, Match, MatchCommand, MatchEvent, MatchRefusal, MatchState, RuleSet,
};
use yibu_infrastructure::executor::hosted::{ACTOR, COMMAND, HostedCommand, HostedLog};
use yibu_infrastructure::executor::{Hosted, Rejected};
use yibu_infrastructure::log::codec;

type Store = PersistedEventStore<HostedLog<Match>, Hosted<Match>>;

struct Two {
    ours: World,
    theirs: World,
    framework: CqrsFramework<Hosted<Match>, Store>,
    id: MatchId,
    steps: u8,
}

impl Two {
    fn new(ours: World, theirs: World) -> Self {
        let repository = HostedLog::new(Arc::clone(&theirs.log), theirs.entropy.clone());
        let store = PersistedEventStore::new_event_store(repository);
        Self {
            framework: CqrsFramework::new(store, Vec::new(), ()),
            id: ours.entropy.match_id(),
            ours,
            theirs,
            steps: 0,
        }
    }

    /// One command on both; returns whether it was granted.
    async fn step(&mut self, n: u128, command: MatchCommand) -> Result<(), MatchRefusal> {
        self.steps += 1;
        let dice = || {
            let dice = Dice::seeded([self.steps; 32]);
            dice.forcing("first", vec![0])
        };
        let now = self.ours.clock.advance(Span(1));
        self.theirs.clock.set(now);
        let request = ask(self.id, n, command.clone());
        let ours = self.ours.matches.execute_with(request, dice()).await;
        let ours = ours.map(drop).map_err(|rejected| match rejected {
            Rejected::Refused(refusal) => refusal,
            other => panic!("{other}"),
        });
        let actor = Actor::Player(player(n));
        let metadata =
            [(ACTOR, serde_json::to_string(&actor).unwrap()), (COMMAND, command.kind().to_owned())];
        let metadata: HashMap<_, _> = metadata.map(|(key, value)| (key.to_owned(), value)).into();
        let command = HostedCommand { command, actor, now, dice: dice() };
        let id = self.id.to_string();
        let theirs = self.framework.execute_with_metadata(&id, command, metadata);
        let theirs = theirs.await.map_err(|error| match error {
            AggregateError::UserError(refusal) => refusal,
            other => panic!("{other}"),
        });
        assert_eq!(ours, theirs);
        ours
    }

    async fn state(&self) -> Arc<MatchState> {
        self.ours.state(self.id).await
    }

    /// Everything that both logs say, compared.
    async fn compare(&self) {
        let (ours, theirs) = (self.ours.events(self.id).await, self.theirs.events(self.id).await);
        assert_eq!(ours.len(), theirs.len());
        for (our, their) in ours.iter().zip(&theirs) {
            assert_eq!((&our.name, our.version), (&their.name, their.version));
            assert!(our.payload == their.payload, "payloads of {}", our.name);
            assert_eq!(our.stamp.at, their.stamp.at);
            assert_eq!(our.stamp.actor, their.stamp.actor);
            assert_eq!(our.stamp.command, their.stamp.command);
        }
        let decoded = theirs.iter().map(|event| codec::decode(event).unwrap());
        let decoded: Vec<Dated<MatchEvent>> = decoded.collect();
        assert!(fold::<Match>(&decoded) == *self.state().await);
        let other = executor(&self.theirs.log, &self.theirs.clock, &self.theirs.entropy, 1);
        let read = other.state(self.id).await.unwrap().unwrap();
        assert!(*read == *self.state().await);
        let claims = (self.ours.log.claims().await, self.theirs.log.claims().await);
        assert_eq!(claims.0, claims.1);
    }
}

async fn script(mut two: Two) {
    let match_id = two.id;
    let open = MatchCommand::Open {
        match_id,
        rules: RuleSet::formal(Span(0)),
        seed: Some(Bytes32([5; 32])),
        guest: guest(1),
        nonce: None,
    };
    two.step(1, open.clone()).await.unwrap();
    assert!(two.step(1, open).await.is_err());
    for n in 2..=4 {
        let take = MatchCommand::TakeSeat {
            guest: guest(n),
            nonce: None,
            tables: Choice::all(vec![match_id]),
        };
        two.step(n, take.clone()).await.unwrap();
        assert!(two.step(n, take).await.is_err());
    }
    for n in 1..=4 {
        let ready = MatchCommand::Ready { nonce: None, expected: None };
        two.step(n, ready).await.unwrap();
    }
    for turn in 0..24 {
        let state = two.state().await;
        let n = on_turn(&state);
        let command = if turn % 5 == 4 { skip(&state) } else { a_move(&state) };
        two.step(n, command.clone()).await.unwrap();
        assert_eq!(two.step(n, command).await, Err(MatchRefusal::StaleVersion));
    }
    let state = two.state().await;
    two.step(on_turn(&state), MatchCommand::OfferDraw).await.unwrap();
    two.step(on_turn(&state), MatchCommand::Leave).await.unwrap();
    let guest = guest(9);
    let takeover = MatchCommand::MatchTakeover { guest, choices: Choice::all(vec![match_id]) };
    two.step(9, takeover).await.unwrap();
    two.step(9, MatchCommand::ConfirmTakeover).await.unwrap();
    for n in 1..=9 {
        // Whoever sits there gives up, until it is over.
        let _ = two.step(n, MatchCommand::Surrender).await;
    }
    assert!(live(&*two.state().await).sheet.public.ended.is_some());
    two.compare().await;
}

#[tokio::test]
async fn the_framework_gives_the_same_over_memory() {
    script(Two::new(memory().await, memory().await)).await;
}

#[tokio::test]
async fn the_framework_gives_the_same_over_sqlite() {
    script(Two::new(sqlite().await, sqlite().await)).await;
}

#[tokio::test]
async fn the_framework_gives_the_same_over_postgres() {
    script(Two::new(postgres().await, postgres().await)).await;
}

#[test]
fn a_state_has_no_way_out() {
    let hosted = Hosted::<Match>::default();
    assert!(serde_json::to_string(&hosted).is_err());
    assert!(serde_json::from_str::<Hosted<Match>>("{}").is_err());
}
