//! Positions, versions, what comes back, and paging.

use super::fixture::{DAWN, Fixture};
use futures_util::future::join_all;
use std::sync::Arc;
use yibu_domain::kernel::Span;
use yibu_infrastructure::log::port::{AppendError, Commit, Expected, Receipt, Stored};

/// Of several kinds, which come into one batch.
const STREAMS: [&str; 8] =
    ["match-0", "match-1", "match-2", "match-3", "player-0", "player-1", "table-0", "site"];

/// Every writer's commits, while a reader follows: what it saw, which is everything in order.
async fn under_writers(fixture: Fixture) -> Vec<Stored> {
    const WRITERS: usize = 32;
    const EACH: usize = 20;
    let fixture = Arc::new(fixture);
    let total = WRITERS * (0..EACH).map(|n| 1 + n % 3).sum::<usize>();

    let reading = tokio::spawn({
        let fixture = Arc::clone(&fixture);
        async move {
            let mut seen: Vec<Stored> = Vec::new();
            while seen.len() < total {
                let after = seen.last().map_or(0, |event| event.position);
                seen.extend(fixture.log.read_all(after, 1000).await.unwrap());
                tokio::task::yield_now().await;
            }
            seen
        }
    });
    let writers = (0..WRITERS).map(|writer| {
        let fixture = Arc::clone(&fixture);
        tokio::spawn(async move {
            let stream = STREAMS[writer % STREAMS.len()];
            let mut receipts = Vec::new();
            for n in 0..EACH {
                let commit = fixture.commit_of(stream, Expected::Any, 1 + n % 3);
                let last = commit.events.last().unwrap().id;
                receipts.push((fixture.append(commit).await.unwrap(), last, 1 + n % 3));
            }
            receipts
        })
    });
    let receipts: Vec<_> = join_all(writers).await.into_iter().flat_map(Result::unwrap).collect();
    let seen = reading.await.unwrap();

    // Whatever was seen is all that there is, and stays.
    assert_eq!(seen, fixture.everything().await);
    assert!(seen.is_sorted_by(|a, b| a.position < b.position));
    assert_eq!(fixture.log.head().await.unwrap().position, seen[total - 1].position);
    for (Receipt { position, version }, id, events) in receipts {
        let end = 1 + seen.iter().position(|event| event.position == position).unwrap();
        let commit = &seen[end - events..end];
        let last = &commit[events - 1];
        assert_eq!((last.id, last.version), (id, version));
        // A commit stands in one piece.
        assert!(
            commit.iter().all(|event| event.stream == last.stream && event.stamp == last.stamp)
        );
    }
    for name in STREAMS {
        let stream = fixture.log.read_stream(name, 0, usize::MAX).await.unwrap();
        assert_eq!(stream.len(), seen.iter().filter(|event| event.stream == name).count());
        assert!(stream.iter().map(|event| event.version).eq(1..=stream.len() as u64));
        assert!(stream.is_sorted_by_key(|event| event.position));
    }
    seen
}

pub(super) async fn positions_rise_under_writers(fixture: Fixture) {
    assert!(under_writers(fixture).await[0].position > 0);
}

pub(super) async fn positions_are_gap_free_under_writers(fixture: Fixture) {
    let seen = under_writers(fixture).await;
    assert!(seen.iter().map(|event| event.position).eq(1..=seen.len() as u64));
}

pub(super) async fn versions_and_expectations(fixture: Fixture) {
    let put = async |expected| {
        let receipt = fixture.append(fixture.commit_of("match-a", expected, 2)).await?;
        let last = fixture.log.read_stream("match-a", receipt.version - 1, 9).await.unwrap();
        assert_eq!((last[0].version, last[0].position), (receipt.version, receipt.position));
        Ok(receipt.version)
    };
    let clash = |actual| Err(AppendError::Conflict { stream: "match-a".to_owned(), actual });

    assert_eq!(put(Expected::Exact(1)).await, clash(0));
    assert_eq!(put(Expected::None).await, Ok(2));
    assert_eq!(put(Expected::None).await, clash(2));
    assert_eq!(put(Expected::Exact(0)).await, clash(2));
    assert_eq!(put(Expected::Exact(1)).await, clash(2));
    assert_eq!(put(Expected::Exact(3)).await, clash(2));
    assert_eq!(put(Expected::Exact(2)).await, Ok(4));
    assert_eq!(put(Expected::Any).await, Ok(6));
    let fresh = fixture.commit("match-b", Expected::Exact(0));
    assert_eq!(fixture.append(fresh).await.unwrap().version, 1);
    assert_eq!(fixture.everything().await.len(), 7);
}

pub(super) async fn one_of_many_wins_a_version(fixture: Fixture) {
    fixture.append(fixture.commit("match-a", Expected::None)).await.unwrap();
    let tries = (0..50).map(|_| fixture.append(fixture.commit("match-a", Expected::Exact(1))));
    let outcomes = join_all(tries).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for outcome in outcomes.into_iter().filter_map(Result::err) {
        assert_eq!(outcome, AppendError::Conflict { stream: "match-a".to_owned(), actual: 2 });
    }
    assert_eq!(fixture.everything().await.len(), 2);
}

pub(super) async fn events_come_back_as_they_went(fixture: Fixture) {
    let commit = fixture.commit_of("match-a", Expected::None, 3);
    let mut bare = fixture.commit("site", Expected::Any);
    bare.stamp.command_id = None;
    bare.stamp.causation = None;
    bare.stamp.actor = yibu_domain::kernel::Actor::Timer;
    fixture.clock.advance(Span(5));
    fixture.append(commit.clone()).await.unwrap();
    fixture.append(bare.clone()).await.unwrap();

    let stored = fixture.everything().await;
    let sent = [&commit, &commit, &commit, &bare];
    let events = commit.events.iter().chain(&bare.events);
    for ((stored, sent), event) in stored.iter().zip(sent).zip(events) {
        assert_eq!(stored.stream, sent.stream);
        assert_eq!(stored.stamp, sent.stamp);
        assert_eq!(stored.id, event.id);
        assert_eq!(stored.name, event.name);
        assert_eq!(stored.payload, event.payload);
        assert_eq!(stored.recorded, DAWN + Span(5));
    }
    assert_eq!(stored.len(), 4);
    assert_ne!(stored[0].salt, stored[1].salt);
    assert_eq!(fixture.log.read_stream("match-a", 0, 9).await.unwrap(), stored[..3]);
}

pub(super) async fn pages(fixture: Fixture) {
    for n in 0..10 {
        let stream = if n % 2 == 0 { "match-even" } else { "match-odd" };
        fixture.append(fixture.commit(stream, Expected::Any)).await.unwrap();
    }
    let log = &fixture.log;
    let all: Vec<u64> = fixture.everything().await.iter().map(|event| event.position).collect();
    assert_eq!(all.len(), 10);
    let positions = async |after, limit| {
        let page = log.read_all(after, limit).await.unwrap();
        page.into_iter().map(|event| event.position).collect::<Vec<_>>()
    };
    assert_eq!(positions(0, 3).await, all[..3]);
    assert_eq!(positions(all[2], 3).await, all[3..6]);
    assert_eq!(positions(all[7], 3).await, all[8..]);
    assert!(positions(all[9], 3).await.is_empty());
    assert!(positions(u64::MAX, usize::MAX).await.is_empty());
    assert!(positions(0, 0).await.is_empty());

    let versions = async |stream, after, limit| {
        let page = log.read_stream(stream, after, limit).await.unwrap();
        page.into_iter().map(|event| event.version).collect::<Vec<_>>()
    };
    assert_eq!(versions("match-odd", 0, 2).await, [1, 2]);
    assert_eq!(versions("match-odd", 2, 2).await, [3, 4]);
    assert_eq!(versions("match-odd", 4, usize::MAX).await, [5]);
    assert!(versions("match-odd", u64::MAX, 1).await.is_empty());
    assert!(versions("match-none", 0, 5).await.is_empty());
}

pub(super) async fn an_empty_commit_is_a_fault(fixture: Fixture) {
    let empty = Commit { events: Vec::new(), ..fixture.commit("match-a", Expected::Any) };
    assert!(matches!(fixture.append(empty).await, Err(AppendError::Fault(_))));
    assert_eq!(fixture.log.head().await.unwrap().position, 0);
    fixture.append(fixture.commit("match-a", Expected::None)).await.unwrap();
}
