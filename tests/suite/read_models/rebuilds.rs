//! Rebuilding beside the served generation: readers and the live worker go on, what was interrupted resumes,
//! another shape is rebuilt at the start, and a log that was cut short begins the rows again.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store};
use std::sync::Arc;
use std::time::Duration;
use yibu_projections::engine::{Fold, NotReached, Projection, Standing};
use yibu_projections::models::{self, MatchViews};
use yibu_projections::{Engine, Views, rebuild};

const LONG: Duration = Duration::from_secs(60);

fn history(seed: u64, events: usize) -> World {
    let mut world = World::new(seed, 12, 6);
    world.grow(events);
    world
}

/// The same read model with another number of its shape.
pub(super) struct Reshaped(pub(super) Arc<dyn Projection>);

impl Projection for Reshaped {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn shape(&self) -> u32 {
        self.0.shape() + 1
    }
    fn tables(&self) -> &'static [&'static str] {
        self.0.tables()
    }
    fn schema(&self) -> &'static str {
        self.0.schema()
    }
    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold> {
        self.0.begin(views, generation)
    }
}

pub(super) async fn live_workers_follow_and_tell(store: Store) {
    let world = history(51, 2_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    let mut pulses = rig.views.pulses();
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    feed.show(1_500);
    for name in rig.views.names() {
        rig.views.reached(name, 1_500, LONG).await.unwrap();
        assert_eq!(rig.views.lag(name, 1_600), Some(100));
    }
    let late = rig.views.reached("lobby", 1_501, Duration::from_millis(1)).await;
    assert_eq!(late, Err(NotReached::Late));
    let nowhere = rig.views.reached("nothing", 1, LONG).await;
    assert_eq!(nowhere, Err(NotReached::Unknown));
    feed.show(feed.len());
    rig.views.reached("match_views", feed.len(), LONG).await.unwrap();
    let views = MatchViews::new(&rig.views);
    let mut told = std::collections::HashMap::new();
    while let Ok(one) = pulses.try_recv() {
        told.insert(one.match_id, one);
    }
    for (id, state) in &world.matches {
        let public = &state.live().unwrap().sheet.public;
        let one = told.get(id).unwrap();
        assert_eq!(one.version, public.version);
        let seen = views.people_of(*id).await.unwrap();
        assert!(seen.is_some());
    }
    engine.stop().await;
    let standing = rig.views.progress("lobby").unwrap().borrow().standing.clone();
    assert_eq!(standing, Standing::Idle);
}

pub(super) async fn readers_and_the_live_worker_go_on_during_a_rebuild(store: Store) {
    let world = history(52, 6_000);
    let feed = MemoryFeed::hidden(world.log.clone());
    feed.show(3_000);
    let rig = Rig::new(store).await;
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    let views = MatchViews::new(&rig.views);
    let names = rig.views.names();
    let stop = tokio_util::sync::CancellationToken::new();
    let reading = tokio::spawn({
        let (views, stop, world) = (views.clone(), stop.clone(), world.matches.clone());
        let players = world.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        async move {
            let (mut read, mut highest) = (0_u64, 0);
            while !stop.is_cancelled() {
                for id in &players {
                    // No query ever meets a missing table, and nothing goes back in time.
                    let people = views.people_of(*id).await.unwrap();
                    read += 1;
                    highest = highest.max(u64::from(people.is_some()));
                }
                tokio::task::yield_now().await;
            }
            read
        }
    });
    for round in 1..=3_u64 {
        let answers = {
            let growing = async {
                for position in (3_000 + (round - 1) * 1_000..=3_000 + round * 1_000).step_by(25) {
                    feed.show(position);
                    tokio::task::yield_now().await;
                }
            };
            let building = rebuild(&rig.views, feed.clone(), &names, |_| {});
            tokio::join!(building, growing).0
        };
        for answer in answers {
            assert_eq!(answer.unwrap().generation, round + 1);
        }
    }
    for name in &names {
        rig.views.reached(name, 6_000, LONG).await.unwrap();
        assert_eq!(rig.views.progress(name).unwrap().borrow().generation, 4);
    }
    stop.cancel();
    assert!(reading.await.unwrap() > 0);
    engine.stop().await;
    let fresh = Rig::new(store).await;
    fresh.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}

pub(super) async fn a_second_rebuild_of_the_same_is_refused(store: Store) {
    let feed = MemoryFeed::new(history(58, 1_500).log);
    let rig = Rig::new(store).await;
    let build = |names| rebuild(&rig.views, feed.clone(), names, |_| {});
    let (one, two) = tokio::join!(build(&["lobby"]), build(&["lobby", "replays"]));
    let answers: Vec<_> = one.into_iter().chain(two).collect();
    assert_eq!(answers.len(), 3);
    let (done, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!((done.len(), refused.len()), (2, 1), "the other read model is built all the same");
    let refused = refused.into_iter().find_map(Result::err).unwrap();
    assert_eq!(refused.name, "lobby");
    assert!(refused.to_string().contains("under way already"), "{refused}");
    // The first one over, another may begin.
    assert!(build(&["lobby"]).await.remove(0).is_ok());
}

pub(super) async fn a_pulse_comes_for_everything_that_the_switch_brought(store: Store) {
    let world = history(53, 1_500);
    let feed = MemoryFeed::hidden(world.log.clone());
    let rig = Rig::new(store).await;
    feed.show(1_000);
    rig.catch_up_all(&feed).await;
    let mut pulses = rig.views.pulses();
    // Nobody keeps the served rows: the rebuild overtakes them.
    feed.show(1_500);
    for answer in rebuild(&rig.views, feed.clone(), &["match_views"], |_| {}).await {
        assert_eq!(answer.unwrap().same, None);
    }
    let mut told = std::collections::HashSet::new();
    while let Ok(one) = pulses.try_recv() {
        assert!(one.position > 1_000);
        told.insert(one.match_id);
    }
    let changed = world.log.iter().skip(1_000).filter_map(|fed| match &fed.fact {
        Ok(yibu_projections::Fact::Match(id, _)) => Some(*id),
        _ => None,
    });
    assert_eq!(told, changed.collect());
}

pub(super) async fn a_rebuild_tells_and_mends_rows_that_are_wrong(store: Store) {
    let world = history(57, 1_500);
    let feed = MemoryFeed::new(world.log);
    let rig = Rig::new(store).await;
    rig.catch_up_all(&feed).await;
    let before = rig.rows().await;
    let damages = [
        ("match_views", "UPDATE match_views_own_g1 SET own = own || ' ' WHERE seat = 2"),
        ("match_actions", "DELETE FROM match_actions_g1 WHERE chunk = 1"),
        ("lobby", "UPDATE lobby_places_g1 SET counted = NULL WHERE counted = 1"),
        ("deadlines", "UPDATE deadlines_g1 SET due = due + 1 WHERE due IS NOT NULL"),
    ];
    for (_, damage) in damages {
        assert!(rig.harm(damage).await > 0, "{damage}");
    }
    for (name, _) in damages {
        for expected in [Some(false), Some(true)] {
            for answer in rebuild(&rig.views, feed.clone(), &[name], |_| {}).await {
                assert_eq!(answer.unwrap().same, expected, "{name}");
            }
        }
    }
    assert_eq!(rig.rows().await, before);
}

pub(super) async fn an_interrupted_rebuild_resumes_at_its_own_checkpoint(store: Store) {
    let world = history(54, 2_000);
    let feed = MemoryFeed::new(world.log.clone());
    let rig = Rig::new(store).await;
    rig.catch_up_all(&feed).await;
    let before = rig.rows().await;
    // The feed breaks once the first part is committed: it is shown only so far, then fails.
    feed.show(800);
    let breaking = |_| feed.fail(1_000);
    for answer in rebuild(&rig.views, feed.clone(), &["lobby", "match_views"], breaking).await {
        answer.unwrap_err();
    }
    assert_eq!(rig.rows().await, before, "readers still get the old generation");
    let rig = rig.restart(models::all()).await;
    feed.fail(0);
    feed.show(feed.len());
    feed.lowest_read();
    for answer in rebuild(&rig.views, feed.clone(), &["lobby", "match_views"], |_| {}).await {
        let rebuilt = answer.unwrap();
        assert_eq!((rebuilt.generation, rebuilt.same), (2, Some(true)));
    }
    assert_eq!(feed.lowest_read(), 800, "nothing before the checkpoint is read again");
    assert_eq!(rig.rows().await, before);
}

pub(super) async fn another_shape_is_rebuilt_before_anybody_is_served(store: Store) {
    let world = history(55, 1_000);
    let feed = MemoryFeed::new(world.log);
    let rig = Rig::new(store).await;
    rig.catch_up_all(&feed).await;
    let before = rig.rows().await;
    let reshaped = models::all().into_iter().map(|model| -> Arc<dyn Projection> {
        if model.name() == "deadlines" { Arc::new(Reshaped(model)) } else { model }
    });
    let rig = rig.restart(reshaped.collect()).await;
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    let generation = |name| rig.views.progress(name).unwrap().borrow().generation;
    assert_eq!((generation("deadlines"), generation("lobby")), (2, 1));
    engine.stop().await;
    assert_eq!(rig.rows().await, before);
}

pub(super) async fn rows_that_know_more_than_the_log_begin_again(store: Store) {
    let world = history(56, 1_000);
    let feed = MemoryFeed::new(world.log.clone());
    let rig = Rig::new(store).await;
    rig.catch_up_all(&feed).await;
    feed.show(600);
    let engine = Engine::start(&rig.views, feed.clone()).await.unwrap();
    for name in rig.views.names() {
        rig.views.reached(name, 600, LONG).await.unwrap();
    }
    engine.stop().await;
    let fresh = Rig::new(store).await;
    fresh.catch_up_all(&feed).await;
    assert_eq!(rig.rows().await, fresh.rows().await);
}
