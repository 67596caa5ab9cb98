//! The messages of `graphql-transport-ws` and the codes with which a socket is closed. Must not know
//! connections.

use crate::graphql::guard::{Parameters, lexical};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The only subprotocol.
pub const SUBPROTOCOL: &str = "graphql-transport-ws";
/// The longest operation id, in bytes.
pub const MAX_ID: usize = 128;

/// Why the server closes a socket: the code and the reason that clients see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closing {
    /// The server stops or drains: connect again, to another node perhaps.
    Restart,
    /// The account has too many sockets.
    TooManySockets,
    /// The server could not find out who asks: try again.
    Unavailable,
    /// A message of more than 64 KiB.
    TooBig,
    /// A message that is none of the protocol.
    BadMessage,
    /// Something was asked before the connection was acknowledged.
    Unauthorized,
    /// The credentials were wrong.
    Forbidden,
    /// The session ended.
    SessionEnded,
    /// No first message in time.
    InitTimeout,
    /// The id is in use.
    DuplicateId,
    /// A second first message.
    SecondInit,
    /// Nothing was heard for two pings.
    Silent,
}

impl Closing {
    /// The close code.
    pub const fn code(self) -> u16 {
        match self {
            Self::Restart => 1012,
            Self::Unavailable => 1013,
            Self::TooBig => 1009,
            Self::BadMessage => 4400,
            Self::Unauthorized => 4401,
            Self::Forbidden | Self::SessionEnded => 4403,
            Self::InitTimeout => 4408,
            Self::DuplicateId => 4409,
            Self::SecondInit | Self::TooManySockets => 4429,
            Self::Silent => 4499,
        }
    }

    /// The reason.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Restart => "Service restart",
            Self::TooManySockets => "Too many connections",
            Self::Unavailable => "Try again later",
            Self::TooBig => "Message too big",
            Self::BadMessage => "Invalid message",
            Self::Unauthorized => "Unauthorized",
            Self::Forbidden => "Forbidden",
            Self::SessionEnded => "Session ended",
            Self::InitTimeout => "Connection initialisation timeout",
            Self::DuplicateId => "Subscriber already exists",
            Self::SecondInit => "Too many initialisation requests",
            Self::Silent => "Terminated",
        }
    }
}

/// What a client says.
pub enum FromClient {
    /// `connection_init`, with the `authorization` of its payload if there is one.
    Init {
        /// As in the header of that name.
        authorization: Option<String>,
    },
    /// `ping`.
    Ping,
    /// `pong`.
    Pong,
    /// `subscribe`: a query, a mutation or a subscription.
    Subscribe {
        /// The client's name for it.
        id: String,
        /// The request, not yet read.
        payload: Box<RawValue>,
    },
    /// `complete`: the client wants no more of it.
    Complete {
        /// The client's name for it.
        id: String,
    },
}

#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    payload: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct InitPayload {
    #[serde(alias = "Authorization")]
    authorization: Option<String>,
}

/// Reads a message.
///
/// # Errors
/// It is none of the protocol.
pub fn read(text: &str) -> Result<FromClient, Closing> {
    let bad = Closing::BadMessage;
    lexical::json(text.as_bytes()).map_err(|_| bad)?;
    // A list would be read as the fields in order.
    if !text.trim_start().starts_with('{') {
        return Err(bad);
    }
    let message: Message = serde_json::from_str(text).map_err(|_| bad)?;
    let id = message.id.filter(|id| !id.is_empty() && id.len() <= MAX_ID).ok_or(bad);
    match message.kind.as_str() {
        "connection_init" => {
            let authorization = match message.payload {
                None => None,
                Some(payload) if !is_object(&payload) => return Err(bad),
                Some(payload) => {
                    let payload: InitPayload =
                        serde_json::from_str(payload.get()).map_err(|_| bad)?;
                    payload.authorization
                }
            };
            Ok(FromClient::Init { authorization })
        }
        "ping" => Ok(FromClient::Ping),
        "pong" => Ok(FromClient::Pong),
        "subscribe" => Ok(FromClient::Subscribe { id: id?, payload: message.payload.ok_or(bad)? }),
        "complete" => Ok(FromClient::Complete { id: id? }),
        _ => Err(bad),
    }
}

/// Reads the request of a `subscribe` message.
///
/// # Errors
/// It is no GraphQL request.
pub fn read_request(payload: &RawValue) -> Result<Parameters, Closing> {
    if !is_object(payload) {
        return Err(Closing::BadMessage);
    }
    serde_json::from_str(payload.get()).map_err(|_| Closing::BadMessage)
}

fn is_object(payload: &RawValue) -> bool {
    payload.get().starts_with('{')
}

/// A message to the client about one of its operations. `payload` is JSON text.
pub fn about(kind: &str, id: &str, payload: Option<&str>) -> String {
    // An id is a string; strings always have a JSON form.
    let id = serde_json::to_string(id).unwrap_or_default();
    match payload {
        Some(payload) => format!(r#"{{"id":{id},"type":"{kind}","payload":{payload}}}"#),
        None => format!(r#"{{"id":{id},"type":"{kind}"}}"#),
    }
}

/// A message to the client about the connection.
pub fn plain(kind: &str) -> String {
    format!(r#"{{"type":"{kind}"}}"#)
}
