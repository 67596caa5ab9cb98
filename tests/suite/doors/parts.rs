//! The small parts by themselves: limits, counts, addresses, origins, content types.

use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, HeaderName, Request};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use uuid::Uuid;
use yibu_api::http::accept::{self, Form};
use yibu_api::http::census::{Caps, Census, Full};
use yibu_api::http::limits::{Class, ClassQuotas, Limits, Now, Payer, Quota, Quotas};
use yibu_api::http::origin::{OriginPolicy, Reach};
use yibu_api::http::peer::{self, Network};

/// A clock in whole seconds that the test turns.
fn clock() -> (Arc<AtomicU64>, Now) {
    let seconds = Arc::new(AtomicU64::new(1_000));
    let read = Arc::clone(&seconds);
    (seconds, Arc::new(move || Duration::from_secs(read.load(Ordering::Relaxed))))
}

fn quotas(burst: u32, per_minute: u32) -> Quotas {
    let quota = Quota::new(burst, per_minute);
    let mut quotas = Quotas::DEFAULT;
    quotas.login = ClassQuotas { account: quota, network: quota };
    quotas
}

fn account(number: u128) -> Payer {
    Payer::Account(Uuid::from_u128(number))
}

fn ip(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

#[test]
fn a_quota_is_spent_and_comes_back() {
    let (seconds, now) = clock();
    let limits = Limits::new(quotas(3, 6), now);
    let left: Vec<u32> =
        (0..3).map(|_| limits.charge(Class::Login, account(1), 1).remaining).collect();
    assert_eq!(left, [2, 1, 0]);
    let refused = limits.charge(Class::Login, account(1), 1);
    assert_eq!(refused.retry_after, Some(Duration::from_secs(10)));
    assert_eq!(limits.charge(Class::Login, account(2), 1).retry_after, None);
    assert_eq!(limits.charge(Class::Query, account(1), 1).retry_after, None);
    seconds.fetch_add(9, Ordering::Relaxed);
    assert!(limits.charge(Class::Login, account(1), 1).retry_after.is_some());
    seconds.fetch_add(1, Ordering::Relaxed);
    assert_eq!(limits.charge(Class::Login, account(1), 1).retry_after, None);
    seconds.fetch_add(1_000, Ordering::Relaxed);
    assert_eq!(limits.charge(Class::Login, account(1), 1).remaining, 2);
}

#[test]
fn the_limiter_forgets_and_never_grows() {
    let (seconds, now) = clock();
    let limits = Limits::with_capacity(quotas(2, 60), now, 10);
    for number in 0..1_000 {
        limits.charge(Class::Login, account(number), 1);
    }
    assert!(limits.remembered() <= 11);
    // Newcomers share one quota while the memory is full of others.
    assert!(limits.charge(Class::Login, account(5_000), 1).retry_after.is_some());
    seconds.fetch_add(100, Ordering::Relaxed);
    assert_eq!(limits.charge(Class::Login, account(5_000), 1).remaining, 1);
    assert!(limits.remembered() <= 11);
}

#[test]
fn an_ipv6_network_is_one_payer() {
    assert_eq!(Payer::network(ip("2001:db8:1:2::1")), Payer::network(ip("2001:db8:1:2:ffff::9")));
    assert_ne!(Payer::network(ip("2001:db8:1:2::1")), Payer::network(ip("2001:db8:1:3::1")));
    assert_eq!(Payer::network(ip("::ffff:192.0.2.1")), Payer::network(ip("192.0.2.1")));
    assert_ne!(Payer::network(ip("192.0.2.1")), Payer::network(ip("192.0.2.2")));
}

#[test]
fn connections_are_counted_in_and_out() {
    let census = Census::new(Caps { total: 3, account: 1, network: 2 });
    let (here, there) = (Payer::network(ip("192.0.2.1")), Payer::network(ip("192.0.2.2")));
    let mut first = census.enter(here).expect("room");
    let mut second = census.enter(here).expect("room");
    assert_eq!(census.enter(here).err(), Some(Full::Payer));
    let third = census.enter(there).expect("room");
    assert_eq!(census.enter(there).err(), Some(Full::Total));
    assert_eq!(first.name(account(1)), Ok(()));
    assert_eq!(second.name(account(1)), Err(Full::Payer));
    drop(first);
    assert_eq!(second.name(account(1)), Ok(()));
    drop((second, third));
    assert_eq!(census.total(), 0);
}

#[test]
fn forwarded_addresses_are_believed_from_trusted_proxies_alone() {
    let seen = |peer: &str, forwarded: &str, trusted: &[&str]| {
        let trusted: Vec<Network> =
            trusted.iter().map(|text| text.parse().expect("a network")).collect();
        let mut request =
            Request::builder().header("x-forwarded-for", forwarded).body(()).expect("a request");
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(ip(peer), 1)));
        peer::address(&request.into_parts().0, &trusted).to_string()
    };
    assert_eq!(seen("192.0.2.9", "198.51.100.1", &[]), "192.0.2.9");
    assert_eq!(seen("10.0.0.1", "198.51.100.1", &["10.0.0.0/8"]), "198.51.100.1");
    assert_eq!(
        seen("10.0.0.1", "6.6.6.6, 198.51.100.1, 10.2.3.4", &["10.0.0.0/8"]),
        "198.51.100.1"
    );
    assert_eq!(seen("10.0.0.1", "nonsense", &["10.0.0.0/8"]), "10.0.0.1");
    assert_eq!(seen("::1", "2001:db8::5", &["::1"]), "2001:db8::5");
    for wrong in ["", "x", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/"] {
        assert!(wrong.parse::<Network>().is_err(), "{wrong}");
    }
    let everything: Network = "0.0.0.0/0".parse().expect("a network");
    assert!(everything.contains(ip("203.0.113.7")) && !everything.contains(ip("2001:db8::1")));
}

fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let pair = |(name, value): &(&str, &str)| {
        let name: HeaderName = name.parse().expect("a name");
        (name, value.parse().expect("a value"))
    };
    pairs.iter().map(pair).collect()
}

#[test]
fn origins() {
    let allowed = vec!["https://app.example".to_owned()];
    let policy = OriginPolicy { allowed: allowed.clone(), public: None, tls: true };
    let writes = |pairs: &[(&str, &str)]| policy.admits(&headers(pairs), Reach::Writes);
    assert!(writes(&[]));
    assert!(writes(&[("origin", "https://play.example"), ("host", "play.example")]));
    assert!(writes(&[("origin", "https://app.example"), ("host", "play.example")]));
    assert!(!writes(&[("origin", "http://play.example"), ("host", "play.example")]));
    assert!(!writes(&[("origin", "https://play.example:8443"), ("host", "play.example")]));
    assert!(!writes(&[("origin", "https://play.example")]));
    assert!(!writes(&[
        ("origin", "https://play.example"),
        ("origin", "https://app.example"),
        ("host", "play.example")
    ]));
    assert!(!writes(&[("cookie", "a=b"), ("sec-fetch-site", "same-site")]));
    assert!(writes(&[("cookie", "a=b"), ("sec-fetch-site", "same-origin")]));
    assert!(policy.admits(&headers(&[("cookie", "a=b")]), Reach::Reads));
    assert!(!policy.admits(&headers(&[("origin", "https://evil.example")]), Reach::Reads));

    // Without TLS the scheme is the plain one, and nothing else is the same place.
    let plain = OriginPolicy::default();
    let to = |origin: &str, host: &str| {
        plain.admits(&headers(&[("origin", origin), ("host", host)]), Reach::Writes)
    };
    assert!(to("http://127.0.0.1:8080", "127.0.0.1:8080"));
    assert!(!to("https://127.0.0.1:8080", "127.0.0.1:8080"));

    // Where the public address is known, the name that a request was sent to says nothing.
    let public = Some("https://play.example".to_owned());
    let policy = OriginPolicy { allowed, public, tls: true };
    let to = |origin: &str, host: &str| {
        policy.admits(&headers(&[("origin", origin), ("host", host)]), Reach::Writes)
    };
    assert!(to("https://play.example", "10.0.0.7:8080"));
    assert!(to("https://app.example", "10.0.0.7:8080"));
    assert!(!to("http://play.example", "play.example"));
    assert!(!to("https://evil.example", "evil.example"));
}

#[test]
fn forms() {
    let form = |accept: &str| accept::preferred(&headers(&[("accept", accept)]));
    assert_eq!(accept::preferred(&HeaderMap::new()), Some(Form::Json));
    assert_eq!(form("*/*"), Some(Form::Json));
    assert_eq!(form("application/*"), Some(Form::Json));
    assert_eq!(form("application/graphql-response+json"), Some(Form::GraphQl));
    assert_eq!(form("application/graphql-response+json, application/json"), Some(Form::GraphQl));
    assert_eq!(form("application/graphql-response+json;q=0.5, application/json"), Some(Form::Json));
    assert_eq!(form("application/json;q=0, */*"), Some(Form::GraphQl));
    assert_eq!(form("text/html"), None);
    assert_eq!(form("text/html, */*;q=0.1"), Some(Form::Json));
}

#[test]
fn matches_are_sought_twenty_times_an_hour() {
    let (seconds, now) = clock();
    let limits = Limits::new(Quotas::DEFAULT, now);
    let seek = || limits.charge(Class::Matching, account(1), 1).retry_after.is_none();
    assert!((0..20).all(|_| seek()));
    assert!(!seek());
    seconds.fetch_add(3600 / 20, Ordering::Relaxed);
    assert!(seek() && !seek());
}
