//! Conversations over `/graphql/ws`, one for each rule of the protocol.

use super::house::House;
use super::toy::PATIENCE;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use yibu_api::http::Settings;
use yibu_api::http::census::Caps;
use yibu_api::http::graphql_ws::MAX_OPERATIONS;
use yibu_api::http::limits::{ClassQuotas, Quota, Quotas};

/// A client of the socket.
pub(super) struct Talk(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Talk {
    /// Connects with further headers; the status when the upgrade is refused.
    pub(super) async fn connect(
        house: &House,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, u16> {
        let url = format!("ws://{}/graphql/ws", house.address);
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().expect("a header"));
        }
        match tokio_tungstenite::connect_async(request).await {
            Ok((stream, _)) => Ok(Self(stream)),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub(super) async fn open(house: &House) -> Self {
        let protocol = [("sec-websocket-protocol", "graphql-transport-ws")];
        Self::connect(house, &protocol).await.expect("an upgrade")
    }

    pub(super) async fn ready(house: &House) -> Self {
        let mut talk = Self::open(house).await;
        talk.say(&json!({"type": "connection_init"})).await;
        assert_eq!(talk.hear().await, json!({"type": "connection_ack"}));
        talk
    }

    pub(super) async fn say(&mut self, message: &Value) {
        self.text(&message.to_string()).await;
    }

    pub(super) async fn text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.expect("sent");
    }

    pub(super) async fn subscribe(&mut self, id: &str, query: &str) {
        self.say(&json!({"type": "subscribe", "id": id, "payload": {"query": query}})).await;
    }

    pub(super) async fn hear(&mut self) -> Value {
        match self.next().await {
            Message::Text(text) => serde_json::from_str(&text).expect("JSON"),
            other => panic!("{other:?}"),
        }
    }

    pub(super) async fn next(&mut self) -> Message {
        let next = tokio::time::timeout(PATIENCE, self.0.next());
        next.await.expect("in time").expect("not gone").expect("no fault")
    }

    /// The code with which the server closes, after whatever else it had to say.
    pub(super) async fn closed(&mut self) -> u16 {
        loop {
            if let Message::Close(frame) = self.next().await {
                return frame.expect("a code").code.into();
            }
        }
    }
}

#[tokio::test]
async fn a_subscription_a_query_and_a_mutation() {
    let house = House::open().await;
    let mut talk = Talk::ready(&house).await;
    talk.subscribe("s", "subscription { count(to: 2) }").await;
    let first = talk.hear().await;
    assert_eq!(first["payload"]["data"], json!({"count": 0}));
    assert_eq!(first["payload"]["extensions"], json!({"cost": 1, "version": 1}));
    assert_eq!(talk.hear().await["payload"]["data"], json!({"count": 1}));
    assert_eq!(talk.hear().await, json!({"id": "s", "type": "complete"}));
    for query in ["{ hello }", "mutation { bump }"] {
        talk.subscribe("s", query).await;
        let next = talk.hear().await;
        assert_eq!((&next["type"], &next["id"]), (&json!("next"), &json!("s")));
        assert!(next["payload"]["data"].is_object());
        assert_eq!(talk.hear().await, json!({"id": "s", "type": "complete"}));
    }
    talk.say(&json!({"type": "ping"})).await;
    assert_eq!(talk.hear().await, json!({"type": "pong"}));
    assert_eq!(house.doors.house.census.total(), 1);
}

#[tokio::test]
async fn only_the_one_subprotocol() {
    let house = House::open().await;
    assert_eq!(Talk::connect(&house, &[]).await.err(), Some(400));
    let old = [("sec-websocket-protocol", "graphql-ws")];
    assert_eq!(Talk::connect(&house, &old).await.err(), Some(400));
    let both = [("sec-websocket-protocol", "graphql-ws, graphql-transport-ws")];
    assert!(Talk::connect(&house, &both).await.is_ok());
    let plain = reqwest::get(house.url("/graphql/ws")).await.expect("an answer");
    assert!(plain.status().is_client_error());
}

#[tokio::test]
async fn pages_of_other_origins_get_no_socket() {
    let house = House::open().await;
    let protocol = ("sec-websocket-protocol", "graphql-transport-ws");
    let evil = [protocol, ("origin", "https://evil.example"), ("cookie", "session=good")];
    assert_eq!(Talk::connect(&house, &evil).await.err(), Some(403));
    let hidden = [protocol, ("cookie", "session=good")];
    assert_eq!(Talk::connect(&house, &hidden).await.err(), Some(403));
    let own = format!("http://{}", house.address);
    let good = [protocol, ("origin", own.as_str()), ("cookie", "session=good")];
    let mut talk = Talk::connect(&house, &good).await.expect("an upgrade");
    talk.say(&json!({"type": "connection_init", "payload": {}})).await;
    assert_eq!(talk.hear().await, json!({"type": "connection_ack"}));
    talk.subscribe("q", "{ account }").await;
    assert_eq!(
        talk.hear().await["payload"]["data"]["account"],
        json!(house.gate.account.to_string())
    );
}

#[tokio::test]
async fn the_first_message_carries_a_bearer() {
    let house = House::open().await;
    for (token, code) in [("Bearer bad", 4403), ("Bearer away", 1013)] {
        let mut talk = Talk::open(&house).await;
        talk.say(&json!({"type": "connection_init", "payload": {"authorization": token}})).await;
        assert_eq!(talk.closed().await, code);
    }
    let mut talk = Talk::open(&house).await;
    talk.say(&json!({"type": "connection_init", "payload": {"Authorization": "Bearer good"}}))
        .await;
    assert_eq!(talk.hear().await, json!({"type": "connection_ack"}));
    for id in ["a", "b"] {
        talk.subscribe(id, "subscription { forever }").await;
    }
    talk.subscribe("c", "{ hello }").await;
    // When the query is answered, the two before it are under way.
    for wanted in ["next", "complete"] {
        assert_eq!(talk.hear().await["type"], json!(wanted));
    }
    house.gate.session.cancel();
    let mut told = Vec::new();
    for _ in 0..2 {
        let word = talk.hear().await;
        assert_eq!(word["payload"][0]["extensions"]["code"], json!("SESSION_ENDED"), "{word}");
        told.push(word["id"].as_str().expect("an id").to_owned());
    }
    told.sort();
    assert_eq!(told, ["a", "b"], "each operation is told once");
    assert_eq!(talk.closed().await, 4403);
}

#[tokio::test]
async fn what_breaks_the_protocol_is_closed_with_its_code() {
    let house = House::open().await;
    let mut early = Talk::open(&house).await;
    early.subscribe("a", "{ hello }").await;
    assert_eq!(early.closed().await, 4401);

    let mut twice = Talk::ready(&house).await;
    twice.say(&json!({"type": "connection_init"})).await;
    assert_eq!(twice.closed().await, 4429);

    let mut same = Talk::ready(&house).await;
    same.subscribe("a", "subscription { forever }").await;
    same.subscribe("a", "{ hello }").await;
    assert_eq!(same.closed().await, 4409);

    let nested = format!(r#"{{"type":"ping","payload":{}}}"#, "[".repeat(40));
    for bad in [
        "",
        "null",
        "hello",
        "[\"ping\"]",
        "{}",
        r#"{"type":"start","id":"a"}"#,
        r#"{"type":1}"#,
        r#"{"type":"subscribe","payload":{"query":"{hello}"}}"#,
        r#"{"type":"subscribe","id":"","payload":{"query":"{hello}"}}"#,
        r#"{"type":"subscribe","id":"a"}"#,
        r#"{"type":"subscribe","id":"a","payload":{}}"#,
        r#"{"type":"subscribe","id":"a","payload":["{hello}"]}"#,
        r#"{"type":"complete"}"#,
        &nested,
    ] {
        let mut talk = Talk::ready(&house).await;
        talk.text(bad).await;
        assert_eq!(talk.closed().await, 4400, "{bad}");
    }
    let mut binary = Talk::ready(&house).await;
    binary.0.send(Message::binary(b"{}".to_vec())).await.expect("sent");
    assert_eq!(binary.closed().await, 4400);
}

#[tokio::test]
async fn long_messages_are_closed() {
    let house = House::open().await;
    for length in [66_000, 200_000] {
        let mut talk = Talk::ready(&house).await;
        talk.text(&format!(r#"{{"type":"ping","payload":{{"x":"{}"}}}}"#, "y".repeat(length)))
            .await;
        assert_eq!(talk.closed().await, 1009);
    }
}

#[tokio::test]
async fn wrong_requests_are_errors_of_their_operation() {
    let house = House::open().await;
    let mut talk = Talk::ready(&house).await;
    let deep = format!("{{a(x:{}", "[".repeat(2000));
    for (query, code) in [
        ("{", "REQUEST_SYNTAX"),
        ("{ nothing }", "REQUEST_INVALID"),
        ("subscription { nothing }", "REQUEST_INVALID"),
        (deep.as_str(), "REQUEST_TOO_DEEP"),
        ("query A { hello } query B { hello }", "REQUEST_MANY_OPERATIONS"),
    ] {
        talk.subscribe("x", query).await;
        let answer = talk.hear().await;
        assert_eq!((&answer["type"], &answer["id"]), (&json!("error"), &json!("x")), "{answer}");
        assert_eq!(answer["payload"][0]["extensions"]["code"], json!(code));
    }
    for query in ["{ panics }", "subscription { breaks }"] {
        talk.subscribe("p", query).await;
        assert_eq!(talk.hear().await["payload"][0]["extensions"]["code"], json!("INTERNAL"));
    }
    talk.subscribe("y", "{ hello }").await;
    assert_eq!(talk.hear().await["payload"]["data"], json!({"hello": "hello"}));
}

#[tokio::test]
async fn a_socket_carries_so_many_operations() {
    let house = House::open().await;
    let mut talk = Talk::ready(&house).await;
    for number in 0..MAX_OPERATIONS {
        talk.subscribe(&number.to_string(), "subscription { forever }").await;
    }
    talk.subscribe("more", "subscription { forever }").await;
    let answer = talk.hear().await;
    assert_eq!(answer["payload"][0]["extensions"]["code"], json!("TOO_MANY_OPERATIONS"));
    talk.say(&json!({"type": "complete", "id": "0"})).await;
    talk.subscribe("more", "{ hello }").await;
    assert_eq!(talk.hear().await["type"], json!("next"));
}

#[tokio::test]
async fn a_stop_tells_clients_to_come_back() {
    let house = House::open().await;
    let mut talk = Talk::ready(&house).await;
    talk.subscribe("s", "subscription { forever }").await;
    house.closing.cancel();
    assert_eq!(talk.closed().await, 1012);
    let protocol = [("sec-websocket-protocol", "graphql-transport-ws")];
    assert_eq!(Talk::connect(&house, &protocol).await.err(), Some(503));
}

#[tokio::test]
async fn sockets_are_counted_per_address_and_account() {
    let caps = Caps { total: 10, account: 1, network: 2 };
    let house = House::with(Settings { caps, ..Settings::default() }).await;
    let good = json!({"type": "connection_init", "payload": {"authorization": "Bearer good"}});
    let mut first = Talk::open(&house).await;
    first.say(&good).await;
    assert_eq!(first.hear().await, json!({"type": "connection_ack"}));
    let mut second = Talk::open(&house).await;
    let protocol = [("sec-websocket-protocol", "graphql-transport-ws")];
    assert_eq!(Talk::connect(&house, &protocol).await.err(), Some(429));
    second.say(&good).await;
    assert_eq!(second.closed().await, 4429);
}

#[tokio::test]
async fn limits_hold_on_the_socket() {
    let mut quotas = Quotas::DEFAULT;
    quotas.query = ClassQuotas { account: Quota::new(2, 1), network: Quota::new(2, 1) };
    let house = House::with(Settings { quotas, ..Settings::default() }).await;
    let mut talk = Talk::ready(&house).await;
    for _ in 0..2 {
        talk.subscribe("q", "{ hello }").await;
        assert_eq!(talk.hear().await["type"], json!("next"));
        assert_eq!(talk.hear().await["type"], json!("complete"));
    }
    talk.subscribe("q", "{ hello }").await;
    let refused = talk.hear().await;
    assert_eq!(refused["payload"][0]["extensions"]["code"], json!("RATE_LIMITED"));
    assert!(refused["payload"][0]["extensions"]["retryAfter"].as_u64() >= Some(1));
}
