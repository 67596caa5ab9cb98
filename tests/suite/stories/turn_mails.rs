//! Somebody's turn waits: when a mail goes, when none does, and by what people and administrators change that.

use super::{address, deadline, until};
use crate::graphql::admin::administrator;
use crate::leaks::whole_match::player_of;
use reqwest::StatusCode;
use serde_json::{Value, json};
use yibu_domain::kernel::Span;
use yibu_infrastructure::mail::StoredLetter;
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::letters::{arrived, letters, settle};
use yibu_tests::table::Table;

const fn minutes(minutes: i64) -> Span {
    Span::seconds(minutes * 60)
}

/// Turning the clock and sending takes some seconds of the clock at most.
const SOON: Span = minutes(5);

/// Who is on turn.
async fn mover(table: &Table) -> Client {
    table.people[table.on_turn(&table.glance(&table.people[0], "turn { seat }").await)].clone()
}

async fn turn_mails(app: &TestApp, person: &Client) -> Vec<StoredLetter> {
    letters(app, &address(person).await, "turn").await
}

async fn seen(table: &Table, person: &Client) {
    let turn = table.glance(person, "turn { number }").await["turn"]["number"].take();
    let input = json!({ "idempotencyKey": person.key(), "matchId": table.id, "turn": turn });
    let answer = person.mutate("markTurnSeen", "MarkTurnSeenInput", "__typename", &input).await;
    assert_eq!(answer["userErrors"], json!([]), "{answer}");
}

async fn mode(person: &Client) -> Value {
    let query = "{ viewer { reminderSettings { mode } } }";
    person.data(query, &json!({})).await["viewer"]["reminderSettings"]["mode"].take()
}

async fn set_mode(person: &Client, mode: &str) {
    let input = json!({ "idempotencyKey": person.key(), "mode": mode, "from": "00:00", "to": "00:00",
        "zone": "Asia/Shanghai" });
    let kind = "UpdateReminderSettingsInput";
    let answer = person.mutate("updateReminderSettings", kind, "settings { mode }", &input).await;
    assert_eq!(answer["settings"]["mode"], mode, "{answer}");
}

/// The link in a turn mail that ends such mails.
fn way_out(letter: &StoredLetter) -> String {
    let mut words = letter.plain.split_whitespace().rev();
    let link = words.find(|word| word.contains("/unsubscribe/")).expect("a link");
    let at = link.find("http").expect("an address");
    link[at..].to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_waits_is_told_once_and_in_its_last_hour_again() {
    let app = TestApp::start().await;
    let mut table = Table::started(&app, "wait").await;
    let person = mover(&table).await;
    let ends = deadline(&app, &table).await;
    let began = ends - Span::hours(16);
    until(&app, began + minutes(15) - Span(1)).await;
    settle(&app).await;
    assert!(turn_mails(&app, &person).await.is_empty(), "not before the wait is over");
    let mails = arrived(&app, &address(&person).await, "turn", 1).await;
    let [mail] = &mails[..] else { panic!("one mail") };
    assert!(
        mail.at >= began + minutes(15) && mail.at < began + minutes(15) + SOON,
        "{:?}",
        mail.at
    );
    assert_eq!(mail.subject, "轮到您走棋：1 桌");
    assert!(mail.plain.contains(&format!("/table/{}", table.id)), "{}", mail.plain);
    until(&app, ends - Span::hours(1) - Span(1)).await;
    settle(&app).await;
    assert_eq!(turn_mails(&app, &person).await.len(), 1, "nothing is said twice");
    let mails = arrived(&app, &address(&person).await, "turn", 2).await;
    assert_eq!(mails[1].subject, "1 桌将在 1 小时内超时");
    assert!(mails[1].at >= ends - Span::hours(1) && mails[1].at < ends - Span::hours(1) + SOON);
    for other in &table.people {
        let mails = turn_mails(&app, other).await.len();
        let own = player_of(other).await == player_of(&person).await;
        assert_eq!(mails, if own { 2 } else { 0 });
    }

    // The next one has the turn open: no ordinary mail, but that in the last hour.
    table.ply().await;
    let person = mover(&table).await;
    seen(&table, &person).await;
    let ends = deadline(&app, &table).await;
    until(&app, ends - Span::hours(1) - Span(1)).await;
    settle(&app).await;
    assert!(turn_mails(&app, &person).await.is_empty(), "it was seen");
    let mails = arrived(&app, &address(&person).await, "turn", 1).await;
    assert_eq!(mails[0].subject, "1 桌将在 1 小时内超时");
    settle(&app).await;
    assert_eq!(turn_mails(&app, &person).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_and_administrators_say_how_much_is_told() {
    let app = TestApp::start().await;
    let keeper = administrator(&app, "keeper").await;
    let mut table = Table::started(&app, "how").await;

    // One click in the mail ends it; a look at the link does not.
    let person = mover(&table).await;
    let mails = {
        app.pass(minutes(15)).await;
        arrived(&app, &address(&person).await, "turn", 1).await
    };
    let link = way_out(&mails[0]);
    let http = reqwest::Client::new();
    assert_eq!(http.get(&link).send().await.unwrap().status(), StatusCode::OK);
    assert_eq!(mode(&person).await, "SMART");
    let click = http.post(&link).form(&[("List-Unsubscribe", "One-Click")]).send().await.unwrap();
    assert_eq!(click.status(), StatusCode::OK);
    assert_eq!(mode(&person).await, "OFF");
    let ends = deadline(&app, &table).await;
    until(&app, ends - minutes(1)).await;
    settle(&app).await;
    assert_eq!(turn_mails(&app, &person).await.len(), 1, "no more, not even in the last hour");
    assert_eq!(mode(&person).await, "OFF");
    set_mode(&person, "SMART").await;
    settle(&app).await;
    let mails = turn_mails(&app, &person).await;
    assert_eq!(mails.len(), 2, "what is true when it is asked for again is told");
    table.ply().await;

    // The last hour alone, by the page.
    let person = mover(&table).await;
    set_mode(&person, "DEADLINE_ONLY").await;
    let ends = deadline(&app, &table).await;
    until(&app, ends - Span::hours(1) - Span(1)).await;
    settle(&app).await;
    assert!(turn_mails(&app, &person).await.is_empty());
    arrived(&app, &address(&person).await, "turn", 1).await;
    table.ply().await;

    // The administrator's wait.
    let input = json!({ "idempotencyKey": keeper.key(), "minutes": 60, "reason": "try_out" });
    let kind = "AdminSetNormalMailWaitInput";
    let set = "settings { normalMailWaitMinutes }";
    let answer = keeper.mutate("adminSetNormalMailWait", kind, set, &input).await;
    assert_eq!(answer["settings"]["normalMailWaitMinutes"], 60, "{answer}");
    let person = mover(&table).await;
    let began = deadline(&app, &table).await - Span::hours(16);
    until(&app, began + minutes(60) - Span(1)).await;
    settle(&app).await;
    assert!(turn_mails(&app, &person).await.is_empty(), "an hour is waited now");
    let mails = arrived(&app, &address(&person).await, "turn", 1).await;
    assert!(mails[0].at >= began + minutes(60) && mails[0].at < began + minutes(60) + SOON);
}
