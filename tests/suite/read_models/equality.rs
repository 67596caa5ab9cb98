//! Rows that grew live, in batches of any size and over restarts, equal rows that were rebuilt.

use super::histories::World;
use super::rig::{MemoryFeed, Rig, Store, run};
use proptest::prelude::*;
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId};
use yibu_projections::{models, rebuild};

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// Feeds the history in pieces; now and then the process ends between two pieces.
async fn grow_live(store: Store, world: &World, seed: u64) -> Rig {
    let feed = MemoryFeed::hidden(world.log.clone());
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut draw = FairDraw::new("pieces", MatchId(uuid::Uuid::nil()), &Bytes32(key), &[]);
    let mut rig = Rig::new(store).await;
    let mut shown = 0;
    while shown < feed.len() {
        shown = (shown + 1 + u64::from(draw.below(400))).min(feed.len());
        feed.show(shown);
        let most = 1 + draw.below(300) as usize;
        for name in rig.views.names() {
            // Some fall behind for a while.
            if shown == feed.len() || draw.below(4) > 0 {
                let mut projector = rig.projector(name, &feed).await;
                run(&mut projector, most).await.unwrap();
            }
        }
        if draw.below(8) == 0 {
            rig = rig.restart(models::all()).await;
        }
    }
    rig
}

/// Live rows, the same rebuilt beside them, and those of a store built at once from the log.
async fn compared(store: Store, seed: u64, events: usize) -> Result<(), TestCaseError> {
    let mut world = World::new(seed, 14, 6);
    world.grow(events);
    let live = grow_live(store, &world, seed).await;
    let before = live.rows().await;
    let feed = MemoryFeed::new(world.log.clone());
    let names = live.views.names();
    for answer in rebuild(&live.views, feed.clone(), &names, |_| {}).await {
        let rebuilt = answer.unwrap();
        prop_assert_eq!(rebuilt.position, feed.len());
        prop_assert_eq!(rebuilt.same, Some(true));
    }
    prop_assert_eq!(&before, &live.rows().await);
    // In the other store: both hold the same rows.
    let fresh = Rig::new(store.other()).await;
    fresh.catch_up_all(&feed).await;
    prop_assert_eq!(before, fresh.rows().await);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn live_rows_equal_rebuilt_rows_on_sqlite(seed in any::<u64>(), events in 200_usize..2_500) {
        block_on(compared(Store::Sqlite, seed, events))?;
    }

    #[test]
    fn live_rows_equal_rebuilt_rows_on_postgres(seed in any::<u64>(), events in 200_usize..2_500) {
        block_on(compared(Store::Postgres, seed, events))?;
    }
}

pub(super) async fn a_long_history_is_the_same_whole_and_in_single_steps(store: Store) {
    let mut world = World::new(7, 10, 4);
    world.grow(1_500);
    let feed = MemoryFeed::new(world.log);
    let (whole, single) = (Rig::new(store).await, Rig::new(store).await);
    whole.catch_up_all(&feed).await;
    for name in single.views.names() {
        single.catch_up(name, &feed, 1).await;
    }
    assert_eq!(whole.rows().await, single.rows().await);
}

pub(super) async fn one_read_model_is_rebuilt_alone(store: Store) {
    let mut world = World::new(8, 10, 4);
    world.grow(1_200);
    let feed = MemoryFeed::new(world.log);
    let rig = Rig::new(store).await;
    rig.catch_up_all(&feed).await;
    let before = rig.rows().await;
    for name in rig.views.names() {
        let answers = rebuild(&rig.views, feed.clone(), &[name], |_| {}).await;
        assert_eq!(answers.len(), 1);
        for answer in answers {
            let rebuilt = answer.unwrap();
            assert_eq!((rebuilt.generation, rebuilt.same), (2, Some(true)));
        }
    }
    assert_eq!(before, rig.rows().await);
}

pub(super) async fn what_is_far_behind_is_written_rarely_and_ends_the_same(store: Store) {
    let mut world = World::new(9, 60, 30);
    world.grow(36_000);
    let feed = MemoryFeed::new(world.log);
    let (steady, late) = (Rig::new(store).await, Rig::new(store).await);
    steady.catch_up_all(&feed).await;
    let head = feed.len();
    let rounds = std::sync::Mutex::new(Vec::new());
    let names = late.views.names();
    let note = |step: yibu_projections::engine::Rebuilding| {
        rounds.lock().unwrap().push(step.position);
    };
    for answer in rebuild(&late.views, feed, &names, note).await {
        assert_eq!(answer.unwrap().position, head);
    }
    let rounds = rounds.into_inner().unwrap();
    assert_eq!(rounds.len(), 3 * names.len(), "{rounds:?}");
    assert_eq!(steady.rows().await, late.rows().await);
}
