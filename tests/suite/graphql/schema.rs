//! The schema's text is true, and everything in it is described.

use serde_json::{Value, json};
use std::path::Path;
use yibu_tests::app::TestApp;

#[test]
fn the_checked_in_schema_is_the_one_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/schema.graphql");
    let text = yibu_api::graphql::schema_text();
    if std::env::var_os("YIBU_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &text).expect("the schema can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "api/schema.graphql is stale: run this test with YIBU_WRITE_SCHEMA=1");
    assert_eq!(text, yibu_api::graphql::schema_text(), "the order is stable");
}

#[tokio::test]
async fn everything_is_described() {
    let app = TestApp::start().await;
    let query = "{ __schema { types { name description kind \
        fields { name description args { name description } } \
        inputFields { name description } enumValues { name description } } } }";
    let data = app.visitor().data(query, &json!({})).await;
    let mut bare = Vec::new();
    for kind in data["__schema"]["types"].as_array().expect("types") {
        let name = kind["name"].as_str().expect("a name");
        // The language's own.
        if name.starts_with("__") || name == "ID" {
            continue;
        }
        check(name, kind, &mut bare);
        for list in ["fields", "inputFields", "enumValues"] {
            for item in kind[list].as_array().into_iter().flatten() {
                let place = format!("{name}.{}", item["name"].as_str().expect("a name"));
                check(&place, item, &mut bare);
                for argument in item["args"].as_array().into_iter().flatten() {
                    check(&format!("{place}({})", argument["name"]), argument, &mut bare);
                }
            }
        }
    }
    assert_eq!(bare, Vec::<String>::new());
}

fn check(place: &str, item: &Value, bare: &mut Vec<String>) {
    if item["description"].as_str().is_none_or(str::is_empty) {
        bare.push(place.to_owned());
    }
}
