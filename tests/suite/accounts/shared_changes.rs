//! Changes of accounts over several nodes: a changed password ends sessions everywhere, nobody slips in by the old
//! one, and the turn to look for a table is one node's at a time.

use super::stage::{PASSWORD, Stage, Store, asker, code_of, origin, settings};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const NORTH: &str = "north@example.org";

async fn two() -> (Stage, Stage) {
    let one = Stage::new(Store::Postgres).await;
    let two = one.node(2, settings()).await;
    (one, two)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_changed_password_shuts_the_door_at_every_node() {
    let (a, b) = two().await;
    let north = a.person("north").await;
    for round in 0..10 {
        let (old, new) = (format!("{PASSWORD} {round}"), format!("{PASSWORD} {}", round + 1));
        let (old, new) = if round == 0 { (PASSWORD.to_owned(), new) } else { (old, new) };
        let from = origin(1);
        // Logins by the old password race the change at the other node.
        let logins: Vec<_> = (0_u8..8)
            .map(|n| {
                let (accounts, old) = (b.accounts.clone(), old.clone());
                let mut from = origin(100 + n);
                from.mark = Some(north.mark.clone());
                tokio::spawn(async move { accounts.login(NORTH, &old, &from).await })
            })
            .collect();
        let asker = asker(&north.session, &from, round);
        a.accounts.change_password(asker, &old, &new).await.unwrap();
        for login in logins {
            if let Ok(done) = login.await.unwrap() {
                // Before the change it was good, and the change ended it.
                let seen = b.accounts.authenticate(done.token.expose()).await.unwrap();
                assert!(seen.is_none(), "round {round}");
            }
        }
        let late = b.login(NORTH, &old, &origin(50)).await;
        assert_eq!(code_of(late), "CREDENTIALS_WRONG");
        b.login(NORTH, &new, &origin(50)).await.unwrap();
        // The next round begins with the owner alone.
        a.accounts.end_other_sessions(north.player, Some(north.session.id)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_suspended_player_slips_in_at_no_node() {
    let (a, b) = two().await;
    let north = a.person("north").await;
    for _ in 0..10 {
        let logins: Vec<_> = (0_u8..8)
            .map(|n| {
                let accounts = b.accounts.clone();
                let mut from = origin(100 + n);
                from.mark = Some(north.mark.clone());
                tokio::spawn(async move { accounts.login(NORTH, PASSWORD, &from).await })
            })
            .collect();
        a.accounts.suspend(north.player).await.unwrap();
        for login in logins {
            if let Ok(done) = login.await.unwrap() {
                assert!(b.accounts.authenticate(done.token.expose()).await.unwrap().is_none());
            }
        }
        b.accounts.reinstate(north.player).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_node_at_a_time_looks_for_a_table() {
    let (a, b) = two().await;
    let inside = Arc::new(AtomicUsize::new(0));
    let running: Vec<_> = (0..40)
        .map(|n| {
            let accounts = if n % 2 == 0 { a.accounts.clone() } else { b.accounts.clone() };
            let inside = Arc::clone(&inside);
            tokio::spawn(async move {
                let turn = accounts.matching_turn().await.unwrap();
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two at once");
                for _ in 0..20 {
                    tokio::task::yield_now().await;
                }
                inside.fetch_sub(1, Ordering::SeqCst);
                drop(turn);
            })
        })
        .collect();
    for task in running {
        task.await.unwrap();
    }
    // Who waits gives up in the end, and the turn is free again once it was let go.
    let held = a.accounts.matching_turn().await.unwrap();
    let waiting = tokio::time::timeout(Duration::from_secs(60), b.accounts.matching_turn());
    assert!(waiting.await.expect("it gives up by itself").is_err());
    drop(held);
    b.accounts.matching_turn().await.unwrap();
}
