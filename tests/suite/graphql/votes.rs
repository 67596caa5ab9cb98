//! Draws, team surrender and skips through the API.

use serde_json::{Value, json};
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draw_needs_everybody() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "draw").await;
    let seen = table.view(&table.people[0]).await;
    let first = table.on_turn(&seen);
    let offered = table.ok(&table.people[first], "offerDraw", "OfferDrawInput", &json!({})).await;
    assert_eq!(offered["drawOffer"]["pending"].as_array().map(Vec::len), Some(3));
    let vote = json!({ "offer": offered["drawOffer"]["offer"], "accept": true });
    for step in 1..4 {
        let voter = &table.people[(first + step) % 4];
        let view = table.ok(voter, "voteDraw", "VoteDrawInput", &vote).await;
        assert_eq!(view["phase"] == "ENDED", step == 3);
    }
    let end = table.view(&table.people[first]).await;
    assert_eq!(
        (&end["outcome"]["kind"], &end["outcome"]["drawBy"]),
        (&json!("DRAW"), &json!("AGREED"))
    );
    assert!(end["settlement"].as_array().expect("lines").iter().all(|line| line["points"] == 0));
    let late = table
        .command(&table.people[first], "skip", "SkipInput", &json!({ "expectedVersion": 1 }))
        .await;
    assert_eq!(late["userErrors"][0]["code"], "MATCH_ENDED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_is_the_sides_own_affair() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "team").await;
    let [south, east, north, _] = &table.people[..] else { panic!("four seats") };
    let before = table.view(east).await;
    let proposed =
        table.ok(south, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    assert_eq!(proposed["teamSurrender"], json!({ "proposal": 1, "seat": "S" }));
    let mut after = table.view(east).await;
    after["now"] = before["now"].clone();
    assert_eq!(after, before, "the other side sees nothing at all");

    let wrong = json!({ "proposal": 2, "accept": true });
    let answer =
        table.command(north, "answerTeamSurrender", "AnswerTeamSurrenderInput", &wrong).await;
    assert_eq!(answer["userErrors"][0]["code"], "TEAM_SURRENDER_NOT_PENDING");
    let withdrawn = json!({ "proposal": 1 });
    let view =
        table.ok(south, "withdrawTeamSurrender", "WithdrawTeamSurrenderInput", &withdrawn).await;
    assert_eq!(view["teamSurrender"], Value::Null);
    table.ok(south, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    let yes = json!({ "proposal": 2, "accept": true });
    let end = table.ok(north, "answerTeamSurrender", "AnswerTeamSurrenderInput", &yes).await;
    assert_eq!(
        (&end["phase"], &end["outcome"]["winBy"]),
        (&json!("ENDED"), &json!("TEAM_SURRENDER"))
    );
    let points: Vec<&Value> =
        end["settlement"].as_array().expect("lines").iter().map(|line| &line["points"]).collect();
    assert_eq!(points, [&json!(-3), &json!(0), &json!(-3), &json!(0)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skips_pass_the_turn_and_are_counted() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "skip").await;
    let seen = table.view(&table.people[0]).await;
    let first = table.on_turn(&seen);
    let input = json!({ "expectedVersion": seen["version"] });
    let view = table.ok(&table.people[first], "skip", "SkipInput", &input).await;
    assert_eq!((table.on_turn(&view), &view["mySkipsLeft"]), ((first + 1) % 4, &json!(4)));
    let out = table.ok(&table.people[first], "surrender", "SurrenderInput", &json!({})).await;
    assert_eq!(out["seats"][first]["eliminated"], "SURRENDER");
}
