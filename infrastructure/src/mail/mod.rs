//! Mail: what is said (texts), how it is written down (letters), and who takes it away (mailboxes). Must not
//! decide who is mailed, or when: a sender over SMTP and an outbox will stand beside the mailboxes here.

mod dev;
mod letter;
mod locale;
mod mailbox;
mod texts;

pub use dev::{DevMailbox, KEPT, StoredLetter};
pub use letter::{Letter, LetterFault, Mail, MailKind};
pub use locale::{Locale, UnknownLocale};
pub use mailbox::{MailFault, Mailbox, NoMail};
