//! `/graphql/stream`: one subscription as server-sent events, for networks that break web sockets.
//! Events: `next` with the answer, `complete` at the end. An answer whose extensions carry `version` gets it
//! as event id; a browser that comes back sends it as `Last-Event-ID`, and the inside finds it as request
//! extension `lastEventId`. Must not execute anything but subscriptions.

use super::accept::Form;
use super::answer::{Answer, session_ended};
use super::body;
use super::census::Attendance;
use super::doors::Doors;
use super::gate::{Credentials, Gate};
use super::graphql_http::{Refused, parameters_of, set_limit_headers, strange_origin};
use super::limits::{Class, Payer};
use super::metrics::Open;
use super::origin::Reach;
use super::peer;
use crate::graphql::guard::{self, Parameters};
use async_graphql::Value;
use async_graphql::parser::types::OperationType;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use std::convert::Infallible;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A comment this often keeps proxies from closing the stream.
pub const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The longest `Last-Event-ID` that is handed on.
const MAX_EVENT_ID: usize = 128;

/// `GET /graphql/stream`, as `EventSource` asks.
pub async fn get<G: Gate>(State(doors): State<Doors<G>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let result = if doors.house.settings.origins.admits(&parts.headers, Reach::Reads) {
        match parameters_of(&parts.uri) {
            Ok(parameters) => open(&doors, &parts, parameters).await,
            Err(refusal) => Err(Refused::by_guard(&refusal, Form::GraphQl)),
        }
    } else {
        Err(strange_origin())
    };
    finish(&doors, result)
}

/// `POST /graphql/stream`, for clients that read the stream themselves.
pub async fn post<G: Gate>(State(doors): State<Doors<G>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !doors.house.settings.origins.admits(&parts.headers, Reach::Writes) {
        return finish(&doors, Err(strange_origin()));
    }
    let result = match body::read(&parts.headers, body, &doors.house.closing).await {
        Ok(bytes) => match guard::read_json(&bytes) {
            Ok(parameters) => open(&doors, &parts, parameters).await,
            Err(refusal) => Err(Refused::by_guard(&refusal, Form::GraphQl)),
        },
        Err(fault) => {
            let (status, code, message) = fault.answer();
            Err(Refused::new(status, code, message))
        }
    };
    finish(&doors, result)
}

fn finish<G: Gate>(doors: &Doors<G>, result: Result<Response, Refused>) -> Response {
    doors.count("stream", if result.is_ok() { "ok" } else { "refused" });
    result.unwrap_or_else(|refused| refused.into_response(Form::GraphQl))
}

async fn open<G: Gate>(
    doors: &Doors<G>,
    parts: &Parts,
    parameters: Parameters,
) -> Result<Response, Refused> {
    let house = &doors.house;
    let address = peer::address(parts, &house.settings.trusted);
    let network = Payer::network(address);
    let mut admitted =
        guard::admit(parameters).map_err(|refusal| Refused::by_guard(&refusal, Form::GraphQl))?;
    if admitted.kind != OperationType::Subscription {
        return Err(Refused::new(
            StatusCode::BAD_REQUEST,
            "REQUEST_TRANSPORT",
            "/graphql/stream is for subscriptions; send this to /graphql",
        ));
    }
    let verdict = house.limits.charge(Class::Connection, network, 1);
    if verdict.retry_after.is_some() {
        return Err(Refused::by_limit(verdict));
    }
    if house.closing.is_cancelled() {
        return Err(Refused::closing());
    }
    let mut attendance = house.census.enter(network).map_err(|_| crowded())?;
    let credentials = Credentials::from_headers(&parts.headers, address);
    let caller = doors.authenticate(credentials).await.map_err(Refused::by_gate)?;
    let verdict = doors.charge(&admitted, caller.account, address, verdict);
    if verdict.retry_after.is_some() {
        return Err(Refused::by_limit(verdict));
    }
    if let Some(account) = caller.account {
        attendance.name(Payer::Account(account)).map_err(|_| crowded())?;
    }
    if let Some(last) = last_event_id(&parts.headers) {
        admitted.request.extensions.insert("lastEventId".to_owned(), Value::from(last));
    }
    let request = doors.prepare(admitted, caller.viewer);
    let events = events(doors.clone(), doors.gate.subscribe(request), caller.ended, attendance);
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let mut response = stream.into_response();
    set_limit_headers(response.headers_mut(), verdict);
    // Proxies that collect answers would hold the events back.
    response.headers_mut().insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    Ok(response)
}

pub(super) fn crowded() -> Refused {
    Refused::new(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_CONNECTIONS", "too many open connections")
}

fn last_event_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("last-event-id")?.to_str().ok()?;
    (!id.is_empty() && id.len() <= MAX_EVENT_ID).then(|| id.to_owned())
}

/// The answers as events, until the subscription, the session or the server ends. The last event tells which: no
/// `complete` follows when the server stops, so that clients come again.
fn events<G: Gate>(
    doors: Doors<G>,
    answers: BoxStream<'static, async_graphql::Response>,
    ended: CancellationToken,
    attendance: Attendance,
) -> impl Stream<Item = Result<Event, Infallible>> + Send + 'static {
    let closing = doors.house.closing.clone();
    let open = Open::new("yibu_streams_open");
    let next = answers.map(move |response| {
        let answer = Answer::of(response, &doors.house);
        let event = Event::default().event("next").data(answer.to_json());
        match answer.extension("version").map(plain) {
            Some(Some(id)) => event.id(id),
            _ => event,
        }
    });
    let stop = {
        let (closing, ended) = (closing.clone(), ended.clone());
        async move {
            tokio::select! {
                () = closing.cancelled() => {}
                () = ended.cancelled() => {}
            }
        }
    };
    let complete = || Event::default().event("complete").data("{}");
    let last = stream::once(async move {
        if ended.is_cancelled() {
            let told = Answer::refused(session_ended()).to_json();
            vec![Event::default().event("next").data(told), complete()]
        } else if closing.is_cancelled() {
            Vec::new()
        } else {
            vec![complete()]
        }
    });
    let events = next.take_until(Box::pin(stop)).chain(last.flat_map(stream::iter));
    events.map(move |event| {
        // The connection counts as long as its events flow.
        let _ = (&attendance, &open);
        Ok(event)
    })
}

/// A version as an event id: a number or a word without line ends.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if !text.contains(['\r', '\n', '\0']) => Some(text.clone()),
        _ => None,
    }
}
