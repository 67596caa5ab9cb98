//! Random players through the API of a server in this process.

use yibu_api::app::LogStore;
use yibu_api::cli::audit;
use yibu_api::cli::simulate::{Options, Summary, run};
use yibu_tests::app::TestApp;

/// Lets random players play on a server.
pub(crate) async fn played(server: &TestApp, matches: u32) -> Summary {
    let options = Options {
        surrender_one_in: 60,
        ..Options::new(format!("http://{}", server.addr), matches)
    };
    run(options, |_| {}).await.expect("the matches are played")
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
