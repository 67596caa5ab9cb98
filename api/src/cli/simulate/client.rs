//! One HTTP client of the API. A request whose answer did not come is sent again as it was, under the same
//! key, to the next node where there are several: the server tells a repeat from a new command.

use super::Options;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Between the first two tries, and between the last.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// The longest that one answer may take.
const ANSWER: Duration = Duration::from_secs(20);
/// The longest that a server may take to say that it is there.
const REACH: Duration = Duration::from_secs(2);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientFault {
    /// The server cannot be reached.
    #[error("the server does not answer (is `yibu serve --dev` running there?): {0}")]
    Unreachable(String),
    /// It answers with a fault.
    #[error("the server answered with a fault: {0}")]
    Fault(String),
    /// It answers something else.
    #[error("the answer is not of the expected form: {0}")]
    Odd(String),
}

/// A client, with its player's session once it has one.
pub(super) struct Client {
    http: reqwest::Client,
    urls: Vec<String>,
    /// The place of the node that it asks.
    at: usize,
    patience: Duration,
    token: Option<String>,
    retries: u64,
}

/// What came of one try.
enum Try {
    Answer(Value),
    /// This node wants to be asked later.
    Later(String),
    /// This node does not serve now.
    Elsewhere(String),
}

impl Client {
    /// The client of the player with this number.
    pub(super) fn new(options: &Options, number: usize) -> Result<Self, ClientFault> {
        let http = reqwest::Client::builder().timeout(ANSWER).connect_timeout(REACH).build();
        let http = http.map_err(|error| ClientFault::Odd(error.to_string()))?;
        let (urls, patience) = (options.urls.clone(), options.patience);
        let at = number % urls.len().max(1);
        Ok(Self { http, urls, at, patience, token: None, retries: 0 })
    }

    /// The node that it asks; empty where none is named.
    fn url(&self) -> &str {
        self.urls.get(self.at).map_or("", String::as_str)
    }

    pub(super) fn log_in(&mut self, token: String) {
        self.token = Some(token);
    }

    /// Requests that were sent again.
    pub(super) fn retries(&self) -> u64 {
        self.retries
    }

    /// The field `name` of the answer's data.
    pub(super) async fn ask<T: DeserializeOwned>(
        &mut self,
        name: &str,
        document: &str,
        variables: &Value,
    ) -> Result<T, ClientFault> {
        let body = json!({ "query": document, "variables": variables });
        let mut answer = self.insist(&body).await?;
        let field = answer["data"][name].take();
        serde_json::from_value(field).map_err(|error| ClientFault::Odd(format!("{name}: {error}")))
    }

    /// Whether anybody answers, whatever the answer is.
    pub(super) async fn reach(&self) -> Result<(), ClientFault> {
        let ask = self.http.get(format!("{}/health/live", self.url())).timeout(REACH);
        let answer = ask.send().await;
        answer.map(drop).map_err(|error| ClientFault::Unreachable(error.to_string()))
    }

    /// A page as text.
    pub(super) async fn page(&mut self, path: &str) -> Result<String, ClientFault> {
        let begun = Instant::now();
        let mut pause = PAUSE;
        loop {
            let answer = self.http.get(format!("{}{path}", self.url())).send().await;
            let page = match answer.and_then(reqwest::Response::error_for_status) {
                Ok(answer) => answer.text().await,
                Err(error) => Err(error),
            };
            match page {
                Ok(page) => return Ok(page),
                // A page that is not there does not come by waiting.
                Err(error) if error.status().is_some_and(|status| status.is_client_error()) => {
                    return Err(ClientFault::Fault(error.to_string()));
                }
                Err(error) => self.rest(begun, &mut pause, error.to_string()).await?,
            }
        }
    }

    /// Waits before the next try, longer each time; gives up where patience is at its end.
    async fn rest(
        &mut self,
        begun: Instant,
        pause: &mut Duration,
        why: String,
    ) -> Result<(), ClientFault> {
        if begun.elapsed() >= self.patience {
            return Err(ClientFault::Unreachable(why));
        }
        self.retries += 1;
        tokio::time::sleep(*pause).await;
        *pause = (*pause * 2).min(LONGEST_PAUSE);
        Ok(())
    }

    async fn insist(&mut self, body: &Value) -> Result<Value, ClientFault> {
        let begun = Instant::now();
        let mut pause = PAUSE;
        loop {
            let (why, step) = match self.once(body).await? {
                Try::Answer(answer) => return Ok(answer),
                Try::Later(why) => (why, 0),
                Try::Elsewhere(why) => (why, 1),
            };
            self.rest(begun, &mut pause, why).await?;
            self.at = (self.at + step) % self.urls.len().max(1);
        }
    }

    async fn once(&self, body: &Value) -> Result<Try, ClientFault> {
        let mut request = self.http.post(format!("{}/graphql", self.url())).json(body);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let sent = match request.send().await {
            Ok(answer) => (answer.status(), answer.json::<Value>().await),
            Err(error) => return Ok(Try::Elsewhere(error.to_string())),
        };
        let answer = match sent {
            (status, _) if status.as_u16() == 429 => return Ok(Try::Later(status.to_string())),
            (status, Ok(answer)) if !status.is_server_error() => answer,
            (status, _) => return Ok(Try::Elsewhere(status.to_string())),
        };
        let Some(errors) = answer["errors"].as_array().filter(|errors| !errors.is_empty()) else {
            return Ok(Try::Answer(answer));
        };
        let text = answer["errors"].to_string();
        // A server that stops or starts asks to come again.
        let passing = errors.iter().all(|error| error["extensions"]["code"] == "UNAVAILABLE");
        if passing { Ok(Try::Elsewhere(text)) } else { Err(ClientFault::Fault(text)) }
    }
}

/// The code in the newest letter to an address, on the page of the development mailbox.
pub(super) fn code_in(page: &str, address: &str) -> Option<String> {
    let letter = page.split("<li>").find(|letter| letter.contains(address))?;
    let text = letter.split('>').nth(1)?;
    let mut words = text.split(|c: char| !c.is_ascii_digit());
    words.find(|word| word.len() == 6).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};

    #[tokio::test]
    async fn a_page_that_fails_for_a_moment_is_asked_for_again() {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move {
            for status in ["503 Service Unavailable", "503 Service Unavailable", "200 OK"] {
                let (stream, _) = listener.accept().await.unwrap();
                let mut line = String::new();
                let mut stream = tokio::io::BufReader::new(stream);
                while line != "\r\n" {
                    line.clear();
                    stream.read_line(&mut line).await.unwrap();
                }
                let head = format!(
                    "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 4\r\n\r\nmail"
                );
                stream.write_all(head.as_bytes()).await.unwrap();
            }
        });
        let mut client = Client::new(&Options::new(url, 1), 0).unwrap();
        assert_eq!(client.page("/dev/mail").await.unwrap(), "mail");
        assert_eq!(client.retries(), 2);
        serving.await.unwrap();
    }

    #[test]
    fn the_code_is_found_in_the_list_of_letters() {
        let page = "<ol><li><a href=\"/dev/mail/2\">异步验证码 123456</a> · b@x.test · k</li>\
                    <li><a href=\"/dev/mail/1\">异步验证码 654321</a> · a@x.test · k</li></ol>";
        assert_eq!(code_in(page, "a@x.test").as_deref(), Some("654321"));
        assert_eq!(code_in(page, "b@x.test").as_deref(), Some("123456"));
        assert_eq!(code_in(page, "c@x.test"), None);
    }
}
