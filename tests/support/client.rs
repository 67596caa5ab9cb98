//! A client without types: JSON out, JSON in, over real HTTP and web sockets. Keeps every answer's text, so
//! that a test can look through all that a person ever received.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;

/// The password of everybody in tests.
pub const PASSWORD: &str = "correct horse 9 battery";

/// Everything that a person received, as text.
pub type Heard = Arc<Mutex<Vec<String>>>;

/// A browser of one person.
#[derive(Clone)]
pub struct Client {
    addr: SocketAddr,
    http: reqwest::Client,
    cookies: Arc<Mutex<BTreeMap<String, String>>>,
    heard: Heard,
    keys: Arc<Mutex<u128>>,
}

impl Client {
    /// A browser without cookies.
    pub fn new(addr: SocketAddr) -> Self {
        Self {
            addr,
            http: reqwest::Client::new(),
            cookies: Arc::default(),
            heard: Heard::default(),
            keys: Arc::default(),
        }
    }

    /// The same browser, for a server that listens elsewhere now.
    #[must_use]
    pub fn moved_to(&self, addr: SocketAddr) -> Self {
        Self { addr, ..self.clone() }
    }

    /// Everything received so far.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("not poisoned").clone()
    }

    /// What was received last, byte for byte.
    pub fn last_heard(&self) -> String {
        self.heard.lock().expect("not poisoned").last().cloned().unwrap_or_default()
    }

    /// A new idempotency key.
    pub fn key(&self) -> String {
        let mut next = self.keys.lock().expect("not poisoned");
        *next += 1;
        Uuid::from_u128(0x0000_0000_0000_4000_8000_0000_0000_0000 + *next).to_string()
    }

    /// One cookie.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().expect("not poisoned").get(name).cloned()
    }

    fn cookie_header(&self) -> String {
        let cookies = self.cookies.lock().expect("not poisoned");
        cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    /// Sends an operation and gives the whole answer.
    pub async fn send(&self, query: &str, variables: &Value) -> Value {
        let request = self
            .http
            .post(format!("http://{}/graphql", self.addr))
            .header("origin", format!("http://{}", self.addr))
            .header("cookie", self.cookie_header())
            .json(&json!({ "query": query, "variables": variables }));
        let response = request.send().await.expect("an answer");
        for set in response.headers().get_all("set-cookie") {
            let text = set.to_str().expect("a plain header");
            let (pair, _) = text.split_once(';').expect("attributes");
            let (name, value) = pair.split_once('=').expect("a pair");
            self.cookies.lock().expect("not poisoned").insert(name.to_owned(), value.to_owned());
        }
        let text = response.text().await.expect("a body");
        self.heard.lock().expect("not poisoned").push(text.clone());
        serde_json::from_str(&text).expect("JSON")
    }

    /// Sends an operation that must not fail and gives its data.
    pub async fn data(&self, query: &str, variables: &Value) -> Value {
        let mut answer = self.send(query, variables).await;
        assert!(answer.get("errors").is_none(), "{query}: {answer}");
        answer["data"].take()
    }

    /// Sends a mutation of one field `name` with its input and gives the payload.
    pub async fn mutate(&self, name: &str, kind: &str, selection: &str, input: &Value) -> Value {
        let query = format!(
            "mutation($input: {kind}!) {{ {name}(input: $input) {{ {selection} userErrors {{ code field message retryAfter brokenRules {{ rule at }} }} }} }}"
        );
        self.data(&query, &json!({ "input": input })).await[name].take()
    }

    /// Asks for a code.
    pub async fn request_code(&self, email: &str) -> Value {
        self.mutate("requestCode", "RequestCodeInput", "validSeconds", &json!({ "email": email }))
            .await
    }

    /// Registers; must succeed.
    pub async fn register(&self, email: &str, code: &str, nickname: &str) {
        let input =
            json!({ "email": email, "code": code, "nickname": nickname, "password": PASSWORD });
        let payload = self
            .mutate("register", "RegisterInput", "viewer { player { id nickname } }", &input)
            .await;
        assert_eq!(payload["userErrors"], json!([]), "{payload}");
        assert_eq!(payload["viewer"]["player"]["nickname"], nickname);
    }

    /// Opens a web socket and says hello with this browser's cookies.
    pub async fn socket(&self) -> Socket {
        let mut request =
            format!("ws://{}/graphql/ws", self.addr).into_client_request().expect("a request");
        let headers = request.headers_mut();
        let header = |text: String| text.parse().expect("a header");
        headers.insert("sec-websocket-protocol", header("graphql-transport-ws".to_owned()));
        headers.insert("origin", header(format!("http://{}", self.addr)));
        headers.insert("cookie", header(self.cookie_header()));
        let (stream, _) = connect_async(request).await.expect("an upgrade");
        let mut socket = Socket { stream, heard: Arc::clone(&self.heard) };
        socket.say(&json!({ "type": "connection_init" })).await;
        let hello = socket.hear().await;
        assert_eq!(hello, Ok(json!({ "type": "connection_ack" })));
        socket
    }
}

/// An open web socket.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    heard: Heard,
}

impl Socket {
    /// Sends a message.
    pub async fn say(&mut self, message: &Value) {
        self.stream.send(Message::text(message.to_string())).await.expect("an open socket");
    }

    /// The next message, or the code with which the server closed.
    pub async fn hear(&mut self) -> Result<Value, u16> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    self.heard.lock().expect("not poisoned").push(text.to_string());
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    match message["type"].as_str() {
                        Some("ping") => self.say(&json!({ "type": "pong" })).await,
                        _ => return Ok(message),
                    }
                }
                Some(Ok(Message::Close(Some(frame)))) => return Err(frame.code.into()),
                Some(Ok(Message::Close(None)) | Err(_)) | None => return Err(1006),
                Some(Ok(_)) => {}
            }
        }
    }

    /// Starts an operation.
    pub async fn subscribe(&mut self, id: &str, query: &str, variables: &Value) {
        let payload = json!({ "query": query, "variables": variables });
        self.say(&json!({ "id": id, "type": "subscribe", "payload": payload })).await;
    }

    /// The data of the next frame; `None` when the operation is complete.
    pub async fn frame(&mut self) -> Option<Value> {
        let mut message = self.hear().await.expect("an open socket");
        match message["type"].as_str() {
            Some("next") => {
                assert!(message["payload"].get("errors").is_none(), "{message}");
                Some(message["payload"]["data"].take())
            }
            Some("complete") => None,
            _ => panic!("neither a frame nor an end: {message}"),
        }
    }
}
