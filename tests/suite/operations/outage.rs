//! What an operator says about clocks: an outage that no gap shows, and the release of unready seats.

use serde_json::{Value, json};
use std::sync::Arc;
use yibu_api::app::LogStore;
use yibu_api::cli::audit;
use yibu_api::local::{Answer, Ask, AskFault, ask, listen};
use yibu_domain::kernel::{Span, Time};
use yibu_domain::site::{OutageCause, SiteCommand};
use yibu_infrastructure::system::Clock as _;
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

/// What a command that did its work says.
fn json(ran: &(Option<i32>, String, String)) -> Value {
    assert_eq!(ran.0, Some(0), "{ran:?}");
    serde_json::from_str(&ran.1).expect("JSON")
}

async fn deadline(table: &Table) -> i64 {
    let seen = table.glance(&table.people[0], "turn { deadline }").await;
    let text = seen["turn"]["deadline"].as_str().expect("a deadline").to_owned();
    // Compared with itself alone: the hours of one day are enough.
    let digits: Vec<i64> =
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    ((digits[2] * 24 + digits[3]) * 60 + digits[4]) * 60 + digits[5]
}

fn declare(from: Time, to: Option<Time>) -> Ask {
    Ask::Outage { from, to, reason: "provider_down".parse().unwrap() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declared_outage_moves_every_open_deadline_once() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    let tables = [Table::started(&server, "a").await, Table::started(&server, "b").await];
    let data = server.folder.path();
    let listening = listen(data, Arc::clone(server.app()), server.addr).unwrap();
    let before = [deadline(&tables[0]).await, deadline(&tables[1]).await];
    server.pass(Span::hours(1)).await;
    let now = server.clock.now();

    let question = declare(now - Span(1_800_000), None);
    let done = ask(data, &question, |_| {}).await.unwrap();
    let (from, known, short) = (now - Span(1_800_000), Vec::new(), Vec::new());
    let expected = Answer::Outage { from, to: now, known, short, moved: 2 };
    assert_eq!(done, expected);
    let head = server.app().log().head().await.unwrap().position;
    server
        .app()
        .views()
        .reached("match_views", head, std::time::Duration::from_secs(20))
        .await
        .unwrap();
    for (table, before) in tables.iter().zip(before) {
        assert_eq!(deadline(table).await, before + 1800);
    }
    // Broken off or not, it can be said again.
    let again = declare(now - Span(1_800_000), Some(now));
    let Answer::Outage { moved, .. } = ask(data, &again, |_| {}).await.unwrap() else { panic!() };
    assert_eq!(moved, 0);
    assert_eq!(server.app().log().head().await.unwrap().position, head);

    for (from, to) in [
        (now - Span::seconds(59), None),
        (now, Some(now - Span::hours(1))),
        (now - Span::hours(1), Some(now + Span::hours(1))),
    ] {
        let refused = ask(data, &declare(from, to), |_| {}).await;
        assert!(matches!(refused, Err(AskFault::Refused(_))), "{refused:?}");
    }
    assert_eq!(server.app().log().head().await.unwrap().position, head);
    // What is not covered yet may still be declared, and play goes on.
    let earlier = declare(now - Span(2_400_000), None);
    let Answer::Outage { moved, .. } = ask(data, &earlier, |_| {}).await.unwrap() else { panic!() };
    assert_eq!(moved, 2);

    // So may what lies around a measured one; what is shorter than a minute moves nothing.
    server.pass(Span::seconds(300)).await;
    let began = server.clock.now();
    let ended = server.clock.advance(Span::seconds(600));
    server.app().outages().beat().await.unwrap();
    server.pass(Span::seconds(20)).await;
    let around = declare(began - Span::seconds(60), Some(ended + Span::seconds(10)));
    let answer = ask(data, &around, |_| {}).await.unwrap();
    let Answer::Outage { known, short, moved, .. } = answer else { panic!() };
    assert_eq!((known.len(), known[0].from, known[0].to), (1, began, ended));
    assert_eq!(known[0].cause, OutageCause::Gap);
    assert_eq!(short, [(ended, ended + Span::seconds(10))]);
    assert_eq!(moved, 2);
    let AskFault::Refused(refused) = ask(data, &declare(began, None), |_| {}).await.unwrap_err()
    else {
        panic!()
    };
    assert!(refused.contains(&format!("from {began} to {ended}")), "{refused}");
    let [mut table, _] = tables;
    assert_eq!(table.ply().await, "PLAYING");
    listening.stop().await;
    let report = audit::all_quietly(server.app().log_handle(), data).await.unwrap();
    assert!(report.is_clean(), "{report:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_line_speaks_to_the_running_server() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    let mut table = Table::started(&server, "c").await;
    server.pass(Span::hours(1)).await;
    let data = server.folder.path().to_owned();
    let run = async |arguments: &[&str]| {
        let mut command = std::process::Command::new(crate::cli::binary());
        command.args(arguments).arg("--data").arg(&data);
        let ran = tokio::task::spawn_blocking(move || command.output().expect("the binary runs"));
        let ran = ran.await.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    };
    // The test begins at 14:13:20.
    let outage: &[&str] = &[
        "admin",
        "outage",
        "--from",
        "2026-09-21T14:30:00Z",
        "--to",
        "2026-09-21T15:00:00Z",
        "--reason",
        "provider_down",
    ];
    let nobody = run(outage).await;
    assert_eq!(nobody.0, Some(1));
    assert!(nobody.2.contains("no server runs here"), "{nobody:?}");

    let listening = listen(&data, Arc::clone(server.app()), server.addr).unwrap();
    let declared = run(outage).await;
    assert_eq!(declared.0, Some(0), "{declared:?}");
    assert!(declared.1.contains("deadlines moved: 1"), "{declared:?}");
    let listed = run(&["admin", "outages"]).await;
    let line = "2026-09-21T14:30:00Z  2026-09-21T15:00:00Z  declared  30 min 0 s\n";
    assert_eq!(listed, (Some(0), line.to_owned(), String::new()));
    let listed = run(&["admin", "outages", "--json"]).await;
    let listed: Value = serde_json::from_str(&listed.1).unwrap();
    assert_eq!(listed[0]["cause"], "declared");
    let release = run(&["admin", "release", "6", "--reason", "holidays"]).await;
    assert_eq!(release.0, Some(0), "{release:?}");
    let wrong = run(&["admin", "release", "721", "--reason", "holidays"]).await;
    assert_eq!(wrong.0, Some(2));
    assert!(wrong.2.contains("from 0 to 720"), "{wrong:?}");
    let release = run(&["admin", "release", "0", "--reason", "holidays", "--json"]).await;
    assert_eq!(json(&release), json!({ "releaseUnreadyHours": 0 }));
    let again: Vec<&str> = outage.iter().copied().chain(["--json"]).collect();
    let again = json(&run(&again).await);
    assert_eq!((&again["known"], &again["moved"]), (&json!([]), &json!(0)));
    assert_eq!(again["to"].as_i64().unwrap() - again["from"].as_i64().unwrap(), 1_800_000);
    let later = ["admin", "outage", "--from", "2999-01-01T00:00:00Z", "--reason", "x"];
    let later = run(&later).await;
    assert_eq!(later.0, Some(1), "{later:?}");
    assert!(later.2.contains("lies in the future"), "{later:?}");
    let drained = run(&["drain"]).await;
    assert_eq!(drained.0, Some(0), "{drained:?}");
    assert_eq!(json(&run(&["drain", "--json"]).await), json!({ "draining": true }));
    assert_eq!(super::health::health(&server, "ready").await.1["reasons"], json!(["draining"]));
    assert_eq!(table.ply().await, "PLAYING");
    listening.stop().await;
}

#[tokio::test]
async fn the_rules_show_the_release_of_unready_seats_that_holds_now() {
    let server = TestApp::start().await;
    let release = async || -> Value {
        let data = server.visitor().data("{ rules { releaseUnreadySeconds } }", &json!({})).await;
        data["rules"]["releaseUnreadySeconds"].clone()
    };
    assert_eq!(release().await, 48 * 3600);
    let data = server.folder.path();
    let listening = listen(data, Arc::clone(server.app()), server.addr).unwrap();
    for hours in [0, 6, 720] {
        let command = SiteCommand::SetRelease { hours, reason: "holidays".parse().unwrap() };
        assert_eq!(ask(data, &Ask::Site { command }, |_| {}).await.unwrap(), Answer::Noted);
        assert_eq!(release().await, hours * 3600);
    }
    let command = SiteCommand::SetRelease { hours: 721, reason: "holidays".parse().unwrap() };
    let refused = ask(data, &Ask::Site { command }, |_| {}).await;
    assert!(matches!(refused, Err(AskFault::Refused(_))));
    assert_eq!(release().await, 720 * 3600);
    listening.stop().await;
}
