//! What the server keeps is nobody else's business.

use std::os::unix::fs::PermissionsExt;
use yibu_api::app::LogStore;
use yibu_tests::app::TestApp;

#[tokio::test]
async fn a_new_data_folder_is_for_the_servers_user_alone_and_an_old_one_stays_as_it_is() {
    let outer = tempfile::tempdir().unwrap();
    let new = outer.path().join("deep/data");
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut server = TestApp::with(|config| {
        config.data.clone_from(&new);
        config.log = LogStore::Sqlite;
    })
    .await;
    server.stop().await;
    assert_eq!(mode(&new), 0o700);
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o750)).unwrap();
    server.restart().await;
    assert_eq!(mode(&new), 0o750);
}
