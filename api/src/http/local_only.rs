//! Development mode shows codes and takes no passwords seriously: it answers to this machine's own names only,
//! so that a page from elsewhere cannot reach it by a name that points here (DNS rebinding).

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

/// Refuses requests to another host than this machine.
pub async fn local_only(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    match host.or_else(|| request.uri().host()) {
        Some(host) if is_local(host) => next.run(request).await,
        _ => {
            let text = "development mode answers to localhost, 127.0.0.1 and [::1] only";
            (StatusCode::MISDIRECTED_REQUEST, text).into_response()
        }
    }
}

/// Whether a host, with or without a port, is a loopback name or address.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_local() {
        for host in
            ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.1.2.3", "[::1]:8080", "[::1]"]
        {
            assert!(is_local(host), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example", "10.0.0.1", "[::2]", "", "127.0.0.1.evil"]
        {
            assert!(!is_local(host), "{host}");
        }
    }
}
