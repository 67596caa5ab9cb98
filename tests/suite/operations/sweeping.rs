//! The accounts are swept while the server runs: nobody has to ask for it.

use std::time::Duration;
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::IDLE;
use yibu_tests::app::TestApp;

#[tokio::test]
async fn idle_sessions_end_by_themselves() {
    let server = TestApp::with_log(LogStore::Memory).await;
    server.player("idle").await;
    let accounts = server.app().accounts();
    let player = accounts.player_by_email("idle@example.org").await.unwrap().unwrap();
    let session = accounts.list_sessions(player).await.unwrap().remove(0);
    let ended = accounts.watch(session.id).await.unwrap();
    server.clock.advance(Span::seconds(59 * 60));
    assert!(!ended.is_cancelled());
    server.clock.advance(IDLE);
    let swept = tokio::time::timeout(Duration::from_secs(60), ended.cancelled()).await;
    assert!(swept.is_ok(), "the session has ended");
}
