//! Every door answers in the order of the request, whichever field is ready first.

use super::house::House;
use super::socket::Talk;
use reqwest::Client;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

const FRAGMENT: &str = "fragment F on Node { a { b } again: late last: b }";
const FIELDS: &str = "late deep: a { late b } b a { late } ...F";
const SHOWN: &str =
    r#"{"late":1,"deep":{"late":1,"b":0},"b":0,"a":{"late":1,"b":0},"again":1,"last":0}"#;

async fn told(talk: &mut Talk, id: &str, query: &str) -> String {
    talk.subscribe(id, query).await;
    match talk.next().await {
        Message::Text(text) => text.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_slow_first_field_stays_first() {
    let house = House::open().await;
    let query = format!("{{ node {{ {FIELDS} }} }} {FRAGMENT}");
    let subscription = format!("subscription {{ nodes {{ {FIELDS} }} }} {FRAGMENT}");
    let one = format!(r#"{{"data":{{"node":{SHOWN}}}"#);
    let each = format!(r#"{{"data":{{"nodes":{SHOWN}}}"#);

    let (client, url) = (Client::new(), house.url("/graphql"));
    let by_post = client.post(&url).json(&json!({ "query": query }));
    let by_get = client.get(&url).query(&[("query", &query)]);
    for request in [by_post, by_get] {
        let request = request.header("accept", "application/json");
        let text = request.send().await.expect("an answer").text().await.expect("text");
        assert!(text.starts_with(&one), "{text}");
    }

    let events = client.post(house.url("/graphql/stream")).json(&json!({ "query": subscription }));
    let text = events.send().await.expect("an answer").text().await.expect("text");
    assert_eq!(text.matches(&each).count(), 2, "{text}");

    let mut talk = Talk::ready(&house).await;
    let text = told(&mut talk, "query", &query).await;
    assert!(text.contains(&one), "{text}");
    assert_eq!(talk.hear().await["type"], json!("complete"));
    let text = told(&mut talk, "subscription", &subscription).await;
    assert!(text.contains(&each), "{text}");
}
