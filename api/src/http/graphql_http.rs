//! `POST /graphql` and `GET /graphql` as GraphQL over HTTP describes them. Must not execute a mutation on GET.

use super::accept::{self, Form};
use super::answer::{Answer, RETRY_AFTER, error};
use super::body;
use super::doors::Doors;
use super::gate::{AuthFault, Credentials, Gate};
use super::limits::Verdict;
use super::origin::Reach;
use super::{pages, peer};
use crate::graphql::guard::{self, Admitted, Parameters, Refusal};
use async_graphql::parser::types::OperationType;
use async_graphql::{ServerError, Variables};
use axum::extract::{Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// The doors' name in figures.
const DOOR: &str = "http";

/// A request that is answered without execution.
pub(super) struct Refused {
    pub(super) status: StatusCode,
    pub(super) error: Box<ServerError>,
    pub(super) headers: HeaderMap,
}

impl Refused {
    pub(super) fn new(status: StatusCode, code: &str, message: &str) -> Self {
        Self { status, error: Box::new(error(code, message)), headers: HeaderMap::new() }
    }

    /// What the guard said, with the status that the form asks for.
    pub(super) fn by_guard(refusal: &Refusal, form: Form) -> Self {
        let status = match refusal {
            Refusal::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            refusal if refusal.is_about_document() && form == Form::Json => StatusCode::OK,
            _ => StatusCode::BAD_REQUEST,
        };
        Self { status, error: Box::new(refusal.to_error()), headers: HeaderMap::new() }
    }

    /// What the gate said.
    pub(super) fn by_gate(fault: AuthFault) -> Self {
        match fault {
            AuthFault::Refused => Self::new(
                StatusCode::UNAUTHORIZED,
                "UNAUTHENTICATED",
                "the credentials are wrong or have run out",
            ),
            AuthFault::Unavailable => {
                let text = "the server cannot check credentials now";
                let mut refused = Self::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", text);
                refused.headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
                refused
            }
        }
    }

    /// The server is about to stop and begins nothing that lasts.
    pub(super) fn closing() -> Self {
        let mut refused = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "UNAVAILABLE",
            "this server is about to stop; connect again",
        );
        refused.headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        refused
    }

    /// Too much in too short a time.
    pub(super) fn by_limit(verdict: Verdict) -> Self {
        let mut refused = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "RATE_LIMITED",
            "too many requests; wait a little",
        );
        set_limit_headers(&mut refused.headers, verdict);
        refused
    }

    pub(super) fn into_response(self, form: Form) -> Response {
        let answer = Answer::refused(*self.error);
        let mut response = (self.status, form_headers(form), answer.to_json()).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}

/// The rate headers: what the quota is, what is left, and when it will be whole again or passable.
pub(super) fn set_limit_headers(headers: &mut HeaderMap, verdict: Verdict) {
    let seconds =
        |duration: std::time::Duration| duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    headers.insert("ratelimit-limit", HeaderValue::from(verdict.limit));
    headers.insert("ratelimit-remaining", HeaderValue::from(verdict.remaining));
    headers.insert("ratelimit-reset", HeaderValue::from(seconds(verdict.reset)));
    if let Some(after) = verdict.retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds(after)));
    }
}

fn form_headers(form: Form) -> [(header::HeaderName, &'static str); 3] {
    [
        (header::CONTENT_TYPE, form.content_type()),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "accept"),
    ]
}

/// `POST /graphql`.
pub async fn post<G: Gate>(State(doors): State<Doors<G>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Some(form) = accept::preferred(&parts.headers) else {
        return finish(&doors, Err(not_acceptable()), Form::Json);
    };
    if !doors.house.settings.origins.admits(&parts.headers, Reach::Writes) {
        return finish(&doors, Err(strange_origin()), form);
    }
    let parameters = match body::read(&parts.headers, body, &doors.house.closing).await {
        Ok(bytes) => guard::read_json(&bytes).map_err(|refusal| Refused::by_guard(&refusal, form)),
        Err(fault) => {
            let (status, code, message) = fault.answer();
            Err(Refused::new(status, code, message))
        }
    };
    let result = match parameters {
        Ok(parameters) => run(&doors, &parts, parameters, form, Reach::Writes).await,
        Err(refused) => Err(refused),
    };
    finish(&doors, result, form)
}

/// `GET /graphql`: queries, and the page of development mode.
pub async fn get<G: Gate>(State(doors): State<Doors<G>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let asks = parts.uri.query().is_some_and(|query| !query.is_empty());
    if doors.house.settings.explorer && !asks && accept::wants_page(&parts.headers) {
        return pages::explorer();
    }
    // A browser's address bar asks for a page; it gets JSON when there is none.
    let preferred = accept::preferred(&parts.headers);
    let Some(form) = preferred.or_else(|| accept::wants_page(&parts.headers).then_some(Form::Json))
    else {
        return finish(&doors, Err(not_acceptable()), Form::Json);
    };
    if !doors.house.settings.origins.admits(&parts.headers, Reach::Reads) {
        return finish(&doors, Err(strange_origin()), form);
    }
    let result = match parameters_of(&parts.uri) {
        Ok(parameters) => run(&doors, &parts, parameters, form, Reach::Reads).await,
        Err(refusal) => Err(Refused::by_guard(&refusal, form)),
    };
    finish(&doors, result, form)
}

/// Reads the parameters out of a URL.
pub(super) fn parameters_of(uri: &Uri) -> Result<Parameters, Refusal> {
    let malformed = Refusal::Malformed(
        "the URL must have query, and may have operationName, variables, extensions",
    );
    let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else {
        return Err(malformed);
    };
    let mut query = None;
    let mut parameters = Parameters::default();
    let mut seen = Vec::new();
    for (name, value) in pairs {
        if seen.contains(&name) {
            return Err(Refusal::Malformed("a parameter of the URL is there twice"));
        }
        match name.as_str() {
            "query" => query = Some(value),
            "operationName" => parameters.operation_name = Some(value),
            "variables" => parameters.variables = json_object::<Variables>(&value)?,
            "extensions" => parameters.extensions = json_object(&value)?,
            _ => continue,
        }
        seen.push(name);
    }
    parameters.query = query.ok_or(malformed)?;
    Ok(parameters)
}

/// A JSON object in a parameter; nothing and `null` are an empty one.
fn json_object<T: serde::de::DeserializeOwned + Default>(text: &str) -> Result<T, Refusal> {
    guard::lexical::json(text.as_bytes())?;
    if text.trim().is_empty() {
        return Ok(T::default());
    }
    serde_json::from_str(text)
        .map_err(|_| Refusal::Malformed("variables and extensions must be JSON objects"))
}

/// An executed request.
struct Done {
    answer: Answer,
    headers: HeaderMap,
}

async fn run<G: Gate>(
    doors: &Doors<G>,
    parts: &Parts,
    parameters: Parameters,
    form: Form,
    reach: Reach,
) -> Result<Done, Refused> {
    let address = peer::address(parts, &doors.house.settings.trusted);
    let admitted = guard::admit(parameters).map_err(|refusal| Refused::by_guard(&refusal, form))?;
    check_kind(&admitted, reach)?;
    let network = doors.charge_network(admitted.kind, address);
    if network.retry_after.is_some() {
        return Err(Refused::by_limit(network));
    }
    let credentials = Credentials::from_headers(&parts.headers, address);
    let caller = doors.authenticate(credentials).await.map_err(Refused::by_gate)?;
    let verdict = doors.charge(&admitted, caller.account, address, network);
    if verdict.retry_after.is_some() {
        return Err(Refused::by_limit(verdict));
    }
    let cost = admitted.cost;
    let request = doors.prepare(admitted, caller.viewer);
    let (answer, mut headers) = doors.execute(request, cost).await;
    set_limit_headers(&mut headers, verdict);
    Ok(Done { answer, headers })
}

/// GET is for queries alone; subscriptions need a door that stays open.
fn check_kind(admitted: &Admitted, reach: Reach) -> Result<(), Refused> {
    match (admitted.kind, reach) {
        (OperationType::Query, _) | (OperationType::Mutation, Reach::Writes) => Ok(()),
        (_, Reach::Reads) => {
            let mut refused = Refused::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "REQUEST_METHOD",
                "GET is for queries alone",
            );
            refused.headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
            Err(refused)
        }
        (OperationType::Subscription, Reach::Writes) => Err(Refused::new(
            StatusCode::BAD_REQUEST,
            "REQUEST_TRANSPORT",
            "subscribe over /graphql/ws or /graphql/stream",
        )),
    }
}

fn finish<G: Gate>(doors: &Doors<G>, result: Result<Done, Refused>, form: Form) -> Response {
    match result {
        Ok(done) => {
            doors.count(DOOR, done.answer.outcome());
            let status = match form {
                _ if done.answer.is_broken() => StatusCode::INTERNAL_SERVER_ERROR,
                Form::GraphQl if done.answer.is_request_error() => StatusCode::BAD_REQUEST,
                _ => StatusCode::OK,
            };
            let mut response = (status, form_headers(form), done.answer.to_json()).into_response();
            // Cookies that the inside sets must not push each other out.
            for (name, value) in &done.headers {
                response.headers_mut().append(name, value.clone());
            }
            if done.answer.is_unavailable() {
                let headers = response.headers_mut();
                headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
            }
            response
        }
        Err(refused) => {
            doors.count(DOOR, "refused");
            refused.into_response(form)
        }
    }
}

pub(super) fn strange_origin() -> Refused {
    Refused::new(StatusCode::FORBIDDEN, "REQUEST_ORIGIN", "pages of this origin may not ask")
}

pub(super) fn not_acceptable() -> Refused {
    Refused::new(
        StatusCode::NOT_ACCEPTABLE,
        "REQUEST_ACCEPT",
        "answers are application/graphql-response+json or application/json",
    )
}
