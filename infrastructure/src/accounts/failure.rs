//! What can go wrong with accounts: refusals, which a person is told by a stable code, and faults, which are
//! masked and logged by the caller. Neither carries personal data.

use crate::mail::LetterFault;
use crate::reach::cause;
use thiserror::Error;
use yibu_domain::kernel::Span;
use yibu_domain::players::nickname::NicknameFault;

/// A wish that is not granted. Codes never change their meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{}", self.code())]
pub enum Refusal {
    /// The text is no mail address.
    EmailInvalid,
    /// Not the code in force for this address, or there is none.
    CodeWrong,
    /// The code in force is too old.
    CodeExpired,
    /// The code in force was tried too often; even the right one is no longer taken.
    CodeTriesUsed,
    /// Too many code mails to this address, from this network, or in all.
    CodeRateLimited {
        /// How long until the next one may be asked for.
        retry_after: Span,
    },
    /// The text cannot be a nickname.
    NicknameInvalid(NicknameFault),
    /// Somebody has this nickname.
    NicknameTaken,
    /// Fewer characters than a password needs.
    PasswordTooShort,
    /// More characters than a password may have.
    PasswordTooLong,
    /// A password that everybody tries first.
    PasswordTooCommon,
    /// No account with this address and password.
    CredentialsWrong,
    /// Too many failed logins for this address, device or network.
    LoginThrottled {
        /// How long until the next attempt is judged.
        retry_after: Span,
    },
    /// Mail is not set up, or the letter was not taken, now or by this address ever. Which, is not told.
    MailUnavailable,
    /// The session is over or never was.
    SessionEnded,
    /// Not the current password of the account that asks.
    PasswordWrong,
    /// Administrators have barred this account. Told to the right password alone.
    AccountSuspended,
    /// No reset link in force: used, too old, replaced by a later one, or never given.
    ResetInvalid,
    /// Two nicknames were given up within 365 days.
    NicknameLimitReached {
        /// How long until the next change.
        retry_after: Span,
    },
    /// The key was used for another change.
    IdempotencyConflict,
}

impl Refusal {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmailInvalid => "EMAIL_INVALID",
            Self::CodeWrong => "CODE_WRONG",
            Self::CodeExpired => "CODE_EXPIRED",
            Self::CodeTriesUsed => "CODE_TRIES_USED",
            Self::CodeRateLimited { .. } => "CODE_RATE_LIMITED",
            Self::NicknameInvalid(_) => "NICKNAME_INVALID",
            Self::NicknameTaken => "NICKNAME_TAKEN",
            Self::PasswordTooShort => "PASSWORD_TOO_SHORT",
            Self::PasswordTooLong => "PASSWORD_TOO_LONG",
            Self::PasswordTooCommon => "PASSWORD_TOO_COMMON",
            Self::CredentialsWrong => "CREDENTIALS_WRONG",
            Self::LoginThrottled { .. } => "LOGIN_THROTTLED",
            Self::MailUnavailable => "MAIL_UNAVAILABLE",
            Self::SessionEnded => "SESSION_ENDED",
            Self::PasswordWrong => "PASSWORD_WRONG",
            Self::AccountSuspended => "ACCOUNT_SUSPENDED",
            Self::ResetInvalid => "RESET_INVALID",
            Self::NicknameLimitReached { .. } => "NICKNAME_LIMIT_REACHED",
            Self::IdempotencyConflict => "IDEMPOTENCY_CONFLICT",
        }
    }

    /// Which input it is about, where it is about one.
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::EmailInvalid => Some("email"),
            Self::CodeWrong | Self::CodeExpired | Self::CodeTriesUsed => Some("code"),
            Self::NicknameInvalid(_) | Self::NicknameTaken | Self::NicknameLimitReached { .. } => {
                Some("nickname")
            }
            Self::PasswordWrong => Some("current"),
            Self::ResetInvalid => Some("token"),
            Self::IdempotencyConflict => Some("idempotencyKey"),
            Self::PasswordTooShort | Self::PasswordTooLong | Self::PasswordTooCommon => {
                Some("password")
            }
            _ => None,
        }
    }

    /// How long to wait before asking again, where waiting helps.
    pub const fn retry_after(&self) -> Option<Span> {
        match self {
            Self::CodeRateLimited { retry_after }
            | Self::LoginThrottled { retry_after }
            | Self::NicknameLimitReached { retry_after } => Some(*retry_after),
            _ => None,
        }
    }
}

/// Something is broken on our side.
#[derive(Debug, Error)]
pub enum Broken {
    /// The database failed.
    #[error("the accounts' database failed: {}", cause(.0))]
    Store(#[from] sqlx::Error),
    /// A password could not be hashed.
    #[error("password hashing failed: {0}")]
    Hashing(String),
    /// A letter could not be written.
    #[error("a letter could not be written: {0}")]
    Letter(#[from] LetterFault),
    /// A task of ours was stopped.
    #[error("a task was stopped")]
    Stopped,
}

/// Why a call gave nothing.
#[derive(Debug, Error)]
pub enum Failure {
    /// The wish was refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The wish could not be judged or carried out.
    #[error(transparent)]
    Broken(#[from] Broken),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Broken(Broken::Store(error))
    }
}
