//! What administrators set, and what everybody else is told who tries.

use crate::leaks::whole_match::player_of;
use serde_json::{Value, json};
use yibu_domain::kernel::Actor;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::table::Table;

pub(super) const SETTINGS: &str =
    "settings { fullLimit takeoverLimit normalMailWaitMinutes releaseUnreadyHours announcement }";
pub(super) const MATCH: &str = "match { id phase startedAt endedAt voidable \
    seats { seat active player { id nickname } } outcome { kind noResultBy } }";
pub(super) const TRAIL: &str = "query($first: Int, $after: String) { admin { trail(first: $first, after: $after) { \
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } \
    edges { cursor node { at by { nickname } command event reason matchId player { id } } } } } }";

/// A person who has just been made an administrator.
pub(crate) async fn administrator(app: &TestApp, nickname: &str) -> Client {
    let client = app.player(nickname).await;
    let player = player_of(&client).await;
    app.app().accounts().grant_admin(player).await.expect("an administrator");
    client
}

/// Sends one of the commands that change settings.
async fn set(person: &Client, name: &str, input: &Value) -> Value {
    let kind = format!("A{}Input", &name[1..]);
    person.mutate(name, &kind, SETTINGS, input).await
}

pub(super) async fn void(person: &Client, input: &Value) -> Value {
    person.mutate("adminVoidMatch", "AdminVoidMatchInput", MATCH, input).await
}

fn code(answer: &Value) -> (&str, &str) {
    let error = &answer["userErrors"][0];
    (error["code"].as_str().unwrap_or(""), error["field"].as_str().unwrap_or(""))
}

async fn settings(person: &Client) -> Value {
    person.data(&format!("{{ admin {{ {SETTINGS} }} }}"), &json!({})).await["admin"]["settings"]
        .take()
}

/// How many events the site has.
async fn noted(app: &TestApp) -> usize {
    app.app().log().read_stream("site", 0, 1000).await.expect("readable").len()
}

/// The four commands with values that may be.
fn good(key: impl Fn() -> String) -> [(&'static str, Value); 4] {
    let with = |mut input: Value| {
        let fields = input.as_object_mut().expect("an object");
        fields.insert("idempotencyKey".to_owned(), json!(key()));
        fields.insert("reason".to_owned(), json!("try_out"));
        input
    };
    [
        ("adminSetLimits", with(json!({ "full": 7, "takeover": 0 }))),
        ("adminSetNormalMailWait", with(json!({ "minutes": 30 }))),
        ("adminSetRelease", with(json!({ "hours": 0 }))),
        ("adminSetAnnouncement", with(json!({ "text": "今晚 20:00 维护" }))),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_no_administrator_changes_nothing_and_learns_nothing() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "calm").await;
    let (player, visitor) = (&table.people[0], app.visitor());
    let before = (noted(&app).await, table.view(&table.people[1]).await);
    for (person, word) in [(player, "NOT_ALLOWED"), (&visitor, "UNAUTHENTICATED")] {
        let seen = person.data("{ admin { settings { fullLimit } } }", &json!({})).await;
        assert_eq!(seen, json!({ "admin": null }));
        for (name, mut input) in good(|| person.key()) {
            let answer = set(person, name, &input).await;
            assert_eq!((code(&answer).0, &answer["settings"]), (word, &Value::Null), "{name}");
            // A bad reason or a key that was used is not even looked at.
            input["reason"] = json!("NO REASON");
            assert_eq!(set(person, name, &input).await, answer);
        }
        let mut answers = Vec::new();
        for id in [table.id.as_str(), "6d00000000000040008000000000000001", "nonsense"] {
            let input =
                json!({ "idempotencyKey": person.key(), "matchId": id, "reason": "try_out" });
            answers.push(void(person, &input).await);
        }
        assert_eq!((code(&answers[0]).0, &answers[0]["match"]), (word, &Value::Null));
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }
    let mut after = (noted(&app).await, table.view(&table.people[1]).await);
    after.1["now"] = before.1["now"].clone();
    assert_eq!(after, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrator_who_is_none_any_more_is_none() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    assert!(settings(&keeper).await.is_object());
    let player = player_of(&keeper).await;
    app.app().accounts().revoke_admin(player).await.expect("revoked");
    assert_eq!(settings(&keeper).await, Value::Null);
    let [(name, input), ..] = good(|| keeper.key());
    assert_eq!(code(&set(&keeper, name, &input).await).0, "NOT_ALLOWED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_are_set_once_each_with_a_reason_and_a_name() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let first = settings(&keeper).await;
    assert_eq!(
        first,
        json!({ "fullLimit": 5, "takeoverLimit": 5, "normalMailWaitMinutes": 15,
            "releaseUnreadyHours": 48, "announcement": null })
    );
    let before = noted(&app).await;
    let commands = good(|| keeper.key());
    for (name, input) in &commands {
        let answer = set(&keeper, name, input).await;
        assert_eq!(answer["userErrors"], json!([]), "{name}: {answer}");
        assert_eq!(answer["settings"], settings(&keeper).await);
    }
    let last = json!({ "fullLimit": 7, "takeoverLimit": 0, "normalMailWaitMinutes": 30,
        "releaseUnreadyHours": 0, "announcement": "今晚 20:00 维护" });
    assert_eq!(settings(&keeper).await, last);
    for (name, input) in &commands {
        // Sent again, a command is answered with what is now, and does nothing.
        assert_eq!(set(&keeper, name, input).await, json!({ "settings": last, "userErrors": [] }));
        let mut other = input.clone();
        other["reason"] = json!("another");
        let answer = set(&keeper, name, &other).await;
        assert_eq!(code(&answer), ("IDEMPOTENCY_CONFLICT", "idempotencyKey"), "{name}");
        assert_eq!(answer["settings"], last);
    }
    let stored = app.app().log().read_stream("site", before as u64, 1000).await.expect("readable");
    assert_eq!(stored.len(), 4);
    let player = player_of(&keeper).await;
    assert!(stored.iter().all(|event| event.stamp.actor == Actor::Admin(player)));
    let (full, most) = {
        let counter = yibu_domain::kernel::Counter::Full;
        app.app().log().count(counter, player).await.expect("countable")
    };
    assert_eq!((full, most), (0, 7), "the limit is in force");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_values_are_refused_and_nothing_is_changed() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let (before, first) = (noted(&app).await, settings(&keeper).await);
    let long = "告".repeat(501);
    let cases = [
        ("adminSetLimits", json!({ "full": 101, "takeover": 5 }), ("INVALID_LIMIT", "")),
        ("adminSetLimits", json!({ "full": 5, "takeover": -1 }), ("INVALID_LIMIT", "")),
        ("adminSetNormalMailWait", json!({ "minutes": 0 }), ("INVALID_WAIT", "minutes")),
        ("adminSetNormalMailWait", json!({ "minutes": 1441 }), ("INVALID_WAIT", "minutes")),
        ("adminSetRelease", json!({ "hours": 721 }), ("INVALID_RELEASE", "hours")),
        ("adminSetRelease", json!({ "hours": -1 }), ("INVALID_RELEASE", "hours")),
        ("adminSetAnnouncement", json!({ "text": long }), ("INVALID_ANNOUNCEMENT", "text")),
        ("adminSetAnnouncement", json!({ "text": "a\u{202e}b" }), ("INVALID_ANNOUNCEMENT", "text")),
        ("adminSetAnnouncement", json!({ "text": "a\nb" }), ("INVALID_ANNOUNCEMENT", "text")),
    ];
    for (name, mut input, refusal) in cases {
        input["idempotencyKey"] = json!(keeper.key());
        input["reason"] = json!("try_out");
        let answer = set(&keeper, name, &input).await;
        assert_eq!(code(&answer), refusal, "{name}: {input}");
        assert_eq!(answer["settings"], first);
    }
    let bad_reason = "x".repeat(41);
    for (name, mut input) in good(|| keeper.key()) {
        for reason in ["", "Because I can", "原因", &bad_reason] {
            input["reason"] = json!(reason);
            assert_eq!(code(&set(&keeper, name, &input).await), ("INVALID_REASON", "reason"));
        }
    }
    assert_eq!((noted(&app).await, settings(&keeper).await), (before, first));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_announcement_is_for_everybody_until_it_goes() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let banner = async || {
        let query = "{ announcement { text since } }";
        app.visitor().data(query, &json!({})).await["announcement"].take()
    };
    assert_eq!(banner().await, Value::Null);
    let listener = app.player("listener").await;
    let mut socket = listener.socket().await;
    let query = "subscription { notices { announcement { text since } } }";
    socket.subscribe("banner", query, &json!({})).await;
    let mut heard = async || {
        let mut frame = socket.frame().await.expect("a frame");
        frame["notices"]["announcement"].take()
    };
    assert_eq!(heard().await, Value::Null);
    let say = async |text: Value| {
        let input = json!({ "idempotencyKey": keeper.key(), "reason": "news", "text": text });
        let answer = set(&keeper, "adminSetAnnouncement", &input).await;
        assert_eq!(answer["userErrors"], json!([]));
    };
    for gone in [Value::Null, json!(""), json!("  ")] {
        say(json!(" Maintenance tonight ")).await;
        let said = banner().await;
        assert_eq!(said["text"], "Maintenance tonight");
        assert_eq!(said["since"], "2026-09-21T14:13:20.000Z");
        assert_eq!(heard().await, said, "open pages hear of it");
        say(gone).await;
        assert_eq!(banner().await, Value::Null);
        assert_eq!(heard().await, Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_match_is_ended_without_result() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let table = Table::started(&app, "broken").await;
    let gone = &table.people[3];
    table.ok(gone, "leave", "LeaveInput", &json!({})).await;
    let unknown = json!({ "idempotencyKey": keeper.key(), "reason": "stuck",
        "matchId": "6d00000000000040008000000000000001" });
    let answer = void(&keeper, &unknown).await;
    assert_eq!((code(&answer), &answer["match"]), (("MATCH_NOT_FOUND", "matchId"), &Value::Null));
    let mut input = json!({ "idempotencyKey": keeper.key(), "reason": "NO", "matchId": table.id });
    let answer = void(&keeper, &input).await;
    assert_eq!((code(&answer).0, &answer["match"]["voidable"]), ("INVALID_REASON", &json!(true)));
    input["reason"] = json!("stuck");
    for _ in 0..2 {
        let answer = void(&keeper, &input).await;
        assert_eq!(answer["userErrors"], json!([]), "{answer}");
        let shown = &answer["match"];
        assert_eq!((&shown["phase"], &shown["voidable"]), (&json!("ENDED"), &json!(false)));
        assert_eq!(shown["outcome"], json!({ "kind": "NO_RESULT", "noResultBy": "VOIDED" }));
    }
    input["idempotencyKey"] = json!(keeper.key());
    assert_eq!(code(&void(&keeper, &input).await).0, "MATCH_ENDED");
    let query = "query($id: ID!) { match(id: $id) { phase settlement { points } } viewer { points { edges { node { points } } } } }";
    for person in &table.people[..3] {
        let seen = person.data(query, &json!({ "id": table.id })).await;
        assert_eq!(seen["match"]["phase"], "ENDED");
        assert_eq!(
            seen["match"]["settlement"],
            json!([{ "points": 0 }, { "points": 0 }, { "points": 0 }])
        );
    }
    let left = gone.data(query, &json!({ "id": table.id })).await;
    assert_eq!(left["viewer"]["points"]["edges"][0]["node"]["points"], -9, "earlier points stay");
    let trail = keeper.data(TRAIL, &json!({ "first": 2 })).await;
    let entries: Vec<(&str, &str, &Value)> = trail["admin"]["trail"]["edges"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|edge| {
            let node = &edge["node"];
            assert_eq!(
                (&node["matchId"], &node["by"]["nickname"]),
                (&json!(table.id), &json!("keeper"))
            );
            (node["command"].as_str().unwrap(), node["event"].as_str().unwrap(), &node["reason"])
        })
        .collect();
    assert_eq!(
        entries,
        [("void", "siguo.ended.v1", &Value::Null), ("void", "siguo.voided.v1", &json!("stuck"))]
    );
}
