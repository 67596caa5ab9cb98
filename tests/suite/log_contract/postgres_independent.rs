//! The table of events is what it says it is: the repository of postgres-es reads every stream of a played
//! log, and gets the same events and the same states as our loader.

use crate::executor::fixture::{World, ask, guest, live, on_turn, postgres_at, skip};
use std::collections::BTreeSet;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, Bytes32, Dated, Decider, Span, fold};
use yibu_domain::matches::{Choice, Match, MatchCommand, MatchEvent, RuleSet};
use yibu_domain::site::{SITE, Site, SiteCommand};
use yibu_infrastructure::executor::{IndependentReader, Request};
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::Stored;
use yibu_tests::postgres::Cluster;

/// Two matches up to their seventh turn, and a setting of the site.
async fn play(world: &World) {
    for game in 0..2 {
        let id = world.entropy.match_id();
        let open = MatchCommand::Open {
            match_id: id,
            rules: RuleSet::formal(Span(0)),
            seed: Some(Bytes32([5; 32])),
            guest: guest(1),
            nonce: None,
        };
        world.matches.execute(ask(id, 1, open)).await.unwrap();
        for n in 2..=4 {
            let tables = Choice::all(vec![id]);
            let take = MatchCommand::TakeSeat { guest: guest(n), nonce: None, tables };
            world.matches.execute(ask(id, n, take)).await.unwrap();
        }
        for n in 1..=4 {
            let ready = MatchCommand::Ready { nonce: None, expected: None };
            world.matches.execute(ask(id, n, ready)).await.unwrap();
        }
        for turn in 0..6 {
            let state = world.state(id).await;
            let command = match (turn + game) % 3 {
                2 => skip(&state),
                _ => crate::executor::fixture::a_move(&state),
            };
            world.matches.execute(ask(id, on_turn(&state), command)).await.unwrap();
        }
        assert!(live(&*world.state(id).await).turn().is_some());
    }
    let reason = "audit".parse().unwrap();
    let command = SiteCommand::SetLimits { full: 7, takeover: 3, reason };
    let actor = Actor::Admin(world.entropy.player_id());
    world.site.execute(Request::new(SITE, command, actor, Uuid::nil())).await.unwrap();
}

/// One stream through both readers.
async fn same<D: Decider>(ours: &[Stored], reader: &IndependentReader) -> Vec<Dated<D::Event>> {
    let theirs = reader.read::<D>(&ours[0].stream).await.unwrap();
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(&theirs) {
        assert_eq!((&our.stream, our.version), (&their.stream, their.version));
        assert_eq!((our.id, &our.name), (their.id, &their.name));
        assert_eq!(our.stamp, their.stamp);
        let value =
            |event: &Stored| -> serde_json::Value { serde_json::from_str(&event.payload).unwrap() };
        assert!(value(our) == value(their), "payload of {our:?}");
        assert!(codec::decode::<D::Event>(our).unwrap() == codec::decode(their).unwrap());
    }
    theirs.iter().map(|event| codec::decode(event).unwrap()).collect()
}

#[tokio::test]
async fn the_second_reader_gets_the_same() {
    let url = Cluster::shared().database();
    let world = postgres_at(url.clone()).await;
    play(&world).await;
    let reader = IndependentReader::connect(&url).await.unwrap();
    let all = world.log.read_all(0, usize::MAX).await.unwrap();
    let streams: BTreeSet<&str> = all.iter().map(|event| event.stream.as_str()).collect();
    assert_eq!(streams.len(), 3);
    for stream in streams {
        let ours = world.log.read_stream(stream, 0, usize::MAX).await.unwrap();
        if stream == "site" {
            assert!(!same::<Site>(&ours, &reader).await.is_empty());
            assert!(reader.read::<Match>(stream).await.is_err());
            continue;
        }
        let events: Vec<Dated<MatchEvent>> = same::<Match>(&ours, &reader).await;
        let id = stream.strip_prefix("match-").unwrap().parse().unwrap();
        assert!(fold::<Match>(&events) == *world.state(id).await, "state of {stream}");
    }
    assert!(reader.read::<Match>("match-none").await.unwrap().is_empty());
}
