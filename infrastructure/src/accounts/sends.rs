//! Mails that bring a secret to an address, sent at once: how many may go, and the one way that they go. The same
//! statements and one letter, whether the address has an account or not.

use super::codes::DAY;
use super::db::Conn;
use super::turns::{Turn, Tx};
use super::{Accounts, Broken, Email, Failure, Origin, Refusal, rows};
use crate::mail::{Letter, Locale, Mail, MailFault, MailKind};
use uuid::Uuid;
use yibu_domain::kernel::{Span, Time};

/// The caps of one address over all purposes: so many mails in so long.
const ADDRESS_CAPS: [(u32, Span); 3] = [(1, MINUTE), (5, HOUR), (10, DAY)];
const MINUTE: Span = Span::seconds(60);
const HOUR: Span = Span::hours(1);

/// A mail that may go: it is counted, and nothing is committed yet.
pub(super) struct Offer<'a> {
    accounts: &'a Accounts,
    email: &'a Email,
    job: Uuid,
    /// When.
    pub(super) now: Time,
    /// Where the secret is to be stored.
    pub(super) tx: Tx,
    /// Whether the address has an account.
    pub(super) registered: bool,
}

impl Accounts {
    /// Nothing that needs a mail may begin where none can be sent.
    pub(super) fn mail_ready(&self) -> Result<(), Refusal> {
        if self.inner.mailbox.is_set_up() { Ok(()) } else { Err(Refusal::MailUnavailable) }
    }

    /// How long until all caps allow another mail; `None` when they do now.
    async fn capped(
        &self,
        tx: &mut Conn,
        email: &Email,
        network: &str,
        now: Time,
    ) -> Result<Option<Span>, sqlx::Error> {
        let caps = self.inner.settings.code_caps;
        let mut wait = None;
        for (most, window) in ADDRESS_CAPS {
            let scope = "SELECT at FROM code_sends WHERE address = $1";
            wait = wait.max(full(tx, scope, email.key(), most, window, now).await?);
        }
        for (most, window) in [(caps.network_hour, HOUR), (caps.network_day, DAY)] {
            let scope = "SELECT at FROM code_sends WHERE network = $1";
            wait = wait.max(full(tx, scope, network, most, window, now).await?);
        }
        let scope = "SELECT at FROM code_sends WHERE $1 = ''";
        Ok(wait.max(full(tx, scope, "", caps.all_hour, HOUR, now).await?))
    }
}

impl<'a> Offer<'a> {
    /// Counts a mail to the address, unless a cap forbids it.
    pub(super) async fn begin(
        accounts: &'a Accounts,
        email: &'a Email,
        purpose: &str,
        origin: &Origin,
    ) -> Result<Self, Failure> {
        let inner = &accounts.inner;
        let (now, job, network) = (inner.clock.now(), inner.entropy.uuid(), origin.network());
        let mut tx = inner.db.write(&[Turn::Codes, Turn::Address(email.key())]).await?;
        if let Some(retry_after) = accounts.capped(&mut tx, email, &network, now).await? {
            return Err(Refusal::CodeRateLimited { retry_after }.into());
        }
        let registered = sqlx::query("SELECT 1 FROM accounts WHERE email_key = $1")
            .bind(email.key())
            .fetch_optional(&mut *tx)
            .await?
            .is_some();
        sqlx::query(
            "INSERT INTO code_sends (id, address, network, purpose, at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(rows::bytes(job))
        .bind(email.key())
        .bind(&network)
        .bind(purpose)
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        Ok(Self { accounts, email, job, now, tx, registered })
    }

    /// Commits and hands the mail over. What was not mailed does not count. Returns how long until the address may
    /// be sent another.
    pub(super) async fn send(self, locale: Locale, kind: MailKind) -> Result<Span, Failure> {
        let Self { accounts, email, job, now, tx, .. } = self;
        let inner = &accounts.inner;
        tx.commit().await?;
        let mail = Mail { to: email.as_str().to_owned(), locale, kind };
        let letter =
            Letter::write(&mail, job, inner.mailbox.from(), now).map_err(Broken::Letter)?;
        if let Err(error) = inner.mailbox.deliver(&letter).await {
            tell(&error);
            sqlx::query("DELETE FROM code_sends WHERE id = $1")
                .bind(rows::bytes(job))
                .execute(inner.db.writing())
                .await?;
            return Err(Refusal::MailUnavailable.into());
        }
        Ok(MINUTE)
    }
}

/// Logs what became of a letter. One receiver that will never take any is no trouble of the operator's.
fn tell(fault: &MailFault) {
    if fault.is_final() {
        tracing::info!(%fault, "a receiver was refused");
    } else {
        tracing::error!(error = fault as &dyn std::error::Error, "a letter was not taken");
    }
}

/// How long until fewer than `most` mails of the scope lie in the window that ends now.
async fn full(
    tx: &mut Conn,
    scope: &str,
    value: &str,
    most: u32,
    window: Span,
    now: Time,
) -> Result<Option<Span>, sqlx::Error> {
    let Some(before) = most.checked_sub(1) else {
        return Ok(Some(window));
    };
    let query = format!("{scope} AND at > $2 ORDER BY at DESC LIMIT 1 OFFSET $3");
    let row = sqlx::query(&query)
        .bind(value)
        .bind((now - window).0)
        .bind(i64::from(before))
        .fetch_optional(tx)
        .await?;
    row.map(|row| Ok((rows::time(&row, "at")? + window) - now)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    /// Hears at which levels something is said.
    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<Level>>>);

    impl Subscriber for Heard {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            self.0.lock().unwrap().push(*event.metadata().level());
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn one_refused_receiver_is_no_error() {
        let heard = Heard::default();
        tracing::subscriber::with_default(heard.clone(), || {
            tell(&MailFault::Refused(550));
            tell(&MailFault::Server("it took too long".to_owned()));
        });
        assert_eq!(*heard.0.lock().unwrap(), [Level::INFO, Level::ERROR]);
    }
}
