//! Reminders through the API: what one is told live, what one reads, sees and sets, and what strangers learn of it.

use crate::leaks::whole_match::player_of;
use serde_json::{Value, json};
use yibu_domain::kernel::Span;
use yibu_tests::app::TestApp;
use yibu_tests::client::{Client, Socket};
use yibu_tests::table::Table;

const NOTICE: &str = "id kind at matchId seat turn deadline read done";

async fn listen(client: &Client) -> Socket {
    let mut socket = client.socket().await;
    let query = format!("subscription {{ notices {{ unread latest {{ {NOTICE} }} }} }}");
    socket.subscribe("notices", &query, &json!({})).await;
    socket
}

/// Reads updates until the latest notice is of this kind, and gives that update. No update comes twice.
async fn until(socket: &mut Socket, kind: &str) -> Value {
    let mut last = Value::Null;
    loop {
        let update = socket.frame().await.expect("a frame")["notices"].take();
        assert_ne!(update, last, "the same twice");
        if update["latest"][0]["kind"] == kind {
            return update;
        }
        last = update;
    }
}

fn kinds(update: &Value) -> Vec<&str> {
    let latest = update["latest"].as_array().expect("a list");
    latest.iter().map(|notice| notice["kind"].as_str().expect("a kind")).collect()
}

async fn seen(table: &Table, person: &Client, turn: &Value) -> Value {
    let input = json!({ "idempotencyKey": person.key(), "matchId": table.id, "turn": turn });
    let selection = "__typename";
    let answer = person.mutate("markTurnSeen", "MarkTurnSeenInput", selection, &input).await;
    answer["userErrors"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_is_followed_from_its_last_seat_to_a_time_out() {
    let app = TestApp::start().await;
    let table = Table::seated(&app, "told").await;
    let mut sockets = Vec::new();
    for person in &table.people {
        sockets.push(listen(person).await);
    }
    for socket in &mut sockets {
        let full = until(socket, "TABLE_FULL").await;
        assert_eq!((kinds(&full), &full["unread"]), (vec!["TABLE_FULL"], &json!(1)));
        assert_eq!(full["latest"][0]["matchId"], table.id.as_str());
    }
    table.start().await;
    let view = table.view(&table.people[0]).await;
    let first = table.on_turn(&view);
    let (mover, mate) = (&table.people[first], (first + 2) % 4);
    let turn = until(&mut sockets[first], "YOUR_TURN").await;
    let latest = &turn["latest"][0];
    assert_eq!(latest["turn"], view["turn"]["number"]);
    assert_eq!(
        (&latest["seat"], &latest["deadline"]),
        (&view["turn"]["seat"], &view["turn"]["deadline"])
    );

    table.ok(mover, "offerDraw", "OfferDrawInput", &json!({})).await;
    table.ok(mover, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({})).await;
    for (seat, socket) in sockets.iter_mut().enumerate().filter(|(seat, _)| *seat != first) {
        let votes = until(socket, if seat == mate { "TEAM_SURRENDER_VOTE" } else { "DRAW_VOTE" });
        let votes = votes.await;
        assert_eq!(votes["latest"][0]["seat"], view["turn"]["seat"]);
        let told = kinds(&votes);
        assert!(told.contains(&"TABLE_STARTED") && told.contains(&"DRAW_VOTE"), "{told:?}");
    }

    app.pass(Span::hours(12)).await;
    until(&mut sockets[first], "TURN_4H").await;
    app.pass(Span::hours(3)).await;
    until(&mut sockets[first], "TURN_1H").await;
    app.pass(Span::hours(1)).await;
    let out = until(&mut sockets[first], "TIMED_OUT").await;
    // Of what called for something and is over nothing is news, and whoever offered is not asked.
    let all = ["TIMED_OUT", "TURN_1H", "TURN_4H", "YOUR_TURN", "TABLE_STARTED", "TABLE_FULL"];
    assert_eq!((kinds(&out), &out["unread"]), (all.to_vec(), &json!(1)));
    let told = out["latest"].as_array().expect("a list");
    let done: Vec<_> = told.iter().map(|notice| notice["done"] == true).collect();
    assert_eq!(done, [false, true, true, true, true, true]);
    for socket in sockets.iter_mut().enumerate().filter(|(seat, _)| *seat != first) {
        let left = until(socket.1, "SEAT_LEFT").await;
        assert_eq!(left["latest"][0]["seat"], view["turn"]["seat"]);
    }
    let mut names = vec!["identity".to_owned(), "nickname".to_owned(), "COMMANDER".to_owned()];
    for person in &table.people {
        names.push(player_of(person).await.0.simple().to_string());
    }
    for person in &table.people {
        let heard = person.heard();
        let notices: Vec<_> = heard.iter().filter(|text| text.contains("unread")).collect();
        assert!(!notices.is_empty(), "notices were heard");
        for text in notices {
            assert!(!names.iter().any(|name| text.contains(name.as_str())), "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_is_seen_by_its_own_player_alone() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "seen").await;
    let stranger = app.player("stranger").await;
    let view = table.view(&table.people[0]).await;
    let first = table.on_turn(&view);
    let (mover, other) = (&table.people[first], &table.people[(first + 1) % 4]);
    let turn = &view["turn"]["number"];
    let code = |errors: Value| errors[0]["code"].as_str().unwrap_or("none").to_owned();

    assert_eq!(code(seen(&table, &stranger, turn).await), "MATCH_NOT_FOUND");
    assert_eq!(code(seen(&table, &app.visitor(), turn).await), "UNAUTHENTICATED");
    assert_eq!(code(seen(&table, other, turn).await), "STALE_TURN");
    assert_eq!(code(seen(&table, mover, &json!(77)).await), "STALE_TURN");
    let nowhere = json!({ "idempotencyKey": mover.key(), "matchId": "6d00", "turn": 1 });
    let answer = mover.mutate("markTurnSeen", "MarkTurnSeenInput", "__typename", &nowhere).await;
    assert_eq!(answer["userErrors"][0]["code"], "MATCH_NOT_FOUND");

    let mut socket = listen(mover).await;
    until(&mut socket, "YOUR_TURN").await;
    let query = "{ viewer { unreadNotices upcomingReminders { at kind matches { matchId turn reason } } } }";
    let before = mover.data(query, &json!({})).await["viewer"].take();
    let mails = before["upcomingReminders"].as_array().expect("a list").clone();
    let listed = |reason| json!([{ "matchId": table.id, "turn": turn, "reason": reason }]);
    assert_eq!((&mails[0]["kind"], &mails[0]["matches"]), (&json!("NORMAL"), &listed("WAITING")));
    assert_eq!(
        (&mails[1]["kind"], &mails[1]["matches"]),
        (&json!("DEADLINE"), &listed("LAST_HOUR"))
    );
    for _ in 0..2 {
        assert_eq!(seen(&table, mover, turn).await, json!([]));
    }
    let after = mover.data(query, &json!({})).await["viewer"].take();
    assert_eq!(after["upcomingReminders"], json!([mails[1]]));
    let unread = |viewer: &Value| viewer["unreadNotices"].as_i64().expect("a number");
    assert_eq!(unread(&after), unread(&before) - 2, "of the turn, and that the match began");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_are_taken_whole_or_not_at_all() {
    let app = TestApp::start().await;
    let person = app.player("setter").await;
    let fields = "settings { mode from to zone }";
    let set = async |mode: &str, from: &str, to: &str, zone: &str| {
        let key = person.key();
        let input =
            json!({ "idempotencyKey": key, "mode": mode, "from": from, "to": to, "zone": zone });
        let kind = "UpdateReminderSettingsInput";
        person.mutate("updateReminderSettings", kind, fields, &input).await
    };
    let query = "{ viewer { reminderSettings { mode from to zone } } }";
    let first = person.data(query, &json!({})).await["viewer"]["reminderSettings"].take();
    let usual = json!({ "mode": "SMART", "from": "00:00", "to": "00:00", "zone": "Asia/Shanghai" });
    assert_eq!(first, usual);
    for (wrong, code, field) in [
        (("24:00", "08:00", "Asia/Shanghai"), "REMINDER_WINDOW_INVALID", "from"),
        (("22:00", "8:00", "Asia/Shanghai"), "REMINDER_WINDOW_INVALID", "to"),
        (("22:00", "08:00", "Nowhere/Land"), "TIME_ZONE_INVALID", "zone"),
    ] {
        let answer = set("OFF", wrong.0, wrong.1, wrong.2).await;
        let error = &answer["userErrors"][0];
        assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)));
        assert_eq!(answer["settings"], usual);
    }
    let answer = set("DEADLINE_ONLY", "22:00", "08:00", "Europe/Berlin").await;
    let new =
        json!({ "mode": "DEADLINE_ONLY", "from": "22:00", "to": "08:00", "zone": "Europe/Berlin" });
    assert_eq!((&answer["settings"], &answer["userErrors"]), (&new, &json!([])));
    let now = person.data(query, &json!({})).await["viewer"]["reminderSettings"].take();
    assert_eq!(now, new);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_are_paged_and_read_by_their_owner() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "page").await;
    let view = table.view(&table.people[0]).await;
    let mover = &table.people[table.on_turn(&view)];
    until(&mut listen(mover).await, "YOUR_TURN").await;
    let query = format!(
        "query($first: Int, $after: String) {{ notices(first: $first, after: $after) {{ unread \
         pageInfo {{ hasNextPage endCursor }} edges {{ cursor node {{ {NOTICE} }} }} }} }}"
    );
    let page = async |first: i32, after: Value| {
        let variables = json!({ "first": first, "after": after });
        mover.data(&query, &variables).await["notices"].take()
    };
    let front = page(2, Value::Null).await;
    assert_eq!((front["edges"].as_array().map(Vec::len), &front["unread"]), (Some(2), &json!(2)));
    assert_eq!(front["pageInfo"]["hasNextPage"], true);
    let back = page(2, front["pageInfo"]["endCursor"].clone()).await;
    assert_eq!(back["edges"][0]["node"]["kind"], "TABLE_FULL");
    assert_eq!(back["pageInfo"]["hasNextPage"], false);

    let read = async |up_to: &Value| {
        let input = json!({ "idempotencyKey": mover.key(), "upTo": up_to });
        mover.mutate("markNoticesRead", "MarkNoticesReadInput", "unread", &input).await
    };
    assert_eq!(read(&front["edges"][1]["node"]["id"]).await["unread"], 1);
    assert_eq!(read(&Value::Null).await["unread"], 0);
    assert_eq!(page(1, Value::Null).await["edges"][0]["node"]["read"], true);

    let nobody = app.visitor().data(&query, &json!({})).await;
    assert_eq!(nobody["notices"], Value::Null);
    let mut socket = app.visitor().socket().await;
    socket.subscribe("x", "subscription { notices { unread } }", &json!({})).await;
    let refusal = socket.hear().await.expect("a message").to_string();
    assert!(refusal.contains("UNAUTHENTICATED"), "{refusal}");
}
