//! Why something was not done: user errors, which a client shows, and faults, which the doors mask. Every
//! refusal of the inside becomes a user error here and nowhere else.

use super::scalars::seconds;
use async_graphql::{Error, ErrorExtensions, SimpleObject};
use std::any::Any;
use std::fmt::Display;
use yibu_domain::games::siguo::formation::{Fault, FormationRule};
use yibu_domain::kernel::Counter;
use yibu_domain::matches::{MarkRefusal, MatchRefusal};
use yibu_domain::players::PlayerRefusal;
use yibu_domain::site::SiteRefusal;
use yibu_infrastructure::accounts::{Broken, Failure, Refusal};
use yibu_infrastructure::executor::{Rejected, Unread};
use yibu_infrastructure::log::port::ReadError;
use yibu_infrastructure::reach;
use yibu_projections::ViewsError;

/// What a conflict of keys is told.
const KEY_USED: &str = "this idempotency key was used with another input";

/// Why a mutation changed nothing.
#[derive(SimpleObject, Clone, Debug)]
pub struct UserError {
    /// A stable code in capitals, for instance `NOT_YOUR_TURN`. Codes never change their meaning.
    pub code: String,
    /// The field of the input that it is about, where it is about one.
    pub field: Option<String>,
    /// A sentence in English for developers. Clients show their own text for the code.
    pub message: String,
    /// After how many seconds another attempt may succeed, where waiting helps.
    pub retry_after: Option<i64>,
    /// Every rule that a formation breaks, for `ILLEGAL_FORMATION`.
    pub broken_rules: Vec<BrokenRule>,
}

/// A rule of formations that was broken.
#[derive(SimpleObject, Clone, Debug)]
pub struct BrokenRule {
    /// Which rule.
    pub rule: FormationRuleName,
    /// Where: a position, or the code of a piece for counts and unknown pieces.
    pub at: String,
}

/// A rule of formations.
#[derive(async_graphql::Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(name = "FormationRule", remote = "FormationRule")]
pub enum FormationRuleName {
    /// A bomb stands in the front row.
    BombInFrontRow,
    /// The flag stands in none of its two headquarters.
    FlagNotInHeadquarters,
    /// A mine lies outside the last two rows.
    MineNotInLastTwoRows,
    /// A position of the area that is no camp holds no piece.
    PositionEmpty,
    /// A piece stands in a camp.
    PositionInCamp,
    /// A piece stands outside the own area.
    PositionNotOwn,
    /// The code names no piece.
    UnknownPiece,
    /// There are too many or too few of a kind.
    WrongCount,
}

impl UserError {
    /// An error with a code and a text.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            field: None,
            message: message.into(),
            retry_after: None,
            broken_rules: Vec::new(),
        }
    }

    /// Names the field of the input that it is about.
    #[must_use]
    pub fn about(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }

    /// Nobody is logged in.
    pub fn unauthenticated() -> Self {
        Self::new("UNAUTHENTICATED", "log in first")
    }

    /// The viewer is no administrator.
    pub fn not_allowed() -> Self {
        Self::new("NOT_ALLOWED", "this command is not yours to give")
    }

    /// The key belongs to another command.
    pub fn idempotency_conflict() -> Self {
        Self::new("IDEMPOTENCY_CONFLICT", KEY_USED).about("idempotencyKey")
    }

    /// The match does not exist, or is none of the viewer's business: the two look alike.
    pub fn match_not_found() -> Self {
        Self::from(&MatchRefusal::MatchNotFound)
    }
}

impl From<&MatchRefusal> for UserError {
    fn from(refusal: &MatchRefusal) -> Self {
        let mut error = Self::new(refusal.code(), refusal.to_string());
        error.field = field_of(refusal).map(str::to_owned);
        if let MatchRefusal::IllegalFormation(faults) = refusal {
            error.broken_rules = faults.iter().map(BrokenRule::from).collect();
        }
        error
    }
}

impl From<&SiteRefusal> for UserError {
    fn from(refusal: &SiteRefusal) -> Self {
        let error = Self::new(refusal.code(), refusal.to_string());
        match refusal {
            SiteRefusal::InvalidRelease => error.about("hours"),
            SiteRefusal::InvalidWait => error.about("minutes"),
            SiteRefusal::InvalidAnnouncement => error.about("text"),
            _ => error,
        }
    }
}

impl From<&PlayerRefusal> for UserError {
    fn from(refusal: &PlayerRefusal) -> Self {
        let error = Self::new(refusal.code(), refusal.to_string());
        match refusal {
            PlayerRefusal::PlayerNotFound | PlayerRefusal::HousePlayer => error.about("playerId"),
            PlayerRefusal::InvalidPoints => error.about("points"),
            PlayerRefusal::NotAllowed => error,
        }
    }
}

impl From<MarkRefusal> for UserError {
    fn from(refusal: MarkRefusal) -> Self {
        let error = Self::new(refusal.code(), refusal.to_string());
        match refusal {
            MarkRefusal::NoSuchPiece => error.about("handle"),
            MarkRefusal::InvalidMark => error.about("mark"),
            _ => error,
        }
    }
}

impl From<&Fault> for BrokenRule {
    fn from(fault: &Fault) -> Self {
        Self { rule: fault.rule.into(), at: fault.at.clone() }
    }
}

/// The input field that a refusal is about.
fn field_of(refusal: &MatchRefusal) -> Option<&'static str> {
    match refusal {
        MatchRefusal::MatchNotFound => Some("matchId"),
        MatchRefusal::StaleVersion => Some("expectedVersion"),
        MatchRefusal::IllegalFormation(_) => Some("formation"),
        _ => None,
    }
}

/// A counted limit that is reached.
fn limit_reached(counter: Counter) -> UserError {
    match counter {
        Counter::Full => UserError::new("FULL_LIMIT_REACHED", "your limit of matches is reached"),
        Counter::Takeover => {
            UserError::new("TAKEOVER_LIMIT_REACHED", "your limit of takeovers is reached")
        }
    }
}

/// The chance was used, at another node perhaps.
fn no_vacancy() -> UserError {
    UserError::from(&MatchRefusal::NoVacancy)
}

/// What the executor's rejection of a command means to its sender.
///
/// # Errors
/// Faults, and a server that takes no commands now.
pub fn rejected<R: std::error::Error>(rejection: Rejected<R>) -> Result<UserError, Error>
where
    for<'a> UserError: From<&'a R>,
{
    match rejection {
        Rejected::Refused(refusal) => Ok(UserError::from(&refusal)),
        Rejected::LimitReached(counter) => Ok(limit_reached(counter)),
        // The only unique claim of a match is the one takeover chance.
        Rejected::Taken { .. } => Ok(no_vacancy()),
        Rejected::IdempotencyConflict => Ok(UserError::idempotency_conflict()),
        Rejected::Unavailable => Err(unavailable()),
        Rejected::Newer(problem) => Err(newer(problem)),
        Rejected::Failed(problem) => Err(fault(problem)),
    }
}

/// What a refusal of the accounts means to whoever asked.
///
/// # Errors
/// Faults.
pub fn refused(failure: Failure) -> Result<UserError, Error> {
    match failure {
        Failure::Refused(refusal) => Ok(of_account(&refusal)),
        Failure::Broken(broken) => Err(fault(broken)),
    }
}

fn of_account(refusal: &Refusal) -> UserError {
    let mut error = UserError::new(refusal.code(), account_text(refusal));
    error.field = refusal.field().map(str::to_owned);
    // Rounded up: whoever waits so long does not come too early.
    error.retry_after = refusal.retry_after().map(|span| seconds(span) + 1);
    error
}

fn account_text(refusal: &Refusal) -> String {
    match refusal {
        Refusal::EmailInvalid => "this is no mail address".to_owned(),
        Refusal::CodeWrong => "this code is not the one that was mailed".to_owned(),
        Refusal::CodeExpired => "this code is too old; ask for another".to_owned(),
        Refusal::CodeTriesUsed => "this code was tried too often; ask for another".to_owned(),
        Refusal::CodeRateLimited { .. } => "too many codes were asked for".to_owned(),
        Refusal::NicknameInvalid(fault) => fault.to_string(),
        Refusal::NicknameTaken => "somebody has this nickname, or one like it".to_owned(),
        Refusal::PasswordTooShort => "the password is too short".to_owned(),
        Refusal::PasswordTooLong => "the password is too long".to_owned(),
        Refusal::PasswordTooCommon => "this password is among the first that are tried".to_owned(),
        Refusal::CredentialsWrong => "no account has this address and password".to_owned(),
        Refusal::LoginThrottled { .. } => "too many failed attempts".to_owned(),
        Refusal::MailUnavailable => {
            "this address took no mail, or no mail can be sent now".to_owned()
        }
        Refusal::SessionEnded => "the session is over".to_owned(),
        Refusal::PasswordWrong => "this is not the current password".to_owned(),
        Refusal::AccountSuspended => "this account is suspended".to_owned(),
        Refusal::ResetInvalid => "this link is used or too old; ask for another".to_owned(),
        Refusal::NicknameLimitReached { .. } => {
            "a nickname can be changed twice in 365 days".to_owned()
        }
        Refusal::IdempotencyConflict => KEY_USED.to_owned(),
    }
}

/// A failure of the accounts where no refusal is possible.
pub fn account_fault(failure: Failure) -> Error {
    match failure {
        Failure::Refused(refusal) => fault(refusal),
        Failure::Broken(broken) => fault(broken),
    }
}

/// An internal fault: the doors log its text once and mask it. Where a store is away, whoever asked is told so
/// instead, and may ask again.
pub fn fault<P: Display + 'static>(problem: P) -> Error {
    if is_away(&problem) {
        tracing::warn!(%problem, "a store is away");
        return unavailable();
    }
    Error::new(problem.to_string())
}

/// Whether the problem is that a store cannot be reached. Asked here, where all faults pass, so that no caller can
/// forget it.
pub fn is_away(problem: &dyn Any) -> bool {
    if let Some(error) = problem.downcast_ref::<ReadError>() {
        return matches!(error, ReadError::Unreachable(_));
    }
    match (problem.downcast_ref::<ViewsError>(), problem.downcast_ref::<Broken>()) {
        (Some(ViewsError::Closed), _) => true,
        (Some(ViewsError::Store(error)), _) | (_, Some(Broken::Store(error))) => {
            reach::is_away(error)
        }
        _ => false,
    }
}

/// An error of the request itself, with its code.
pub fn coded(code: &'static str, message: &str) -> Error {
    Error::new(message).extend_with(|_, extensions| extensions.set("code", code))
}

/// The state of a match cannot be told.
pub fn unread(problem: Unread) -> Error {
    match problem {
        Unread::Log(error) => fault(error),
        Unread::Newer(error) => newer(error),
    }
}

/// A newer node wrote what this one does not know. Logged here, for clients learn only what helps them.
pub fn newer(problem: impl Display) -> Error {
    tracing::warn!(%problem, "a stream is refused until this node is upgraded");
    let text =
        "this server is older than what it would have to read; ask again, another one may answer";
    coded("NODE_OUTDATED", text)
}

/// The server takes no work now: it starts, stops, or cannot reach its store.
pub fn unavailable() -> Error {
    coded("UNAVAILABLE", "the server takes no commands now; try again soon")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(error: &Error) -> Option<String> {
        let found = error.extensions.as_ref().and_then(|extensions| extensions.get("code"));
        found.map(|code| code.to_string().replace('"', ""))
    }

    #[test]
    fn a_store_that_is_away_is_no_fault_of_ours() {
        let lost = || sqlx::Error::PoolTimedOut;
        let away = [
            fault(ReadError::Unreachable("gone".to_owned())),
            fault(ViewsError::Store(lost())),
            fault(ViewsError::Closed),
            account_fault(lost().into()),
            unread(Unread::Log(ReadError::Unreachable("gone".to_owned()))),
            rejected(Rejected::<MatchRefusal>::Unavailable).unwrap_err(),
        ];
        for error in &away {
            assert_eq!(code(error).as_deref(), Some("UNAVAILABLE"), "{error:?}");
        }
        let broken = [
            fault(ReadError::Failed("odd".to_owned())),
            fault(ViewsError::Document("lobby")),
            fault(ViewsError::Store(sqlx::Error::RowNotFound)),
            account_fault(sqlx::Error::RowNotFound.into()),
        ];
        for error in &broken {
            assert_eq!(code(error), None, "it is masked and logged: {error:?}");
        }
    }
}
