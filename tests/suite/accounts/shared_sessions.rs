//! Sessions over several nodes: an end at one is an end at all of them, whatever becomes of hints and
//! connections.

use super::stage::{PASSWORD, Stage, Store, database_of, origin, settings};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::IDLE;
use yibu_tests::postgres::Cluster;

const NORTH: &str = "north@example.org";

async fn two() -> (Stage, Stage) {
    let one = Stage::new(Store::Postgres).await;
    let two = one.node(2, settings()).await;
    (one, two)
}

/// Far longer than a node may take; only a broken one waits so long.
async fn fires(signal: &CancellationToken) {
    tokio::time::timeout(Duration::from_secs(30), signal.cancelled()).await.expect("the signal");
}

fn psql(stage: &Stage, sql: &str) -> String {
    Cluster::shared().psql(database_of(&stage.place), sql)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_ended_at_one_node_is_refused_at_the_other_at_once() {
    let (a, b) = two().await;
    let north = a.person("north").await;
    for network in 1..=20 {
        let login = a.login(NORTH, PASSWORD, &origin(network)).await.unwrap();
        let token = login.token.expose();
        assert!(b.accounts.authenticate(token).await.unwrap().is_some());
        let signal = b.accounts.watch(login.session.id).await.unwrap();
        assert!(a.accounts.end_session(north.player, login.session.id).await.unwrap());
        // No wait: the end was answered.
        assert!(b.accounts.authenticate(token).await.unwrap().is_none());
        fires(&signal).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_open_closes_without_being_asked() {
    let (a, b) = two().await;
    let north = a.person("north").await;
    let other = b.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    let kept = b.accounts.watch(north.session.id).await.unwrap();
    let ended = b.accounts.watch(other.session.id).await.unwrap();
    let own = Some(north.session.id);
    assert_eq!(a.accounts.end_other_sessions(north.player, own).await.unwrap(), 1);
    fires(&ended).await;
    assert!(!kept.is_cancelled());
    assert!(b.accounts.authenticate(north.token.expose()).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hint_that_is_lost_is_made_good_by_looking() {
    let (a, b) = two().await;
    let north = a.person("north").await;
    let signal = b.accounts.watch(north.session.id).await.unwrap();
    // As an end is noted, but without the notification.
    let id = north.session.id.0.simple();
    psql(
        &a,
        &format!(
            "WITH gone AS (DELETE FROM sessions WHERE id = '\\x{id}' RETURNING id) \
             INSERT INTO session_ends (session, at) SELECT id, 0 FROM gone"
        ),
    );
    fires(&signal).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_node_that_lost_its_connections_takes_nothing_for_granted() {
    let (a, b) = two().await;
    let north = a.person("north").await;
    let west = a.person("west").await;
    let gone = b.accounts.watch(north.session.id).await.unwrap();
    let stands = b.accounts.watch(west.session.id).await.unwrap();
    // The end itself cannot be found any more, as after a switch to a standby that never heard of it.
    let id = north.session.id.0.simple();
    psql(&a, &format!("DELETE FROM sessions WHERE id = '\\x{id}'"));
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let lost = async {
        // A look may come just between two connections: cut until one is hit.
        while !gone.is_cancelled() {
            psql(&a, cut);
            let _ = tokio::time::timeout(Duration::from_secs(2), gone.cancelled()).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), lost).await.expect("the signal");
    assert!(!stands.is_cancelled());
    // Hints work again after that.
    let token = west.token.expose();
    let mut here = b.accounts.authenticate(token).await;
    for _ in 0..20 {
        if here.is_ok() {
            break;
        }
        here = b.accounts.authenticate(token).await;
    }
    assert!(here.unwrap().is_some());
    while a.accounts.end_session(west.player, west.session.id).await.is_err() {}
    fires(&stands).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn use_at_one_node_keeps_a_session_alive_at_the_other() {
    let (a, b) = two().await;
    let north = a.person("north").await;
    let token = north.token.expose();
    assert!(a.accounts.authenticate(token).await.unwrap().is_some());
    a.pass(Span(IDLE.0 - 1));
    assert!(b.accounts.authenticate(token).await.unwrap().is_some());
    a.pass(Span(IDLE.0 - 1));
    // What this node remembers is nearly twice the time old.
    assert_eq!(a.accounts.sweep().await.unwrap(), 0);
    assert!(a.accounts.authenticate(token).await.unwrap().is_some());
    a.pass(IDLE);
    assert_eq!(b.accounts.sweep().await.unwrap(), 1);
    assert!(a.accounts.authenticate(token).await.unwrap().is_none());
}
