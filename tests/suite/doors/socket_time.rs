//! What the socket does when time passes: with short times, and tests that wait for what follows.

use super::house::House;
use super::socket::Talk;
use super::toy::PATIENCE;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;
use yibu_api::http::Settings;
use yibu_api::http::graphql_ws::SocketTimes;

/// A house whose sockets have these times, in milliseconds.
async fn house(init: u64, ping: u64, send: u64) -> House {
    let times = SocketTimes {
        init: Duration::from_millis(init),
        ping: Duration::from_millis(ping),
        send: Duration::from_millis(send),
    };
    House::with(Settings { times, ..Settings::default() }).await
}

const LONG: u64 = 3_600_000;

#[test]
fn the_times_of_the_contract() {
    let times = Settings::default().times;
    assert_eq!((times.init.as_secs(), times.ping.as_secs()), (5, 25));
}

#[tokio::test]
async fn a_client_that_does_not_begin_is_closed() {
    let house = house(50, LONG, LONG).await;
    let start = Instant::now();
    assert_eq!(Talk::open(&house).await.closed().await, 4408);
    assert!(start.elapsed() >= Duration::from_millis(50));
}

#[tokio::test]
async fn a_client_that_answers_pings_stays() {
    let house = house(LONG, 250, LONG).await;
    let mut talk = Talk::ready(&house).await;
    for _ in 0..5 {
        assert_eq!(talk.hear().await, json!({"type": "ping"}));
        talk.say(&json!({"type": "pong"})).await;
    }
}

#[tokio::test]
async fn a_silent_client_is_closed_after_two_pings() {
    let house = house(LONG, 50, LONG).await;
    let mut talk = Talk::ready(&house).await;
    assert_eq!(talk.hear().await, json!({"type": "ping"}));
    assert_eq!(talk.closed().await, 4499);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_closed() {
    let house = house(LONG, LONG, 50).await;
    let mut talk = Talk::ready(&house).await;
    talk.subscribe("f", "subscription { flood }").await;
    assert_eq!(talk.hear().await["type"], json!("next"));
    // Nobody reads: the system's buffers fill, and the next message is not accepted in time.
    let gone = async {
        while house.doors.house.census.total() > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("counted out");
}
