//! What people change about their accounts, from outside: words, cookies, sockets, and the export.

use serde_json::{Value, json};
use yibu_domain::kernel::Actor;
use yibu_domain::kernel::Span;
use yibu_domain::players::PlayerCommand;
use yibu_infrastructure::accounts::reminders::{Notice, NoticeKind};
use yibu_infrastructure::executor::Request;
use yibu_tests::app::TestApp;
use yibu_tests::client::{Client, PASSWORD};
use yibu_tests::table::Table;

const OTHER: &str = "quiet horse 7 engines";
const ME: &str =
    "{ viewer { email nickname nicknameChangesLeft nicknameChangeAt isAdmin locale } }";

async fn change(client: &Client, name: &str, kind: &str, input: Value) -> Value {
    let mut input = input;
    let fields = input.as_object_mut().expect("an object");
    fields.entry("idempotencyKey").or_insert_with(|| json!(client.key()));
    client.mutate(name, kind, "viewer { email nickname locale }", &input).await
}

async fn login(client: &Client, email: &str, password: &str) -> Value {
    let input = json!({ "email": email, "password": password });
    client.mutate("login", "LoginInput", "viewer { player { id } }", &input).await
}

fn code(payload: &Value) -> (&str, &str) {
    let error = &payload["userErrors"][0];
    (error["code"].as_str().unwrap_or(""), error["field"].as_str().unwrap_or(""))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nickname_changes_in_the_live_table_and_stays_in_history() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "name").await;
    let me = &table.people[0];
    let kind = "ChangeNicknameInput";
    let own = me.data(ME, &json!({})).await["viewer"]["nickname"].take();
    let others = if own == "name1" { "NAME2" } else { "NAME1" };
    let taken = change(me, "changeNickname", kind, json!({ "nickname": others })).await;
    assert_eq!(code(&taken), ("NICKNAME_TAKEN", "nickname"));
    let key = me.key();
    for _ in 0..2 {
        let input = json!({ "idempotencyKey": key, "nickname": "南山" });
        let done = change(me, "changeNickname", kind, input).await;
        assert_eq!((code(&done), &done["viewer"]["nickname"]), (("", ""), &json!("南山")));
    }
    let input = json!({ "idempotencyKey": key, "nickname": "北山" });
    let other = change(me, "changeNickname", kind, input).await;
    assert_eq!(code(&other), ("IDEMPOTENCY_CONFLICT", "idempotencyKey"));
    let view = table.view(&table.people[1]).await;
    let seat = view["seats"].as_array().expect("seats").iter().find(|seat| seat["seat"] == "S");
    let person = &seat.expect("south")["person"];
    assert_eq!(person["player"]["nickname"], "南山");
    assert_eq!(person["nicknameThen"], own);
    change(me, "changeNickname", kind, json!({ "nickname": "东山" })).await;
    let seen = me.data(ME, &json!({})).await["viewer"].take();
    assert_eq!(seen["nicknameChangesLeft"], 0);
    assert!(seen["nicknameChangeAt"].as_str().is_some_and(|at| at.starts_with("2027-09")));
    let third = change(me, "changeNickname", kind, json!({ "nickname": "西山" })).await;
    assert_eq!(code(&third), ("NICKNAME_LIMIT_REACHED", "nickname"));
    assert!(third["userErrors"][0]["retryAfter"].as_i64().is_some_and(|wait| wait > 364 * 86_400));
    let nobody = change(&app.visitor(), "changeNickname", kind, json!({ "nickname": "x" })).await;
    assert_eq!(code(&nobody), ("UNAUTHENTICATED", ""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_password_closes_what_is_open_elsewhere() {
    let app = TestApp::start().await;
    let me = app.player("north").await;
    let elsewhere = app.visitor();
    login(&elsewhere, "north@example.org", PASSWORD).await;
    let (mut mine, mut theirs) = (me.socket().await, elsewhere.socket().await);
    let query = "subscription { lobby { openTables } }";
    for socket in [&mut mine, &mut theirs] {
        socket.subscribe("lobby", query, &json!({})).await;
        socket.frame().await.expect("a frame");
    }
    let kind = "ChangePasswordInput";
    let wrong = json!({ "current": "not my password", "password": OTHER });
    let wrong = change(&me, "changePassword", kind, wrong).await;
    assert_eq!(code(&wrong), ("PASSWORD_WRONG", "current"));
    let input = json!({ "current": PASSWORD, "password": OTHER });
    let done = change(&me, "changePassword", kind, input).await;
    assert_eq!(done["userErrors"], json!([]));
    let told = theirs.hear().await.expect("an error before the end");
    assert!(told.to_string().contains("SESSION_ENDED"), "{told}");
    assert_eq!(theirs.hear().await, Err(4403));
    assert_eq!(elsewhere.data(ME, &json!({})).await["viewer"], Value::Null);
    assert_eq!(me.data(ME, &json!({})).await["viewer"]["email"], "north@example.org");
    // The own socket is open: the next change of the lobby comes.
    yibu_tests::table::match_new(&me).await;
    mine.frame().await.expect("a frame");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_changes_and_a_forgotten_password_is_set_anew() {
    let app = TestApp::start().await;
    let me = app.player("north").await;
    let ask = json!({ "email": "pine@example.org", "current": PASSWORD });
    let asked = me.mutate("requestEmailChange", "RequestEmailChangeInput", "validSeconds", &ask);
    assert_eq!(asked.await["validSeconds"], 600);
    let code_ = app.code("pine@example.org").await;
    let input = json!({ "email": "pine@example.org", "code": code_, "current": PASSWORD });
    let done = change(&me, "changeEmail", "ChangeEmailInput", input).await;
    assert_eq!((code(&done), &done["viewer"]["email"]), (("", ""), &json!("pine@example.org")));
    let done = change(&me, "changeLocale", "ChangeLocaleInput", json!({ "locale": "EN" })).await;
    assert_eq!(done["viewer"]["locale"], "EN");

    app.pass(Span::seconds(61)).await;
    let visitor = app.visitor();
    let mut said = Vec::new();
    for email in ["pine@example.org", "north@example.org"] {
        let input = json!({ "email": email, "locale": "EN" });
        let selection = "validSeconds";
        said.push(visitor.mutate("requestReset", "RequestResetInput", selection, &input).await);
    }
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0]["validSeconds"], 1800);
    let mailbox = app.app().mailbox().expect("a mailbox");
    let letter = mailbox.latest_to("pine@example.org").await.unwrap().expect("a mail");
    let start = format!("http://{}/reset#token=", app.addr);
    let token = letter.plain.split_whitespace().find_map(|word| word.strip_prefix(&start));
    let input = json!({ "token": token.expect("a link"), "password": OTHER });
    let reset = |input: Value| {
        let visitor = visitor.clone();
        async move { visitor.mutate("resetPassword", "ResetPasswordInput", "", &input).await }
    };
    assert_eq!(reset(input.clone()).await["userErrors"], json!([]));
    assert_eq!(code(&reset(input).await), ("RESET_INVALID", "token"));
    assert_eq!(me.data(ME, &json!({})).await["viewer"], Value::Null);
    assert_eq!(login(&visitor, "pine@example.org", OTHER).await["userErrors"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_export_is_ones_own_and_holds_no_credential() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "own").await;
    let me = &table.people[0];
    let view = table.view(me).await;
    let handle = view["board"].as_array().expect("a board").iter();
    let handle = handle.filter(|piece| piece["seat"] != view["mySeat"]);
    let handle = handle.map(|piece| &piece["handle"]).next().expect("a piece").clone();
    let mark = json!({ "handle": handle, "mark": "雷", "colour": "GREEN" });
    table.ok(me, "setMark", "SetMarkInput", &mark).await;
    table.ok(me, "leave", "LeaveInput", &json!({})).await;
    let next = yibu_tests::table::match_new(me).await;
    let player = crate::leaks::whole_match::player_of(me).await;
    for command in [
        PlayerCommand::Suspend { reason: "fair_play".parse().expect("a code") },
        PlayerCommand::Reinstate { reason: "appeal".parse().expect("a code") },
    ] {
        let request = Request::new(player.0, command, Actor::System, uuid::Uuid::nil());
        app.app().players().execute(request).await.expect("granted");
    }
    let told = async {
        let left = |notice: &Notice| notice.kind == NoticeKind::Left;
        while !app.app().accounts().notices(player, None, 9).await.unwrap().iter().any(left) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), told)
        .await
        .expect("the leave is told");
    let answer = me.data("{ viewer { export nickname player { id } } }", &json!({})).await;
    let text = answer["viewer"]["export"].as_str().expect("a text");
    let own: Value = serde_json::from_str(text).expect("JSON");
    let nickname = answer["viewer"]["nickname"].as_str().expect("a name");
    assert_eq!(own["form"], "yibu-export/1");
    assert_eq!(own["player_id"], answer["viewer"]["player"]["id"]);
    assert_eq!(own["email"], format!("{nickname}@example.org"));
    assert_eq!(own["nicknames"][0]["nickname"], nickname);
    for list in ["sessions", "devices", "networks", "points", "results"] {
        assert_eq!(own[list].as_array().map(Vec::len), Some(1), "{list}: {own}");
    }
    let all_day =
        json!({ "mode": "SMART", "from": "00:00", "to": "00:00", "zone": "Asia/Shanghai" });
    assert_eq!(own["reminders"], all_day);
    let mark = &own["marks"][0];
    assert_eq!(
        (&mark["match_id"], &mark["handle"], &mark["mark"], &mark["colour"]),
        (&json!(table.id), &handle, &json!("雷"), &json!("green"))
    );
    let notices = own["notices"].as_array().expect("a list").iter();
    assert!(notices.clone().any(|notice| notice["kind"] == "left"), "{own}");
    let seats = own["seats"].as_array().expect("a list");
    assert_eq!((seats.len(), &seats[0]["match_id"]), (1, &next["id"]));
    let barred = own["suspensions"].as_array().expect("a list").iter();
    let barred: Vec<_> = barred.map(|one| (&one["what"], &one["reason"])).collect();
    let wanted = ["suspended", "fair_play", "reinstated", "appeal"].map(Value::from);
    assert_eq!(barred, [(&wanted[0], &wanted[1]), (&wanted[2], &wanted[3])]);
    assert_eq!(own["points"][0]["points"], -9);
    assert_eq!(own["statistics"]["leaves"], 1);
    for cookie in ["yibu_session", "yibu_device"] {
        assert!(!text.contains(&me.cookie(cookie).expect("a cookie")), "{cookie}");
    }
    for other in &table.people[1..] {
        let answer = other.data("{ viewer { nickname } }", &json!({})).await;
        let name = answer["viewer"]["nickname"].as_str().expect("a name");
        assert!(!text.contains(name), "{name}");
    }
}
