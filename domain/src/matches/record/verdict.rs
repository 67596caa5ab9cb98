//! What a record that cannot be so is told: where, and what is wrong with it.

use std::fmt;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// Nothing stands there, or what stands there is another seat's.
    NotAPiece,
    /// Another seat is on turn, or none.
    NotItsTurn,
    /// No legal move.
    Illegal,
    /// The move takes another way.
    WrongRoute,
    /// Another piece stays.
    WrongOutcome,
    /// The piece is another one.
    WrongIdentity,
    /// Other pieces leave the board.
    WrongRemoval,
    /// Other flags become public, or another one is captured.
    WrongReveal,
    /// Another seat falls, or for another reason, or none.
    WrongElimination,
    /// Another clock starts.
    WrongTurn,
    /// Somebody else sits there, or nobody.
    WrongPerson,
    /// Nothing of the kind can happen then.
    OutOfPlace,
    /// The vote comes out otherwise.
    WrongVote,
    /// It ends otherwise, or not yet.
    WrongEnd,
    /// The settlement is another one.
    WrongSettlement,
    /// The result of a battle is not told, and pieces are unknown.
    UnknownResult,
    /// Something happens after the end.
    AfterEnd,
    /// The record stops before the end.
    Unfinished,
    /// The number or the instant of the event is out of order.
    OutOfOrder,
}

impl Why {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotAPiece => "NOT_A_PIECE",
            Self::NotItsTurn => "NOT_ITS_TURN",
            Self::Illegal => "ILLEGAL",
            Self::WrongRoute => "WRONG_ROUTE",
            Self::WrongOutcome => "WRONG_OUTCOME",
            Self::WrongIdentity => "WRONG_IDENTITY",
            Self::WrongRemoval => "WRONG_REMOVAL",
            Self::WrongReveal => "WRONG_REVEAL",
            Self::WrongElimination => "WRONG_ELIMINATION",
            Self::WrongTurn => "WRONG_TURN",
            Self::WrongPerson => "WRONG_PERSON",
            Self::OutOfPlace => "OUT_OF_PLACE",
            Self::WrongVote => "WRONG_VOTE",
            Self::WrongEnd => "WRONG_END",
            Self::WrongSettlement => "WRONG_SETTLEMENT",
            Self::UnknownResult => "UNKNOWN_RESULT",
            Self::AfterEnd => "AFTER_END",
            Self::Unfinished => "UNFINISHED",
            Self::OutOfOrder => "OUT_OF_ORDER",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::NotAPiece => "no piece of that seat stands there",
            Self::NotItsTurn => "the seat is not on turn",
            Self::Illegal => "the move is not legal",
            Self::WrongRoute => "the move takes another way",
            Self::WrongOutcome => "the battle ends otherwise",
            Self::WrongIdentity => "the piece is another one",
            Self::WrongRemoval => "other pieces leave the board",
            Self::WrongReveal => "other flags become public or are captured",
            Self::WrongElimination => "no seat, another seat, or for another reason, falls",
            Self::WrongTurn => "another clock starts",
            Self::WrongPerson => "somebody else sits there, or nobody",
            Self::OutOfPlace => "nothing of the kind can happen then",
            Self::WrongVote => "the vote comes out otherwise",
            Self::WrongEnd => "the match ends otherwise, or not yet",
            Self::WrongSettlement => "the settlement is another one",
            Self::UnknownResult => "the result of the battle is not told",
            Self::AfterEnd => "the match is over before",
            Self::Unfinished => "the record stops before the match ends",
            Self::OutOfOrder => "the events are not in order",
        }
    }
}

/// Where a record contradicts the rules first.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Contradiction {
    /// The event, by its place in the record, from 1.
    pub event: usize,
    /// What it is about: a position, a seat, a kind of event.
    pub at: String,
    /// What is wrong.
    pub why: Why,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} ({}): {} [{}]", self.event, self.at, self.why.words(), self.why.code())
    }
}
