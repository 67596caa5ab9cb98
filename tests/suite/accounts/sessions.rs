//! Sessions: who a token stands for, idle ends, told ends, and the signal that goes with them.

use super::stage::{PASSWORD, Stage, Store, origin};
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{IDLE, SessionId};

const NORTH: &str = "north@example.org";

pub(super) async fn only_whole_tokens_stand_for_anybody(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let token = north.token.expose();
    assert_eq!(token.len(), 64);
    let session = stage.accounts.authenticate(token).await.unwrap().unwrap();
    assert_eq!(session.player, north.player);
    let mut turned = token.to_owned();
    let last = if turned.pop() == Some('0') { '1' } else { '0' };
    turned.push(last);
    for wrong in ["", "x", &token[1..], &format!("{token}0"), &turned, &"字".repeat(64)] {
        assert!(stage.accounts.authenticate(wrong).await.unwrap().is_none(), "{wrong}");
    }
}

pub(super) async fn a_session_ends_after_thirty_idle_days_and_not_before(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let here = async |stage: &Stage| {
        let found = stage.accounts.authenticate(north.token.expose()).await;
        found.unwrap().is_some()
    };
    for _ in 0..3 {
        stage.pass(Span(IDLE.0 - 1));
        assert!(here(&stage).await);
    }
    // Over restarts, too: use is stored.
    let stage = stage.reopened().await;
    stage.pass(Span(IDLE.0 - 1));
    assert!(here(&stage).await);
    let stage = stage.reopened().await;
    stage.pass(Span(IDLE.0 - 1));
    assert!(here(&stage).await);
    let signal = stage.accounts.watch(north.session.id).await.unwrap();
    stage.pass(IDLE);
    assert!(!here(&stage).await);
    assert!(signal.is_cancelled());
    assert!(!here(&stage).await);
}

pub(super) async fn the_sweep_ends_idle_sessions_and_spares_used_ones(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let other = stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    let third = stage.login(NORTH, PASSWORD, &origin(3)).await.unwrap();
    let signals = [
        stage.accounts.watch(north.session.id).await.unwrap(),
        stage.accounts.watch(other.session.id).await.unwrap(),
        stage.accounts.watch(third.session.id).await.unwrap(),
    ];
    stage.accounts.authenticate(north.token.expose()).await.unwrap();
    stage.accounts.authenticate(third.token.expose()).await.unwrap();
    stage.pass(Span::seconds(60));
    // So short a time of use is remembered, not stored; an open connection counts as use.
    stage.accounts.authenticate(north.token.expose()).await.unwrap();
    stage.accounts.touch(third.session.id);
    stage.pass(Span(IDLE.0 - 60_000));
    assert_eq!(stage.accounts.sweep().await.unwrap(), 1);
    assert_eq!(signals.each_ref().map(CancellationToken::is_cancelled), [false, true, false]);
    let stage = stage.reopened().await;
    let left = stage.accounts.list_sessions(north.player).await.unwrap();
    assert_eq!(left.len(), 2);
    stage.pass(Span::seconds(60));
    assert_eq!(stage.accounts.sweep().await.unwrap(), 2);
    assert!(stage.accounts.list_sessions(north.player).await.unwrap().is_empty());
}

pub(super) async fn an_ended_session_is_worth_nothing_at_once(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let other = stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    let west = stage.person("west").await;
    for token in [&north.token, &other.token, &west.token] {
        assert!(stage.accounts.authenticate(token.expose()).await.unwrap().is_some());
    }
    let signal = stage.accounts.watch(north.session.id).await.unwrap();
    // Nobody ends somebody else's session.
    assert!(!stage.accounts.end_session(west.player, north.session.id).await.unwrap());
    assert!(!signal.is_cancelled());
    assert!(stage.accounts.end_session(north.player, north.session.id).await.unwrap());
    assert!(signal.is_cancelled());
    assert!(stage.accounts.authenticate(north.token.expose()).await.unwrap().is_none());
    assert!(!stage.accounts.end_session(north.player, north.session.id).await.unwrap());
    // Whoever begins to watch too late is told at once.
    assert!(stage.accounts.watch(north.session.id).await.unwrap().is_cancelled());
    assert!(stage.accounts.watch(SessionId(Default::default())).await.unwrap().is_cancelled());
    assert!(stage.accounts.authenticate(other.token.expose()).await.unwrap().is_some());
    assert!(stage.accounts.authenticate(west.token.expose()).await.unwrap().is_some());
}

pub(super) async fn all_others_can_be_ended_and_the_list_shows_what_is_left(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let west = stage.person("west").await;
    let mut signals = Vec::new();
    for network in 2..6 {
        stage.pass(Span::seconds(1));
        let login = stage.login(NORTH, PASSWORD, &origin(network)).await.unwrap();
        signals.push(stage.accounts.watch(login.session.id).await.unwrap());
    }
    let listed = stage.accounts.list_sessions(north.player).await.unwrap();
    let networks: Vec<_> = listed.iter().map(|session| session.network.as_str()).collect();
    assert_eq!(
        networks,
        ["203.0.113.5", "203.0.113.4", "203.0.113.3", "203.0.113.2", "203.0.113.1"]
    );
    let own = north.session.id;
    let kept = stage.accounts.watch(own).await.unwrap();
    assert_eq!(stage.accounts.end_other_sessions(north.player, Some(own)).await.unwrap(), 4);
    assert!(signals.iter().all(CancellationToken::is_cancelled));
    assert!(!kept.is_cancelled());
    let left = stage.accounts.list_sessions(north.player).await.unwrap();
    assert_eq!(left.iter().map(|session| session.id).collect::<Vec<_>>(), [own]);
    assert_eq!(stage.accounts.end_other_sessions(north.player, None).await.unwrap(), 1);
    assert!(kept.is_cancelled());
    assert_eq!(stage.accounts.list_sessions(west.player).await.unwrap().len(), 1);
}

pub(super) async fn no_reader_brings_an_ended_session_back(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    for network in 1..=20 {
        let login = stage.login(NORTH, PASSWORD, &origin(network)).await.unwrap();
        let readers: Vec<_> = (0..8)
            .map(|_| {
                let (accounts, token) = (stage.accounts.clone(), login.token.clone());
                tokio::spawn(async move {
                    while accounts.authenticate(token.expose()).await.unwrap().is_some() {
                        tokio::task::yield_now().await;
                    }
                })
            })
            .collect();
        tokio::task::yield_now().await;
        assert!(stage.accounts.end_session(north.player, login.session.id).await.unwrap());
        // Never again, for however long the readers go on.
        assert!(stage.accounts.authenticate(login.token.expose()).await.unwrap().is_none());
        for reader in readers {
            reader.await.unwrap();
        }
        assert!(stage.accounts.authenticate(login.token.expose()).await.unwrap().is_none());
    }
}

pub(super) async fn an_end_goes_through_when_the_asker_goes_away(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let signal = stage.accounts.watch(north.session.id).await.unwrap();
    {
        // Polled once, so that the work has begun, and dropped.
        let mut ending = Box::pin(stage.accounts.end_other_sessions(north.player, None));
        let waker = std::task::Waker::noop();
        let _ = ending.as_mut().poll(&mut std::task::Context::from_waker(waker));
    }
    signal.cancelled().await;
    assert!(stage.accounts.authenticate(north.token.expose()).await.unwrap().is_none());
}
