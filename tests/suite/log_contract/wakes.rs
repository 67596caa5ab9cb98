//! Waking, senders that go away, heartbeats, closing.

use super::fixture::{DAWN, Fixture};
use yibu_domain::kernel::Span;
use yibu_infrastructure::log::port::{AppendError, Expected};

pub(super) async fn changes_wake(fixture: Fixture) {
    let mut changes = fixture.log.changes();
    assert_eq!(*changes.borrow_and_update(), 0);
    for _ in 0..3 {
        let receipt = fixture.append(fixture.commit("match-a", Expected::Any)).await.unwrap();
        changes.changed().await.unwrap();
        assert_eq!(*changes.borrow_and_update(), receipt.position);
        assert_eq!(fixture.log.head().await.unwrap().position, receipt.position);
    }
    fixture.append(fixture.commit("match-a", Expected::None)).await.unwrap_err();
    assert!(!changes.has_changed().unwrap());
}

pub(super) async fn a_sender_that_goes_away_commits_all_the_same(fixture: Fixture) {
    let mut changes = fixture.log.changes();
    for n in 0..20_u64 {
        // Asked once for its answer, and dropped.
        let append = fixture.log.append(fixture.commit_of("match-a", Expected::Exact(3 * n), 3));
        let _ = futures_util::poll!(append);
        while fixture.log.read_stream("match-a", 3 * n, 3).await.unwrap().len() < 3 {
            changes.changed().await.unwrap();
        }
    }
    let events = fixture.log.read_stream("match-a", 0, usize::MAX).await.unwrap();
    assert_eq!(events.len(), 60);
}

pub(super) async fn heartbeats(fixture: Fixture) {
    let log = &fixture.log;
    assert_eq!(log.last_beat().await.unwrap(), None);
    log.beat("a", DAWN).await.unwrap();
    log.beat("b", DAWN + Span(5)).await.unwrap();
    log.beat("a", DAWN + Span(3)).await.unwrap();
    assert_eq!(log.last_beat().await.unwrap(), Some(DAWN + Span(5)));
    log.beat("b", DAWN + Span(1)).await.unwrap();
    assert_eq!(log.last_beat().await.unwrap(), Some(DAWN + Span(5)));
    log.beat("a", DAWN + Span(9)).await.unwrap();
    assert_eq!(log.last_beat().await.unwrap(), Some(DAWN + Span(9)));
    assert_eq!(log.head().await.unwrap().position, 0);
}

pub(super) async fn a_closed_log_takes_nothing(fixture: Fixture) {
    let waiting: Vec<_> =
        (0..20).map(|_| fixture.log.append(fixture.commit("match-a", Expected::Any))).collect();
    let (outcomes, ()) =
        futures_util::join!(futures_util::future::join_all(waiting), fixture.log.close());
    // What was in line was finished.
    assert!(outcomes.iter().all(Result::is_ok));
    let late = fixture.append(fixture.commit("match-a", Expected::Any)).await;
    assert!(matches!(late, Err(AppendError::Fault(_))));
    fixture.log.close().await;
}
