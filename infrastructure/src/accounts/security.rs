//! Mails about the safety of an account: they always go, at once, and stand or fall with the change that they tell
//! of. Must not hold a secret.

use super::db::Conn;
use super::outbox::{self, Posting};
use super::{Accounts, Email};
use yibu_domain::kernel::{PlayerId, Time};

impl Accounts {
    /// Posts a mail to this address, in the transaction that makes the change.
    pub(super) async fn security_mail(
        &self,
        tx: &mut Conn,
        player: PlayerId,
        to: &Email,
        posting: &Posting,
        now: Time,
    ) -> Result<(), sqlx::Error> {
        // Without a set-up nobody would ever take it away.
        if !self.inner.mailbox.is_set_up() {
            return Ok(());
        }
        let id = self.inner.entropy.uuid();
        outbox::post(tx, id, player, Some(to.as_str()), posting, now, None).await
    }
}
