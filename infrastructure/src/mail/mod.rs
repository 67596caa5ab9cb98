//! Mail: what is said (texts), how it is written down (letters), and who takes it away (mailboxes). Must not
//! decide who is mailed, or when: see the accounts' outbox and `workers::mailing`.

mod dev;
mod kind;
mod layout;
mod letter;
mod locale;
mod mailbox;
mod smtp;
mod texts;

pub use dev::{DevMailbox, KEPT, StoredLetter};
pub use kind::{Mail, MailKind, ReplayMail, TurnLine, TurnMail};
pub use letter::{Letter, LetterFault};
pub use locale::{Locale, UnknownLocale};
pub use mailbox::{MailFault, Mailbox, NoMail};
pub use smtp::{Smtp, SmtpFault, SmtpSettings};
