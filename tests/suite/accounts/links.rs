//! Who shares what with whom, and who may not sit down.

use super::stage::{PASSWORD, Stage, Store, origin};
use std::collections::BTreeSet;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{IDLE, LinkKind, Origin, Standing};

pub(super) async fn who_shares_a_device_is_kept_apart_and_a_network_is_a_hint(store: Store) {
    let stage = Stage::new(store).await;
    // All three register in one network, each in a browser of its own.
    let (north, west) = (stage.person("north").await, stage.person("west").await);
    let east = stage.person("east").await;
    let apart = async |player| stage.accounts.standing(player).await.unwrap().apart;
    assert!(apart(north.player).await.is_empty());
    let links = stage.accounts.links(north.player).await.unwrap();
    let found: BTreeSet<_> = links.iter().map(|link| link.player).collect();
    assert_eq!(found, BTreeSet::from([west.player, east.player]));
    assert!(links.iter().all(|link| link.by == LinkKind::Network));

    // West logs in with north's browser, elsewhere, and logs out again.
    stage.pass(Span::hours(1));
    let at = yibu_infrastructure::system::Clock::now(&stage.clock);
    let from = Origin { mark: Some(north.mark.clone()), ..origin(9) };
    let there = stage.login("west@example.org", PASSWORD, &from).await.unwrap();
    stage.accounts.end_session(west.player, there.session.id).await.unwrap();
    assert_eq!(apart(north.player).await, BTreeSet::from([west.player]));
    assert_eq!(apart(west.player).await, BTreeSet::from([north.player]));
    assert!(apart(east.player).await.is_empty());
    let links = stage.accounts.links(west.player).await.unwrap();
    let device = links.iter().find(|link| link.by == LinkKind::Device).unwrap();
    // Until when both have used it: north only when registering.
    assert_eq!((device.player, device.last), (north.player, at - Span::hours(1)));
    assert_eq!(links.len(), 3);

    // Networks are forgotten, devices are not.
    stage.pass(IDLE);
    stage.accounts.sweep().await.unwrap();
    let links = stage.accounts.links(west.player).await.unwrap();
    let left: Vec<_> = links.iter().map(|link| (link.player, link.by)).collect();
    assert_eq!(left, [(north.player, LinkKind::Device)]);
}

pub(super) async fn who_is_barred_may_not_sit_down(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let standing = async || stage.accounts.standing(north.player).await.unwrap();
    assert_eq!(standing().await, Standing::default());
    stage.accounts.suspend(north.player).await.unwrap();
    assert!(standing().await.barred);
    stage.accounts.reinstate(north.player).await.unwrap();
    assert!(!standing().await.barred);
    // A file is one process's own; there the turn is had at once.
    let turn = stage.accounts.matching_turn().await.unwrap();
    drop(turn);
    drop(stage.accounts.matching_turn().await.unwrap());
}
