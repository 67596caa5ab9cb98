//! What a mail can be about, with all that its text is made of. Must not hold words: see `texts`.

use super::Locale;
use std::fmt;
use yibu_domain::kernel::{MatchId, Time};
use yibu_domain::reminders::{self, Zone};

/// What a mail is about.
#[derive(Clone, PartialEq, Eq)]
pub enum MailKind {
    /// The code that shows that an address is read by whoever registers it.
    VerificationCode {
        /// The digits to be typed.
        code: String,
        /// For how long they are valid.
        minutes: u32,
    },
    /// Somebody tried to register an address that has an account.
    AlreadyRegistered,
    /// Somebody wants an address for an account, and it has one already.
    AddressInUse,
    /// Somebody wanted to reset the password of an address that has no account.
    NoAccount,
    /// A new password may be chosen.
    PasswordReset {
        /// Where; holds the secret.
        link: String,
        /// For how long it is valid.
        minutes: u32,
    },
    /// The password was changed.
    PasswordChanged {
        /// The site.
        site: String,
    },
    /// The address was changed; told to the old one.
    EmailChanged {
        /// The new address with most of it hidden.
        new_masked: String,
        /// The site.
        site: String,
    },
    /// The account was deleted.
    AccountDeleted,
    /// Turns that wait, are about to run out, or ran out.
    Turn(TurnMail),
    /// The replay of a match that ended.
    Replay(ReplayMail),
}

/// A turn mail; at least one list has somebody in it.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnMail {
    /// What it is about above all.
    pub kind: reminders::MailKind,
    /// Own turns in their last hour.
    pub deadline: Vec<TurnLine>,
    /// Other own turns.
    pub waiting: Vec<TurnLine>,
    /// Turns that ran out.
    pub timed_out: Vec<TurnLine>,
    /// Whose wall clock the times are told by.
    pub zone: Zone,
    /// Where such mails are ended, without logging in.
    pub unsubscribe: String,
}

/// A turn in a turn mail. Says nothing about the match but where it is.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnLine {
    /// The match.
    pub match_id: MatchId,
    /// Where it is played.
    pub link: String,
    /// When the turn runs out, where that is known.
    pub deadline: Option<Time>,
}

/// A replay with its file.
#[derive(Clone, PartialEq, Eq)]
pub struct ReplayMail {
    /// The match.
    pub match_id: MatchId,
    /// Where files are opened.
    pub link: String,
    /// The file's name, ASCII.
    pub file_name: String,
    /// The file.
    pub file: Vec<u8>,
}

impl MailKind {
    /// The kind's stable name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::VerificationCode { .. } => "verification_code",
            Self::AlreadyRegistered => "already_registered",
            Self::AddressInUse => "address_in_use",
            Self::NoAccount => "no_account",
            Self::PasswordReset { .. } => "password_reset",
            Self::PasswordChanged { .. } => "password_changed",
            Self::EmailChanged { .. } => "email_changed",
            Self::AccountDeleted => "account_deleted",
            Self::Turn(_) => "turn",
            Self::Replay(_) => "replay",
        }
    }

    /// Where mails of this kind are ended by one click; most kinds cannot be.
    pub(super) fn unsubscribe(&self) -> Option<&str> {
        match self {
            Self::Turn(mail) => Some(&mail.unsubscribe),
            _ => None,
        }
    }
}

/// Never shows a code, a link or an address.
impl fmt::Debug for MailKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One mail to be written.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// The receiver's address.
    pub to: String,
    /// The receiver's language.
    pub locale: Locale,
    /// What it says.
    pub kind: MailKind,
}
