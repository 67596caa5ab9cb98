//! A process of its own, as far as a shared store can tell: its handle and its workers live and die with its
//! runtime.

use super::histories::World;
use super::rig::{MemoryFeed, Store};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::broadcast::Receiver;
use yibu_domain::kernel::MatchId;
use yibu_projections::engine::{Projection, Standing};
use yibu_projections::{Changed, Engine, Fact, Home, Views, models};

pub(super) const LONG: Duration = Duration::from_secs(60);

pub(super) struct Node {
    runtime: Runtime,
    pub(super) views: Views,
    engine: Engine,
    pulses: Receiver<Changed>,
    /// The last position that was told of each match.
    told: HashMap<MatchId, u64>,
}

impl Node {
    pub(super) fn start(home: &Home, feed: &Arc<MemoryFeed>) -> Self {
        Self::of(home, feed, models::all())
    }

    pub(super) fn of(
        home: &Home,
        feed: &Arc<MemoryFeed>,
        models: Vec<Arc<dyn Projection>>,
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let (views, engine, pulses) = runtime.block_on(async {
            let views = Views::open(home.clone(), models).await.unwrap();
            let pulses = views.pulses();
            let engine = Engine::start(&views, feed.clone()).await.unwrap();
            (views, engine, pulses)
        });
        Self { runtime, views, engine, pulses, told: HashMap::new() }
    }

    /// What this process does.
    pub(super) fn run<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }

    /// Waits until every read model has everything up to a position.
    pub(super) fn reach(&self, position: u64, within: Duration) {
        for name in self.views.names() {
            let reached = self.run(self.views.reached(name, position, within));
            assert_eq!(reached, Ok(()), "{name} at {position}");
        }
    }

    /// Who has waited for a position has been told of every change before it.
    pub(super) fn assert_told(&mut self, world: &World, after: u64, position: u64) {
        while let Ok(one) = self.pulses.try_recv() {
            let last = self.told.entry(one.match_id).or_default();
            *last = one.position.max(*last);
        }
        let mut wanted = HashMap::new();
        for fed in &world.log[after as usize..position as usize] {
            if let Ok(Fact::Match(id, _)) = &fed.fact {
                wanted.insert(*id, fed.position);
            }
        }
        for (id, last) in wanted {
            assert!(self.told.get(&id).is_some_and(|told| *told >= last), "{id} at {last}");
        }
    }

    pub(super) fn standing(&self, name: &str) -> Standing {
        self.views.progress(name).unwrap().borrow().standing.clone()
    }

    pub(super) fn rows(&self) -> Vec<String> {
        let names = self.views.names();
        let rows = names.into_iter().map(|name| self.run(self.views.rows(name)).unwrap());
        rows.flatten().collect()
    }

    /// Ends as it should.
    pub(super) fn stop(self) {
        let Self { runtime, views, engine, .. } = self;
        runtime.block_on(async {
            engine.stop().await;
            views.close().await;
        });
    }

    /// Ends as after SIGKILL: nothing is given back.
    pub(super) fn vanish(self) {
        self.runtime.shutdown_background();
    }
}

/// The rows of a log, built at once in a store of its own.
pub(super) fn fresh(feed: &Arc<MemoryFeed>) -> Vec<String> {
    Runtime::new().unwrap().block_on(async {
        let rig = super::rig::Rig::new(Store::Sqlite).await;
        rig.catch_up_all(feed).await;
        rig.rows().await
    })
}
