//! Whether a browser page may make this request: the answer to cross-site requests that carry a cookie.
//! Must not decide who asks.

use axum::http::{HeaderMap, header};

/// How the request would change things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// It can only read (GET): browsers send no `Origin` from a page of the same site.
    Reads,
    /// It can write or open a socket: browsers always send `Origin`.
    Writes,
}

/// Whose pages may ask.
#[derive(Clone, Debug, Default)]
pub struct OriginPolicy {
    /// Further origins, for instance `https://play.example`.
    pub allowed: Vec<String>,
    /// The server is reached by TLS alone: pages of plain HTTP are strangers.
    pub tls: bool,
}

impl OriginPolicy {
    /// Whether the request may go on.
    ///
    /// With `Origin`: the same host, or one of the list. Without: requests without a cookie come from no
    /// browser session and pass; requests with one pass when they only read or when the browser says
    /// that they come from the same site's pages.
    pub fn admits(&self, headers: &HeaderMap, reach: Reach) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if headers.get_all(header::ORIGIN).iter().count() > 1 {
            return false;
        }
        if headers.contains_key(header::ORIGIN) {
            let Some(origin) = text("origin") else { return false };
            return self.knows(origin, text("host"));
        }
        !headers.contains_key(header::COOKIE)
            || reach == Reach::Reads
            || text("sec-fetch-site") == Some("same-origin")
    }

    fn knows(&self, origin: &str, host: Option<&str>) -> bool {
        if self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let authority = match origin.split_once("://") {
            Some(("https", authority)) => authority,
            Some(("http", authority)) if !self.tls => authority,
            _ => return false,
        };
        host.is_some_and(|host| host.eq_ignore_ascii_case(authority))
    }
}
