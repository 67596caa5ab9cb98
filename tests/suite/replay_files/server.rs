//! The server's side: who gets the file of a match and until when, and what is gone once the retention is over.

use serde_json::{Value, json};
use yibu_api::files::replay::{ReplayFile, read};
use yibu_api::graphql::ids::match_of;
use yibu_domain::kernel::Span;
use yibu_domain::matches::record::{Left, Playback};
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::table::{Table, match_new};

const REPLAY: &str = "query($id: ID!) { replay(matchId: $id) { matchId fileName file startedAt endedAt expiresAt } }";

pub(super) async fn replay(client: &Client, id: &str) -> Value {
    client.data(REPLAY, &json!({ "id": id })).await["replay"].take()
}

async fn takeover(client: &Client) -> Value {
    let input = json!({ "idempotencyKey": client.key() });
    let selection = yibu_tests::table::payload();
    let found = client.mutate("matchTakeover", "MatchTakeoverInput", &selection, &input).await;
    assert_eq!(found["userErrors"], json!([]), "{found}");
    found
}

/// South and North give up.
pub(super) async fn give_up(table: &Table) {
    let [south, _, north, _] = &table.people[..] else { panic!("four seats") };
    table.ok(south, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    let yes = json!({ "proposal": 1, "accept": true });
    let end = table.ok(north, "answerTeamSurrender", "AnswerTeamSurrenderInput", &yes).await;
    assert_eq!(end["phase"], "ENDED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_took_part_gets_the_file_and_nobody_else() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "keep").await;
    let view = table.view(&table.people[0]).await;
    let leaver = table.on_turn(&view);
    let gone = table.people[leaver].clone();
    table.ok(&gone, "leave", "LeaveInput", &json!({})).await;
    let (heir, looker, stranger) =
        (app.player("heir").await, app.player("looker").await, app.player("stranger").await);
    takeover(&heir).await;
    takeover(&looker).await;
    table.ok(&heir, "confirmTakeover", "ConfirmTakeoverInput", &json!({})).await;
    let sitting: Vec<_> = table.people.clone();
    table.people[leaver] = heir.clone();
    for person in sitting.iter().chain([&heir]) {
        assert_eq!(replay(person, &table.id).await, Value::Null, "it runs");
    }
    give_up(&table).await;

    let file = replay(&heir, &table.id).await;
    for person in &sitting {
        assert_eq!(replay(person, &table.id).await, file, "the same for all, the leaver too");
    }
    for person in [&looker, &stranger, &app.visitor()] {
        assert_eq!(replay(person, &table.id).await, Value::Null);
    }
    assert_eq!(replay(&heir, "6d00000000000000000000000000000000").await, Value::Null);
    assert_eq!(replay(&heir, "nonsense").await, Value::Null);

    let name = file["fileName"].as_str().unwrap();
    assert!(name.ends_with(".yibu-replay.json") && name.starts_with("20"), "{name}");
    let text = file["file"].as_str().unwrap();
    let Ok(ReplayFile::Complete(record)) = read(text.as_bytes()) else { panic!("a file") };
    Playback::new(&record).play().unwrap();
    record.check_draws().unwrap();
    assert_eq!(record.participants.len(), 5);
    let names: Vec<_> = record.participants.iter().map(|one| one.nickname.as_deref()).collect();
    assert!(names.contains(&Some("heir")) && !text.contains("looker"), "{names:?}");
    let left: Vec<_> = record.participants.iter().filter_map(|one| one.left_why).collect();
    assert_eq!(left, [Left::Left]);
    let by_tools = app.app().replay_file(match_of(&table.id.as_str().into()).unwrap()).await;
    assert_eq!(by_tools.unwrap().unwrap().text, text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_three_days_players_no_longer_see_the_match() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "fade").await;
    give_up(&table).await;
    let person = &table.people[1];
    let file = replay(person, &table.id).await;
    assert_eq!(file["matchId"], json!(table.id));
    app.pass(Span(Span::hours(72).0 - 1)).await;
    assert_eq!(replay(person, &table.id).await, file, "to the last moment");
    assert_ne!(table.view(person).await, Value::Null);
    assert!(mine(person).await.contains(&table.id));

    app.pass(Span(1)).await;
    assert_eq!(
        replay(person, &table.id).await,
        Value::Null,
        "whether or not the clock's worker was here"
    );
    let id = match_of(&table.id.as_str().into()).unwrap();
    // The worker of the clocks writes that the record expired; what is shown follows it.
    loop {
        let state = app.app().matches().state(id).await.unwrap().unwrap();
        if state.live().unwrap().sheet.public.record_expired {
            break;
        }
        tokio::task::yield_now().await;
    }
    let head = app.app().log().head().await.unwrap().position;
    for model in app.app().views().names() {
        app.app().views().reached(model, head, std::time::Duration::from_secs(20)).await.unwrap();
    }
    assert_eq!(table.glance(person, "phase").await, Value::Null);
    assert!(!mine(person).await.contains(&table.id));
    assert_eq!(replay(person, &table.id).await, Value::Null);
    let kept =
        app.app().replay_file(id).await.unwrap().expect("the sealed log keeps it for audits");
    assert_eq!(json!(kept.text), file["file"]);
}

/// The ids of a player's tables in the lobby.
async fn mine(client: &Client) -> Vec<String> {
    let data = client.data("{ lobby { endedTables { matchId } } }", &json!({})).await;
    let tables = data["lobby"]["endedTables"].as_array().expect("tables").iter();
    tables.map(|table| table["matchId"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn a_table_that_never_started_has_no_file() {
    let app = TestApp::start().await;
    let person = app.player("alone").await;
    let view = match_new(&person).await;
    let id = view["id"].as_str().unwrap();
    assert_eq!(replay(&person, id).await, Value::Null);
    let found = app.app().replay_file(match_of(&id.into()).unwrap()).await.unwrap();
    assert_eq!(found, None);
}

#[tokio::test]
async fn the_schema_is_served() {
    let app = TestApp::start().await;
    let url = format!("http://{}/schemas/yibu-replay.v2.schema.json", app.addr);
    let answer = reqwest::get(&url).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/schema+json");
    let schema: Value = answer.json().await.unwrap();
    assert_eq!(schema["properties"]["version"]["const"], 2);
    let other = reqwest::get(url.replace("v2", "v3")).await.unwrap();
    assert_eq!(other.status(), 404);
}
