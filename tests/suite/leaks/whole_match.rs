//! A whole match over HTTP and web sockets: four play at random to the settlement, everybody watches, and
//! nobody ever receives what the rules keep hidden.

use super::Truth;
use serde_json::{Value, json};
use yibu_api::graphql::ids::{Global, match_of};
use yibu_domain::kernel::PlayerId;
use yibu_tests::app::TestApp;
use yibu_tests::client::{Client, Socket};
use yibu_tests::table::{ACTIONS, Table, VIEW};

/// Whoever is logged in.
pub(crate) async fn player_of(client: &Client) -> PlayerId {
    let data = client.data("{ viewer { player { id } } }", &json!({})).await;
    match Global::read(data["viewer"]["player"]["id"].as_str().expect("an id")) {
        Some(Global::Player(player)) => player,
        other => panic!("no player: {other:?}"),
    }
}

pub(crate) async fn watch(client: &Client, id: &str) -> Socket {
    let mut socket = client.socket().await;
    let query = format!("subscription($id: ID!) {{ match(id: $id) {{ {VIEW} {ACTIONS} }} }}");
    socket.subscribe("watch", &query, &json!({ "id": id })).await;
    socket
}

/// Reads frames until one satisfies `until`; versions never go back and no frame comes twice.
pub(crate) async fn frames_until(socket: &mut Socket, until: impl Fn(&Value) -> bool) -> Value {
    let mut last: Option<(u64, Option<u64>)> = None;
    loop {
        let frame = socket.frame().await.expect("a frame")["match"].take();
        let version =
            (frame["version"].as_u64().unwrap_or(u64::MAX), frame["privateVersion"].as_u64());
        if let Some(last) = last {
            assert!(version.0 >= last.0 && version != last, "{last:?}, then {version:?}");
        }
        last = Some(version);
        if until(&frame) {
            return frame;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_play_a_whole_match_and_nobody_learns_too_much() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "whole").await;
    let mut sockets = Vec::new();
    for person in &table.people {
        sockets.push(watch(person, &table.id).await);
    }
    let watchers: Vec<_> = sockets
        .into_iter()
        .map(|mut socket| {
            tokio::spawn(
                async move { frames_until(&mut socket, |view| view["phase"] == "ENDED").await },
            )
        })
        .collect();
    let mut plies = 0;
    while table.ply().await != "ENDED" {
        plies += 1;
        assert!(plies < 5_000, "a random match ends");
    }
    let mut points = Vec::new();
    for watcher in watchers {
        let last = watcher.await.expect("a last frame");
        points.push(last["settlement"].clone());
    }
    assert!(points.iter().all(|lines| *lines == points[0]), "all see one settlement");
    assert_eq!(points[0].as_array().map(Vec::len), Some(4));

    let id = match_of(&table.id.as_str().into()).expect("a match");
    let truth = Truth::of(app.app(), id).await;
    for person in &table.people {
        let player = player_of(person).await;
        assert_eq!(truth.known_to(player), 25);
        assert_eq!(truth.leaks(player, &person.heard()), Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_takeover_passes_the_men_on_and_nothing_else() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "over").await;
    for _ in 0..12 {
        table.ply().await;
    }
    let view = table.view(&table.people[0]).await;
    let leaver = table.on_turn(&view);
    let gone = table.people[leaver].clone();
    let mut open = watch(&gone, &table.id).await;
    frames_until(&mut open, |view| view["role"] == "SEATED").await;

    let after = table.ok(&gone, "leave", "LeaveInput", &json!({})).await;
    assert_eq!((&after["role"], &after["mySeat"]), (&json!("DEPARTED"), &Value::Null));
    let public = frames_until(&mut open, |view| view["role"] != "SEATED").await;
    assert_eq!(public["myPieces"], json!([]));
    assert!(identities(&public["board"]).is_empty(), "a leaver's open page turns face down");

    let candidate = app.player("candidate").await;
    let input = json!({ "idempotencyKey": candidate.key() });
    let found = candidate
        .mutate("matchTakeover", "MatchTakeoverInput", &yibu_tests::table::payload(), &input)
        .await;
    assert_eq!(found["userErrors"], json!([]), "{found}");
    assert_eq!(found["match"]["role"], "CANDIDATE");
    assert_eq!(found["match"]["candidacy"]["seat"], view["turn"]["seat"]);
    assert!(identities(&found["match"]["board"]).is_empty());
    let other = app.player("other").await;
    let input = json!({ "idempotencyKey": other.key() });
    let second = other
        .mutate("matchTakeover", "MatchTakeoverInput", &yibu_tests::table::payload(), &input)
        .await;
    assert_eq!(second["match"]["role"], "CANDIDATE");
    let mut beaten = watch(&other, &table.id).await;
    frames_until(&mut beaten, |view| view["role"] == "CANDIDATE").await;

    let seated = table.ok(&candidate, "confirmTakeover", "ConfirmTakeoverInput", &json!({})).await;
    assert_eq!(seated["mySeat"], view["turn"]["seat"]);
    assert_eq!(seated["turn"]["kind"], "TAKEOVER_FIRST");
    let own = seated["myPieces"].as_array().map_or(0, Vec::len);
    assert!(own > 0 && own == identities(&seated["board"]).len());

    let end = beaten.frame().await.expect("a last frame");
    assert_eq!(end["match"], Value::Null, "who came second sees no more");
    assert_eq!(beaten.frame().await, None);
    let late = table.command(&other, "confirmTakeover", "ConfirmTakeoverInput", &json!({})).await;
    assert_eq!(late["userErrors"][0]["code"], "VACANCY_TAKEN");
    assert_eq!(late["match"], Value::Null);
    assert_eq!(table.view(&other).await, Value::Null);

    table.people[leaver] = candidate;
    for _ in 0..12 {
        table.ply().await;
    }
    let id = match_of(&table.id.as_str().into()).expect("a match");
    let truth = Truth::of(app.app(), id).await;
    for person in table.people.iter().chain([&gone, &other]) {
        table.view(person).await;
        let player = player_of(person).await;
        assert_eq!(truth.leaks(player, &person.heard()), Vec::<String>::new());
    }
}

/// The identities that a board shows.
fn identities(board: &Value) -> Vec<&Value> {
    let pieces = board.as_array().expect("a board").iter();
    pieces.map(|piece| &piece["identity"]).filter(|identity| !identity.is_null()).collect()
}
