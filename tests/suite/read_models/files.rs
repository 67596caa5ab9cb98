//! What only the store in a folder promises: it belongs to one process, gets over damage, and grows with the
//! program.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor};
use yibu_projections::{Home, Views, models};

#[tokio::test]
async fn a_second_handle_on_the_same_folder_is_refused() {
    let rig = Rig::new(Store::Sqlite).await;
    let second = Views::open(rig.home.clone(), models::all()).await;
    assert!(matches!(second, Err(yibu_projections::ViewsError::InUse)));
}

#[tokio::test]
async fn a_damaged_store_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::Folder(folder.path().to_owned());
    Views::open(home.clone(), models::all()).await.unwrap().close().await;
    let file = folder.path().join("views.db");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[..100].fill(0x5a);
    std::fs::write(&file, bytes).unwrap();
    let views = Views::open(home, models::all()).await.unwrap();
    assert!(views.names().contains(&"match_views"));
    views.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registry_of_before_the_leases_grows() {
    let mut world = World::new(58, 12, 6);
    world.grow(600);
    let feed = MemoryFeed::new(world.log);
    // A folder's name that a URL would take for something else.
    let folder = tempfile::Builder::new().prefix("data %3F?#").tempdir().unwrap();
    let home = Home::Folder(folder.path().to_owned());
    let rig = Rig::at(home.clone(), models::all()).await;
    rig.catch_up_all(&feed).await;
    let before = rig.rows().await;
    rig.views.close().await;
    drop(rig);
    let path = SqliteConnectOptions::new().filename(folder.path().join("views.db"));
    let mut on = path.connect().await.unwrap();
    for column in ["holder", "expires"] {
        on.execute(format!("ALTER TABLE projections DROP COLUMN {column}").as_str()).await.unwrap();
    }
    on.close().await.unwrap();
    let rig = Rig::at(home, models::all()).await;
    assert_eq!(rig.rows().await, before);
    rig.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, before);
}
