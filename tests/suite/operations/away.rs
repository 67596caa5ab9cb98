//! The database goes away and comes back: whoever asks meanwhile is told so soon, and may ask again.

use super::health::health;
use serde_json::{Value, json};
use sqlx::Connection as _;
use std::time::{Duration, Instant};
use yibu_api::app::LogStore;
use yibu_infrastructure::accounts::Failure;
use yibu_infrastructure::reach::cause;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::postgres::{Cluster, Settings};
use yibu_tests::table::Table;

/// Two seconds for a look or a connection, and a busy machine.
const SOON: Duration = Duration::from_secs(6);
const LONG: Duration = Duration::from_secs(60);

/// Returns how long it took until the server is ready or is not.
async fn until_ready(server: &TestApp, wanted: bool) -> Duration {
    let since = Instant::now();
    let look = async {
        while (health(server, "ready").await.0 == 200) != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LONG, look).await.expect("it is noticed");
    since.elapsed()
}

/// The code, the retry header, and how long the answer took.
async fn asked(server: &TestApp, person: Option<&Client>, query: &str) -> (Value, Option<String>) {
    let mut request = reqwest::Client::new().post(format!("http://{}/graphql", server.addr));
    if let Some(session) = person.and_then(|person| person.cookie("yibu_session")) {
        request = request.header("cookie", format!("yibu_session={session}"));
        request = request.header("origin", format!("http://{}", server.addr));
    }
    let since = Instant::now();
    let answer = request.json(&json!({ "query": query })).send().await.unwrap();
    let retry = answer.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
    let body: Value = answer.json().await.unwrap();
    assert!(since.elapsed() < SOON, "{query}: {:?}", since.elapsed());
    (body["errors"][0]["extensions"]["code"].clone(), retry)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_is_told_soon_and_its_return_costs_nothing() {
    let mut cluster = Cluster::start(&Settings::default());
    let url = cluster.database();
    let server = TestApp::with(|config| {
        config.log = LogStore::Postgres { url, archive: None };
        config.operations.ops = Some(([127, 0, 0, 1], 0).into());
    })
    .await;
    let mut table = Table::started(&server, "away").await;
    table.ply().await;
    assert_eq!(health(&server, "ready").await.0, 200);

    // In order: a crash may cost the read models their last rows, which come again a moment later.
    cluster.end();
    let noticed = until_ready(&server, false).await;
    println!("not ready {} ms after the database ended", noticed.as_millis());
    assert!(noticed < SOON, "{noticed:?}");
    let reasons = health(&server, "ready").await.1["reasons"].clone();
    assert!(reasons.as_array().unwrap().contains(&json!("store_unreachable")), "{reasons}");
    assert_eq!(health(&server, "live").await.0, 200);
    let me = &table.people[0].clone();
    let key = "5b0c3d5e-0000-4000-8000-000000000009";
    let new = format!(
        "mutation {{ matchNewGame(input: {{idempotencyKey: \"{key}\"}}) {{ userErrors {{ code }} }} }}"
    );
    let login = "mutation { login(input: {email: \"a@example.org\", password: \"x\"}) { userErrors { code } } }";
    let lobby = "{ lobby { openTables } }";
    for (person, query) in [(Some(me), lobby), (Some(me), new.as_str()), (None, login)] {
        let (code, retry) = asked(&server, person, query).await;
        assert_eq!((code, retry.as_deref()), (json!("UNAVAILABLE"), Some("2")), "{query}");
    }

    cluster.restart();
    until_ready(&server, true).await;
    table.ply().await;
    let (code, retry) = asked(&server, Some(me), lobby).await;
    assert_eq!((code, retry), (Value::Null, None));
}

#[tokio::test]
async fn what_a_database_says_of_a_value_is_not_repeated() {
    let mut on = sqlx::PgConnection::connect(&Cluster::shared().database()).await.unwrap();
    let mut failed = async |sql: &str| {
        let asked = sqlx::query(sql).bind("me@example.org").execute(&mut on).await;
        asked.map(|_| ()).unwrap_err()
    };
    let value = failed("SELECT ($1::TEXT)::BIGINT").await;
    assert!(value.to_string().contains("me@example.org"), "the driver repeats it: {value}");
    assert_eq!(cause(&value), "the database refused a value (22P02)");
    let other = Failure::from(failed("SELECT $1::TEXT FROM nowhere").await).to_string();
    assert!(other.contains("accounts' database failed"), "{other}");
    assert!(other.contains("\"nowhere\" does not exist"), "{other}");
}
