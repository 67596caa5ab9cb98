//! The server stops and starts again in the midst of it: what is to be told is told, and nothing twice.

use super::{address, deadline, give_up, notices, replay, told, until};
use serde_json::Value;
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_tests::app::TestApp;
use yibu_tests::letters::{arrived, letters, settle};
use yibu_tests::table::Table;

/// Shorter than any gap between signs of service that counts as an outage.
const SHORT: Span = Span::seconds(40);

/// Stops the server, and starts it again so much later by its clock.
async fn away(app: &mut TestApp, table: &mut Table, time: Span) {
    app.stop().await;
    app.clock.advance(time);
    app.restart().await;
    for person in &mut table.people {
        *person = person.moved_to(app.addr);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_loses_no_mail_and_doubles_none() {
    let mut app = TestApp::with_log(LogStore::Sqlite).await;
    let mut table = Table::started(&app, "again").await;
    let seen = table.glance(&table.people[0], "turn { seat }").await;
    let first = table.on_turn(&seen);
    let whom = address(&table.people[first]).await;
    let began = deadline(&app, &table).await - Span::hours(16);

    // Before it is due, and while it is.
    app.pass(Span::seconds(5 * 60)).await;
    away(&mut app, &mut table, SHORT).await;
    let due = began + Span::seconds(15 * 60);
    until(&app, due - Span::seconds(20)).await;
    away(&mut app, &mut table, SHORT).await;
    let mails = arrived(&app, &whom, "turn", 1).await;
    assert!(mails[0].at >= due);
    // After it went.
    away(&mut app, &mut table, SHORT).await;
    app.pass(Span::hours(3)).await;
    settle(&app).await;
    assert_eq!(letters(&app, &whom, "turn").await.len(), 1);

    // An outage moves the deadline, and with it the mail of the last hour.
    let before = deadline(&app, &table).await;
    away(&mut app, &mut table, Span::hours(2)).await;
    let ends = deadline(&app, &table).await;
    assert!(ends >= before + Span::hours(2), "the clock stood still");
    until(&app, ends - Span::hours(1) - Span(1)).await;
    settle(&app).await;
    assert_eq!(letters(&app, &whom, "turn").await.len(), 1);
    let mails = arrived(&app, &whom, "turn", 2).await;
    assert!(mails[1].at >= ends - Span::hours(1));
    away(&mut app, &mut table, SHORT).await;
    settle(&app).await;
    assert_eq!(letters(&app, &whom, "turn").await.len(), 2);
    let heard = notices(&table.people[first]).await;
    for (kind, times) in [
        ("TABLE_FULL", 1),
        ("TABLE_STARTED", 1),
        ("YOUR_TURN", 1),
        ("DEADLINE_MOVED", 1),
        ("TURN_1H", 1),
    ] {
        assert_eq!(told(&heard, kind), times, "{kind}: {heard:?}");
    }

    // The end, and nobody had the time to send the files.
    table.ply().await;
    give_up(&table).await;
    away(&mut app, &mut table, SHORT).await;
    for person in &table.people {
        arrived(&app, &address(person).await, "replay", 1).await;
    }
    away(&mut app, &mut table, SHORT).await;
    settle(&app).await;
    for person in &table.people {
        assert_eq!(letters(&app, &address(person).await, "replay").await.len(), 1);
        assert_eq!(told(&notices(person).await, "MATCH_ENDED"), 1);
        assert_ne!(replay(person, &table.id).await, Value::Null);
    }
}
