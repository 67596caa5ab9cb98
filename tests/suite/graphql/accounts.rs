//! Registering, logging in and out, sessions that end.

use serde_json::{Value, json};
use yibu_domain::kernel::Span;
use yibu_tests::app::TestApp;
use yibu_tests::client::PASSWORD;

#[tokio::test]
async fn from_the_mailed_code_to_the_ended_session() {
    let app = TestApp::start().await;
    let client = app.player("first").await;
    assert!(client.cookie("yibu_session").is_some_and(|token| token.len() == 64));
    assert!(client.cookie("yibu_device").is_some());
    let me = client
        .data("{ viewer { email fullMatches { held limit } sessionId } sessions { id current device } }", &json!({}))
        .await;
    assert_eq!(me["viewer"]["email"], "first@example.org");
    assert_eq!(me["viewer"]["fullMatches"], json!({ "held": 0, "limit": 5 }));
    assert_eq!(me["sessions"][0]["id"], me["viewer"]["sessionId"]);

    let input = json!({ "email": "first@example.org", "password": PASSWORD });
    let second = app.visitor();
    let wrong = json!({ "email": "first@example.org", "password": "something else 1" });
    let refused = second.mutate("login", "LoginInput", "token", &wrong).await;
    assert_eq!(refused["userErrors"][0]["code"], "CREDENTIALS_WRONG");
    let payload = second.mutate("login", "LoginInput", "token viewer { sessionId }", &input).await;
    assert_eq!((&payload["userErrors"], &payload["token"]), (&json!([]), &Value::Null));

    let mut socket = second.socket().await;
    let mut idle = second.socket().await;
    socket.subscribe("lobby", "subscription { lobby { openTables } }", &json!({})).await;
    socket.frame().await.expect("a frame");
    let ended = client
        .data("mutation { endOtherSessions { ended userErrors { code } } }", &json!({}))
        .await;
    assert_eq!(ended["endOtherSessions"]["ended"], 1);
    let told = socket.hear().await.expect("a word before the end");
    assert_eq!((&told["id"], &told["type"]), (&json!("lobby"), &json!("error")));
    assert_eq!(told["payload"][0]["extensions"]["code"], "SESSION_ENDED");
    assert_eq!(socket.hear().await, Err(4403), "an ended session closes its sockets");
    assert_eq!(idle.hear().await, Err(4403));
    assert_eq!(second.data("{ viewer { email } }", &json!({})).await["viewer"], Value::Null);

    client.data("mutation { logout { ended } }", &json!({})).await;
    assert_eq!(client.cookie("yibu_session").as_deref(), Some(""));
    assert_eq!(client.data("{ viewer { email } }", &json!({})).await["viewer"], Value::Null);
}

#[tokio::test]
async fn clients_without_cookies_get_a_token() {
    let app = TestApp::start().await;
    app.player("mobile").await;
    let input = json!({ "email": "mobile@example.org", "password": PASSWORD, "bearer": true });
    let client = app.visitor();
    let payload = client.mutate("login", "LoginInput", "token", &input).await;
    let token = payload["token"].as_str().expect("a token");
    assert_eq!(client.cookie("yibu_session"), None);
    let ask = |token: String| {
        let request = reqwest::Client::new()
            .post(format!("http://{}/graphql", app.addr))
            .bearer_auth(token)
            .json(&json!({ "query": "{ viewer { player { nickname } } }" }));
        async move { request.send().await.expect("an answer") }
    };
    let answer: Value = ask(token.to_owned()).await.json().await.expect("JSON");
    assert_eq!(answer["data"]["viewer"]["player"]["nickname"], "mobile");
    assert_eq!(ask("0".repeat(64)).await.status(), 401);
}

#[tokio::test]
async fn refusals_of_the_accounts_have_their_codes() {
    let app = TestApp::start().await;
    let client = app.player("taken").await;
    let again = client.request_code("fresh@example.org").await;
    assert_eq!(again["userErrors"], json!([]));
    let soon = client.request_code("fresh@example.org").await;
    assert_eq!(soon["userErrors"][0]["code"], "CODE_RATE_LIMITED");
    assert!(
        soon["userErrors"][0]["retryAfter"].as_i64().is_some_and(|wait| (1..=61).contains(&wait))
    );
    let code = app.code("fresh@example.org").await;
    let register = |code: &str, nickname: &str, password: &str| {
        let input = json!({ "email": "fresh@example.org", "code": code, "nickname": nickname, "password": password });
        let client = client.clone();
        async move {
            let payload = client.mutate("register", "RegisterInput", "token", &input).await;
            let error = &payload["userErrors"][0];
            (
                error["code"].as_str().unwrap_or("").to_owned(),
                error["field"].as_str().unwrap_or("").to_owned(),
            )
        }
    };
    let is = |code: &str, field: &str| (code.to_owned(), field.to_owned());
    assert_eq!(register(&code, "TAKEN", PASSWORD).await, is("NICKNAME_TAKEN", "nickname"));
    assert_eq!(register(&code, "", PASSWORD).await, is("NICKNAME_INVALID", "nickname"));
    assert_eq!(register(&code, "fresh", "short").await, is("PASSWORD_TOO_SHORT", "password"));
    app.pass(Span::seconds(601)).await;
    assert_eq!(register(&code, "fresh", PASSWORD).await, is("CODE_EXPIRED", "code"));
}
