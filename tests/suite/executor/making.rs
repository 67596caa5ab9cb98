//! Matchmaking: the choice set, meeting at one table, limits under races.

use super::fixture::{World, guest, key, live, memory, player, sqlite};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use yibu_domain::kernel::{Actor, Counter, MatchId, Span};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::{MatchCommand, MatchRefusal};
use yibu_domain::site::{SITE, SiteCommand};
use yibu_infrastructure::executor::{Matched, Rejected, Request};

impl World {
    async fn seek(&self, n: u128) -> Result<Matched, Rejected<MatchRefusal>> {
        let actor = Actor::Player(player(n));
        let found = self.maker.match_new(guest(n), None, None, actor, Uuid::nil());
        found.await
    }

    async fn seek_takeover(&self, n: u128) -> Result<Matched, Rejected<MatchRefusal>> {
        let actor = Actor::Player(player(n));
        let found = self.maker.match_takeover(guest(n), None, actor, Uuid::nil());
        found.await
    }

    async fn limits(&self, full: i64, takeover: i64) {
        let reason = "test".parse().unwrap();
        let command = SiteCommand::SetLimits { full, takeover, reason };
        let request = Request::new(SITE, command, Actor::System, Uuid::nil());
        self.site.execute(request).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_who_ask_together_meet() {
    for world in [memory().await, sqlite().await] {
        let (one, two) = tokio::join!(world.seek(1), world.seek(2));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_eq!(one.match_id, two.match_id);
        let tables: BTreeSet<_> = [one.choices, two.choices].into();
        assert_eq!(tables, [vec![], vec![one.match_id]].into());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_gets_past_the_limit() {
    for world in [memory().await, sqlite().await] {
        let tasks: Vec<_> = (0..50)
            .map(|n| {
                let maker = world.maker.clone();
                tokio::spawn(async move {
                    let actor = Actor::Player(player(1));
                    let found = maker.match_new(guest(1), None, Some(key(n)), actor, Uuid::nil());
                    found.await
                })
            })
            .collect();
        let mut matches = BTreeSet::new();
        let mut refused = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(found) => assert!(matches.insert(found.match_id), "twice at one table"),
                Err(rejected) => {
                    assert_eq!(rejected, Rejected::LimitReached(Counter::Full));
                    refused += 1;
                }
            }
        }
        assert_eq!((matches.len(), refused), (5, 45));
        assert_eq!(world.log.count(Counter::Full, player(1)).await, Ok((5, 5)));
    }
}

#[tokio::test]
async fn four_fill_a_table_and_the_fifth_opens_another() {
    let world = memory().await;
    let mut found = Vec::new();
    for n in 1..=5 {
        found.push(world.seek(n).await.unwrap());
    }
    let first = found[0].match_id;
    assert!(found[..4].iter().all(|found| found.match_id == first));
    assert_ne!(found[4].match_id, first);
    assert!(found[4].choices.is_empty());
    // The setting of now is copied into the match.
    let rules = &live(&found[4].done.state).sheet.public.rules;
    assert_eq!(rules.release_unready, Span::hours(48));
}

#[tokio::test]
async fn the_choice_is_among_all_open_tables_and_recorded() {
    let world = memory().await;
    world.limits(100, 5).await;
    let mut tables: Vec<MatchId> = Vec::new();
    for _ in 0..3 {
        tables.push(world.seek(1).await.unwrap().match_id);
    }
    tables.sort_unstable();
    let mut chosen = BTreeMap::new();
    for n in 2..=60 {
        let found = world.seek(n).await.unwrap();
        assert_eq!(found.choices, tables);
        *chosen.entry(found.match_id).or_insert(0) += 1;
        let payload = &world.events(found.match_id).await.pop().unwrap().payload;
        assert!(tables.iter().all(|table| payload.contains(&table.to_string())));
        let leave = super::fixture::ask(found.match_id, n, MatchCommand::Leave);
        world.matches.execute(leave).await.unwrap();
    }
    assert_eq!(chosen.len(), 3);
    assert!(chosen.values().all(|times| *times > 5), "{chosen:?}");
}

#[tokio::test]
async fn a_limit_of_nothing_stops_new_ones_and_house_players_are_not_counted() {
    let world = memory().await;
    world.limits(0, 0).await;
    let full = world.seek(1).await.unwrap_err();
    assert_eq!(full, Rejected::LimitReached(Counter::Full));
    let takeover = world.seek_takeover(1).await.unwrap_err();
    assert_eq!(takeover, Rejected::LimitReached(Counter::Takeover));
    let house = yibu_domain::matches::Guest { occupant: Occupant::House, ..guest(2) };
    let actor = Actor::House(player(2));
    let found = world.maker.match_new(house, None, None, actor, Uuid::nil());
    assert!(found.await.is_ok());
}

#[tokio::test]
async fn a_vacancy_is_for_those_who_never_sat_there_and_once() {
    let world = sqlite().await;
    let none = Rejected::Refused(MatchRefusal::NoVacancy);
    assert_eq!(world.seek_takeover(9).await.unwrap_err(), none);
    let id = world.playing(1).await;
    world.send(id, 1, MatchCommand::Leave).await.unwrap();
    for n in 1..=4 {
        assert_eq!(world.seek_takeover(n).await.unwrap_err(), none);
    }
    assert_eq!(world.seek_takeover(9).await.unwrap().match_id, id);
    world.send(id, 9, MatchCommand::WithdrawTakeover).await.unwrap();
    assert_eq!(world.seek_takeover(9).await.unwrap_err(), none);
    // The wait runs out: within the grace it is over for whoever asks.
    world.clock.set(world.due(id).await);
    assert_eq!(world.seek_takeover(10).await.unwrap_err(), none);
}

#[tokio::test]
async fn linked_people_meet_at_no_table_and_only_the_filtered_choice_is_recorded() {
    let world = memory().await;
    world.company.link(player(1), player(2));
    let first = world.seek(1).await.unwrap();
    let second = world.seek(2).await.unwrap();
    assert_ne!(first.match_id, second.match_id);
    assert!(second.choices.is_empty(), "the one table was none for this player");
    // A third sees both; the fourth is linked with the one who sits at the second.
    world.company.link(player(4), player(2));
    let third = world.seek(3).await.unwrap();
    assert_eq!(third.choices.len(), 2);
    let fourth = world.seek(4).await.unwrap();
    assert_eq!(fourth.choices, [first.match_id]);
    let payload = &world.events(first.match_id).await.pop().unwrap().payload;
    assert!(!payload.contains(&second.match_id.to_string()), "{payload}");
    // Who left a table that has not started stands in nobody's way there.
    world.send(second.match_id, 2, MatchCommand::Leave).await.unwrap();
    for n in [5, 6] {
        world.seek(n).await.unwrap();
    }
    let found = world.seek(2).await.unwrap();
    assert!(!found.choices.contains(&first.match_id));
}

#[tokio::test]
async fn linked_people_take_over_no_seat_in_each_others_match() {
    let world = memory().await;
    let none = Rejected::Refused(MatchRefusal::NoVacancy);
    // Of those who sit, of those who left, and of those who wait to take over.
    for (first, linked) in [(11, 12), (21, 21), (31, 39)] {
        let id = world.playing(first).await;
        world.send(id, first, MatchCommand::Leave).await.unwrap();
        if linked == 39 {
            assert_eq!(world.seek_takeover(39).await.unwrap().match_id, id);
        }
        let seeker = first + 5;
        world.company.link(player(seeker), player(linked));
        assert_eq!(world.seek_takeover(seeker).await.unwrap_err(), none);
        let stranger = world.seek_takeover(first + 6).await.unwrap();
        assert_eq!((stranger.match_id, stranger.choices.len()), (id, 1));
        world.send(id, first + 6, MatchCommand::ConfirmTakeover).await.unwrap();
    }
}

#[tokio::test]
async fn who_is_barred_finds_nothing_and_house_players_sit_with_everybody() {
    let world = memory().await;
    world.company.bar(player(1));
    let barred = Rejected::Refused(MatchRefusal::NotAllowed);
    assert_eq!(world.seek(1).await.unwrap_err(), barred);
    assert_eq!(world.seek_takeover(1).await.unwrap_err(), barred);
    let table = world.seek(2).await.unwrap().match_id;
    world.company.link(player(2), player(3));
    let house = yibu_domain::matches::Guest { occupant: Occupant::House, ..guest(3) };
    let actor = Actor::House(player(3));
    let found = world.maker.match_new(house, None, None, actor, Uuid::nil()).await.unwrap();
    assert_eq!(found.match_id, table);
}
