//! The leaderboard against plain sums over the events, day by day.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use std::collections::{BTreeMap, BTreeSet};
use yibu_domain::kernel::{Actor, Dated, PlayerId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{MatchResult, Occupant, Person};
use yibu_domain::players::{Adjustment, PlayerEvent, Record, Registered};
use yibu_projections::models::Leaderboard;
use yibu_projections::models::leaderboard::{Mark, Order, Period, Ranked, Standing, Statistics};
use yibu_projections::{Fact, Fed};

const DAY: i64 = 86_400_000;
const NAME: &str = "leaderboard";

/// What the events say.
#[derive(Default)]
struct Told {
    days: BTreeMap<PlayerId, BTreeMap<i64, Record>>,
    suspended: BTreeSet<PlayerId>,
    deleted: BTreeSet<PlayerId>,
    house: BTreeSet<PlayerId>,
}

impl Told {
    fn of(log: &[Fed]) -> Self {
        let mut told = Self::default();
        for fed in log {
            match &fed.fact {
                Ok(Fact::Match(_, event)) => told.of_match(event),
                Ok(Fact::Player(player, event)) => told.of_player(*player, event),
                _ => {}
            }
        }
        told
    }

    fn on(&mut self, at: Time, player: PlayerId) -> &mut Record {
        self.days.entry(player).or_default().entry(at.0.div_euclid(DAY)).or_default()
    }

    fn of_player(&mut self, player: PlayerId, event: &Dated<PlayerEvent>) {
        match &event.event {
            PlayerEvent::Registered(part) if part.house => {
                self.house.insert(player);
            }
            PlayerEvent::Registered(_) => {}
            PlayerEvent::Suspended(_) => {
                self.suspended.insert(player);
            }
            PlayerEvent::Reinstated(_) => {
                self.suspended.remove(&player);
            }
            PlayerEvent::Deleted(_) => {
                self.deleted.insert(player);
            }
            PlayerEvent::PointsAdjusted(part) => {
                self.on(event.at, player).points += i64::from(part.points);
            }
        }
    }

    fn of_match(&mut self, event: &Dated<MatchEvent>) {
        let at = event.at;
        let counts = |person: &Person| person.occupant == Occupant::Player;
        match &event.event {
            MatchEvent::Started(parts) => {
                for (_, person) in parts.public.as_ref().unwrap().seats.iter() {
                    if let Some(person) = person.as_ref().filter(|person| counts(person)) {
                        self.on(at, person.player).matches += 1;
                    }
                }
            }
            MatchEvent::SeatTakenOver(parts) => {
                let person = &parts.public.as_ref().unwrap().person;
                if counts(person) {
                    let record = self.on(at, person.player);
                    record.matches += 1;
                    record.takeovers += 1;
                }
            }
            MatchEvent::Left(parts) => {
                let part = parts.public.as_ref().unwrap();
                if counts(&part.person) {
                    let record = self.on(at, part.person.player);
                    record.leaves += 1;
                    record.points += i64::from(part.points);
                }
            }
            MatchEvent::TimedOut(parts) => {
                let part = parts.public.as_ref().unwrap();
                if counts(&part.person) {
                    let record = self.on(at, part.person.player);
                    record.timeouts += 1;
                    record.points += i64::from(part.points);
                }
            }
            MatchEvent::Ended(parts) => {
                for line in &parts.public.as_ref().unwrap().lines {
                    if counts(&line.person) {
                        let record = self.on(at, line.person.player);
                        record.points += i64::from(line.points);
                        match line.result {
                            MatchResult::Win => record.wins += 1,
                            MatchResult::Loss => record.losses += 1,
                            MatchResult::Draw => record.draws += 1,
                            MatchResult::NoResult => record.no_results += 1,
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The sum over the days from `first` to `last`; `None` when there is nothing to add up.
    fn sum(&self, player: PlayerId, first: i64, last: i64) -> Option<Record> {
        let mut sum = None;
        for (_, day) in self.days.get(&player)?.range(first..=last) {
            let sum = sum.get_or_insert_with(Record::default);
            sum.points += day.points;
            sum.matches += day.matches;
            sum.wins += day.wins;
            sum.losses += day.losses;
            sum.draws += day.draws;
            sum.no_results += day.no_results;
            sum.leaves += day.leaves;
            sum.timeouts += day.timeouts;
            sum.takeovers += day.takeovers;
        }
        sum
    }

    fn gone(&self, player: PlayerId) -> bool {
        [&self.suspended, &self.deleted, &self.house].iter().any(|set| set.contains(&player))
    }

    /// The whole list.
    fn list(&self, order: Order, first: i64, last: i64) -> Vec<Ranked> {
        let mut list: Vec<Ranked> = Vec::new();
        for player in self.days.keys().copied().filter(|player| !self.gone(*player)) {
            let ever = self.sum(player, i64::MIN, i64::MAX).unwrap();
            if let Some(record) = self.sum(player, first, last).filter(|_| ever.matches > 0) {
                list.push(Ranked { rank: 0, player, record });
            }
        }
        let keys = |one: &Ranked| {
            let (points, wins) = (one.record.points, i64::from(one.record.wins));
            if order == Order::Points { (points, wins) } else { (wins, points) }
        };
        list.sort_by_key(|one| std::cmp::Reverse((keys(one), one.player)));
        let ranks: Vec<u64> = list
            .iter()
            .map(|one| 1 + list.iter().filter(|other| keys(other) > keys(one)).count() as u64)
            .collect();
        for (one, rank) in list.iter_mut().zip(ranks) {
            one.rank = rank;
        }
        list
    }
}

/// Some weeks, in which people play a little every day or two.
fn weeks(seed: u64) -> World {
    let mut world = World::new(seed, 16, 5);
    for round in 1..=36 {
        world.grow(round * 120);
        world.pass(Span::hours(29));
    }
    world
}

async fn compare(board: &Leaderboard, told: &Told, period: Period, first: i64, last: i64) {
    for order in [Order::Points, Order::Wins] {
        let wanted = told.list(order, first, last);
        let mut got: Vec<Ranked> = Vec::new();
        let mut after: Option<Mark> = None;
        loop {
            let page = board.page(order, period, after, 3).await.unwrap();
            let Some(end) = page.last() else { break };
            after = Some(end.mark(order));
            got.extend(page);
        }
        assert_eq!(got, wanted);
        assert_eq!(board.page(order, period, None, 100).await.unwrap(), wanted);
        assert_eq!(board.total(period).await.unwrap(), wanted.len() as u64);
        for player in told.days.keys() {
            let place = wanted.iter().find(|one| one.player == *player);
            assert_eq!(board.rank(*player, order, period).await.unwrap().as_ref(), place);
        }
    }
}

pub(super) async fn statistics_and_ranks_are_those_of_the_events(store: Store) {
    let world = weeks(51);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let board = Leaderboard::new(&rig.views);
    let mut windows = 0;
    for position in [400, feed.len() / 2, feed.len()] {
        feed.show(position);
        rig.catch_up(NAME, &feed, 211).await;
        let told = Told::of(&world.log[..position as usize]);
        compare(&board, &told, Period::AllTime, i64::MIN, i64::MAX).await;
        let today = told.days.values().filter_map(|days| days.keys().max()).max().copied();
        let today = today.unwrap();
        // The first and the last instant of a day, of the day before, and after everything.
        for now in [today * DAY, today * DAY + DAY - 1, today * DAY - 1, (today + 40) * DAY] {
            let period = Period::ThirtyDays { now: Time(now) };
            let last = now.div_euclid(DAY);
            compare(&board, &told, period, last - 29, last).await;
            for player in &world.players {
                let got = board.statistics(*player, period).await.unwrap();
                let wanted = told.sum(*player, last - 29, last).unwrap_or_default();
                assert_eq!(got.record, wanted);
                let ever = told.sum(*player, i64::MIN, i64::MAX).unwrap_or_default();
                let got = board.statistics(*player, Period::AllTime).await.unwrap();
                assert_eq!(got.record, ever);
                windows += usize::from(ever != wanted && wanted != Record::default());
            }
        }
    }
    assert!(windows > 10, "{windows}");
}

fn alone(events: Vec<(PlayerId, Time, PlayerEvent)>) -> Vec<Fed> {
    let numbered = (1..).zip(events);
    let feds = numbered.map(|(position, (player, at, event))| Fed {
        position,
        stream: format!("player-{player}"),
        version: position,
        name: yibu_domain::kernel::Event::name(&event).to_owned(),
        recorded: at,
        actor: Actor::System,
        command: "test".to_owned(),
        fact: Ok(Fact::Player(player, Dated { at, event })),
    });
    feds.collect()
}

pub(super) async fn the_window_is_thirty_days_of_utc(store: Store) {
    let player = PlayerId(uuid::Uuid::from_u128(1));
    let adjusted = |at: i64, points: i32| {
        let part = Adjustment { points, reason: "test".parse().unwrap() };
        (player, Time(at), PlayerEvent::PointsAdjusted(part))
    };
    // The last instant of one day; the first and the last of the next; one thirty days after that.
    let day = 20_000;
    let events = vec![
        adjusted(day * DAY - 1, 1),
        adjusted(day * DAY, 10),
        adjusted((day + 1) * DAY - 1, 100),
        adjusted((day + 30) * DAY, 1_000),
    ];
    let feed = MemoryFeed::new(alone(events));
    let rig = Rig::new(store).await;
    rig.catch_up(NAME, &feed, 1).await;
    let board = Leaderboard::new(&rig.views);
    for (now, wanted) in [
        ((day + 29) * DAY - 1, 111),
        ((day + 29) * DAY, 110),
        ((day + 30) * DAY - 1, 110),
        ((day + 30) * DAY, 1_000),
        ((day + 60) * DAY - 1, 1_000),
        ((day + 60) * DAY, 0),
    ] {
        let period = Period::ThirtyDays { now: Time(now) };
        assert_eq!(board.statistics(player, period).await.unwrap().record.points, wanted, "{now}");
    }
    assert_eq!(board.statistics(player, Period::AllTime).await.unwrap().record.points, 1_111);
    // Who never took part in a match is not listed.
    assert_eq!(board.total(Period::AllTime).await.unwrap(), 0);
}

pub(super) async fn house_players_and_who_is_gone_are_not_listed(store: Store) {
    let mut world = World::new(53, 24, 6);
    world.grow(5_000);
    let told = Told::of(&world.log);
    let rig = Rig::new(store).await;
    let feed = MemoryFeed::new(world.log.clone());
    rig.catch_up(NAME, &feed, 4096).await;
    let board = Leaderboard::new(&rig.views);
    let (mut house, mut gone, mut seen) = (0, 0, 0);
    for player in &world.players {
        let Statistics { standing, record } =
            board.statistics(*player, Period::AllTime).await.unwrap();
        let listed = board.rank(*player, Order::Points, Period::AllTime).await.unwrap().is_some();
        if told.house.contains(player) {
            assert_eq!((record, listed), (Record::default(), false));
            house += 1;
        }
        if told.deleted.contains(player) {
            assert_eq!((standing, listed), (Standing::Deleted, false));
            gone += 1;
        } else if told.suspended.contains(player) {
            assert_eq!((standing, listed), (Standing::Suspended, false));
            gone += 1;
        } else if !told.house.contains(player) {
            assert_eq!((standing, listed), (Standing::Listed, record.matches > 0));
            seen += usize::from(listed);
        }
    }
    assert!(house > 0 && gone > 0 && seen > 5, "{house} {gone} {seen}");
    // A player nobody ever heard of has earned nothing.
    let nobody = board.statistics(PlayerId(uuid::Uuid::nil()), Period::AllTime).await.unwrap();
    assert_eq!(nobody, Statistics { standing: Standing::Listed, record: Record::default() });
    // Once registered as a house player, never listed.
    let one = PlayerId(uuid::Uuid::from_u128(2));
    let event = PlayerEvent::Registered(Registered { house: true });
    let feed = MemoryFeed::new(alone(vec![(one, Time(0), event)]));
    let rig = Rig::new(store).await;
    rig.catch_up(NAME, &feed, 1).await;
    let found = Leaderboard::new(&rig.views).statistics(one, Period::AllTime).await.unwrap();
    assert_eq!(found.standing, Standing::House);
}
