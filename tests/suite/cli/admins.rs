//! Administrators are made, and people barred, by the command line: through the server that runs or without one, and
//! in the log.

use super::binary::{text, yibu};
use std::sync::Arc;
use yibu_api::app::LogStore;
use yibu_api::local::{Answer, Ask, Change, ask, listen};
use yibu_domain::site::SITE;
use yibu_tests::app::TestApp;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrators_are_granted_revoked_and_noted() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    server.player("keeper").await;
    let data = server.folder.path().to_owned();
    let listening = listen(&data, Arc::clone(server.app()), server.addr).unwrap();
    let email = "keeper@example.org".to_owned();
    let question = Ask::Administrators { change: Change::Grant { email: email.clone() } };
    // A repeat changes nothing.
    for _ in 0..2 {
        let Answer::Administrators { all } = ask(&data, &question, |_| {}).await.unwrap() else {
            panic!("another answer");
        };
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].email.as_deref(), Some(email.as_str()));
    }
    let stranger = Change::Grant { email: "nobody@example.org".to_owned() };
    let refused = ask(&data, &Ask::Administrators { change: stranger }, |_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("no account"), "{refused}");
    let state = server.app().site().state(SITE).await.unwrap();
    assert_eq!(state.admins.len(), 1);
    let noted = server.app().log().read_stream("site", 0, 99).await.unwrap();
    let grants = noted.iter().filter(|event| event.name == "site.admin_granted.v1");
    assert_eq!(grants.count(), 1);
    assert!(noted.iter().all(|event| !event.payload.contains("keeper@")), "no address in the log");
    listening.stop().await;
    server.stop().await;

    let list = yibu(&data, &["admin", "list", "--json"]);
    let all: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    assert_eq!(all[0]["email"], email);
    // Whoever lists them writes nothing, and needs no right to.
    let held = std::fs::File::open(data.join("log.lock")).unwrap();
    held.lock_shared().unwrap();
    let listed = yibu(&data, &["admin", "list"]);
    assert!(text(&listed.stdout).contains(&email), "{}", text(&listed.stderr));
    drop(held);
    for made in ["accounts.db-wal", "accounts.db-shm"] {
        assert!(!data.join(made).exists(), "{made}");
    }
    let granted = yibu(&data, &["admin", "grant", &email, "--json"]);
    let granted: serde_json::Value = serde_json::from_slice(&granted.stdout).unwrap();
    assert_eq!(granted[0]["email"], email);
    let revoked = yibu(&data, &["admin", "revoke", &email]);
    assert!(text(&revoked.stdout).contains("no administrators"), "{}", text(&revoked.stderr));
    server.restart().await;
    assert!(server.app().site().state(SITE).await.unwrap().admins.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_bars_and_lets_in_where_no_administrator_can() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    let keeper = server.player("keeper").await;
    let player = crate::leaks::whole_match::player_of(&keeper).await;
    let data = server.folder.path().to_owned();
    let listening = listen(&data, Arc::clone(server.app()), server.addr).unwrap();
    let question = |email: &str, suspended| {
        let reason = "locked_out".parse().unwrap();
        Ask::Standing { email: email.to_owned(), suspended, reason }
    };
    let barred = async |server: &TestApp| {
        let logged = server.app().players().state(player.0).await.unwrap().suspended;
        let held = server.app().accounts().suspended().await.unwrap().contains(&player);
        (logged, held)
    };
    for suspended in [true, true, false] {
        let answer = ask(&data, &question("keeper@example.org", suspended), |_| {}).await.unwrap();
        assert_eq!(answer, Answer::Standing { player });
        assert_eq!(barred(&server).await, (suspended, suspended));
    }
    let nobody = ask(&data, &question("nobody@example.org", true), |_| {}).await.unwrap_err();
    assert!(nobody.to_string().contains("no account"), "{nobody}");
    listening.stop().await;
    server.stop().await;

    let say = |what| yibu(&data, &["admin", what, "keeper@example.org", "--reason", "locked_out"]);
    let done = say("suspend");
    assert!(text(&done.stdout).contains("is suspended"), "{}", text(&done.stderr));
    let again = ["admin", "--json", "suspend", "keeper@example.org", "--reason", "locked_out"];
    let again: serde_json::Value = serde_json::from_slice(&yibu(&data, &again).stdout).unwrap();
    assert_eq!(again, serde_json::json!({ "player": player, "suspended": true }));
    server.restart().await;
    assert_eq!(barred(&server).await, (true, true));
    server.stop().await;
    let done = say("reinstate");
    assert!(text(&done.stdout).contains("is not suspended"), "{}", text(&done.stderr));
    server.restart().await;
    assert_eq!(barred(&server).await, (false, false));
}
