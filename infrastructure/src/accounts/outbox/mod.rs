//! The outbox: what is to be mailed, written in the transaction that decided it, so that neither is there
//! without the other. Must not write letters or talk to a mail server: the sender does, see `workers::mailing`.

mod figures;
mod leasing;
mod posting;

pub use figures::OutboxFigures;
pub use leasing::{Destination, End, Job, Lease};
pub use posting::Posting;
pub(crate) use posting::{post, rewrite};

use super::{Accounts, AccountsDb, Broken};
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Span, Time};

/// How long mails that ended are kept, for whoever asks what became of them.
pub(super) const KEPT: Span = Span::hours(7 * 24);

/// The outbox of a site. Clones are the same.
#[derive(Clone)]
pub struct Outbox {
    db: AccountsDb,
}

impl Outbox {
    /// Posts a mail by itself; what else is decided with it is posted in that transaction instead. The parameters
    /// are those of `post`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn post(
        &self,
        id: Uuid,
        player: PlayerId,
        to: Option<&str>,
        posting: &Posting,
        due: Time,
        expires: Option<Time>,
    ) -> Result<(), Broken> {
        let mut tx = self.db.write(&[]).await?;
        post(&mut tx, id, player, to, posting, due, expires).await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Accounts {
    /// The outbox.
    pub fn outbox(&self) -> Outbox {
        Outbox { db: self.inner.db.clone() }
    }
}
