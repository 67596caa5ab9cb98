//! Two versions beside each other: a newer node has written what this one does not know.

use serde_json::{Value, json};
use uuid::Uuid;
use yibu_domain::kernel::{Actor, EventId, Time};
use yibu_infrastructure::log::port::{Commit, Expected, NewEvent, Stamp};
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

/// Appends an event of another version to a match, as another node would.
async fn written_by_another(server: &TestApp, table: &Table, name: &'static str) {
    let id: Uuid = table.id[2..].parse().expect("the id holds the UUID");
    let stamp = Stamp {
        at: Time(1_790_000_100_000),
        actor: Actor::System,
        command: "move".to_owned(),
        command_id: None,
        correlation: Uuid::from_u128(1),
        causation: None,
        node: "newer".to_owned(),
        build: "99.0.0".to_owned(),
    };
    let event =
        NewEvent { id: EventId(Uuid::from_u128(9)), name, payload: "{\"public\":{}}".to_owned() };
    let commit = Commit {
        stream: format!("match-{id}"),
        expected: Expected::Any,
        events: vec![event],
        stamp,
        claims: Vec::new(),
        memo: None,
    };
    server.app().log().append(commit).await.expect("appended");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_with_an_unknown_version_is_refused_and_the_others_go_on() {
    let server = TestApp::start().await;
    let (newer, mut other) =
        (Table::started(&server, "n").await, Table::started(&server, "o").await);
    let seen = other.view(&other.people[0]).await;
    let mover = other.people[other.on_turn(&seen)].clone();
    let own = other.view(&mover).await;
    let (from, to) = other.any_move(&own);
    written_by_another(&server, &newer, "siguo.moved.v99").await;

    let query =
        "mutation($input: SkipInput!) { skip(input: $input) { match { id } userErrors { code } } }";
    for person in &newer.people {
        for _ in 0..2 {
            let input = json!({
                "matchId": newer.id,
                "idempotencyKey": person.key(),
                "expectedVersion": 1,
            });
            let answer = person.send(query, &json!({ "input": input })).await;
            assert_eq!(answer["errors"][0]["extensions"]["code"], "NODE_OUTDATED", "{answer}");
            assert!(!answer.to_string().contains("v99"), "clients learn what helps them: {answer}");
        }
    }
    // A command that does not look at the state first is refused by the executor itself.
    let id = yibu_domain::kernel::MatchId(newer.id[2..].parse().unwrap());
    let expired = server.app().matches().expire_due(id).await;
    assert!(
        matches!(expired, Err(yibu_infrastructure::executor::Rejected::Newer(_))),
        "{expired:?}"
    );

    let input = json!({ "from": from, "to": to, "expectedVersion": own["version"] });
    let moved = other.command(&mover, "move", "MoveInput", &input).await;
    assert_eq!(moved["userErrors"], Value::Array(Vec::new()), "{moved}");
    // The read models stand still before it, and a balancer hears of that.
    let mut reasons = Value::Null;
    for _ in 0..1_000 {
        reasons = super::health::health(&server, "ready").await.1["reasons"].clone();
        if reasons == json!(["read_model_stopped"]) {
            return;
        }
    }
    panic!("{reasons}");
}
