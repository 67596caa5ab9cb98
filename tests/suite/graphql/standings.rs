//! Leaderboard, profiles, points and results through the API.

use serde_json::{Value, json};
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::table::Table;

const LEADERBOARD: &str = "query($first: Int, $after: String, $order: LeaderboardOrder!, $period: LeaderboardPeriod!) { \
    leaderboard(first: $first, after: $after, order: $order, period: $period) { totalCount \
    pageInfo { hasNextPage hasPreviousPage endCursor } edges { cursor node { rank \
    player { id nickname } statistics { points matches wins losses draws noResults leaves timeouts takeovers } } } } }";

/// A match that South and North gave up as a team.
async fn surrendered(app: &TestApp, prefix: &str) -> Table {
    let table = Table::started(app, prefix).await;
    let [south, _, north, _] = &table.people[..] else { panic!("four seats") };
    table.ok(south, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    let yes = json!({ "proposal": 1, "accept": true });
    let end = table.ok(north, "answerTeamSurrender", "AnswerTeamSurrenderInput", &yes).await;
    assert_eq!(end["phase"], "ENDED");
    table
}

async fn board(person: &Client, order: &str, first: i32, after: &Value) -> Value {
    let variables =
        json!({ "first": first, "after": after, "order": order, "period": "THIRTY_DAYS" });
    person.data(LEADERBOARD, &variables).await["leaderboard"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_leaderboard_pages_and_ranks() {
    let app = TestApp::start().await;
    let table = surrendered(&app, "rank").await;
    let view = table.view(&table.people[0]).await;
    let me = &table.people[1];
    let variables = json!({ "order": "POINTS", "period": "ALL_TIME" });
    let whole = me.data(LEADERBOARD, &variables).await["leaderboard"].take();
    assert_eq!(whole["totalCount"], 4);
    let edges = whole["edges"].as_array().expect("a list");
    let of = |edge: &Value| {
        let node = &edge["node"];
        let sums = &node["statistics"];
        [&node["rank"], &sums["points"], &sums["wins"], &sums["losses"], &sums["matches"]]
            .map(|value| value.as_i64().expect("a number"))
    };
    let rows: Vec<[i64; 5]> = edges.iter().map(of).collect();
    assert_eq!(rows, [[1, 0, 1, 0, 1], [1, 0, 1, 0, 1], [3, -3, 0, 1, 1], [3, -3, 0, 1, 1]]);
    for edge in edges {
        let seats = view["seats"].as_array().expect("seats");
        let player = &edge["node"]["player"];
        let seat = seats.iter().find(|seat| seat["person"]["player"]["id"] == player["id"]);
        let seat = seat.expect("somebody at the table");
        assert_eq!(seat["person"]["player"]["nickname"], player["nickname"]);
    }
    for order in ["POINTS", "WINS"] {
        let (mut after, mut found) = (Value::Null, Vec::new());
        loop {
            let page = board(me, order, 1, &after).await;
            assert_eq!(page["pageInfo"]["hasPreviousPage"], json!(!after.is_null()));
            found.extend(page["edges"].as_array().expect("a list").clone());
            after = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] == json!(false) {
                break;
            }
        }
        assert_eq!(found.iter().map(of).collect::<Vec<_>>(), rows);
    }
    assert_eq!(board(&app.visitor(), "POINTS", 5, &Value::Null).await, Value::Null);
    for (first, after) in [(101, Value::Null), (-1, Value::Null), (5, json!("nonsense"))] {
        let variables =
            json!({ "first": first, "after": after, "order": "WINS", "period": "ALL_TIME" });
        let answer = me.send(LEADERBOARD, &variables).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "BAD_INPUT", "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn points_and_results_are_the_viewers_own_and_profiles_are_everybodys() {
    let app = TestApp::start().await;
    let table = surrendered(&app, "sum").await;
    let query = "{ viewer { player { id } \
        points { pageInfo { hasNextPage } edges { cursor node { points balance cause matchId result reason } } } \
        results(first: 1) { pageInfo { hasNextPage } edges { node { matchId seat joined cause result \
        outcome { kind winner winBy } points } } } } }";
    let profile = "query($id: ID!) { player(id: $id) { player { id nickname house } \
        statistics { points matches leaves } rank wins: rank(order: WINS, period: THIRTY_DAYS) } }";
    for (seat, person) in ["S", "E", "N", "W"].into_iter().zip(&table.people) {
        let viewer = person.data(query, &json!({})).await["viewer"].take();
        let lost = seat == "S" || seat == "N";
        let (points, result) = if lost { (-3, "LOSS") } else { (0, "WIN") };
        let settled = json!([{ "cursor": "n1", "node": { "points": -3, "balance": -3,
            "cause": "SETTLED", "matchId": table.id, "result": "LOSS", "reason": null } }]);
        // What changed nothing is no entry of the ledger.
        assert_eq!(viewer["points"]["edges"], if lost { settled } else { json!([]) });
        let outcome = json!({ "kind": "WIN", "winner": "BLUE", "winBy": "TEAM_SURRENDER" });
        let over = json!([{ "node": { "matchId": table.id, "seat": seat, "joined": "FULL",
            "cause": "SETTLED", "result": result, "outcome": outcome, "points": points } }]);
        assert_eq!(viewer["results"]["edges"], over);
        assert_eq!(viewer["results"]["pageInfo"]["hasNextPage"], false);
        let id = &viewer["player"]["id"];
        let seen = table.people[0].data(profile, &json!({ "id": id })).await["player"].take();
        let rank = if lost { 3 } else { 1 };
        let sums = json!({ "points": points, "matches": 1, "leaves": 0 });
        assert_eq!((&seen["player"]["id"], &seen["statistics"]), (id, &sums));
        assert_eq!((&seen["rank"], &seen["wins"]), (&json!(rank), &json!(rank)));
        let stranger = app.visitor().data(profile, &json!({ "id": id })).await;
        assert_eq!(stranger["player"], Value::Null);
    }
    // Who never played is known, and has no rank; nobody else is known.
    let fresh = app.player("fresh").await;
    let me =
        fresh.data("{ viewer { player { id } points { edges { cursor } } } }", &json!({})).await;
    assert_eq!(me["viewer"]["points"]["edges"], json!([]));
    let id = &me["viewer"]["player"]["id"];
    let seen = fresh.data(profile, &json!({ "id": id })).await["player"].take();
    assert_eq!((&seen["rank"], &seen["statistics"]["matches"]), (&Value::Null, &json!(0)));
    let nobody = json!({ "id": format!("70{}", "ab".repeat(16)) });
    assert_eq!(fresh.data(profile, &nobody).await["player"], Value::Null);
    assert_eq!(fresh.data(profile, &json!({ "id": table.id })).await["player"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_pays_at_once() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "away").await;
    let query = "{ viewer { results { edges { node { cause points result outcome { kind } } } } \
        points { edges { node { cause balance } } } } }";
    table.ok(&table.people[3], "leave", "LeaveInput", &json!({})).await;
    let viewer = table.people[3].data(query, &json!({})).await["viewer"].take();
    let left =
        json!([{ "node": { "cause": "LEFT", "points": -9, "result": null, "outcome": null } }]);
    assert_eq!(viewer["results"]["edges"], left);
    let paid = json!([{ "node": { "cause": "LEFT", "balance": -9 } }]);
    assert_eq!(viewer["points"]["edges"], paid);
    let others = table.people[0].data(query, &json!({})).await["viewer"].take();
    assert_eq!(others["results"]["edges"], json!([]));
}
