//! What accounts in a file promise: one process at a time, and nothing secret in the file.

use super::stage::{PASSWORD, Stage, Store};
use yibu_infrastructure::accounts::{AccountsDb, OpenFault};

#[tokio::test]
async fn the_folder_belongs_to_one() {
    let stage = Stage::new(Store::Sqlite).await;
    let second = AccountsDb::open(stage.place.clone()).await;
    assert!(matches!(second, Err(OpenFault::InUse)));
    stage.reopened().await;
}

#[tokio::test]
async fn nothing_secret_is_stored_or_printed_in_clear() {
    let stage = Stage::new(Store::Sqlite).await;
    let north = stage.person("north").await;
    let printed = format!("{north:?}");
    assert!(!printed.contains(north.token.expose()));
    let token = north.token.expose().to_owned();
    let mark = north.mark.clone();
    let folder = stage.folder.path().to_owned();
    stage.accounts.db().close().await;
    for name in ["accounts.db", "accounts.db-wal"] {
        let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
        let holds = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        for secret in [&token, &mark] {
            let mut raw = [0; 32];
            hex::decode_to_slice(secret, &mut raw).unwrap();
            assert!(!holds(secret.as_bytes()) && !holds(&raw), "{name}");
        }
        assert!(!holds(PASSWORD.as_bytes()), "{name}");
    }
}
