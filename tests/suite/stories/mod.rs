//! Whole stories over everything that tells people something: matches, planner, outbox, sender, mailbox, notices, files
//! and settings, in a server as it runs, with a clock that the test turns.

mod replay_mails;
mod restarts;
mod turn_mails;

use serde_json::{Value, json};
use yibu_api::graphql::ids::match_of;
use yibu_domain::kernel::{MatchId, Time};
use yibu_infrastructure::system::Clock as _;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::table::Table;

/// The verified address of whoever is logged in.
async fn address(client: &Client) -> String {
    let data = client.data("{ viewer { email } }", &json!({})).await;
    data["viewer"]["email"].as_str().expect("an address").to_owned()
}

fn id(table: &Table) -> MatchId {
    match_of(&table.id.as_str().into()).expect("a match")
}

/// When the running turn runs out.
async fn deadline(app: &TestApp, table: &Table) -> Time {
    let state = app.app().matches().state(id(table)).await.expect("readable").expect("a match");
    state.live().and_then(|live| live.turn()).expect("a turn").deadline
}

/// Lets time pass up to an instant.
async fn until(app: &TestApp, at: Time) {
    let now = app.clock.now();
    assert!(now < at, "the story is behind its own clock");
    app.pass(at - now).await;
}

/// South and North give up.
async fn give_up(table: &Table) {
    let [south, _, north, _] = &table.people[..] else { panic!("four seats") };
    table.ok(south, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    let yes = json!({ "proposal": 1, "accept": true });
    let end = table.ok(north, "answerTeamSurrender", "AnswerTeamSurrenderInput", &yes).await;
    assert_eq!(end["phase"], "ENDED");
}

/// The file of a match as a person gets it; null where there is none.
async fn replay(client: &Client, id: &str) -> Value {
    let query = "query($id: ID!) { replay(matchId: $id) { fileName file } }";
    client.data(query, &json!({ "id": id })).await["replay"].take()
}

/// The kinds of a person's notices, the first first.
async fn notices(client: &Client) -> Vec<String> {
    let query = "{ notices(first: 100) { edges { node { kind } } } }";
    let data = client.data(query, &json!({})).await;
    let edges = data["notices"]["edges"].as_array().expect("a list").iter().rev();
    edges.map(|edge| edge["node"]["kind"].as_str().expect("a kind").to_owned()).collect()
}

/// How often a person was told something.
fn told(notices: &[String], kind: &str) -> usize {
    notices.iter().filter(|told| *told == kind).count()
}
