//! Random players through the API of a server in this process.

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use yibu_api::app::LogStore;
use yibu_api::cli::audit;
use yibu_api::cli::simulate::{ClientFault, Options, SimulationFault, Summary, play, run};
use yibu_tests::app::TestApp;

/// Lets random players play on a server.
pub(crate) async fn played(server: &TestApp, matches: u32) -> Summary {
    let options = Options {
        surrender_one_in: 60,
        ..Options::new(format!("http://{}", server.addr), matches)
    };
    run(options, |_| {}).await.expect("the matches are played")
}

/// What is at `/health/live`, and `answer` everywhere else.
async fn serving(
    answer: impl Fn(u64) -> (StatusCode, &'static str) + Send + Sync + 'static,
) -> String {
    let (asked, answer) = (AtomicU64::new(0), Arc::new(answer));
    let asked = Arc::new(asked);
    let doors = Router::new().route("/health/live", get(|| async { "well" })).fallback(move || {
        let said = answer(asked.fetch_add(1, Ordering::SeqCst));
        async move { said }
    });
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, doors).await });
    format!("http://{address}")
}

#[tokio::test]
async fn what_was_done_is_told_also_where_a_server_that_stays_away_ends_it() {
    // Given a server that begins to answer, and whose database then goes away for good
    let taken = r#"{"data":{"requestCode":{"userErrors":[]}}}"#;
    let url = serving(move |asked| match asked {
        0 => (StatusCode::OK, taken),
        _ => (StatusCode::SERVICE_UNAVAILABLE, ""),
    });
    let options = Options { patience: Duration::from_millis(200), ..Options::new(url.await, 1) };
    // When players play there
    let (summary, ended) = play(options, |_| {}).await.unwrap();
    // Then they ask again for as long as they have patience, and the end and its reason are in the summary
    assert!(matches!(ended, Err(SimulationFault::Client(ClientFault::Unreachable(_)))));
    let why = summary.stopped.clone().unwrap();
    assert!(why.contains("503"), "{why}");
    assert_eq!(summary.matches, 0);
    assert!(summary.lines().iter().any(|line| line.starts_with("STOPPED")), "{summary:?}");
    assert!(serde_json::to_string(&summary).unwrap().contains("503"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_players_play_whole_matches_and_see_nothing_hidden() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    let summary = played(&server, 2).await;
    assert_eq!(summary.matches, 2);
    assert_eq!(summary.leaks, Vec::<String>::new());
    assert_eq!(summary.retries, 0);
    assert_eq!(summary.outcomes.values().sum::<u64>(), 2);
    assert!(summary.moves > 0 && summary.views > summary.moves, "{summary:?}");
    assert!(summary.lines().iter().any(|line| line.starts_with("matches    2 in")));

    // Beside the server that runs.
    let log = server.app().log_handle();
    let report = audit::all_quietly(log, server.folder.path()).await.unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(report.matches, 2);
    assert_eq!(report.documents, 2);
    // Each of eight seats by two draws, and the first mover of each match.
    assert_eq!((report.draws, report.ordered_draws), (18, 0));
}
