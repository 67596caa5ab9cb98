//! How a match ended and what it was worth.

use super::enums::{DrawBy, MatchResult, NoResultBy, OutcomeKind, Seat, Side, WinBy};
use super::people::Person;
use async_graphql::SimpleObject;
use yibu_domain::matches::events;

/// How a match ended.
#[derive(SimpleObject)]
pub struct Outcome {
    /// Win, draw or no result.
    pub kind: OutcomeKind,
    /// The side that won; null without a winner.
    pub winner: Option<Side>,
    /// How it won.
    pub win_by: Option<WinBy>,
    /// How the draw came about.
    pub draw_by: Option<DrawBy>,
    /// Why there is no result.
    pub no_result_by: Option<NoResultBy>,
}

impl From<events::Outcome> for Outcome {
    fn from(outcome: events::Outcome) -> Self {
        let none = Self {
            kind: OutcomeKind::Draw,
            winner: None,
            win_by: None,
            draw_by: None,
            no_result_by: None,
        };
        match outcome {
            events::Outcome::Win { side, by } => Self {
                kind: OutcomeKind::Win,
                winner: Some(side.into()),
                win_by: Some(by.into()),
                ..none
            },
            events::Outcome::Draw { by } => Self { draw_by: Some(by.into()), ..none },
            events::Outcome::NoResult { by } => {
                Self { kind: OutcomeKind::NoResult, no_result_by: Some(by.into()), ..none }
            }
        }
    }
}

/// One person's settlement.
#[derive(SimpleObject)]
pub struct SettlementLine {
    /// Who.
    pub person: Person,
    /// Where.
    pub seat: Seat,
    /// Points of this settlement.
    pub points: i32,
    /// What the match was for the person.
    pub result: MatchResult,
}

impl From<&events::Line> for SettlementLine {
    fn from(line: &events::Line) -> Self {
        Self {
            person: Person(line.person.clone()),
            seat: line.seat.into(),
            points: line.points,
            result: line.result.into(),
        }
    }
}
