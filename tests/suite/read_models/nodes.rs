//! Several processes on one store: one works at each read model, the others follow it, tell their own listeners
//! of everything, and take its place when it goes.

use super::histories::World;
use super::node::{LONG, Node, fresh};
use super::rig::{MemoryFeed, Rig, Store, run, run_out};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use yibu_projections::engine::{Fault, Pages, Projector, Standing};
use yibu_projections::models::MatchViews;
use yibu_projections::{Home, Views, models, rebuild};
use yibu_tests::postgres::Cluster;

/// Less than what is left of a lease that was renewed as it should be.
const AT_ONCE: Duration = Duration::from_millis(1_900);
/// The longest that players may be without news when a process dies: a lease, a look, and a busy machine.
const TAKEOVER: Duration = Duration::from_secs(8);

fn history(seed: u64, events: usize) -> World {
    let mut world = World::new(seed, 12, 6);
    world.grow(events);
    world
}

fn shared() -> Home {
    Home::Postgres(Cluster::shared().database())
}

/// Asks the database itself.
fn ask(home: &Home, sql: &str) -> String {
    let Home::Postgres(url) = home else { panic!("a shared store") };
    let name = url.rsplit_once('/').unwrap().1.split_once('?').unwrap().0;
    Cluster::shared().psql("postgres", &sql.replace("{database}", name))
}

#[test]
fn one_works_and_the_other_follows_every_change() {
    let world = history(71, 2_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let home = shared();
    let mut nodes = [(); 2].map(|()| Node::start(&home, &feed));
    for position in (200..=2_000).step_by(200) {
        feed.show(position);
        for node in &mut nodes {
            node.reach(position, LONG);
            node.assert_told(&world, position - 200, position);
        }
    }
    let rows = fresh(&feed);
    for name in nodes[0].views.names() {
        let standings = nodes.each_ref().map(|node| node.standing(name));
        assert!(
            standings.contains(&Standing::Running) && standings.contains(&Standing::Following),
            "{name}: {standings:?}"
        );
    }
    for node in nodes {
        assert!(node.rows() == rows);
        node.stop();
    }
}

#[test]
fn when_the_worker_vanishes_another_takes_over() {
    let world = history(72, 1_600);
    let feed = MemoryFeed::hidden(world.log.clone());
    let home = shared();
    feed.show(800);
    let one = Node::start(&home, &feed);
    one.reach(800, LONG);
    let mut two = Node::start(&home, &feed);
    two.reach(800, LONG);
    one.vanish();
    feed.show(1_600);
    let since = Instant::now();
    two.reach(1_600, TAKEOVER);
    println!("taken over {} ms after the worker vanished", since.elapsed().as_millis());
    two.assert_told(&world, 800, 1_600);
    for name in two.views.names() {
        assert_eq!(two.standing(name), Standing::Running);
    }
    assert!(two.rows() == fresh(&feed));
    two.stop();
}

#[test]
fn a_worker_that_stops_gives_its_place_away_at_once() {
    let world = history(73, 1_600);
    let feed = MemoryFeed::hidden(world.log.clone());
    let home = shared();
    feed.show(800);
    let one = Node::start(&home, &feed);
    one.reach(800, LONG);
    let mut two = Node::start(&home, &feed);
    one.stop();
    feed.show(1_600);
    two.reach(1_600, AT_ONCE);
    two.assert_told(&world, 800, 1_600);
    two.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_slept_through_its_lease_writes_nothing() {
    let feed = MemoryFeed::new(history(74, 900).log);
    let rig = Rig::new(Store::Postgres).await;
    let other = Views::open(rig.home.clone(), models::all()).await.unwrap();
    for name in rig.views.names() {
        let mut old = rig.projector(name, &feed).await;
        old.step(300).await.unwrap();
        let adopt = || Projector::adopt(&other, name, Pages::new(feed.clone()));
        assert!(matches!(adopt().await.err(), Some(Fault::Held)), "{name} has its worker");
        run_out(&rig.home).await;
        let mut new = adopt().await.unwrap();
        assert!(matches!(old.step(300).await, Err(Fault::Fenced)), "{name}");
        run(&mut new, 300).await.unwrap();
        assert!(matches!(old.step(300).await, Err(Fault::Fenced)), "{name}");
    }
    let fresh = Rig::new(Store::Sqlite).await;
    fresh.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}

#[test]
fn one_rebuilds_while_the_other_serves() {
    let world = history(75, 3_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let home = shared();
    feed.show(1_000);
    let mut nodes = [(); 2].map(|()| Node::start(&home, &feed));
    let names = nodes[0].views.names();
    let (done, shown) = (AtomicBool::new(false), AtomicU64::new(1_000));
    for (round, builder) in [(2, 0), (3, 1)] {
        done.store(false, Ordering::SeqCst);
        let other = &nodes[1 - builder];
        let answers = std::thread::scope(|scope| {
            let reading = scope.spawn(|| {
                let views = MatchViews::new(&other.views);
                let mut read = 0;
                while !done.load(Ordering::SeqCst) || read == 0 {
                    for (id, _) in &world.matches {
                        // No query ever meets a missing table.
                        other.run(views.people_of(*id)).unwrap();
                        read += 1;
                    }
                }
                read
            });
            let node = &nodes[builder];
            let grow = |_| {
                let now = shown.fetch_add(100, Ordering::SeqCst) + 100;
                feed.show(now.min(3_000));
            };
            let answers = node.run(rebuild(&node.views, feed.clone(), &names, grow));
            // Both have gone over before the reading ends.
            for node in &nodes {
                for name in &names {
                    let mut progress = node.views.progress(name).unwrap();
                    node.run(progress.wait_for(|now| now.generation == round)).unwrap();
                }
            }
            done.store(true, Ordering::SeqCst);
            assert!(reading.join().unwrap() > 0);
            answers
        });
        for answer in answers {
            assert_eq!(answer.unwrap().generation, round);
        }
    }
    feed.show(3_000);
    let rows = fresh(&feed);
    for node in &mut nodes {
        node.reach(3_000, LONG);
        node.assert_told(&world, 1_000, 3_000);
        assert!(node.rows() == rows);
    }
    nodes.into_iter().for_each(Node::stop);
}

#[test]
fn a_database_that_goes_away_and_comes_back_costs_nothing() {
    let world = history(76, 1_600);
    let feed = MemoryFeed::hidden(world.log.clone());
    let home = shared();
    feed.show(800);
    let mut nodes = [(); 2].map(|()| Node::start(&home, &feed));
    for node in &nodes {
        node.reach(800, LONG);
    }
    ask(&home, "ALTER DATABASE {database} ALLOW_CONNECTIONS false");
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{database}'";
    assert_ne!(ask(&home, end), "0");
    feed.show(1_600);
    let name = nodes[0].views.names()[0];
    for node in &nodes {
        assert!(node.run(node.views.rows(name)).is_err(), "it is away");
        assert_eq!(node.views.progress(name).unwrap().borrow().checkpoint, 800);
    }
    ask(&home, "ALTER DATABASE {database} ALLOW_CONNECTIONS true");
    let rows = fresh(&feed);
    for node in &mut nodes {
        node.reach(1_600, LONG);
        node.assert_told(&world, 800, 1_600);
        assert!(node.rows() == rows);
    }
    nodes.into_iter().for_each(Node::stop);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_may_open_at_once() {
    let home = shared();
    let opening = [(); 6].map(|()| tokio::spawn(Views::open(home.clone(), models::all())));
    for opened in opening {
        let views = opened.await.unwrap().unwrap();
        for name in views.names() {
            assert_eq!(views.progress(name).unwrap().borrow().generation, 1);
        }
    }
}
