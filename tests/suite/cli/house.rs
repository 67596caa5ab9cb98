//! One person alone, with house players in the other seats: whole matches, and nothing left behind.

use std::time::Duration;
use tokio_util::sync::CancellationToken;
use yibu_api::app::{LOBBY, LogStore};
use yibu_api::cli::audit;
use yibu_api::cli::simulate::{Options, run};
use yibu_api::house::{House, Settings};
use yibu_domain::kernel::Span;
use yibu_tests::app::TestApp;

/// House players who neither wait nor think.
const AT_ONCE: Settings =
    Settings { patience: Span(0), think: Span(0), takeover_patience: Span(0) };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_alone_plays_whole_matches_with_the_house() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    let house = House::open(server.app().clone(), AT_ONCE).await.unwrap();
    let stop = CancellationToken::new();
    let members = house.members();
    let playing = tokio::spawn(house.run(stop.clone()));
    let options = Options {
        // One at a time: two would meet at one table.
        parallel: 1,
        seats: 1,
        surrender_one_in: 0,
        ..Options::new(format!("http://{}", server.addr), 2)
    };
    let summary = run(options, |_| {}).await.unwrap();
    assert_eq!(summary.matches, 2);
    assert_eq!(summary.leaks, Vec::<String>::new());
    stop.cancel();
    playing.await.unwrap();

    // The last commands were acknowledged before the read model had them.
    let end = server.app().log().head().await.unwrap().position;
    let patience = Duration::from_secs(30);
    server.app().views().reached(LOBBY, end, patience).await.unwrap();
    let lobby = server.app().lobby();
    for member in members {
        assert_eq!(lobby.tables_of(member, 10).await.unwrap(), Vec::new());
    }
    assert!(server.app().log().claims().await.unwrap().counted.is_empty());
    let log = server.app().log_handle();
    let report = audit::all_quietly(log, server.folder.path()).await.unwrap();
    assert!(report.is_clean(), "{report:?}");
}
