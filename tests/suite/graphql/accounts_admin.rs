//! What administrators do about players, and that nobody else does.

use serde_json::{Value, json};
use yibu_api::app::LogStore;
use yibu_domain::kernel::{Actor, PlayerId};
use yibu_domain::players::PlayerCommand;
use yibu_infrastructure::executor::Request;
use yibu_tests::app::TestApp;
use yibu_tests::client::{Client, PASSWORD};
use yibu_tests::table::Table;

const PLAYER: &str = "player { player { id nickname } email createdAt suspended deleted house \
    linked { player { nickname } by lastAt } }";

async fn player_of(app: &TestApp, client: &Client) -> PlayerId {
    let token = client.cookie("yibu_session").expect("a session");
    let session = app.app().accounts().authenticate(&token).await.unwrap();
    session.expect("a session").player
}

async fn id_of(client: &Client) -> Value {
    client.data("{ viewer { player { id } } }", &json!({})).await["viewer"]["player"]["id"].take()
}

async fn administrator(app: &TestApp) -> Client {
    let admin = app.player("boss").await;
    let player = player_of(app, &admin).await;
    app.app().accounts().grant_admin(player).await.unwrap();
    admin
}

async fn act(by: &Client, name: &str, input: Value) -> Value {
    let mut input = input;
    let fields = input.as_object_mut().expect("an object");
    fields.entry("idempotencyKey").or_insert_with(|| json!(by.key()));
    fields.entry("reason").or_insert_with(|| json!("fair_play"));
    let kind =
        if fields.contains_key("points") { "AdminAdjustPointsInput" } else { "AdminPlayerInput" };
    by.mutate(name, kind, PLAYER, &input).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_player_is_out_until_reinstated() {
    let app = TestApp::start().await;
    let admin = administrator(&app).await;
    let table = Table::started(&app, "out").await;
    let (them, other) = (&table.people[2], &table.people[0]);
    let id = id_of(them).await;
    let name = them.data("{ viewer { nickname } }", &json!({})).await["viewer"]["nickname"].take();
    let email = format!("{}@example.org", name.as_str().expect("a name"));
    let key = admin.key();
    for _ in 0..2 {
        let input = json!({ "idempotencyKey": key, "playerId": id });
        let done = act(&admin, "adminSuspend", input).await;
        assert_eq!(done["userErrors"], json!([]));
        assert_eq!(done["player"]["suspended"], true);
        assert_eq!(done["player"]["email"], json!(email));
    }
    let input = json!({ "idempotencyKey": key, "playerId": id, "reason": "another" });
    let conflict = act(&admin, "adminSuspend", input).await;
    assert_eq!(conflict["userErrors"][0]["code"], "IDEMPOTENCY_CONFLICT");

    assert_eq!(them.data("{ viewer { email } }", &json!({})).await["viewer"], Value::Null);
    let view = table.view(other).await;
    let seats = view["seats"].as_array().expect("seats");
    let north = seats.iter().find(|seat| seat["seat"] == "N").expect("north");
    assert_eq!(north["vacant"], true);
    let login = async |password: &str| {
        let input = json!({ "email": email, "password": password });
        them.mutate("login", "LoginInput", "viewer { email }", &input).await
    };
    assert_eq!(login("not my password").await["userErrors"][0]["code"], "CREDENTIALS_WRONG");
    assert_eq!(login(PASSWORD).await["userErrors"][0]["code"], "ACCOUNT_SUSPENDED");

    let back = act(&admin, "adminReinstate", json!({ "playerId": id })).await;
    assert_eq!((&back["userErrors"], &back["player"]["suspended"]), (&json!([]), &json!(false)));
    // The old key again is the old command, done long ago.
    let input = json!({ "idempotencyKey": key, "playerId": id });
    assert_eq!(act(&admin, "adminSuspend", input).await["player"]["suspended"], false);
    assert_eq!(login(PASSWORD).await["userErrors"], json!([]));
    yibu_tests::table::match_new(them).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn points_are_given_with_a_reason_and_bad_values_change_nothing() {
    let app = TestApp::start().await;
    let admin = administrator(&app).await;
    let them = app.player("north").await;
    let id = id_of(&them).await;
    let ledger = "{ viewer { points { edges { node { points balance cause reason } } } } }";
    for (input, code, field) in [
        (json!({ "playerId": id, "points": 0 }), "INVALID_POINTS", json!("points")),
        (json!({ "playerId": id, "points": 1001 }), "INVALID_POINTS", json!("points")),
        (
            json!({ "playerId": id, "points": 1, "reason": "Because!" }),
            "INVALID_REASON",
            json!("reason"),
        ),
        (json!({ "playerId": "nonsense", "points": 1 }), "PLAYER_NOT_FOUND", json!("playerId")),
        (
            json!({ "playerId": format!("70{}", "ab".repeat(16)), "points": 1 }),
            "PLAYER_NOT_FOUND",
            json!("playerId"),
        ),
    ] {
        let refused = act(&admin, "adminAdjustPoints", input.clone()).await;
        let error = &refused["userErrors"][0];
        assert_eq!((error["code"].as_str(), &error["field"]), (Some(code), &field), "{input}");
        assert_eq!(refused["player"], Value::Null);
    }
    let before = app.app().log().head().await.unwrap().position;
    for by in [&them, &app.visitor()] {
        let code = if std::ptr::eq(by, &them) { "NOT_ALLOWED" } else { "UNAUTHENTICATED" };
        for name in ["adminSuspend", "adminReinstate"] {
            let refused = act(by, name, json!({ "playerId": id })).await;
            assert_eq!(refused["userErrors"][0]["code"], code);
            assert_eq!(refused["player"], Value::Null);
        }
        let refused = act(by, "adminAdjustPoints", json!({ "playerId": id, "points": 5 })).await;
        assert_eq!(refused["userErrors"][0]["code"], code);
    }
    assert_eq!(app.app().log().head().await.unwrap().position, before);
    let own = id_of(&admin).await;
    for (name, input) in [
        ("adminSuspend", json!({ "playerId": own })),
        ("adminAdjustPoints", json!({ "playerId": own, "points": 5 })),
    ] {
        assert_eq!(act(&admin, name, input).await["userErrors"][0]["code"], "NOT_ALLOWED");
    }
    assert_eq!(app.app().log().head().await.unwrap().position, before);
    let done = act(&admin, "adminAdjustPoints", json!({ "playerId": id, "points": -12 })).await;
    assert_eq!(done["userErrors"], json!([]));
    let seen = them.data(ledger, &json!({})).await["viewer"]["points"]["edges"].take();
    let line = json!({ "points": -12, "balance": -12, "cause": "ADJUSTED", "reason": "fair_play" });
    assert_eq!(seen, json!([{ "node": line }]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrators_see_who_shares_a_device_and_they_do_not_meet() {
    let app = TestApp::start().await;
    let admin = administrator(&app).await;
    let one = app.player("one").await;
    let id = id_of(&one).await;
    // The same browser, another account.
    let token = one.cookie("yibu_session");
    one.data("mutation { logout { ended } }", &json!({})).await;
    one.request_code("two@example.org").await;
    let code = app.code("two@example.org").await;
    one.register("two@example.org", &code, "two").await;
    assert_ne!(one.cookie("yibu_session"), token);
    let two = one;
    let first = app.visitor();
    let input = json!({ "email": "one@example.org", "password": PASSWORD });
    first.mutate("login", "LoginInput", "", &input).await;

    let done = act(&admin, "adminReinstate", json!({ "playerId": id })).await;
    let linked = done["player"]["linked"].as_array().expect("a list").clone();
    let device = linked.iter().find(|link| link["by"] == "DEVICE").expect("a link");
    assert_eq!(device["player"]["nickname"], "two");
    assert!(linked.iter().any(|link| link["by"] == "NETWORK"));

    let here = yibu_tests::table::match_new(&first).await["id"].take();
    let there = yibu_tests::table::match_new(&two).await["id"].take();
    assert_ne!(here, there);
    // Somebody else joins either.
    let third = app.player("three").await;
    let found = yibu_tests::table::match_new(&third).await["id"].take();
    assert!(found == here || found == there);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspension_that_a_crash_cut_short_is_followed_by_the_next_start() {
    let mut app = TestApp::with_log(LogStore::Sqlite).await;
    let them = app.player("north").await;
    let player = player_of(&app, &them).await;
    // In the log alone: here the process ended.
    let reason = "fair_play".parse().unwrap();
    let command = PlayerCommand::Suspend { reason };
    let request = Request::new(player.0, command, Actor::System, uuid::Uuid::nil());
    app.app().players().execute(request).await.unwrap();
    assert!(app.app().accounts().suspended().await.unwrap().is_empty());
    app.restart().await;
    let followed = async {
        while !app.app().accounts().suspended_in_seats().await.unwrap().is_empty()
            || app.app().accounts().suspended().await.unwrap() != [player]
        {
            tokio::task::yield_now().await;
        }
    };
    let bound = std::time::Duration::from_secs(30);
    tokio::time::timeout(bound, followed).await.expect("the start follows the log");
    let them = them.moved_to(app.addr);
    assert_eq!(them.data("{ viewer { email } }", &json!({})).await["viewer"], Value::Null);
}
