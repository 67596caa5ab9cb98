//! From the engine's answer to what the client gets: codes on every error, faults masked, nothing without
//! bound. Must be the only way by which errors leave the doors.

use super::doors::House;
use async_graphql::{ErrorExtensionValues, Response, ServerError, Value};
use serde::Serialize;
use std::collections::BTreeMap;

/// The most errors that one answer lists.
pub const MAX_ERRORS: usize = 20;
/// The longest error text, in characters.
pub const MAX_MESSAGE: usize = 300;

/// An answer to one operation.
#[derive(Serialize)]
pub struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<ServerError>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extensions: BTreeMap<String, Value>,
    #[serde(skip)]
    broken: bool,
}

impl Answer {
    /// An answer without data.
    pub fn refused(error: ServerError) -> Self {
        Self { data: None, errors: vec![error], extensions: BTreeMap::new(), broken: false }
    }

    /// The answer when a resolver has panicked: logged, masked.
    pub fn broken(house: &House) -> Self {
        let id = (house.new_id)();
        tracing::error!(fault = %id, "a resolver panicked");
        house.count_fault();
        Self { broken: true, ..Self::refused(fault(&id.to_string())) }
    }

    /// Takes the engine's answer, gives every error a code and masks what is nobody's business.
    pub fn of(response: Response, house: &House) -> Self {
        // Execution names the field of each error; without data and without any such name nothing was executed.
        let executed = response.errors.is_empty()
            || response.data != Value::Null
            || response.errors.iter().any(|error| !error.path.is_empty());
        let errors = response.errors.into_iter().take(MAX_ERRORS);
        Self {
            data: executed.then_some(response.data),
            errors: errors.map(|error| judged(error, executed, house)).collect(),
            extensions: response.extensions,
            broken: false,
        }
    }

    /// Adds what the request cost.
    #[must_use]
    pub fn cost(mut self, cost: u32) -> Self {
        self.extensions.insert("cost".to_owned(), Value::from(cost));
        self
    }

    /// Whether nothing was executed: the request itself was at fault.
    pub fn is_request_error(&self) -> bool {
        self.data.is_none()
    }

    /// Whether the server is at fault for there being no data at all.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether something could not be done now and may be asked for again soon.
    pub fn is_unavailable(&self) -> bool {
        self.errors.iter().any(|error| has_code(error, UNAVAILABLE))
    }

    /// Its errors.
    pub fn errors(&self) -> &[ServerError] {
        &self.errors
    }

    /// A word for the figures.
    pub fn outcome(&self) -> &'static str {
        match (&self.data, self.errors.is_empty()) {
            (None, _) => "refused",
            (Some(_), true) => "ok",
            (Some(_), false) => "errors",
        }
    }

    /// One value of its extensions.
    pub fn extension(&self, name: &str) -> Option<&Value> {
        self.extensions.get(name)
    }

    /// The answer as JSON text.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// JSON text of something whose keys are strings; such values always have one.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| {
        r#"{"errors":[{"message":"the answer has no JSON form","extensions":{"code":"INTERNAL"}}]}"#.to_owned()
    })
}

/// An error of the doors' own.
pub fn error(code: &str, message: &str) -> ServerError {
    let mut error = ServerError::new(message, None);
    error.extensions = Some(coded(code));
    error
}

/// The error of whatever was open when its session ended.
pub(super) fn session_ended() -> ServerError {
    error("SESSION_ENDED", "the session is over; log in again")
}

/// The code of what may be asked for again soon.
const UNAVAILABLE: &str = "UNAVAILABLE";

/// After how many seconds.
pub(super) const RETRY_AFTER: u32 = 2;

fn has_code(error: &ServerError, code: &str) -> bool {
    let found = error.extensions.as_ref().and_then(|extensions| extensions.get("code"));
    matches!(found, Some(Value::String(found)) if found == code)
}

fn coded(code: &str) -> ErrorExtensionValues {
    let mut extensions = ErrorExtensionValues::default();
    extensions.set("code", code);
    extensions
}

/// How the library begins what it says of a variable that is no value of its type.
const NOT_A_VALUE: [&str; 2] = ["Failed to parse \"", "Expected input type \""];

/// An error as the client may see it.
fn judged(mut error: ServerError, executed: bool, house: &House) -> ServerError {
    let is_coded =
        error.extensions.as_ref().is_some_and(|extensions| extensions.get("code").is_some());
    if !is_coded {
        let input = error.source.is_none()
            && NOT_A_VALUE.iter().any(|begins| error.message.starts_with(begins));
        if executed && !input {
            return masked(&error, house);
        }
        let code = if executed { "BAD_INPUT" } else { "REQUEST_INVALID" };
        error.extensions.get_or_insert_default().set("code", code);
    }
    if has_code(&error, UNAVAILABLE) {
        error.extensions.get_or_insert_default().set("retryAfter", RETRY_AFTER);
    }
    if let Some((end, _)) = error.message.char_indices().nth(MAX_MESSAGE) {
        error.message.truncate(end);
        error.message.push('…');
    }
    error
}

/// Logs a fault once and answers its id.
fn masked(error: &ServerError, house: &House) -> ServerError {
    let id = (house.new_id)();
    let place: Vec<String> = error.path.iter().map(|segment| format!("{segment:?}")).collect();
    tracing::error!(fault = %id, place = ?place, detail = ?error.message, "a resolver failed");
    house.count_fault();
    let mut shown = fault(&id.to_string());
    shown.path.clone_from(&error.path);
    shown.locations.clone_from(&error.locations);
    shown
}

/// What a client sees of an internal fault.
fn fault(id: &str) -> ServerError {
    let mut error = error("INTERNAL", "internal fault");
    error.extensions.get_or_insert_default().set("id", id);
    error
}
