//! Content types: what a request body is, and what answer the client wants. Must not read the body.

use axum::http::{HeaderMap, header};

/// The two forms of an answer, and the page of development mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `application/json`: wrong documents are answered with status 200, for old clients.
    Json,
    /// `application/graphql-response+json`: the status tells what happened.
    GraphQl,
}

impl Form {
    /// The `Content-Type` of the answer.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json; charset=utf-8",
            Self::GraphQl => "application/graphql-response+json; charset=utf-8",
        }
    }
}

/// Whether the body is JSON in UTF-8 and not packed.
pub fn is_json(headers: &HeaderMap) -> bool {
    let plain = headers.get(header::CONTENT_ENCODING).is_none_or(|coding| coding == "identity");
    let Some(Ok(value)) = headers.get(header::CONTENT_TYPE).map(|value| value.to_str()) else {
        return false;
    };
    let mut parts = value.split(';').map(str::trim);
    let json = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    let utf8 = parts.filter_map(|part| part.split_once('=')).all(|(name, value)| {
        let value = value.trim().trim_matches('"');
        !name.trim().eq_ignore_ascii_case("charset") || value.eq_ignore_ascii_case("utf-8")
    });
    plain && json && utf8
}

/// The form that the client likes most; `application/json` when it does not care. `None` when it wants neither.
pub fn preferred(headers: &HeaderMap) -> Option<Form> {
    let ranges = ranges(headers);
    if ranges.is_empty() {
        return Some(Form::Json);
    }
    let weight = |essence: &str| {
        let exact = ranges.iter().find(|(range, _)| range.eq_ignore_ascii_case(essence));
        let family = || ranges.iter().find(|(range, _)| range == "application/*");
        let any = || ranges.iter().find(|(range, _)| range == "*/*");
        exact.or_else(family).or_else(any).map_or(0, |(_, weight)| *weight)
    };
    let (json, graphql) = (weight("application/json"), weight("application/graphql-response+json"));
    match (json, graphql) {
        (0, 0) => None,
        (json, graphql) if graphql > json => Some(Form::GraphQl),
        // Both named alike: the newer one says more.
        (json, graphql) if graphql == json && names_graphql(&ranges) => Some(Form::GraphQl),
        _ => Some(Form::Json),
    }
}

/// Whether the client asks for a page.
pub fn wants_page(headers: &HeaderMap) -> bool {
    ranges(headers).iter().any(|(range, weight)| range == "text/html" && *weight > 0)
}

fn names_graphql(ranges: &[(String, u16)]) -> bool {
    ranges.iter().any(|(range, _)| range == "application/graphql-response+json")
}

/// The media ranges of `Accept` with their weights in thousandths.
fn ranges(headers: &HeaderMap) -> Vec<(String, u16)> {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .take(32)
        .filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let essence = parts.next().filter(|essence| !essence.is_empty())?.to_ascii_lowercase();
            let weight = parts
                .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")))
                .map_or(1000, thousandths);
            Some((essence, weight))
        })
        .collect()
}

/// `0.8` as 800; anything strange as 0.
fn thousandths(text: &str) -> u16 {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    match whole {
        "1" => 1000,
        "0" => format!("{fraction:0<3}").parse().unwrap_or(0),
        _ => 0,
    }
}
