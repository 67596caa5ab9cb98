//! What matchmaking asks about people: who may sit down, and with whom. Knows no accounts; whoever composes the
//! server connects them.

use async_trait::async_trait;
use std::any::Any;
use std::collections::BTreeSet;
use yibu_domain::kernel::PlayerId;

/// Who may sit down, and with whom. House players may always, with everybody.
#[async_trait]
pub trait Company: Send + Sync + 'static {
    /// Waits, for a bounded time, until no other node looks for a place. The turn is over when it is dropped.
    ///
    /// # Errors
    /// Why it cannot be had now.
    async fn turn(&self) -> Result<Box<dyn Any + Send>, String>;

    /// Whether the player may sit down, and with whom not.
    ///
    /// # Errors
    /// What the accounts say.
    async fn of(&self, player: PlayerId) -> Result<Seating, String>;
}

/// Whether somebody may sit down, and with whom not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seating {
    /// May not sit down at all.
    pub barred: bool,
    /// Who may not be in the same match.
    pub apart: BTreeSet<PlayerId>,
}
