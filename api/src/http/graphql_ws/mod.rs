//! `/graphql/ws`: the upgrade. Only `graphql-transport-ws`, only from pages that may ask, only while there
//! is room. Must not execute anything itself.

mod connection;
mod operations;
pub mod protocol;

pub use connection::SocketTimes;
pub use operations::MAX_OPERATIONS;

use super::accept::Form;
use super::doors::Doors;
use super::gate::{Credentials, Gate};
use super::graphql_http::{Refused, strange_origin};
use super::graphql_sse::crowded;
use super::headers::id_of;
use super::limits::{Class, Payer};
use super::origin::Reach;
use super::peer;
use crate::graphql::guard::lexical::MAX_BYTES;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tracing::Instrument as _;

/// `GET /graphql/ws`.
pub async fn upgrade<G: Gate>(State(doors): State<Doors<G>>, request: Request) -> Response {
    let result = prepare(&doors, request).await;
    doors.count("socket", if result.is_ok() { "upgraded" } else { "refused" });
    result.unwrap_or_else(|refused| refused.into_response(Form::Json))
}

async fn prepare<G: Gate>(doors: &Doors<G>, request: Request) -> Result<Response, Refused> {
    let house = &doors.house;
    let (mut parts, _) = request.into_parts();
    if !house.settings.origins.admits(&parts.headers, Reach::Writes) {
        return Err(strange_origin());
    }
    let address = peer::address(&parts, &house.settings.trusted);
    let verdict = house.limits.charge(Class::Connection, Payer::network(address), 1);
    if verdict.retry_after.is_some() {
        return Err(Refused::by_limit(verdict));
    }
    if house.closing.is_cancelled() {
        return Err(Refused::closing());
    }
    let mut socket = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(socket) => socket,
        Err(rejection) => return Ok(rejection.into_response()),
    };
    if !socket.requested_protocols().any(|asked| asked == protocol::SUBPROTOCOL) {
        return Err(Refused::new(
            StatusCode::BAD_REQUEST,
            "REQUEST_SUBPROTOCOL",
            "the subprotocol must be graphql-transport-ws",
        ));
    }
    socket.set_selected_protocol(HeaderValue::from_static(protocol::SUBPROTOCOL));
    let attendance = house.census.enter(Payer::network(address)).map_err(|_| crowded())?;
    let credentials = Credentials::from_headers(&parts.headers, address);
    let doors = doors.clone();
    // The library's own cap is a little wider, so that a message just above ours is closed with its code.
    let socket = socket.max_message_size(MAX_BYTES * 2).max_frame_size(MAX_BYTES * 2);
    let span = tracing::info_span!("socket", request = id_of(&parts.extensions));
    Ok(socket.on_upgrade(move |socket| {
        connection::serve(socket, doors, credentials, attendance).instrument(span)
    }))
}
