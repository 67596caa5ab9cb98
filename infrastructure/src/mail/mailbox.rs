//! The port through which letters leave. Knows neither texts nor accounts.

use super::Letter;
use async_trait::async_trait;
use thiserror::Error;

/// A letter could not be handed over. Says nothing of its contents.
#[derive(Debug, Error)]
pub enum MailFault {
    /// No way to send mail is set up.
    #[error("no mail set-up")]
    NotSetUp,
    /// The store of the mailbox failed.
    #[error("the mailbox could not store a letter")]
    Store(#[from] sqlx::Error),
    /// The mailbox's folder failed.
    #[error("the mailbox could not write a file")]
    File(#[from] std::io::Error),
    /// The receiver's server will never take a letter for this receiver.
    #[error("the receiver is refused for good (code {0})")]
    Refused(u16),
    /// The mail server was not reached, or did not take the letter now.
    #[error("the mail server took no letter: {0}")]
    Server(String),
}

impl MailFault {
    /// Whether handing the letter over again is of no use.
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

/// Takes letters away.
#[async_trait]
pub trait Mailbox: Send + Sync + 'static {
    /// Whether mail is set up at all. Where it is not, nothing that needs a mail may begin.
    fn is_set_up(&self) -> bool;

    /// The address that letters come from, for instance `Yibu <yibu@example.org>`.
    fn from(&self) -> &str;

    /// Hands over one letter. The same letter handed over twice (same Message-ID) counts once.
    ///
    /// # Errors
    /// The letter was not taken; it may be handed over again.
    async fn deliver(&self, letter: &Letter) -> Result<(), MailFault>;
}

/// The mailbox of a server without a mail set-up: takes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMail;

#[async_trait]
impl Mailbox for NoMail {
    fn is_set_up(&self) -> bool {
        false
    }

    fn from(&self) -> &'static str {
        "Yibu <yibu@localhost>"
    }

    async fn deliver(&self, _: &Letter) -> Result<(), MailFault> {
        Err(MailFault::NotSetUp)
    }
}
