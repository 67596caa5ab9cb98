//! The life of matches against the contract scenarios: through decide and evolve alone, and through the
//! real executor on every store.

mod executor;
mod model;
mod pure;
mod told;

use async_trait::async_trait;
use model::{Names, Scenario, Step, seconds};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use told::Happened;
use yibu_domain::games::siguo::formation::Fault;
use yibu_domain::kernel::{MatchId, PlayerId};
use yibu_domain::matches::{MatchEvent, MatchState};
use yibu_domain::players::{Record, tally};
use yibu_domain::site::Limits;
use yibu_tests::vectors;

/// What a step came to.
#[derive(Default)]
pub(crate) struct Came {
    /// What the clock did before the step.
    clock: Vec<Happened>,
    /// What the step did.
    events: Vec<Happened>,
    /// Limits that the step set.
    limits: Option<Limits>,
    /// The code of a refusal, with a formation's faults.
    refused: Option<(String, Vec<Fault>)>,
    /// What the system could have drawn from.
    choices: Option<BTreeMap<String, Vec<String>>>,
}

/// Something that can live through a scenario.
#[async_trait]
pub(crate) trait World: Send {
    async fn step(&mut self, step: &Step, names: &mut Names) -> Came;
    async fn state(&mut self, game: MatchId) -> MatchState;
}

fn scenarios() -> Vec<Scenario> {
    vectors::items(&vectors::siguo("scenarios.json"))
}

/// Lives through a scenario and compares every word of it.
pub(crate) async fn run(scenario: &Scenario, world: &mut dyn World) {
    let mut names = Names::default();
    let mut records: BTreeMap<PlayerId, Record> = BTreeMap::new();
    for (number, step) in scenario.steps.iter().enumerate() {
        let at = format!(
            "scenario {} {} step {number} ({} {} at {})",
            scenario.index, scenario.name, step.actor, step.command, step.at
        );
        let came = world.step(step, &mut names).await;
        for happened in came.clock.iter().chain(&came.events) {
            if let Some(action) = happened.event.event.action() {
                tally(&action, |player, edit| edit(records.entry(player).or_default()));
            }
        }
        let told = |list: &[Happened]| -> Vec<Value> {
            list.iter().filter_map(|happened| told::event(&names, happened)).collect()
        };
        assert_eq!(told(&came.clock), step.expect.clock, "{at}: clock");
        let code = came.refused.as_ref().map(|(code, _)| code.clone());
        assert_eq!(code, step.expect.error, "{at}: refusal");
        assert_eq!(code.is_none(), step.expect.ok, "{at}: ok");
        if let (Some((_, faults)), Some(broken)) = (&came.refused, &step.expect.broken) {
            let faults: Vec<Value> =
                faults.iter().map(|fault| json!([fault.rule, fault.at])).collect();
            assert_eq!(&json!(faults), broken, "{at}: broken rules");
        }
        let mut events = told(&came.events);
        if let Some(limits) = &came.limits {
            events.push(json!({"kind": "limits_set", "match": null, "at": step.at,
                "full": limits.full, "takeover": limits.takeover}));
        }
        // The set-up is the vectors' own device: its states are compared, not its events.
        if step.command != "setup" {
            assert_eq!(events, step.expect.events, "{at}: events");
        }
        if let Some(choices) = &step.expect.choices {
            assert_eq!(came.choices.as_ref(), Some(choices), "{at}: choices");
        }
        for (game, expected) in &step.expect.state {
            let state = world.state(names.game(game)).await;
            assert_eq!(&told::state(&names, &state), expected, "{at}: state of {game}");
        }
        if let Some(expected) = &step.expect.formation {
            let game = step.on.clone().or_else(|| step.drawn_match()).expect("a match");
            let state = world.state(names.game(&game)).await;
            let player = names.player(&step.actor);
            let stored = state.live().and_then(|live| told::stored_formation(live, player));
            assert_eq!(stored.as_ref(), Some(expected), "{at}: stored formation");
        }
    }
    compare_end(scenario, &mut names, &records, world).await;
}

async fn compare_end(
    scenario: &Scenario,
    names: &mut Names,
    records: &BTreeMap<PlayerId, Record>,
    world: &mut dyn World,
) {
    let at = format!("end of scenario {} {}", scenario.index, scenario.name);
    for (game, phase) in &scenario.end.phases {
        let state = world.state(names.game(game)).await;
        let live = state.live().expect("the match exists");
        assert_eq!(json!(live.phase()), json!(phase), "{at}: phase of {game}");
    }
    let zero = json!(Record::default());
    let mut found: Map<String, Value> = Map::new();
    for (player, record) in records {
        found.insert(names.name(player.0).to_owned(), json!(record));
    }
    for (name, expected) in &scenario.end.players {
        assert_eq!(found.get(name).unwrap_or(&zero), expected, "{at}: {name}");
    }
    for (name, record) in &found {
        let listed = scenario.end.players.contains_key(name);
        assert!(listed || *record == zero, "{at}: {name} should have nothing, has {record}");
    }
}

/// Only what the vectors tell of time is compared; this keeps whole seconds honest.
#[allow(dead_code, reason = "used by both worlds")]
pub(crate) fn at(step: &Step) -> yibu_domain::kernel::Time {
    debug_assert_eq!(seconds(model::time(step.at)), json!(step.at));
    model::time(step.at)
}

/// Groups what happened with its match.
pub(crate) fn happened(
    game: MatchId,
    events: impl IntoIterator<Item = yibu_domain::kernel::Dated<MatchEvent>>,
) -> Vec<Happened> {
    events.into_iter().map(|event| Happened { game, event }).collect()
}

#[tokio::test]
async fn vector_scenarios_through_decide_and_evolve() {
    for scenario in scenarios() {
        run(&scenario, &mut pure::Pure::default()).await;
    }
}

#[tokio::test]
async fn vector_scenarios_through_the_executor_on_memory() {
    for scenario in scenarios() {
        run(&scenario, &mut executor::Served::on("memory").await).await;
    }
}

#[tokio::test]
async fn vector_scenarios_through_the_executor_on_sqlite() {
    for scenario in scenarios() {
        run(&scenario, &mut executor::Served::on("sqlite").await).await;
    }
}

#[tokio::test]
async fn vector_scenarios_through_the_executor_on_postgres() {
    for scenario in scenarios() {
        run(&scenario, &mut executor::Served::on("postgres").await).await;
    }
}
