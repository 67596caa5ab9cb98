//! People of whom a test says who must not meet whom, and who may not sit down. Takes no turns: one node.

use async_trait::async_trait;
use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Mutex;
use yibu_domain::kernel::PlayerId;
use yibu_infrastructure::executor::{Company, Seating};

#[derive(Default)]
pub(crate) struct Acquainted {
    pairs: Mutex<BTreeSet<(PlayerId, PlayerId)>>,
    barred: Mutex<BTreeSet<PlayerId>>,
}

impl Acquainted {
    /// From now on the two share a device.
    pub(crate) fn link(&self, one: PlayerId, other: PlayerId) {
        self.pairs.lock().unwrap().extend([(one, other), (other, one)]);
    }

    /// From now on this one may not sit down.
    pub(crate) fn bar(&self, one: PlayerId) {
        self.barred.lock().unwrap().insert(one);
    }
}

#[async_trait]
impl Company for Acquainted {
    async fn turn(&self) -> Result<Box<dyn Any + Send>, String> {
        Ok(Box::new(()))
    }

    async fn of(&self, player: PlayerId) -> Result<Seating, String> {
        let pairs = self.pairs.lock().unwrap();
        let apart = pairs.iter().filter(|(one, _)| *one == player).map(|(_, other)| *other);
        let barred = self.barred.lock().unwrap().contains(&player);
        Ok(Seating { barred, apart: apart.collect() })
    }
}
