//! Asking the serving process over its local socket.

use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};
use yibu_api::app::LogStore;
use yibu_api::local::{Answer, Ask, AskFault, ask, is_served, listen, socket};
use yibu_domain::kernel::MatchId;
use yibu_domain::site::{SITE, SiteCommand};
use yibu_infrastructure::workers::archiving::Moved;
use yibu_tests::app::TestApp;

#[tokio::test]
async fn the_server_does_what_only_it_may_do() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    let data = server.folder.path();
    assert!(matches!(ask(data, &Ask::Status, |_| {}).await, Err(AskFault::NoServer)));
    let listening = listen(data, Arc::clone(server.app()), server.addr).unwrap();
    let mode = std::fs::metadata(socket(data)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let status = ask(data, &Ask::Status, |_| {}).await.unwrap();
    let Answer::Status(status) = status else { panic!("{status:?}") };
    assert!(status.ready);
    assert_eq!(status.address, server.addr.to_string());

    let reason = "load_test".parse().unwrap();
    let command = SiteCommand::SetLimits { full: 7, takeover: 2, reason };
    assert_eq!(ask(data, &Ask::Site { command }, |_| {}).await.unwrap(), Answer::Noted);
    let reason = "inspection".parse().unwrap();
    let command = SiteCommand::Unseal { match_id: MatchId(uuid::Uuid::from_u128(5)), reason };
    assert_eq!(ask(data, &Ask::Site { command }, |_| {}).await.unwrap(), Answer::Noted);
    let site = server.app().site().state(SITE).await.unwrap();
    assert_eq!((site.full, site.takeover), (7, 2));
    let last = server.app().log().read_stream("site", 0, 100).await.unwrap().pop().unwrap();
    assert_eq!(last.name, "site.unsealed.v1");

    let moved = ask(data, &Ask::Archive { days: 3 }, |_| {}).await.unwrap();
    assert_eq!(moved, Answer::Archived { moved: Moved::default() });

    let reason = "too_many".parse().unwrap();
    let command = SiteCommand::SetLimits { full: 101, takeover: 2, reason };
    let refused = ask(data, &Ask::Site { command }, |_| {}).await;
    assert!(matches!(refused, Err(AskFault::Refused(_))));

    let heard = Mutex::new(Vec::new());
    let question = Ask::Rebuild { names: vec!["lobby".to_owned()] };
    let rebuilt = ask(data, &question, |at| heard.lock().unwrap().push(at.name.clone())).await;
    let Answer::Rebuilt { models } = rebuilt.unwrap() else { panic!("another answer") };
    assert_eq!((models.len(), models[0].same), (1, Some(true)));
    assert!(heard.into_inner().unwrap().iter().all(|name| name == "lobby"));
    let question = Ask::Rebuild { names: vec!["nothing".to_owned()] };
    assert!(matches!(ask(data, &question, |_| {}).await, Err(AskFault::Refused(_))));

    listening.stop().await;
    assert!(!is_served(data).await);
}
