//! `POST` and `GET /graphql`.

use super::house::House;
use axum::http::{HeaderMap, StatusCode};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use yibu_api::http::Settings;
use yibu_api::http::limits::{ClassQuotas, Quota, Quotas};

const GRAPHQL: &str = "application/graphql-response+json";

async fn post(house: &House, accept: &str, body: &Value) -> Response {
    let request = Client::new().post(house.url("/graphql")).header("accept", accept).json(body);
    request.send().await.expect("an answer")
}

async fn get(house: &House, query: &[(&str, &str)]) -> Response {
    let request = Client::new().get(house.url("/graphql")).query(query).header("accept", GRAPHQL);
    request.send().await.expect("an answer")
}

fn code(body: &Value) -> &str {
    body["errors"][0]["extensions"]["code"].as_str().unwrap_or("none")
}

async fn expect_refused(response: Response, status: u16, expected: &str) -> HeaderMap {
    let headers = response.headers().clone();
    assert_eq!(response.status().as_u16(), status);
    let body: Value = response.json().await.expect("JSON");
    assert_eq!(code(&body), expected);
    assert!(body.get("data").is_none());
    headers
}

#[tokio::test]
async fn a_query_is_answered_with_cost_and_headers() {
    let house = House::open().await;
    let response = post(&house, "*/*", &json!({"query": "{ hello node { a { b } } }"})).await;
    assert_eq!(response.status(), StatusCode::OK);
    let headers = response.headers().clone();
    assert_eq!(headers["content-type"], "application/json; charset=utf-8");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'");
    assert!(headers.contains_key("strict-transport-security"));
    assert_eq!(headers["x-request-id"].len(), 32);
    assert_eq!(headers["ratelimit-limit"], "600");
    assert_eq!(headers["ratelimit-remaining"], "599");
    let body: Value = response.json().await.expect("JSON");
    assert_eq!(
        body,
        json!({"data": {"hello": "hello", "node": {"a": {"b": 0}}}, "extensions": {"cost": 4}})
    );
}

#[tokio::test]
async fn forms_differ_in_the_status_of_wrong_documents() {
    let house = House::open().await;
    for (query, expected) in [
        ("{", "REQUEST_SYNTAX"),
        ("{ nothing }", "REQUEST_INVALID"),
        ("query($v: Int!) { hello @include(if: true) }", "REQUEST_VARIABLES"),
    ] {
        let body = json!({ "query": query });
        let wrong = post(&house, GRAPHQL, &body).await;
        assert_eq!(
            wrong.headers()["content-type"],
            "application/graphql-response+json; charset=utf-8"
        );
        expect_refused(wrong, 400, expected).await;
        expect_refused(post(&house, "application/json", &body).await, 200, expected).await;
    }
    let page = post(&house, "text/html", &json!({"query": "{ hello }"})).await;
    expect_refused(page, 406, "REQUEST_ACCEPT").await;
}

#[tokio::test]
async fn only_json_is_read() {
    let house = House::open().await;
    let body = r#"{"query":"{ hello }"}"#;
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""]
    {
        let request =
            Client::new().post(house.url("/graphql")).header("content-type", kind).body(body);
        expect_refused(request.send().await.expect("an answer"), 415, "REQUEST_MEDIA_TYPE").await;
    }
    let packed = Client::new()
        .post(house.url("/graphql"))
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .body(body);
    expect_refused(packed.send().await.expect("an answer"), 415, "REQUEST_MEDIA_TYPE").await;
    let multipart = Client::new()
        .post(house.url("/graphql"))
        .header("content-type", "multipart/form-data; boundary=x")
        .body("--x--");
    expect_refused(multipart.send().await.expect("an answer"), 415, "REQUEST_MEDIA_TYPE").await;
}

#[tokio::test]
async fn strange_bodies_are_refused() {
    let house = House::open().await;
    let send = async |body: Vec<u8>| {
        let request = Client::new()
            .post(house.url("/graphql"))
            .header("content-type", "application/json")
            .body(body);
        request.send().await.expect("an answer")
    };
    for body in [
        "",
        "null",
        "\"{hello}\"",
        "{",
        "{}",
        r#"{"query":null}"#,
        r#"{"query":"{a}","query":"{b}"}"#,
    ] {
        expect_refused(send(body.into()).await, 400, "REQUEST_MALFORMED").await;
    }
    expect_refused(
        send(b"{\"query\":\"{ hello \xff }\"}".to_vec()).await,
        400,
        "REQUEST_MALFORMED",
    )
    .await;
    expect_refused(send(br#"[{"query":"{ hello }"}]"#.to_vec()).await, 400, "REQUEST_BATCH").await;
    let deep = format!(
        r#"{{"query":"{{hello}}","variables":{{"v":{}1{}}}}}"#,
        "[".repeat(31),
        "]".repeat(31)
    );
    expect_refused(send(deep.into()).await, 400, "REQUEST_TOO_DEEP").await;
    let several = r#"{"query":"query A { hello } mutation B { bump }","operationName":"A"}"#;
    expect_refused(send(several.into()).await, 400, "REQUEST_MANY_OPERATIONS").await;
    let other = r#"{"query":"query A { hello }","operationName":"B"}"#;
    expect_refused(send(other.into()).await, 200, "REQUEST_UNKNOWN_OPERATION").await;
    let subscription = r#"{"query":"subscription { count(to: 1) }"}"#;
    expect_refused(send(subscription.into()).await, 400, "REQUEST_TRANSPORT").await;
}

#[tokio::test]
async fn long_bodies_are_refused_announced_or_not() {
    let house = House::open().await;
    let long = format!(r#"{{"query":"{{ hello }}","x":"{}"}}"#, "y".repeat(70_000));
    let announced = Client::new()
        .post(house.url("/graphql"))
        .header("content-type", "application/json")
        .body(long.clone());
    expect_refused(announced.send().await.expect("an answer"), 413, "REQUEST_TOO_LARGE").await;

    let mut stream = tokio::net::TcpStream::connect(house.address).await.expect("connected");
    let head = "POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.expect("sent");
    for part in long.as_bytes().chunks(1000) {
        let chunk = [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
        if stream.write_all(&chunk).await.is_err() {
            break;
        }
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[tokio::test]
async fn get_is_for_queries() {
    let house = House::open().await;
    let response = get(
        &house,
        &[
            ("query", "query Q($t: String!) { echo(text: $t) }"),
            ("variables", r#"{"t":"步"}"#),
            ("operationName", "Q"),
            ("extensions", "{}"),
        ],
    )
    .await;
    assert_eq!(response.status(), StatusCode::OK);
    let body: Value = response.json().await.expect("JSON");
    assert_eq!(body["data"], json!({"echo": "步"}));
    for mutation in [
        "mutation { bump }",
        "mutation Named { bump }",
        "fragment F on Mutation { bump } mutation { ...F }",
    ] {
        let headers =
            expect_refused(get(&house, &[("query", mutation)]).await, 405, "REQUEST_METHOD").await;
        assert_eq!(headers["allow"], "POST");
    }
    let named = [("query", "mutation Named { bump }"), ("operationName", "Named")];
    expect_refused(get(&house, &named).await, 405, "REQUEST_METHOD").await;
    expect_refused(
        get(&house, &[("query", "subscription { forever }")]).await,
        405,
        "REQUEST_METHOD",
    )
    .await;
    expect_refused(get(&house, &[]).await, 400, "REQUEST_MALFORMED").await;
    expect_refused(
        get(&house, &[("query", "{hello}"), ("query", "{hello}")]).await,
        400,
        "REQUEST_MALFORMED",
    )
    .await;
    let list = [("query", "{hello}"), ("variables", "[1]")];
    expect_refused(get(&house, &list).await, 400, "REQUEST_MALFORMED").await;
    let put = Client::new().put(house.url("/graphql")).send().await.expect("an answer");
    assert_eq!(put.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn faults_are_masked_with_an_id() {
    yibu_api::http::metrics::recorder();
    let house = House::open().await;
    let response = post(&house, GRAPHQL, &json!({"query": "{ hello fault }"})).await;
    assert_eq!(response.status(), StatusCode::OK);
    let text = response.text().await.expect("text");
    assert!(!text.contains("secret"), "{text}");
    let body: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(code(&body), "INTERNAL");
    assert_eq!(body["errors"][0]["path"], json!(["fault"]));
    let id = body["errors"][0]["extensions"]["id"].as_str().expect("an id");
    assert!(id.parse::<uuid::Uuid>().is_ok());
    expect_refused(post(&house, "*/*", &json!({"query": "{ panics }"})).await, 500, "INTERNAL")
        .await;
    // Other tests of this process count there too.
    let figures = yibu_api::http::metrics::recorder().render();
    let count = figures.lines().find_map(|line| line.strip_prefix("yibu_faults_total "));
    assert!(count.and_then(|count| count.parse::<u64>().ok()).is_some_and(|count| count >= 2));
}

#[tokio::test]
async fn credentials_are_asked_of_the_gate() {
    let house = House::open().await;
    let ask = async |name: &str, value: &str| {
        let request = Client::new()
            .post(house.url("/graphql"))
            .header(name, value)
            .header("origin", format!("http://{}", house.address))
            .json(&json!({"query": "{ account }"}));
        request.send().await.expect("an answer")
    };
    for (name, value) in [("authorization", "Bearer good"), ("cookie", "a=b; session=good")] {
        let body: Value = ask(name, value).await.json().await.expect("JSON");
        assert_eq!(body["data"]["account"], json!(house.gate.account.to_string()));
    }
    expect_refused(ask("authorization", "Bearer bad").await, 401, "UNAUTHENTICATED").await;
    expect_refused(ask("authorization", "Bearer away").await, 503, "UNAVAILABLE").await;
}

#[tokio::test]
async fn pages_of_other_origins_may_not_ask() {
    let house = House::open().await;
    let send = async |headers: &[(&str, &str)]| {
        let mut request =
            Client::new().post(house.url("/graphql")).json(&json!({"query": "{ hello }"}));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.expect("an answer")
    };
    expect_refused(send(&[("origin", "https://evil.example")]).await, 403, "REQUEST_ORIGIN").await;
    expect_refused(send(&[("origin", "null")]).await, 403, "REQUEST_ORIGIN").await;
    expect_refused(send(&[("cookie", "session=good")]).await, 403, "REQUEST_ORIGIN").await;
    let own = format!("http://{}", house.address);
    assert_eq!(
        send(&[("cookie", "session=good"), ("origin", &own)]).await.status(),
        StatusCode::OK
    );
    assert_eq!(send(&[("authorization", "Bearer good")]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn limits_answer_429_and_count_every_alias() {
    let mut quotas = Quotas::DEFAULT;
    quotas.login = ClassQuotas { account: Quota::new(3, 1), network: Quota::new(3, 1) };
    let house = House::with(Settings { quotas, ..Settings::default() }).await;
    let two = json!({"query": "mutation { a: login b: login }"});
    let first = post(&house, GRAPHQL, &two).await;
    assert_eq!(first.headers()["ratelimit-remaining"], "1");
    assert_eq!(first.status(), StatusCode::OK);
    let headers = expect_refused(post(&house, GRAPHQL, &two).await, 429, "RATE_LIMITED").await;
    let after: u64 = headers["retry-after"].to_str().expect("text").parse().expect("a number");
    assert!((1..=180).contains(&after), "{after}");
    let other = post(&house, GRAPHQL, &json!({"query": "mutation { bump }"})).await;
    assert_eq!(other.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_explorer_and_introspection_can_be_switched() {
    let page = async |explorer: bool| {
        let house =
            House::with(Settings { explorer, introspection: false, ..Settings::default() }).await;
        let hidden =
            post(&house, GRAPHQL, &json!({"query": "{ __schema { types { name } } }"})).await;
        let body: Value = hidden.json().await.expect("JSON");
        assert_ne!(body["data"]["__schema"]["types"][0]["name"], json!("Boolean"));
        let request =
            Client::new().get(house.url("/graphql")).header("accept", "text/html,*/*;q=0.1");
        request.send().await.expect("an answer").headers()["content-type"]
            .to_str()
            .expect("text")
            .to_owned()
    };
    assert_eq!(page(true).await, "text/html; charset=utf-8");
    assert_eq!(page(false).await, "application/json; charset=utf-8");
}

#[tokio::test]
async fn health_and_figures() {
    yibu_api::http::metrics::recorder();
    let house = House::open().await;
    let status = async |path: &str| {
        Client::new().get(house.url(path)).send().await.expect("an answer").status().as_u16()
    };
    assert_eq!((status("/health/live").await, status("/health/ready").await), (200, 503));
    house.readiness.open();
    assert_eq!(status("/health/ready").await, 200);
    post(&house, "*/*", &json!({"query": "{ hello }"})).await;
    let text = Client::new()
        .get(house.url("/metrics"))
        .send()
        .await
        .expect("an answer")
        .text()
        .await
        .expect("text");
    assert!(text.contains("# TYPE yibu_requests_total counter\n"), "{text}");
    assert!(text.contains("yibu_requests_total{door=\"http\",outcome=\"ok\"} "), "{text}");
}
