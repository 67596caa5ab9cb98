//! Finished matches against plain loops over the events: who took part, how they parted, until when they keep them.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use std::collections::BTreeMap;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::{MatchId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Occupant, Person};
use yibu_projections::models::replays::{Parted, Participant};
use yibu_projections::models::{Replay, Replays};
use yibu_projections::{Fact, Fed};

/// The finished matches among these events.
fn told(log: &[Fed]) -> BTreeMap<MatchId, Replay> {
    let mut started = BTreeMap::new();
    let mut seats: BTreeMap<MatchId, BySeat<Vec<Participant>>> = BTreeMap::new();
    let mut told: BTreeMap<MatchId, Replay> = BTreeMap::new();
    for fed in log {
        let Ok(Fact::Match(id, event)) = &fed.fact else { continue };
        let at = event.at;
        let new = |person: &Person| Participant {
            person: person.clone(),
            since: at,
            parted: None,
            result: None,
            points: 0,
        };
        let here = seats.entry(*id).or_default();
        match &event.event {
            MatchEvent::Started(parts) => {
                started.insert(*id, at);
                for seat in Seat::ALL {
                    let person = parts.public.as_ref().unwrap().seats[seat].as_ref();
                    here[seat] = vec![new(person.unwrap())];
                }
            }
            MatchEvent::SeatTakenOver(parts) => {
                let part = parts.public.as_ref().unwrap();
                here[part.seat].push(new(&part.person));
            }
            MatchEvent::Left(parts) | MatchEvent::TimedOut(parts) => {
                let part = parts.public.as_ref().unwrap();
                let left = matches!(event.event, MatchEvent::Left(_));
                let how = if left { Parted::Left } else { Parted::TimedOut };
                let last = here[part.seat].last_mut().unwrap();
                assert_eq!(last.person, part.person);
                (last.parted, last.points) = (Some((at, how)), part.points);
            }
            MatchEvent::Ended(parts) => {
                let part = parts.public.as_ref().unwrap();
                for line in &part.lines {
                    let last = here[line.seat].last_mut().unwrap();
                    assert_eq!((&last.person, last.parted), (&line.person, None));
                    (last.result, last.points) = (Some(line.result), line.points);
                }
                if let Some(&started) = started.get(id) {
                    let replay = Replay {
                        match_id: *id,
                        started,
                        ended: at,
                        outcome: part.outcome,
                        seats: here.clone(),
                        expires: at + Span::hours(72),
                        expired: false,
                    };
                    told.insert(*id, replay);
                }
            }
            MatchEvent::RecordExpired(_) => {
                if let Some(replay) = told.get_mut(id) {
                    replay.expired = true;
                }
            }
            _ => {}
        }
    }
    told
}

pub(super) async fn finished_matches_are_told_by_those_who_took_part(store: Store) {
    let mut world = World::new(81, 14, 6);
    for round in 1..=6 {
        world.grow(round * 1_000);
        world.pass(Span::hours(20));
    }
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let replays = Replays::new(&rig.views);
    let (mut finished, mut expired, mut parted, mut takeovers) = (0, 0, 0, 0);
    for position in (500..=feed.len()).step_by(500).chain([feed.len()]) {
        feed.show(position);
        rig.catch_up("replays", &feed, 173).await;
        let wanted = told(&world.log[..position as usize]);
        for (id, _) in &world.matches {
            assert_eq!(replays.one(*id).await.unwrap().as_ref(), wanted.get(id));
        }
        for player in &world.players {
            let took_part = |replay: &&Replay| {
                replay.seats.iter().flat_map(|(_, all)| all).any(|one| {
                    one.person.player == *player && one.person.occupant == Occupant::Player
                })
            };
            let mine = wanted.values().filter(took_part).filter(|replay| !replay.expired);
            let mut mine: Vec<_> = mine.collect();
            mine.sort_by_key(|replay| (std::cmp::Reverse(replay.ended), replay.match_id));
            let got = replays.of(*player, 1_000).await.unwrap();
            assert!(got.iter().eq(mine.iter().copied()));
            let latest = replays.of(*player, 1).await.unwrap();
            assert!(latest.iter().eq(mine.into_iter().take(1)));
        }
        let mut kept: Vec<_> = wanted.values().filter(|replay| !replay.expired).collect();
        kept.sort_by_key(|replay| (replay.expires, replay.match_id));
        let all = replays.expiring(Time(i64::MIN), Time(i64::MAX), 1_000).await.unwrap();
        assert!(all.iter().eq(kept.iter().copied()));
        if let [first, .., last] = &kept[..] {
            let got = replays.expiring(first.expires, last.expires, 1_000).await.unwrap();
            let between = kept.iter().filter(|replay| replay.expires > first.expires);
            assert!(got.iter().eq(between.copied()));
        }
        finished += wanted.len();
        expired += wanted.values().filter(|replay| replay.expired).count();
        let everybody = || wanted.values().flat_map(|replay| replay.seats.iter());
        takeovers += everybody().filter(|(_, seat)| seat.len() > 1).count();
        let gone = |one: &&Participant| one.parted.is_some();
        parted += everybody().flat_map(|(_, seat)| seat).filter(gone).count();
    }
    assert!(finished > 20 && expired > 0, "{finished} {expired}");
    assert!(parted > 10 && takeovers > 0, "{parted} {takeovers}");
}
