//! Two versions of the program on one store: each keeps and serves the rows in its own shape, until the older
//! one has gone.

use super::histories::World;
use super::node::{LONG, Node};
use super::rebuilds::Reshaped;
use super::rig::MemoryFeed;
use std::sync::Arc;
use yibu_projections::engine::{Projection, Standing};
use yibu_projections::{Home, models, rebuild};
use yibu_tests::postgres::Cluster;

/// A program in which one read model has another shape.
fn newer() -> Vec<Arc<dyn Projection>> {
    let models = models::all().into_iter().map(|model| -> Arc<dyn Projection> {
        if model.name() == "deadlines" { Arc::new(Reshaped(model)) } else { model }
    });
    models.collect()
}

#[test]
fn each_version_keeps_its_own_shape() {
    let mut world = World::new(77, 12, 6);
    world.grow(1_200);
    let feed = MemoryFeed::hidden(world.log.clone());
    let home = Home::Postgres(Cluster::shared().database());
    feed.show(600);
    let old = Node::start(&home, &feed);
    old.reach(600, LONG);
    let new = Node::of(&home, &feed, newer());
    let generation = |node: &Node, name| node.views.progress(name).unwrap().borrow().generation;
    assert_eq!((generation(&new, "deadlines"), generation(&new, "lobby")), (2, 1));
    feed.show(1_200);
    for node in [&old, &new] {
        node.reach(1_200, LONG);
        assert_eq!(node.standing("deadlines"), Standing::Running);
    }
    assert_eq!(generation(&old, "deadlines"), 1);
    assert!(old.rows() == new.rows());
    old.stop();
    // The older one has gone: the next switch retires what was its own.
    for answer in new.run(rebuild(&new.views, feed.clone(), &["deadlines"], |_| {})) {
        assert_eq!(answer.unwrap().generation, 3);
    }
    new.stop();
    let back = Node::of(&home, &feed, newer());
    assert_eq!(generation(&back, "deadlines"), 3);
    back.stop();
    // One of the older version builds its own again.
    let old = Node::start(&home, &feed);
    assert_eq!(generation(&old, "deadlines"), 4);
    old.stop();
}
