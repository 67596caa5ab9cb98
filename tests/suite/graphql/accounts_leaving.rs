//! Deleting an account, from outside and over a crash: seats, names, sessions.

use serde_json::{Value, json};
use yibu_api::app::LogStore;
use yibu_infrastructure::accounts::{Asker, Origin};
use yibu_tests::app::TestApp;
use yibu_tests::client::{Client, PASSWORD};
use yibu_tests::table::{Table, match_new};

const PROFILE: &str = "query($id: ID!) { player(id: $id) { player { id nickname } \
    statistics { matches leaves points } } }";

async fn id_of(client: &Client) -> Value {
    client.data("{ viewer { player { id } } }", &json!({})).await["viewer"]["player"]["id"].take()
}

async fn seat(table: &Table, looker: &Client, place: usize) -> Value {
    let letter = ["S", "E", "N", "W"][place];
    let view = table.view(looker).await;
    let seats = view["seats"].as_array().expect("seats");
    seats.iter().find(|seat| seat["seat"] == letter).expect("a seat").clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_account_leaves_every_seat_and_no_name() {
    let app = TestApp::start().await;
    let table = Table::started(&app, "gone").await;
    let (me, other) = (&table.people[3], &table.people[0]);
    let id = id_of(me).await;
    let email = me.data("{ viewer { email } }", &json!({})).await["viewer"]["email"].take();
    let open = match_new(me).await["id"].take();
    let delete = async |password: &str| {
        let input = json!({ "idempotencyKey": me.key(), "password": password });
        me.mutate("deleteAccount", "DeleteAccountInput", "", &input).await
    };
    let wrong = delete("not my password").await;
    assert_eq!(wrong["userErrors"][0]["code"], "PASSWORD_WRONG");
    assert_eq!(wrong["userErrors"][0]["field"], "password");
    let mut socket = me.socket().await;
    socket.subscribe("lobby", "subscription { lobby { openTables } }", &json!({})).await;
    socket.frame().await.expect("a frame");

    assert_eq!(delete(PASSWORD).await["userErrors"], json!([]));
    while socket.hear().await.is_ok() {}
    assert_eq!(me.cookie("yibu_session").as_deref(), Some(""));
    assert_eq!(me.data("{ viewer { email } }", &json!({})).await["viewer"], Value::Null);
    let input = json!({ "email": email, "password": PASSWORD });
    let outcome = app.visitor().mutate("login", "LoginInput", "", &input).await;
    assert_eq!(outcome["userErrors"][0]["code"], "CREDENTIALS_WRONG");

    // The running match goes on with a vacant seat, the open table without the person.
    let left = seat(&table, other, 3).await;
    assert_eq!((&left["vacant"], &left["person"]), (&json!(true), &Value::Null));
    let looked = app.player("looker").await;
    let found = match_new(&looked).await;
    assert_eq!(found["id"], open);
    assert_eq!(found["seatsTaken"], 1);
    // The statistics are left, without a name.
    let seen = other.data(PROFILE, &json!({ "id": id })).await["player"].take();
    assert_eq!(seen["player"]["nickname"], Value::Null);
    assert_eq!(seen["statistics"], json!({ "matches": 1, "leaves": 1, "points": -9 }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_that_a_crash_cut_short_is_finished_by_the_next_start() {
    let mut app = TestApp::with_log(LogStore::Sqlite).await;
    let mut table = Table::started(&app, "cut").await;
    let me = table.people[3].clone();
    let id = id_of(&me).await;
    let player = {
        let token = me.cookie("yibu_session").expect("a session");
        let accounts = app.app().accounts();
        let session = accounts.authenticate(&token).await.unwrap().expect("a session");
        accounts.grant_admin(session.player).await.unwrap();
        let origin = Origin::of([127, 0, 0, 1].into());
        let asker = Asker { session: &session, origin: &origin, key: uuid::Uuid::from_u128(1) };
        // The mark alone: here the process ended.
        accounts.begin_deletion(asker, PASSWORD).await.unwrap();
        session.player
    };
    let left = seat(&table, &table.people[0], 3).await;
    assert_eq!(left["vacant"], false);
    app.restart().await;
    for person in &mut table.people {
        *person = person.moved_to(app.addr);
    }
    let left = seat(&table, &table.people[0], 3).await;
    assert_eq!(left["vacant"], true);
    let accounts = app.app().accounts();
    assert!(accounts.pending_deletions().await.unwrap().is_empty());
    assert!(accounts.person(player).await.unwrap().is_none());
    assert!(accounts.admins().await.unwrap().is_empty());
    let seen = table.people[0].data(PROFILE, &json!({ "id": id })).await["player"].take();
    assert_eq!(seen["player"]["nickname"], Value::Null);
    // Once more changes nothing.
    let head = app.app().log().head().await.unwrap().position;
    app.restart().await;
    assert_eq!(app.app().log().head().await.unwrap().position, head);
}
