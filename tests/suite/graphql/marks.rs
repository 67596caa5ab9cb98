//! Private marks: the viewer's alone, on others' face-down pieces, as long as both are there.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use yibu_api::graphql::ids::match_of;
use yibu_domain::kernel::Span;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::table::{Table, payload};

/// Handles of pieces that are another seat's, in the order of the board.
fn others(view: &Value) -> Vec<String> {
    let pieces = view["board"].as_array().expect("a board").iter();
    let others =
        pieces.filter(|piece| piece["seat"] != view["mySeat"] && piece["faceDown"] == true);
    others.map(|piece| piece["handle"].as_str().expect("a handle").to_owned()).collect()
}

async fn set(table: &Table, person: &Client, handle: &str, mark: Value) -> Value {
    let input = json!({ "handle": handle, "mark": mark });
    table.command(person, "setMark", "SetMarkInput", &input).await
}

fn code(answer: &Value) -> &str {
    answer["userErrors"][0]["code"].as_str().unwrap_or("")
}

/// Everything but the time of asking.
fn timeless(mut view: Value) -> Value {
    view["now"] = Value::Null;
    view
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mark_is_the_viewers_own_and_no_part_of_the_match() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "marks").await;
    let [south, east, north, west] = &table.people[..] else { panic!("four seats") };
    let mut before = Vec::new();
    for person in [east, north, west] {
        before.push(timeless(table.view(person).await));
    }
    let view = table.view(south).await;
    let head = app.app().log().head().await.expect("readable").position;
    let handles = others(&view);
    assert_eq!(handles.len(), 75);
    let answer = set(&table, south, &handles[3], json!("Zq7!")).await;
    assert_eq!(answer["userErrors"], json!([]), "{answer}");
    let noted = json!([{ "handle": handles[3], "mark": "Zq7!", "colour": null }]);
    assert_eq!(answer["match"]["marks"], noted);
    assert_eq!(answer["version"], view["version"], "the counters do not tell of it");
    assert_eq!(answer["privateVersion"], view["privateVersion"]);
    let mut after = table.view(south).await;
    assert_eq!(after["marks"].take(), noted);
    after["marks"] = json!([]);
    assert_eq!(timeless(after), timeless(view));
    for (person, before) in [east, north, west].into_iter().zip(before) {
        assert_eq!(timeless(table.view(person).await), before);
        assert!(!person.heard().join("\n").contains("Zq7!"));
    }
    assert_eq!(app.app().log().head().await.expect("readable").position, head);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mark_is_changed_taken_away_and_never_brought_back_by_a_repeat() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "again").await;
    let person = &table.people[0];
    let handles = others(&table.view(person).await);
    let key = person.key();
    let input = json!({ "matchId": table.id, "idempotencyKey": key, "handle": handles[0], "mark": " 雷? " });
    let send =
        async |input: &Value| person.mutate("setMark", "SetMarkInput", &payload(), input).await;
    let marks = |answer: &Value| {
        assert_eq!(answer["userErrors"], json!([]), "{answer}");
        answer["match"]["marks"].clone()
    };
    let one = |mark: &str| json!([{ "handle": handles[0], "mark": mark, "colour": null }]);
    assert_eq!(marks(&send(&input).await), one("雷?"));
    assert_eq!(marks(&set(&table, person, &handles[0], json!("炸")).await), one("炸"));
    assert_eq!(marks(&send(&input).await), one("炸"), "a repeat shows what is now");
    let mut other = input.clone();
    other["mark"] = json!("军");
    let answer = send(&other).await;
    assert_eq!(code(&answer), "IDEMPOTENCY_CONFLICT");
    assert_eq!(answer["match"]["marks"], one("炸"));
    assert_eq!(marks(&set(&table, person, &handles[0], Value::Null).await), json!([]));
    assert_eq!(marks(&set(&table, person, &handles[0], json!("炸")).await), one("炸"));
    assert_eq!(marks(&set(&table, person, &handles[0], json!("")).await), json!([]));
    assert_eq!(marks(&send(&input).await), json!([]));
    // Forty characters, a colour, and a colour alone.
    let long = "左翼第二排可能是司令".repeat(4);
    for (mark, colour) in [(json!(long), "RED"), (json!(null), "VIOLET"), (json!("雷"), "AMBER")] {
        let input = json!({ "handle": handles[0], "mark": mark, "colour": colour });
        let answer = table.command(person, "setMark", "SetMarkInput", &input).await;
        let text = mark.as_str().unwrap_or("");
        let wanted = json!([{ "handle": handles[0], "mark": text, "colour": colour }]);
        assert_eq!(marks(&answer), wanted);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_not_be_marked_is_refused() {
    let app = TestApp::start().await;
    let forming = Table::seated(&app, "early").await;
    let answer = set(&forming, &forming.people[0], "e11", json!("雷")).await;
    assert_eq!(code(&answer), "MATCH_NOT_STARTED");
    forming.start().await;
    let table = forming;
    let person = &table.people[0];
    let view = table.view(person).await;
    let handles = others(&view);
    let own = view["myPieces"][0]["handle"].as_str().expect("a handle");
    for handle in [own, "c11", "nonsense", ""] {
        let answer = set(&table, person, handle, json!("雷")).await;
        assert_eq!(
            (code(&answer), &answer["userErrors"][0]["field"]),
            ("NO_SUCH_PIECE", &json!("handle"))
        );
    }
    let long = "字".repeat(41);
    for mark in [long.as_str(), "a\nb", "a\u{202e}", "\u{200b}"] {
        let answer = set(&table, person, &handles[0], json!(mark)).await;
        assert_eq!(
            (code(&answer), &answer["userErrors"][0]["field"]),
            ("INVALID_MARK", &json!("mark"))
        );
        assert_eq!(answer["match"]["marks"], json!([]));
    }
    let stranger = app.player("stranger").await;
    assert_eq!(code(&set(&table, &stranger, &handles[0], json!("雷")).await), "MATCH_NOT_FOUND");
    assert_eq!(
        code(&set(&table, &app.visitor(), &handles[0], json!("雷")).await),
        "UNAUTHENTICATED"
    );
    let keeper = super::admin::administrator(&app, "keeper").await;
    assert_eq!(code(&set(&table, &keeper, &handles[0], json!("雷")).await), "MATCH_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leaver_sees_no_mark_and_a_successor_inherits_none() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "pass").await;
    let seen = table.view(&table.people[0]).await;
    let leaver = &table.people[table.on_turn(&seen)];
    let handles = others(&table.view(leaver).await);
    set(&table, leaver, &handles[0], json!("Zq7!")).await;
    let left = table.ok(leaver, "leave", "LeaveInput", &json!({})).await;
    assert_eq!(left["marks"], json!([]));
    assert_eq!(table.view(leaver).await["marks"], json!([]));
    assert_eq!(code(&set(&table, leaver, &handles[0], json!("雷")).await), "NOT_SEATED");

    let successor = app.player("successor").await;
    let input = json!({ "idempotencyKey": successor.key() });
    let found = successor.mutate("matchTakeover", "MatchTakeoverInput", &payload(), &input).await;
    assert_eq!(
        (&found["match"]["role"], &found["match"]["marks"]),
        (&json!("CANDIDATE"), &json!([]))
    );
    assert_eq!(code(&set(&table, &successor, &handles[0], json!("雷")).await), "NOT_SEATED");
    let seated = table.ok(&successor, "confirmTakeover", "ConfirmTakeoverInput", &json!({})).await;
    assert_eq!(seated["marks"], json!([]));
    let own = set(&table, &successor, &handles[1], json!("旗")).await;
    assert_eq!(
        own["match"]["marks"],
        json!([{ "handle": handles[1], "mark": "旗", "colour": null }])
    );
    assert!(!successor.heard().join("\n").contains("Zq7!"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mark_follows_its_piece_and_goes_with_it() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "follow").await;
    let person = table.people[0].clone();
    let mut marked = BTreeMap::new();
    for (number, handle) in others(&table.view(&person).await).into_iter().enumerate() {
        let mark = format!("m{number}");
        set(&table, &person, &handle, json!(mark)).await;
        marked.insert(handle, mark);
    }
    for _ in 0..60 {
        assert_eq!(table.ply().await, "PLAYING");
    }
    let view = table.view(&person).await;
    let left = others(&view);
    assert!(left.len() < 75, "pieces fell");
    let shown = view["marks"].as_array().expect("a list").iter();
    let shown: BTreeMap<String, String> = shown
        .map(|mark| {
            [&mark["handle"], &mark["mark"]].map(|text| text.as_str().expect("a text").to_owned())
        })
        .map(|[handle, mark]| (handle, mark))
        .collect();
    let wanted: BTreeMap<String, String> =
        marked.into_iter().filter(|(handle, _)| left.contains(handle)).collect();
    assert_eq!(shown, wanted);
    let fallen = view["myPieces"].as_array().expect("a list").len();
    assert_eq!(fallen, 25);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marks_are_erased_when_the_retention_is_over() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "gone").await;
    let [south, east, north, _] = &table.people[..] else { panic!("four seats") };
    let handles = others(&table.view(east).await);
    set(&table, east, &handles[0], json!("雷")).await;
    table.ok(south, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    let yes = json!({ "proposal": 1, "accept": true });
    let end = table.ok(north, "answerTeamSurrender", "AnswerTeamSurrenderInput", &yes).await;
    assert_eq!(end["phase"], "ENDED");
    assert_eq!(table.view(east).await["marks"][0]["mark"], "雷", "the table page stays as it was");
    assert_eq!(code(&set(&table, east, &handles[0], json!("炸")).await), "MATCH_ENDED");

    let id = match_of(&table.id.as_str().into()).expect("a match");
    let player = crate::leaks::whole_match::player_of(east).await;
    let accounts = app.app().accounts();
    app.clock.advance(Span::hours(71));
    assert_eq!(accounts.marks_of(player, id).await.expect("readable").len(), 1);
    let erased = async {
        while !accounts.marks_of(player, id).await.expect("readable").is_empty() {
            app.clock.advance(Span::hours(1));
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), erased).await.expect("the marks are erased");
}
