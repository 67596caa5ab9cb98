//! Why a match refuses a command. One code per reason, for ever; no text tells more than the actor's own
//! view does.

use crate::games::siguo::formation::Fault;
use thiserror::Error;

/// A refusal. Nothing changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs, reason = "the message of each says what it means")]
pub enum MatchRefusal {
    #[error("no such match")]
    MatchNotFound,
    #[error("the time for this had run out")]
    TurnExpired,
    #[error("the match has ended")]
    MatchEnded,
    #[error("who left a match after its start cannot return to it")]
    LeftMatch,
    #[error("the match has changed since you looked")]
    StaleVersion,
    #[error("you hold no seat in this match")]
    NotSeated,
    #[error("the match has not started")]
    MatchNotStarted,
    #[error("the match has started")]
    MatchStarted,
    #[error("your seat is eliminated")]
    SeatEliminated,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("this move is not legal")]
    IllegalMove,
    #[error("all skips of this match are used")]
    SkipLimitReached,
    #[error("you are ready already")]
    AlreadyReady,
    #[error("you are not ready")]
    NotReady,
    #[error("the formation breaks the rules")]
    IllegalFormation(Vec<Fault>),
    #[error("a swap needs two different own positions with a piece")]
    InvalidSwap,
    #[error("no vacant seat is waiting for you")]
    NoVacancy,
    #[error("somebody else took the seat over first")]
    VacancyTaken,
    #[error("you are not a candidate of this match")]
    NotACandidate,
    #[error("you have offered a draw in this turn")]
    DrawAlreadyOffered,
    #[error("another draw offer is open")]
    DrawOfferOpen,
    #[error("no opponent could accept")]
    DrawNoOpponent,
    #[error("no such draw offer is open")]
    DrawNotOpen,
    #[error("you cannot vote on your own offer")]
    DrawOwnOffer,
    #[error("you have voted on this offer")]
    DrawAlreadyVoted,
    #[error("both seats of the side must be occupied and active")]
    TeamSurrenderUnavailable,
    #[error("a proposal of your side is pending")]
    TeamSurrenderPending,
    #[error("no such proposal of your side is pending")]
    TeamSurrenderNotPending,
    #[error("you cannot answer your own proposal")]
    TeamSurrenderOwnProposal,
    #[error("only the proposer can withdraw a proposal")]
    TeamSurrenderNotProposer,
    /// The table filled up or started meanwhile, or the player sits there: matching tries another one.
    #[error("the table has no seat for this player")]
    TableFull,
    /// The match exists already: an opening or a placement came twice.
    #[error("the match exists already")]
    MatchExists,
    /// Something is due first, or the instant lies before the match's last event: the caller's order is off.
    #[error("the command does not fit the match's clock")]
    ClockFault,
    /// This actor may not give this command (a person one of the timer's, say).
    #[error("this command is not yours to give")]
    NotAllowed,
}

impl MatchRefusal {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MatchNotFound => "MATCH_NOT_FOUND",
            Self::TurnExpired => "TURN_EXPIRED",
            Self::MatchEnded => "MATCH_ENDED",
            Self::LeftMatch => "LEFT_MATCH",
            Self::StaleVersion => "STALE_VERSION",
            Self::NotSeated => "NOT_SEATED",
            Self::MatchNotStarted => "MATCH_NOT_STARTED",
            Self::MatchStarted => "MATCH_STARTED",
            Self::SeatEliminated => "SEAT_ELIMINATED",
            Self::NotYourTurn => "NOT_YOUR_TURN",
            Self::IllegalMove => "ILLEGAL_MOVE",
            Self::SkipLimitReached => "SKIP_LIMIT_REACHED",
            Self::AlreadyReady => "ALREADY_READY",
            Self::NotReady => "NOT_READY",
            Self::IllegalFormation(_) => "ILLEGAL_FORMATION",
            Self::InvalidSwap => "INVALID_SWAP",
            Self::NoVacancy => "NO_VACANCY",
            Self::VacancyTaken => "VACANCY_TAKEN",
            Self::NotACandidate => "NOT_A_CANDIDATE",
            Self::DrawAlreadyOffered => "DRAW_ALREADY_OFFERED",
            Self::DrawOfferOpen => "DRAW_OFFER_OPEN",
            Self::DrawNoOpponent => "DRAW_NO_OPPONENT",
            Self::DrawNotOpen => "DRAW_NOT_OPEN",
            Self::DrawOwnOffer => "DRAW_OWN_OFFER",
            Self::DrawAlreadyVoted => "DRAW_ALREADY_VOTED",
            Self::TeamSurrenderUnavailable => "TEAM_SURRENDER_UNAVAILABLE",
            Self::TeamSurrenderPending => "TEAM_SURRENDER_PENDING",
            Self::TeamSurrenderNotPending => "TEAM_SURRENDER_NOT_PENDING",
            Self::TeamSurrenderOwnProposal => "TEAM_SURRENDER_OWN_PROPOSAL",
            Self::TeamSurrenderNotProposer => "TEAM_SURRENDER_NOT_PROPOSER",
            Self::TableFull => "TABLE_FULL",
            Self::MatchExists => "MATCH_EXISTS",
            Self::ClockFault => "CLOCK_FAULT",
            Self::NotAllowed => "NOT_ALLOWED",
        }
    }
}
