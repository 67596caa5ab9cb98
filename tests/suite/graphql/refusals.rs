//! Bad input of every kind: a stable code, and nothing has changed.

use serde_json::{Value, json};
use yibu_domain::kernel::Span;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::table::{Table, match_new, payload};

fn code(answer: &Value) -> &str {
    answer["userErrors"][0]["code"].as_str().unwrap_or("none")
}

/// The same person's view but for the time of reading.
async fn unchanged(table: &Table, person: &Client, before: &Value) {
    let mut after = table.view(person).await;
    after["now"] = before["now"].clone();
    assert_eq!(after, *before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_wrong_move_has_its_code() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "bad").await;
    let seen = table.view(&table.people[0]).await;
    let mover = table.people[table.on_turn(&seen)].clone();
    let other = table.people[(table.on_turn(&seen) + 1) % 4].clone();
    let before = table.view(&mover).await;
    let version = before["version"].clone();
    let (from, to) = table.any_move(&before);
    let good = json!({ "from": from, "to": to, "expectedVersion": version });

    let stranger = app.player("stranger").await;
    for (person, input, expected) in [
        (&mover, json!({ "from": "x99", "to": to, "expectedVersion": version }), "ILLEGAL_MOVE"),
        (&mover, json!({ "from": from, "to": from, "expectedVersion": version }), "ILLEGAL_MOVE"),
        (&mover, json!({ "from": from, "to": to, "expectedVersion": 1 }), "STALE_VERSION"),
        (&other, good.clone(), "NOT_YOUR_TURN"),
        (&stranger, good.clone(), "MATCH_NOT_FOUND"),
    ] {
        let answer = table.command(person, "move", "MoveInput", &input).await;
        assert_eq!(code(&answer), expected, "{input}");
        assert_eq!(answer["position"], Value::Null);
        assert_eq!(
            answer["match"].is_null(),
            expected == "MATCH_NOT_FOUND",
            "refusals show the view of now"
        );
    }
    for id in
        ["", "nonsense", "6d00000000000000000000000000000000", "700000000000000000000000000000000"]
    {
        let mut input = good.clone();
        input["matchId"] = json!(id);
        assert_eq!(
            code(&table.command(&mover, "move", "MoveInput", &input).await),
            "MATCH_NOT_FOUND"
        );
        let query = "query($id: ID!) { match(id: $id) { id } node(id: $id) { __typename } }";
        let answer = mover.send(query, &json!({ "id": id })).await;
        assert_eq!(answer["data"], json!({ "match": null, "node": null }));
        assert_eq!(answer["errors"][0]["extensions"]["code"], "MATCH_NOT_FOUND");
    }
    assert_eq!(
        code(
            &table
                .command(&app.visitor(), "skip", "SkipInput", &json!({ "expectedVersion": 1 }))
                .await
        ),
        "UNAUTHENTICATED"
    );
    unchanged(&table, &mover, &before).await;

    // A key that is no UUID is an error of the request, not of the move.
    let query = "mutation($input: MoveInput!) { move(input: $input) { version } }";
    let mut input = good.clone();
    input["matchId"] = json!(table.id);
    input["idempotencyKey"] = json!("key");
    let answer = mover.send(query, &json!({ "input": input })).await;
    assert!(answer["errors"][0]["extensions"]["code"].is_string(), "{answer}");
    unchanged(&table, &mover, &before).await;

    // Once, twice with the same key, and the key again for something else.
    let mut input = good.clone();
    input["idempotencyKey"] = json!(mover.key());
    let first = table.command(&mover, "move", "MoveInput", &input).await;
    assert_eq!(first["userErrors"], json!([]));
    let again = table.command(&mover, "move", "MoveInput", &input).await;
    assert_eq!(again["userErrors"], json!([]));
    assert_eq!(again["version"], first["version"], "done once");
    input["to"] = json!("c22");
    assert_eq!(
        code(&table.command(&mover, "move", "MoveInput", &input).await),
        "IDEMPOTENCY_CONFLICT"
    );
    let answer = table.command(&mover, "move", "MoveInput", &good).await;
    assert_eq!(code(&answer), "STALE_VERSION");
    assert_eq!(answer["match"]["version"], first["version"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn formations_are_judged_with_every_broken_rule() {
    let app = TestApp::start().await;
    let table = Table::seated(&app, "form").await;
    let person = &table.people[0];
    let view = table.view(person).await;
    assert_eq!(
        (view["phase"].as_str(), view["seatsTaken"].as_u64()),
        (Some("ASSEMBLING"), Some(4))
    );
    assert!(view["seats"].as_array().expect("four").iter().all(|card| card["person"].is_null()));
    let pieces = view["myPieces"].as_array().expect("25").clone();
    let version = view["privateVersion"].clone();
    let formation: Vec<Value> = pieces
        .iter()
        .map(|own| json!({ "at": own["at"], "piece": own["identity"].as_str().map(str::to_lowercase) }))
        .collect();
    let mut broken = formation.clone();
    broken[0]["piece"] = json!("dragon");
    let arrange = |formation: Vec<Value>, version: &Value| json!({ "formation": formation, "expectedVersion": version });
    let answer = table
        .command(person, "arrangeFormation", "ArrangeFormationInput", &arrange(broken, &version))
        .await;
    assert_eq!(code(&answer), "ILLEGAL_FORMATION");
    let rules = answer["userErrors"][0]["brokenRules"].as_array().expect("rules");
    assert!(
        rules.iter().any(|broken| broken == &json!({ "rule": "UNKNOWN_PIECE", "at": "dragon" })),
        "{rules:?}"
    );
    let mut twice = formation.clone();
    twice.push(formation[0].clone());
    let answer = table
        .command(person, "arrangeFormation", "ArrangeFormationInput", &arrange(twice, &version))
        .await;
    assert_eq!(code(&answer), "INVALID_INPUT");
    unchanged(&table, person, &view).await;

    let arranged = table
        .ok(person, "arrangeFormation", "ArrangeFormationInput", &arrange(formation, &version))
        .await;
    assert_eq!(arranged["version"], view["version"], "arranging is private");
    let stale = json!({ "expectedVersion": version });
    assert_eq!(code(&table.command(person, "ready", "ReadyInput", &stale).await), "STALE_VERSION");
    let same = json!({ "a": "c11", "b": "c12", "expectedVersion": arranged["privateVersion"] });
    assert_eq!(
        code(&table.command(person, "swapPieces", "SwapPiecesInput", &same).await),
        "INVALID_SWAP"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_start_leaving_costs_nothing_and_a_repeat_finds_nothing_to_see() {
    let app = TestApp::start().await;
    let person = app.player("early").await;
    let view = match_new(&person).await;
    let input = json!({ "idempotencyKey": person.key(), "matchId": view["id"] });
    for _ in 0..2 {
        let answer = person.mutate("leave", "LeaveInput", &payload(), &input).await;
        assert_eq!((&answer["userErrors"], &answer["match"]), (&json!([]), &Value::Null));
    }
    let input = json!({ "idempotencyKey": person.key(), "matchId": view["id"] });
    let answer = person.mutate("leave", "LeaveInput", &payload(), &input).await;
    assert_eq!(code(&answer), "MATCH_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sixth_match_is_refused() {
    let app = TestApp::start().await;
    let person = app.player("busy").await;
    for _ in 0..5 {
        match_new(&person).await;
    }
    let input = json!({ "idempotencyKey": person.key() });
    let answer = person.mutate("matchNewGame", "MatchNewGameInput", &payload(), &input).await;
    assert_eq!(code(&answer), "FULL_LIMIT_REACHED");
    let answer = person.mutate("matchTakeover", "MatchTakeoverInput", &payload(), &input).await;
    assert_eq!(code(&answer), "NO_VACANCY");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_after_the_deadline_is_told_so() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "late").await;
    let seen = table.view(&table.people[0]).await;
    let mover = table.people[table.on_turn(&seen)].clone();
    let view = table.view(&mover).await;
    let (from, to) = table.any_move(&view);
    app.pass(Span::hours(16)).await;
    let input = json!({ "from": from, "to": to, "expectedVersion": view["version"] });
    let answer = table.command(&mover, "move", "MoveInput", &input).await;
    assert_eq!(code(&answer), "TURN_EXPIRED");
    assert_eq!(answer["match"]["role"], "DEPARTED");
    assert_eq!(answer["match"]["turn"]["kind"], "VACANT");
}

/// A key that was used elsewhere tells a stranger nothing about a match: the same answer, byte for byte, for a
/// real one and for one that does not exist.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_used_key_is_no_way_to_find_matches() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "keys").await;
    let stranger = app.player("stranger").await;
    let key = json!(stranger.key());
    let input = json!({ "idempotencyKey": key });
    let own = stranger.mutate("matchNewGame", "MatchNewGameInput", &payload(), &input).await;
    assert_eq!(own["userErrors"], json!([]));
    let mut answers = Vec::new();
    for id in [table.id.as_str(), "6d00000000000040008000000000000001", "nonsense"] {
        for key in [key.clone(), json!(stranger.key())] {
            let input = json!({ "matchId": id, "idempotencyKey": key, "expectedVersion": 1 });
            answers.push(table.command(&stranger, "skip", "SkipInput", &input).await.to_string());
        }
    }
    assert!(answers[0].contains("IDEMPOTENCY_CONFLICT"), "{}", answers[0]);
    assert!(answers[1].contains("MATCH_NOT_FOUND"), "{}", answers[1]);
    for answer in answers.chunks(2) {
        assert_eq!(answer, &answers[..2]);
    }
}

/// Views name pieces as enum values; formations take those names too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_formation_may_be_written_as_the_view_shows_it() {
    let app = TestApp::start().await;
    let table = Table::seated(&app, "case").await;
    let person = &table.people[0];
    let view = table.view(person).await;
    let pieces = view["myPieces"].as_array().expect("a list").iter();
    let formation: Vec<Value> = pieces
        .map(|man| {
            let at = man["at"].as_str().or(man["handle"].as_str());
            json!({ "at": at, "piece": man["identity"] })
        })
        .collect();
    let input = json!({ "formation": formation, "expectedVersion": view["privateVersion"] });
    table.ok(person, "arrangeFormation", "ArrangeFormationInput", &input).await;
}

/// A value of another type, in any depth of a variable, is the sender's mistake: no fault of the server's, which
/// would call somebody at night.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_variable_of_another_type_is_bad_input() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "typed").await;
    let seen = table.view(&table.people[0]).await;
    let mover = table.people[table.on_turn(&seen)].clone();
    let before = table.view(&mover).await;
    let (from, to) = table.any_move(&before);
    let good = json!({ "from": from, "to": to, "expectedVersion": before["version"],
        "matchId": table.id, "idempotencyKey": "00000000-0000-4000-8000-000000000001" });
    let mutation = "mutation($input: MoveInput!) { move(input: $input) { userErrors { code } } }";
    let others =
        [json!(["s24"]), json!({ "x": 1 }), json!(true), json!(1.5), json!(null), json!(7)];
    for field in ["from", "to", "expectedVersion", "matchId", "idempotencyKey"] {
        for other in &others {
            let mut input = good.clone();
            input[field] = other.clone();
            let answer = mover.send(mutation, &json!({ "input": input })).await;
            // A number may stand for an id or a version.
            if answer["errors"].is_array() {
                let code = &answer["errors"][0]["extensions"]["code"];
                assert!(
                    code == "BAD_INPUT" || code == "REQUEST_INVALID",
                    "{field} {other}: {answer}"
                );
            } else {
                assert_eq!(other, &json!(7), "{field}: {answer}");
            }
        }
    }
    unchanged(&table, &mover, &before).await;
}
