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
    /// The one address under which browsers reach the server, where it is known; else the name that the
    /// request was sent to counts.
    pub public: Option<String>,
    /// The server is reached by TLS: pages of plain HTTP are strangers, and the other way round.
    pub tls: bool,
}

impl OriginPolicy {
    /// Whether the request may go on.
    ///
    /// With `Origin`: the same scheme and host, or one of the list. Without: requests without a cookie come from no
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
        let mut named = self.allowed.iter().chain(&self.public);
        if named.any(|named| named.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let scheme = if self.tls { "https" } else { "http" };
        self.public.is_none()
            && origin.split_once("://").is_some_and(|(spoken, authority)| {
                spoken == scheme && host.is_some_and(|host| host.eq_ignore_ascii_case(authority))
            })
    }
}
