//! Subscriptions: what comes, what does not, and what a client gets that comes back.

use crate::leaks::whole_match::{frames_until, watch};
use serde_json::{Value, json};
use yibu_api::app::LogStore;
use yibu_tests::app::TestApp;
use yibu_tests::table::{Table, VIEW};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_get_one_empty_frame_and_the_end() {
    let app = TestApp::start().await;
    let table = Table::seated(&app, "closed").await;
    let stranger = app.player("stranger").await;
    for id in [table.id.as_str(), "6d00000000000000000000000000000000", "nonsense"] {
        let mut socket = watch(&stranger, id).await;
        assert_eq!(socket.frame().await, Some(json!({ "match": null })));
        assert_eq!(socket.frame().await, None);
    }
    let mut socket = app.visitor().socket().await;
    socket.subscribe("x", "subscription { lobby { openTables } }", &json!({})).await;
    let refusal = socket.hear().await.expect("a message").to_string();
    assert!(refusal.contains("UNAUTHENTICATED"), "{refusal}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_back_with_the_version_of_now_gets_nothing_twice() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "back").await;
    let view = table.view(&table.people[0]).await;
    let mut socket = table.people[0].socket().await;
    let query = format!(
        "subscription($id: ID!, $after: Int, $private: Int) {{ match(id: $id, after: $after, afterPrivate: $private) {{ {VIEW} }} }}"
    );
    let variables =
        json!({ "id": table.id, "after": view["version"], "private": view["privateVersion"] });
    socket.subscribe("back", &query, &variables).await;
    table.ply().await;
    let first = socket.frame().await.expect("a frame");
    assert!(first["match"]["version"].as_u64() > view["version"].as_u64());
    // An older version: the snapshot comes at once.
    let mut socket = table.people[1].socket().await;
    socket.subscribe("old", &query, &json!({ "id": table.id, "after": 1 })).await;
    let snapshot = socket.frame().await.expect("a frame");
    assert_eq!(snapshot["match"]["version"], first["match"]["version"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_see_the_same_public_steps_and_only_the_own_private_ones() {
    let app = TestApp::start().await;
    let table = Table::seated(&app, "steps").await;
    let mut mine = watch(&table.people[0], &table.id).await;
    let mut other = watch(&table.people[1], &table.id).await;
    let start = frames_until(&mut mine, |_| true).await;
    frames_until(&mut other, |_| true).await;
    let pieces = start["myPieces"].as_array().expect("25");
    let lieutenants: Vec<&Value> =
        pieces.iter().filter(|own| own["identity"] == "LIEUTENANT").collect();
    let swap = json!({ "a": lieutenants[0]["at"], "b": lieutenants[1]["at"], "expectedVersion": start["privateVersion"] });
    table.ok(&table.people[0], "swapPieces", "SwapPiecesInput", &swap).await;
    let swapped = frames_until(&mut mine, |_| true).await;
    assert_eq!(swapped["version"], start["version"]);
    assert!(swapped["privateVersion"].as_u64() > start["privateVersion"].as_u64());
    let ready = json!({ "expectedVersion": swapped["privateVersion"] });
    table.ok(&table.people[0], "ready", "ReadyInput", &ready).await;
    // The other's next frame is the public step; of the swap nothing came.
    let next = frames_until(&mut other, |_| true).await;
    assert_eq!(next["seatsReady"], 1);
    assert_eq!(next["version"].as_u64(), start["version"].as_u64().map(|version| version + 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lobby_follows() {
    let app = TestApp::start().await;
    let person = app.player("looker").await;
    let mut socket = person.socket().await;
    let query = "subscription { lobby { openTables fullMatches { held } tables { matchId phase waitsForMe arranging } } }";
    socket.subscribe("lobby", query, &json!({})).await;
    let first = socket.frame().await.expect("a frame");
    assert_eq!((&first["lobby"]["openTables"], &first["lobby"]["tables"]), (&json!(0), &json!([])));
    let view = yibu_tests::table::match_new(&person).await;
    let next = socket.frame().await.expect("a frame");
    assert_eq!(next["lobby"]["fullMatches"]["held"], 1);
    assert_eq!(next["lobby"]["tables"][0]["matchId"], view["id"]);
    assert_eq!(next["lobby"]["tables"][0]["arranging"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_loses_nothing_and_tells_sockets_to_come_again() {
    let mut app = TestApp::with_log(LogStore::Sqlite).await;
    let mut table = Table::started(&app, "again").await;
    table.ply().await;
    let before = table.view(&table.people[2]).await;
    let mut socket = watch(&table.people[2], &table.id).await;
    frames_until(&mut socket, |_| true).await;
    let ((), farewell) = tokio::join!(app.restart(), socket.hear());
    assert_eq!(farewell, Err(1012));
    for person in &mut table.people {
        *person = person.moved_to(app.addr);
    }
    let mut after = table.view(&table.people[2]).await;
    after["now"] = before["now"].clone();
    assert_eq!(after, before);
    table.ply().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lobby_names_who_sits_where_from_the_start_on() {
    let app = TestApp::start().await;
    let table = Table::seated(&app, "named").await;
    let person = &table.people[0];
    let mut socket = person.socket().await;
    let query = "subscription { lobby { tables { openedAt startedAt turnNumber \
                 seats { seat person { player { nickname } } } } } }";
    socket.subscribe("lobby", query, &json!({})).await;
    let before = socket.frame().await.expect("a frame")["lobby"]["tables"][0].clone();
    assert!(before["openedAt"].is_string());
    assert_eq!((&before["startedAt"], &before["turnNumber"]), (&json!(null), &json!(0)));
    let persons = |table: &Value| -> Vec<Value> {
        table["seats"].as_array().unwrap().iter().map(|seat| seat["person"].clone()).collect()
    };
    assert_eq!(persons(&before), [Value::Null, Value::Null, Value::Null, Value::Null]);
    table.start().await;
    let after = loop {
        let frame = socket.frame().await.expect("a frame")["lobby"]["tables"][0].clone();
        if frame["startedAt"].is_string() {
            break frame;
        }
    };
    assert_eq!(after["turnNumber"], 1);
    let view = table.view(person).await;
    let nickname = |person: &Value| person["player"]["nickname"].clone();
    let shown: Vec<Value> = persons(&after).iter().map(nickname).collect();
    let sit: Vec<Value> = persons(&view).iter().map(nickname).collect();
    assert!(shown.iter().all(Value::is_string));
    assert_eq!(shown, sit);
}
