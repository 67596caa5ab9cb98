//! What the socket does when time passes. The runtime's clock stands still and jumps ahead when everybody waits.

use super::house::House;
use super::socket::Talk;
use super::toy::PATIENCE;
use serde_json::json;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use yibu_api::http::graphql_ws::{INIT_TIME, PING_EVERY};

#[tokio::test]
async fn a_client_that_does_not_begin_is_closed() {
    let house = House::open().await;
    let mut talk = Talk::open(&house).await;
    tokio::time::pause();
    let start = Instant::now();
    // Pings of the transport are no beginning.
    assert_eq!(talk.closed().await, 4408);
    assert!(start.elapsed() <= INIT_TIME);
}

#[tokio::test]
async fn a_client_that_answers_pings_stays() {
    let house = House::open().await;
    let mut talk = Talk::ready(&house).await;
    tokio::time::pause();
    let start = Instant::now();
    for _ in 0..8 {
        assert_eq!(talk.hear().await, json!({"type": "ping"}));
        talk.say(&json!({"type": "pong"})).await;
    }
    assert!(start.elapsed() > PING_EVERY * 7);
    assert!(start.elapsed() <= PING_EVERY * 8);
}

#[tokio::test]
async fn a_silent_client_is_closed_after_two_pings() {
    let house = House::open().await;
    let mut talk = Talk::ready(&house).await;
    tokio::time::pause();
    assert_eq!(talk.hear().await, json!({"type": "ping"}));
    let closed = tokio::time::timeout(PATIENCE, talk.next()).await.expect("in time");
    match closed {
        Message::Close(Some(frame)) => assert_eq!(u16::from(frame.code), 4499),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_closed() {
    let house = House::open().await;
    let mut talk = Talk::ready(&house).await;
    talk.subscribe("f", "subscription { flood }").await;
    assert_eq!(talk.hear().await["type"], json!("next"));
    tokio::time::pause();
    // Nobody reads: the system's buffers fill, the next message is not accepted in time.
    let census = &house.doors.house.census;
    let gone = async {
        while census.total() > 0 {
            tokio::time::sleep(PING_EVERY / 50).await;
        }
    };
    tokio::time::timeout(PATIENCE * 10, gone).await.expect("counted out");
}
