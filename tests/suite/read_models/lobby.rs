//! The lobby's rows against the folded truth: free seats, vacancies, each player's matches and counts.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Claim, Counter, DEFAULT_LIMIT, Decider, PlayerId};
use yibu_domain::matches::view::Phase;
use yibu_domain::matches::{Live, Match};
use yibu_projections::Fact;
use yibu_projections::models::{Lobby, PlaceRole};

/// What each player holds by the claims of the events alone.
fn held(world: &World, position: u64) -> HashMap<(Counter, PlayerId), i64> {
    let mut held = HashMap::new();
    for fed in world.log.iter().filter(|fed| fed.position <= position) {
        let Ok(Fact::Match(_, event)) = &fed.fact else { continue };
        for claim in Match::claims(&event.event) {
            match claim {
                Claim::Take { counter, player } => *held.entry((counter, player)).or_insert(0) += 1,
                Claim::Release { counter, player } => {
                    *held.entry((counter, player)).or_insert(0) -= 1;
                }
                _ => {}
            }
        }
    }
    held
}

pub(super) async fn tables_and_vacancies_are_those_of_the_truth(store: Store) {
    let mut world = World::new(31, 16, 9);
    world.grow(6_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let lobby = Lobby::new(&rig.views);
    let (mut tables, mut vacancies) = (0, 0);
    for position in (200..=feed.len()).step_by(400) {
        feed.show(position);
        rig.catch_up("lobby", &feed, 5_000).await;
        let mut free = BTreeMap::new();
        let mut vacant = BTreeSet::new();
        for (id, _) in &world.matches {
            let state = world.at(*id, position);
            let Some(live) = state.live() else { continue };
            let seats = live.free_seats();
            if !seats.is_empty() {
                let persons = Seat::ALL.into_iter().filter_map(|seat| live.person(seat));
                let players: Vec<_> = persons.map(|person| person.player).collect();
                free.insert(*id, (seats, players));
            }
            if let (Some(seat), Some(due)) = (live.vacancy(), live.due()) {
                vacant.insert((*id, seat, due));
            }
        }
        let got = lobby.assembling().await.unwrap();
        tables += got.len();
        assert!(
            got.into_iter().map(|table| (table.match_id, (table.free, table.players))).eq(free)
        );
        let got = lobby.vacancies().await.unwrap();
        vacancies += got.len();
        assert!(got.into_iter().map(|v| (v.match_id, v.seat, v.deadline)).eq(vacant));
    }
    assert!(tables > 5 && vacancies > 2, "{tables} {vacancies}");
}

/// Whether something waits for the person in the seat, by the truth.
fn waits(live: &Live, seat: Seat) -> bool {
    let public = &live.sheet.public;
    if live.phase() == Phase::Assembling {
        return !live.sheet.own[seat].ready;
    }
    let on_turn = live.turn().is_some_and(|turn| turn.seat == seat);
    let vote = public.draw.as_ref();
    let vote = vote.is_some_and(|open| open.seat != seat && !open.accepted.contains(&seat));
    let proposal = live.sheet.own[seat].proposal.as_ref();
    let proposal = proposal.is_some_and(|open| open.seat != seat);
    live.active(seat) && live.phase() == Phase::Playing && (on_turn || vote || proposal)
}

pub(super) async fn players_find_their_matches_and_what_waits_for_them_first(store: Store) {
    let mut world = World::new(32, 12, 9);
    world.grow(6_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let lobby = Lobby::new(&rig.views);
    let (mut waiting, mut named) = (0, 0);
    for position in (300..=feed.len()).step_by(500) {
        feed.show(position);
        rig.catch_up("lobby", &feed, 5_000).await;
        let states: Vec<_> =
            world.matches.iter().map(|(id, _)| (*id, world.at(*id, position))).collect();
        let held = held(&world, position);
        for player in &world.players {
            let running = lobby.tables_of(*player, 1_000).await.unwrap();
            let ended = lobby.ended_of(*player, 1_000).await.unwrap();
            assert!(running.iter().all(|place| place.ended.is_none()));
            assert!(running.is_sorted_by_key(|place| !place.waits()));
            let places: BTreeMap<_, _> =
                running.iter().chain(&ended).map(|place| (place.match_id, place)).collect();
            assert_eq!(places.len(), running.len() + ended.len());
            let mut found = 0;
            for (id, state) in &states {
                let Some(live) = state.live() else { continue };
                let candidate = live.vacancy().is_some()
                    && live.sheet.people.candidates.iter().any(|person| person.player == *player);
                let Some(seat) = live.seat_of(*player).or(live.vacancy().filter(|_| candidate))
                else {
                    continue;
                };
                if live.sheet.public.record_expired {
                    assert!(!places.contains_key(id));
                    continue;
                }
                found += 1;
                let place = places[id];
                let role = match (candidate, live.active(seat)) {
                    (true, _) => PlaceRole::Candidate,
                    (false, true) => PlaceRole::Seated,
                    (false, false) => PlaceRole::Eliminated,
                };
                assert_eq!((place.role, place.seat), (role, seat));
                assert_eq!(
                    (place.phase, place.deadline),
                    (live.phase(), live.sheet.public.deadline())
                );
                let public = &live.sheet.public;
                assert_eq!(
                    (place.opened, place.started, place.turns, place.outcome),
                    (public.opened, public.started, public.turns, public.outcome)
                );
                for (at, person) in place.people.iter() {
                    let shown = live.person(at).filter(|_| public.phase != Phase::Assembling);
                    assert_eq!(person.as_ref(), shown, "{at:?}");
                }
                named += place.people.iter().filter(|(_, person)| person.is_some()).count();
                assert_eq!(place.waits(), candidate || waits(live, seat));
                assert_eq!(lobby.place(*player, *id).await.unwrap().as_ref(), Some(place));
                waiting += usize::from(place.waits());
            }
            assert_eq!(found, places.len());
            let counts = lobby.counts(*player).await.unwrap();
            let of = |counter| held.get(&(counter, *player)).copied().unwrap_or(0);
            assert_eq!(i64::from(counts.full), of(Counter::Full));
            assert_eq!(i64::from(counts.takeover), of(Counter::Takeover));
        }
    }
    assert!(waiting > 100 && named > 100, "{waiting} {named}");
}

pub(super) async fn limits_are_those_of_now(store: Store) {
    let mut world = World::new(33, 6, 4);
    world.grow(100);
    let first = world.log.iter().take_while(|fed| !matches!(fed.fact, Ok(Fact::Site(_)))).count();
    world.grow(5_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let lobby = Lobby::new(&rig.views);
    feed.show(first as u64);
    rig.catch_up("lobby", &feed, 1_000).await;
    let counts = lobby.counts(world.players[0]).await.unwrap();
    assert_eq!((counts.full_limit, counts.takeover_limit), (DEFAULT_LIMIT, DEFAULT_LIMIT));
    feed.show(feed.len());
    rig.catch_up("lobby", &feed, 1_000).await;
    let counts = lobby.counts(world.players[0]).await.unwrap();
    let limits = world.limits.unwrap();
    assert_eq!((counts.full_limit, counts.takeover_limit), (limits.full, limits.takeover));
}
