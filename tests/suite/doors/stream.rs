//! `/graphql/stream`.

use super::house::House;
use reqwest::Client;
use serde_json::{Value, json};
use yibu_api::http::Settings;
use yibu_api::http::census::Caps;

const COUNT: &str = "subscription { count(to: 2) }";

#[tokio::test]
async fn events_carry_versions_and_end() {
    let house = House::open().await;
    let by_get = Client::new().get(house.url("/graphql/stream")).query(&[("query", COUNT)]);
    let by_post = Client::new().post(house.url("/graphql/stream")).json(&json!({"query": COUNT}));
    for request in [by_get, by_post] {
        let response =
            request.header("accept", "text/event-stream").send().await.expect("an answer");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let text = response.text().await.expect("text");
        let events: Vec<&str> = text.trim_end().split("\n\n").collect();
        assert_eq!(events.len(), 3, "{text}");
        assert!(events[0].contains("event: next") && events[0].contains("id: 1"), "{text}");
        assert!(
            events[1].contains(r#"data: {"data":{"count":1},"extensions":{"version":2}}"#),
            "{text}"
        );
        assert!(events[2].contains("event: complete"), "{text}");
    }
    assert_eq!(house.doors.house.census.total(), 0);
}

#[tokio::test]
async fn only_subscriptions_stream() {
    let house = House::open().await;
    for query in ["{ hello }", "mutation { bump }"] {
        let request =
            Client::new().post(house.url("/graphql/stream")).json(&json!({"query": query}));
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status().as_u16(), 400);
        let body: Value = response.json().await.expect("JSON");
        assert_eq!(body["errors"][0]["extensions"]["code"], json!("REQUEST_TRANSPORT"));
    }
}

#[tokio::test]
async fn streams_are_counted_and_end_with_the_session() {
    let caps = Caps { total: 1, account: 1, network: 1 };
    let house = House::with(Settings { caps, ..Settings::default() }).await;
    let open = || {
        Client::new()
            .get(house.url("/graphql/stream"))
            .query(&[("query", "subscription { forever }")])
            .bearer_auth("good")
            .send()
    };
    let first = open().await.expect("an answer");
    assert_eq!(first.status().as_u16(), 200);
    assert_eq!(open().await.expect("an answer").status().as_u16(), 429);
    house.gate.session.cancel();
    let text = first.text().await.expect("an end");
    let events: Vec<&str> = text.trim_end().split("\n\n").collect();
    let [told, complete] = events[..] else { panic!("two events were expected: {text}") };
    assert!(told.contains("event: next") && told.contains(r#""code":"SESSION_ENDED""#), "{text}");
    assert!(complete.contains("event: complete"), "{text}");
}
