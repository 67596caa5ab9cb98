//! `yibu replay-file`: a file at any of its events, through anybody's eyes, up to its first contradiction.

use super::ended;
use super::server::{give_up, replay};
use crate::cli::binary::{text, yibu};
use std::path::Path;
use std::sync::Arc;
use yibu_api::app::LogStore;
use yibu_api::cli::replay::Eyes;
use yibu_api::cli::replay_file::Scene;
use yibu_api::files::replay::{ReplayFile, write};
use yibu_api::local::listen;
use yibu_domain::kernel::is_plain;
use yibu_domain::matches::record::{Complete, Deed};
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

fn sample() -> Complete {
    let longest = ended(51, 4_000).into_iter().max_by_key(|record| record.events.len());
    longest.expect("a match that ended")
}

#[test]
fn a_file_is_shown_at_any_event_and_through_any_eyes() {
    let record = sample();
    let events = record.events.len();
    let file = ReplayFile::Complete(Box::new(record));
    let first = Scene::of(&file, Some(0), Eyes::Open).unwrap();
    assert_eq!((first.at, first.pieces.len(), first.event.is_none()), (0, 100, true));
    assert!(first.pieces.iter().all(|shape| shape.identity.is_some()));
    let last = Scene::of(&file, None, Eyes::Open).unwrap();
    assert_eq!((last.at, &last.contradiction), (events, &None));
    assert!(last.text(false).contains(&format!("event {events} of {events}: ended at ")));
    for eyes in [Eyes::N, Eyes::Public] {
        let scene = Scene::of(&file, Some(events / 2), eyes).unwrap();
        for shape in &scene.pieces {
            assert_eq!(shape.identity.is_some(), eyes.seat() == Some(shape.seat));
        }
    }
    let beyond = Scene::of(&file, Some(events + 1), Eyes::Open);
    assert_eq!(beyond, Err(format!("the file has {events} events")));
    let json = serde_json::to_value(&last).unwrap();
    assert_eq!(json["event"]["kind"], "ended");
}

#[test]
fn a_file_is_shown_up_to_its_first_contradiction() {
    let mut record = sample();
    let moves = record.events.iter().enumerate();
    let moves: Vec<_> = moves.filter(|(_, told)| matches!(told.deed, Deed::Moved(_))).collect();
    let wrong = moves[moves.len() / 2].0;
    if let Deed::Moved(part) = &mut record.events[wrong].deed {
        part.route.reverse();
    }
    let file = ReplayFile::Complete(Box::new(record));
    let scene = Scene::of(&file, None, Eyes::Open).unwrap();
    assert_eq!(scene.at, wrong);
    let found = scene.contradiction.clone().expect("a contradiction");
    assert_eq!((found.event, found.why), (wrong + 1, "WRONG_ROUTE"));
    assert!(scene.text(false).contains("the move takes another way"));
    let before = Scene::of(&file, Some(2), Eyes::Open).unwrap();
    assert_eq!((before.at, before.contradiction.map(|found| found.event)), (2, Some(wrong + 1)));
}

#[test]
fn no_name_of_a_file_reaches_the_screen_as_it_is() {
    const ODD: &str = "\u{202e}棋\u{200f}手\u{2066}\u{200b}\u{1b}[2J\nok";
    let mut record = sample();
    record.participants[0].nickname = Some(ODD.to_owned());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.yibu-replay.json");
    std::fs::write(&path, write(&record).unwrap()).unwrap();
    let path = path.to_str().unwrap();
    let drawn = text(&yibu(folder.path(), &["replay-file", path]).stdout);
    let shown = "\\u{202e}棋\\u{200f}手\\u{2066}\\u{200b}\\u{1b}[2J\\u{a}ok";
    assert!(drawn.contains(shown), "{drawn}");
    let json = text(&yibu(folder.path(), &["replay-file", path, "--json"]).stdout);
    let scene: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(scene["participants"][0]["nickname"], ODD);
    for printed in [drawn, json] {
        assert!(printed.chars().all(|c| c == '\n' || is_plain(c)), "{printed:?}");
    }
}

/// Runs the binary and gives its exit code and what it printed.
async fn run(data: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let data = data.to_owned();
    let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
    let work = tokio::task::spawn_blocking(move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        yibu(&data, &arguments)
    });
    let done = work.await.unwrap();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operators_write_the_file_that_players_get_and_anybody_checks_it() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    let data = server.folder.path().to_owned();
    let table = Table::started(&server, "file").await;
    let listening = listen(&data, Arc::clone(server.app()), server.addr).unwrap();
    let (code, printed, said) = run(&data, &["replay", &table.id, "--file"]).await;
    assert_eq!((code, printed.as_str()), (Some(1), ""));
    assert!(said.contains("has ended"), "{said}");

    give_up(&table).await;
    let wanted = replay(&table.people[2], &table.id).await;
    let wanted = wanted["file"].as_str().expect("a file").to_owned();
    let asked = run(&data, &["replay", &table.id, "--file"]).await;
    assert_eq!(asked, (Some(0), wanted.clone(), String::new()));
    listening.stop().await;
    drop(table);
    server.stop().await;
    let alone = run(&data, &["replay", &match_uuid(&wanted), "--file"]).await;
    assert_eq!(alone, (Some(0), wanted.clone(), String::new()));

    let file = data.join("kept.yibu-replay.json");
    std::fs::write(&file, &wanted).unwrap();
    let path = file.to_str().unwrap();
    let (code, printed, _) = run(&data, &["replay-file", path, "--check-draws"]).await;
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains("draws: 9 checked") && !printed.contains("contradiction"),
        "{printed}"
    );
    std::fs::write(&file, wanted.replacen("\"version\":2", "\"version\":9", 1)).unwrap();
    let (code, _, said) = run(&data, &["replay-file", path]).await;
    assert!(code == Some(1) && said.contains("[VERSION]"), "{said}");
    let lost =
        wanted.replacen("\"result\":\"loss\",\"points\":-3", "\"result\":\"loss\",\"points\":0", 1);
    std::fs::write(&file, lost).unwrap();
    let (code, printed, _) = run(&data, &["replay-file", path, "--json"]).await;
    assert_eq!(code, Some(1));
    assert!(printed.contains("WRONG_SETTLEMENT"), "{printed}");
}

fn match_uuid(file: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(file).unwrap();
    value["match"]["id"].as_str().expect("an id").to_owned()
}
