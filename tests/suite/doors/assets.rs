//! The web client behind its door: what is kept, what is asked for anew, packed forms, the one page for every
//! path, and the plain words when no client was built.

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use reqwest::{Client as Browser, Method};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use yibu_api::http::assets::{Client, POLICY, routes};
use yibu_api::http::headers::{Outfit, outfit};
use yibu_tests::app::TestApp;

const FILES: [(&str, &str); 11] = [
    ("index.html", "<!doctype html><title>client</title>"),
    ("index.html.br", "page in brotli"),
    ("index.html.gz", "page in gzip"),
    ("sw.js", "worker"),
    ("favicon.svg", "<svg/>"),
    ("manifest.webmanifest", "{}"),
    ("robots.txt", "User-agent: *"),
    ("assets/app-1a2b.js", "script"),
    ("assets/app-1a2b.js.gz", "script in gzip"),
    ("assets/app-3c4d.css", "style"),
    (".vite/manifest.json", "not for browsers"),
];

/// A server with nothing but a client; it stops with the test's runtime.
async fn serve(files: &'static [(&str, &str)]) -> SocketAddr {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), Cow::from(text.as_bytes())));
    let outer =
        Outfit { tls: false, new_id: Arc::new(Uuid::nil), leaving: CancellationToken::new() };
    let app = routes(Client::of(files), "<!doctype html>how to build it".to_owned())
        .layer(axum::middleware::from_fn_with_state(outer, outfit));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound");
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

async fn ask(
    at: SocketAddr,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
) -> (StatusCode, HeaderMap, Bytes) {
    let mut request = Browser::new().request(method, format!("http://{at}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, response.bytes().await.expect("a body"))
}

async fn get(at: SocketAddr, path: &str) -> (StatusCode, HeaderMap, Bytes) {
    ask(at, Method::GET, path, &[]).await
}

#[tokio::test]
async fn hashed_files_are_kept_for_ever_and_others_are_asked_for_anew() {
    let at = serve(&FILES).await;
    for (path, kind, keep) in [
        ("/assets/app-1a2b.js", "text/javascript; charset=utf-8", "immutable"),
        ("/assets/app-3c4d.css", "text/css; charset=utf-8", "immutable"),
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/index.html", "text/html; charset=utf-8", "no-cache"),
        ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/favicon.svg", "image/svg+xml", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("/robots.txt", "text/plain; charset=utf-8", "no-cache"),
    ] {
        let (status, headers, body) = get(at, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert_eq!(headers["content-type"], kind, "{path}");
        let expected = match keep {
            "immutable" => "public, max-age=31536000, immutable",
            other => other,
        };
        assert_eq!(headers["cache-control"], expected, "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        let name = if path == "/" { "index.html" } else { &path[1..] };
        let (_, text) = FILES.iter().find(|(one, _)| *one == name).expect("a file");
        assert_eq!(body, text.as_bytes(), "{path}");
        let (status, head, body) = ask(at, Method::HEAD, path, &[]).await;
        assert_eq!((status, body.len()), (StatusCode::OK, 0), "{path}");
        assert_eq!(head["content-length"], text.len().to_string(), "{path}");
        assert_eq!(head["etag"], headers["etag"], "{path}");
    }
}

#[tokio::test]
async fn pages_and_the_worker_stand_under_the_policy_also_when_they_are_confirmed() {
    let at = serve(&FILES).await;
    for path in ["/", "/replay", "/sw.js"] {
        let (_, first, _) = get(at, path).await;
        assert_eq!(first["content-security-policy"], POLICY, "{path}");
        let tag = first["etag"].to_str().expect("a tag");
        let (status, again, body) = ask(at, Method::GET, path, &[("if-none-match", tag)]).await;
        assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
        // A browser puts a confirmation's headers over those that it kept.
        for name in ["content-security-policy", "etag", "cache-control", "vary"] {
            assert_eq!(again[name], first[name], "{path}: {name}");
        }
    }
    let (_, script, _) = get(at, "/assets/app-1a2b.js").await;
    assert_ne!(script["content-security-policy"], POLICY);
}

#[tokio::test]
async fn a_tag_is_known_in_a_list_weak_or_as_anything_and_no_other() {
    let at = serve(&FILES).await;
    let (_, headers, _) = get(at, "/").await;
    let tag = headers["etag"].to_str().expect("a tag");
    for (asked, expected) in [
        (tag.to_owned(), 304),
        (format!("W/{tag}"), 304),
        (format!("\"other\", {tag}"), 304),
        ("*".to_owned(), 304),
        ("\"other\"".to_owned(), 200),
        (tag.trim_matches('"').to_owned(), 200),
    ] {
        let (status, ..) = ask(at, Method::GET, "/", &[("if-none-match", &asked)]).await;
        assert_eq!(status.as_u16(), expected, "{asked}");
    }
}

#[tokio::test]
async fn browsers_get_the_packed_form_that_they_take() {
    let at = serve(&FILES).await;
    let mut tags = BTreeSet::new();
    for (path, accepted, coding, text) in [
        ("/lobby", "gzip, deflate, br", Some("br"), "page in brotli"),
        ("/lobby", "gzip", Some("gzip"), "page in gzip"),
        ("/lobby", "br;q=0, gzip;q=0", None, "<!doctype html><title>client</title>"),
        ("/assets/app-1a2b.js", "gzip, br", Some("gzip"), "script in gzip"),
        ("/assets/app-3c4d.css", "gzip, br", None, "style"),
    ] {
        let (status, headers, body) =
            ask(at, Method::GET, path, &[("accept-encoding", accepted)]).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        let named = headers.get("content-encoding").map(|name| name.to_str().expect("a name"));
        assert_eq!((named, &body[..]), (coding, text.as_bytes()), "{path} {accepted}");
        assert_eq!(headers["vary"], "accept-encoding", "{path}");
        assert!(tags.insert(headers["etag"].clone()), "{path} {accepted}: a tag of other bytes");
    }
}

#[tokio::test]
async fn every_path_of_the_client_is_its_page_and_nothing_else_is() {
    let at = serve(&FILES).await;
    let id = "6d00000000000000000000000000000000";
    let table = format!("/table/{id}");
    let paths = ["/", "/login", "/register", "/lobby", &table, "/replay", "/manual", "/settings"];
    for path in paths.into_iter().chain(["/nowhere", "/lobby?from=mail"]) {
        let (status, headers, body) = get(at, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert_eq!(headers["content-type"], "text/html; charset=utf-8", "{path}");
        assert_eq!(body, FILES[0].1, "{path}");
    }
    for path in [
        "/assets/app-0000.js",
        "/assets/nothing",
        "/assets/",
        "/.vite/manifest.json",
        "/.env",
        "/index.html.br",
        "/wp-login.php",
        "/dev/mail",
        "/graphql/nothing",
        "/health/nothing",
        "/metrics",
        "/schemas/replay",
        "/assets/..%2findex.html",
    ] {
        let (status, headers, body) = get(at, path).await;
        assert_eq!((status, body.len()), (StatusCode::NOT_FOUND, 0), "{path}");
        assert_eq!(headers["cache-control"], "no-store", "{path}");
    }
    for path in ["/lobby", "/sw.js"] {
        let (status, ..) = ask(at, Method::POST, path, &[]).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
    let (status, ..) = ask(at, Method::POST, "/", &[]).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn without_a_client_its_pages_say_how_to_build_it() {
    let at = serve(&[]).await;
    for path in ["/", "/lobby"] {
        let (status, headers, body) = get(at, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert_eq!(headers["content-type"], "text/html; charset=utf-8", "{path}");
        assert_eq!(headers["cache-control"], "no-store", "{path}");
        assert!(headers["content-security-policy"].to_str().expect("text").contains("script-src"));
        assert_eq!(&body[..], b"<!doctype html>how to build it", "{path}");
    }
    for path in ["/sw.js", "/favicon.svg", "/assets/app-1a2b.js"] {
        assert_eq!(get(at, path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_whole_server_has_a_page_and_keeps_its_own_paths() {
    let app = TestApp::start().await;
    // Whether a client was built or not, there is a page.
    for path in ["/", "/table/6d00000000000000000000000000000000"] {
        let (status, headers, body) = get(app.addr, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(headers["content-type"].to_str().expect("text").starts_with("text/html"));
        assert!(String::from_utf8_lossy(&body).contains("异步"), "{path}");
    }
    for (path, kind) in [("/health/live", "application/json"), ("/dev/mail", "text/html")] {
        let (status, headers, _) = get(app.addr, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(headers["content-type"].to_str().expect("text").starts_with(kind), "{path}");
    }
    for path in ["/dev/nothing", "/metrics", "/graphql/nothing"] {
        assert_eq!(get(app.addr, path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    // In development mode also the client answers to this machine's names alone.
    let (status, ..) = ask(app.addr, Method::GET, "/lobby", &[("host", "evil.example")]).await;
    assert_eq!(status, StatusCode::MISDIRECTED_REQUEST);
}

#[test]
fn previews_of_the_client_run_under_the_servers_policy() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/web/vite.config.ts");
    let text = std::fs::read_to_string(file).expect("the client's build file");
    let (_, list) = text.split_once("'content-security-policy': [").expect("a policy");
    let (list, _) = list.split_once(']').expect("an end");
    let rules = list.lines().map(|line| line.trim().trim_end_matches(','));
    let rules: Vec<_> = rules
        .filter_map(|line| line.strip_prefix(['"', '\''])?.strip_suffix(['"', '\'']))
        .collect();
    assert_eq!(rules.join("; "), POLICY);
}
