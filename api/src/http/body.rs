//! Reads a request body: JSON only, 64 KiB at most, within ten seconds. Must not parse it.

use super::accept;
use crate::graphql::guard::lexical::MAX_BYTES;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::StreamExt;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a body may take to come in.
pub const BODY_TIME: Duration = Duration::from_secs(10);

/// How long it may still take once the server is about to stop: who sends half a request holds nothing up.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// Why a body was not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyFault {
    /// Not JSON in UTF-8, or packed.
    WrongType,
    /// More than 64 KiB, announced or sent.
    TooLarge,
    /// It did not come in time.
    TooSlow,
    /// The connection broke.
    Broken,
}

impl BodyFault {
    /// Status, stable code and text of the answer.
    pub const fn answer(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::WrongType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "REQUEST_MEDIA_TYPE",
                "the body must be application/json in UTF-8",
            ),
            Self::TooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, "REQUEST_TOO_LARGE", "the request is too large")
            }
            Self::TooSlow => {
                (StatusCode::REQUEST_TIMEOUT, "REQUEST_TIMEOUT", "the body did not come in time")
            }
            Self::Broken => (StatusCode::BAD_REQUEST, "REQUEST_MALFORMED", "the body broke off"),
        }
    }
}

/// Reads the body of a request with these headers; in less time once `closing` fires.
///
/// # Errors
/// What is wrong with it.
pub async fn read(
    headers: &HeaderMap,
    body: Body,
    closing: &CancellationToken,
) -> Result<Bytes, BodyFault> {
    if !accept::is_json(headers) {
        return Err(BodyFault::WrongType);
    }
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|value| value.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BYTES) {
        return Err(BodyFault::TooLarge);
    }
    let closed = async {
        closing.cancelled().await;
        tokio::time::sleep(CLOSING_TIME).await;
    };
    tokio::select! {
        read = collect(body) => read,
        () = tokio::time::sleep(BODY_TIME) => Err(BodyFault::TooSlow),
        () = closed => Err(BodyFault::TooSlow),
    }
}

/// Collects chunks until the end or the limit.
async fn collect(body: Body) -> Result<Bytes, BodyFault> {
    let mut chunks = body.into_data_stream();
    let mut whole = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| BodyFault::Broken)?;
        if whole.len() + chunk.len() > MAX_BYTES {
            return Err(BodyFault::TooLarge);
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(whole.into())
}
