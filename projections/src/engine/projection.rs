//! The shape of every read model: tables, and a fold that takes events in memory and writes coalesced rows.
//! A fold may keep what it likes in memory; it is dropped after any fault and begun again from its rows.

use super::fault::{Fault, ViewsError};
use super::feed::Fed;
use super::store::Conn;
use super::views::Views;
use async_trait::async_trait;
use yibu_domain::kernel::MatchId;

/// One read model.
pub trait Projection: Send + Sync + 'static {
    /// Its name: also the beginning of its tables' names.
    fn name(&self) -> &'static str;

    /// Number of the tables' shape and meaning. Whoever changes either raises it; the next start rebuilds.
    fn shape(&self) -> u32;

    /// Its tables without the generation's ending, in the order of `schema`.
    fn tables(&self) -> &'static [&'static str];

    /// SQL that makes the tables, of the words that SQLite and Postgres share; the marks in it are filled in by
    /// the engine (`migrations/views/registry.sql` names them). The first two columns of each table are never
    /// null and tell a row from every other.
    fn schema(&self) -> &'static str;

    /// SQL that finds the documents that changed after position `$1`, in the order of their positions, at most
    /// `$2`: match, public version, position. For a read model whose changes are told ([`Fold::changed`]):
    /// processes that follow another one's worker tell their own listeners with it.
    fn changed_since(&self) -> Option<&'static str> {
        None
    }

    /// A fold that continues from the rows of `generation` as committed.
    fn begin(&self, views: &Views, generation: u64) -> Box<dyn Fold>;
}

/// A read model at work on one generation.
#[async_trait]
pub trait Fold: Send {
    /// Takes events in, in order, in memory alone; may read the committed rows of its own generation. Every
    /// `fact` of the batch is readable.
    ///
    /// # Errors
    /// [`Fault::Poison`] names the event at which it has to stand still; other faults are the store's.
    async fn absorb(&mut self, batch: &[Fed]) -> Result<(), Fault>;

    /// Writes everything absorbed since the last time, within the transaction that moves the checkpoint.
    ///
    /// # Errors
    /// The store failed: the transaction is rolled back and this fold dropped.
    async fn flush(&mut self, tx: &mut Conn) -> Result<(), ViewsError>;

    /// How many matches changed since the last flush; tells when it is time for the next.
    fn changed_matches(&self) -> usize;

    /// After the commit: the matches whose documents changed with it.
    fn changed(&mut self) -> Vec<Changed> {
        Vec::new()
    }
}

/// A committed change of a match's documents: the public one's, or only somebody's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed {
    /// Which match.
    pub match_id: MatchId,
    /// Its public version now; the same as before when only something private changed.
    pub version: u64,
    /// Position of the last event that is in the documents. Not for clients.
    pub position: u64,
}
