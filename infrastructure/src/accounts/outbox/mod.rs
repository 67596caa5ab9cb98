//! The outbox: what is to be mailed, written in the transaction that decided it, so that neither is there
//! without the other. Must not write letters or talk to a mail server: the sender does, see `workers::mailing`.

mod figures;
mod leasing;
mod posting;

pub use figures::OutboxFigures;
pub use leasing::{Destination, End, Job, Lease};
pub use posting::Posting;
pub(crate) use posting::{post, rewrite};

use super::{Accounts, AccountsDb};
use yibu_domain::kernel::Span;

/// How long mails that ended are kept, for whoever asks what became of them.
pub(super) const KEPT: Span = Span::hours(7 * 24);

/// The outbox of a site. Clones are the same.
#[derive(Clone)]
pub struct Outbox {
    db: AccountsDb,
}

impl Accounts {
    /// The outbox.
    pub fn outbox(&self) -> Outbox {
        Outbox { db: self.inner.db.clone() }
    }
}
