//! One web socket from its upgrade to its end. Must not buffer without bound: whoever does not read is
//! closed.

use super::operations::{Operations, refused};
use super::protocol::{self, Closing, FromClient};
use crate::graphql::guard::{self, lexical::MAX_BYTES};
use crate::http::answer::{error, session_ended};
use crate::http::census::Attendance;
use crate::http::doors::Doors;
use crate::http::gate::{AuthFault, Caller, Credentials, Gate, bearer_token};
use crate::http::limits::Payer;
use crate::http::metrics::Open;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

/// How patient the server is with a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SocketTimes {
    /// How long a client may take to send its first message.
    pub init: Duration,
    /// How often the server pings; a client that is silent for two pings is gone.
    pub ping: Duration,
    /// How long a client may take to accept a message.
    pub send: Duration,
}

impl SocketTimes {
    /// Five seconds for the first message, a ping each 25, ten for a message to be accepted.
    pub const DEFAULT: Self = Self {
        init: Duration::from_secs(5),
        ping: Duration::from_secs(25),
        send: Duration::from_secs(10),
    };
}

/// How long the server waits for the client's half of the close.
const CLOSE_TIME: Duration = Duration::from_secs(2);

/// Why a connection is over.
enum End {
    /// The server closes it.
    Close(Closing),
    /// The client has closed it, is gone, or does not read.
    Gone,
}

/// Serves a socket until it ends.
pub(super) async fn serve<G: Gate>(
    socket: WebSocket,
    doors: Doors<G>,
    credentials: Credentials,
    attendance: Attendance,
) {
    let _open = Open::new("yibu_sockets_open");
    let times = doors.house.settings.times;
    let now = Instant::now();
    let mut connection = Connection {
        socket,
        operations: Operations::new(),
        caller: None,
        ended: CancellationToken::new(),
        credentials,
        attendance,
        init_by: now + times.init,
        ping_at: now + times.ping,
        heard_at: now,
        times,
        doors,
    };
    if let End::Close(closing) = connection.run().await {
        connection.close(closing).await;
    }
}

struct Connection<G: Gate> {
    socket: WebSocket,
    operations: Operations,
    caller: Option<Caller<G::Viewer>>,
    /// The caller's; never fires before there is one.
    ended: CancellationToken,
    credentials: Credentials,
    attendance: Attendance,
    init_by: Instant,
    ping_at: Instant,
    heard_at: Instant,
    times: SocketTimes,
    doors: Doors<G>,
}

impl<G: Gate> Connection<G> {
    async fn run(&mut self) -> End {
        let closing = self.doors.house.closing.clone();
        loop {
            let step = tokio::select! {
                biased;
                () = closing.cancelled() => Err(End::Close(Closing::Restart)),
                () = self.ended.cancelled() => Err(self.end_of_session().await),
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.hear(message).await,
                    // What the library cannot read is too long, no UTF-8 or no web socket.
                    Some(Err(_)) => Err(End::Close(Closing::TooBig)),
                    None => Err(End::Gone),
                },
                () = sleep_until(self.init_by), if self.caller.is_none() => {
                    Err(End::Close(Closing::InitTimeout))
                }
                () = sleep_until(self.ping_at), if self.caller.is_some() => self.ping().await,
                text = self.operations.next(&self.doors) => self.send(text).await,
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    /// Tells every operation why it is over, as far as the client still reads.
    async fn end_of_session(&mut self) -> End {
        for id in self.operations.end_all() {
            if let Err(gone) = self.send(refused(&id, &[session_ended()])).await {
                return gone;
            }
        }
        End::Close(Closing::SessionEnded)
    }

    async fn hear(&mut self, message: Message) -> Result<(), End> {
        self.heard_at = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) => return Err(End::Close(Closing::BadMessage)),
            Message::Close(_) => return Err(End::Gone),
        };
        if text.len() > MAX_BYTES {
            return Err(End::Close(Closing::TooBig));
        }
        match protocol::read(text.as_str()).map_err(End::Close)? {
            FromClient::Init { .. } if self.caller.is_some() => {
                Err(End::Close(Closing::SecondInit))
            }
            FromClient::Init { authorization } => self.init(authorization).await,
            FromClient::Ping => self.send(protocol::plain("pong")).await,
            FromClient::Pong => Ok(()),
            FromClient::Subscribe { id, payload } => {
                let Some(caller) = &self.caller else {
                    return Err(End::Close(Closing::Unauthorized));
                };
                let (viewer, account) = (caller.viewer.clone(), caller.account);
                if self.operations.has(&id) {
                    return Err(End::Close(Closing::DuplicateId));
                }
                let parameters = protocol::read_request(&payload).map_err(End::Close)?;
                match self.admit(parameters, account) {
                    Ok(admitted) => {
                        let (kind, cost) = (admitted.kind, admitted.cost);
                        let request = self.doors.prepare(admitted, viewer);
                        self.operations.start(&self.doors, &id, kind, request, cost);
                        Ok(())
                    }
                    Err(error) => {
                        self.doors.count("socket", "refused");
                        self.send(refused(&id, &[error])).await
                    }
                }
            }
            FromClient::Complete { id } => {
                self.operations.stop(&id);
                Ok(())
            }
        }
    }

    async fn init(&mut self, authorization: Option<String>) -> Result<(), End> {
        let mut credentials = self.credentials.clone();
        if let Some(token) = authorization.as_deref().and_then(bearer_token) {
            credentials.bearer = Some(token);
        }
        let caller = self.doors.authenticate(credentials).await.map_err(|fault| {
            End::Close(match fault {
                AuthFault::Refused => Closing::Forbidden,
                AuthFault::Unavailable => Closing::Unavailable,
            })
        })?;
        if let Some(account) = caller.account {
            let named = self.attendance.name(Payer::Account(account));
            named.map_err(|_| End::Close(Closing::TooManySockets))?;
        }
        self.ended = caller.ended.clone();
        self.caller = Some(caller);
        self.ping_at = Instant::now() + self.times.ping;
        self.send(protocol::plain("connection_ack")).await
    }

    /// The same way as over HTTP: guard, then limits.
    fn admit(
        &self,
        parameters: guard::Parameters,
        account: Option<uuid::Uuid>,
    ) -> Result<guard::Admitted, async_graphql::ServerError> {
        if self.operations.is_full() {
            return Err(error("TOO_MANY_OPERATIONS", "too many operations on this socket"));
        }
        let admitted = guard::admit(parameters).map_err(|refusal| refusal.to_error())?;
        let address = self.credentials.address;
        let mut verdict = self.doors.charge_network(admitted.kind, address);
        if verdict.retry_after.is_none() {
            verdict = self.doors.charge(&admitted, account, address, verdict);
        }
        match verdict.retry_after {
            None => Ok(admitted),
            Some(after) => {
                let mut error = error("RATE_LIMITED", "too many requests; wait a little");
                let seconds = after.as_secs() + 1;
                error.extensions.get_or_insert_default().set("retryAfter", seconds);
                Err(error)
            }
        }
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.heard_at.elapsed() >= self.times.ping * 2 {
            return Err(End::Close(Closing::Silent));
        }
        self.ping_at += self.times.ping;
        self.send(protocol::plain("ping")).await
    }

    async fn send(&mut self, text: String) -> Result<(), End> {
        match timeout(self.times.send, self.socket.send(Message::Text(text.into()))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Gone),
        }
    }

    /// Sends the code and reads on for a moment: data that nobody reads would make the system reset the
    /// connection, and the code would be lost.
    async fn close(mut self, closing: Closing) {
        let frame = CloseFrame { code: closing.code(), reason: closing.reason().into() };
        let parting = async {
            if self.socket.send(Message::Close(Some(frame))).await.is_ok() {
                while let Some(Ok(_)) = self.socket.recv().await {}
            }
        };
        let _ = timeout(CLOSE_TIME, parting).await;
    }
}
