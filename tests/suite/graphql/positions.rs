//! Positions of the log that clients hand back: good at every node and after a restart; anything else is told
//! apart from them.

use serde_json::{Value, json};
use yibu_api::app::{LogStore, Seal};
use yibu_infrastructure::system::Entropy;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::table::{Table, match_new};

const LOBBY: &str =
    "query($after: LogPosition) { lobby(after: $after) { tables { matchId phase } } }";
const MATCH: &str =
    "query($id: ID!, $after: LogPosition) { match(id: $id, after: $after) { phase } }";

async fn ask(person: &Client, query: &str, id: &Value, after: &str) -> Value {
    person.send(query, &json!({ "id": id, "after": after })).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_position_is_good_after_a_restart() {
    let mut app = TestApp::with_log(LogStore::Sqlite).await;
    let table = Table::seated(&app, "places").await;
    let person = &table.people[0];
    let view = table.view(person).await;
    let ready = json!({ "expectedVersion": view["privateVersion"] });
    let answer = table.command(person, "ready", "ReadyInput", &ready).await;
    let token = answer["position"].as_str().expect("a position").to_owned();
    let before = ask(person, LOBBY, &view["id"], &token).await;
    assert_eq!(before["data"]["lobby"]["tables"][0]["matchId"], view["id"]);
    app.restart().await;
    let person = person.moved_to(app.addr);
    assert_eq!(ask(&person, LOBBY, &view["id"], &token).await["data"], before["data"]);
    let found = ask(&person, MATCH, &view["id"], &token).await;
    assert_eq!(found["data"]["match"]["phase"], "ASSEMBLING");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_this_site_has_not_given_is_refused() {
    let app = TestApp::start().await;
    let person = app.player("guesser").await;
    let view = match_new(&person).await;
    // Of another site: everything is right but the key.
    let foreign = Seal::new([7; 32], Entropy::seeded(1)).seal(1);
    for token in ["", "1", "nonsense", &"0".repeat(80), &foreign] {
        for query in [LOBBY, MATCH] {
            let answer = ask(&person, query, &view["id"], token).await;
            assert_eq!(answer["errors"][0]["extensions"]["code"], "POSITION_INVALID", "{answer}");
        }
    }
    let key = app.app().accounts().key("log_position").await.expect("a key");
    let own = Seal::new(key, Entropy::seeded(1)).seal(1);
    assert!(ask(&person, LOBBY, &view["id"], &own).await.get("errors").is_none());
}
