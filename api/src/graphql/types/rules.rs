//! The rules of a match and of formations as clients show them. Must not hold a number of its own.

use super::enums::Piece;
use crate::graphql::errors::FormationRuleName;
use crate::graphql::scalars::{Position, seconds};
use async_graphql::{Enum, Object, SimpleObject};
use yibu_domain::games::siguo::{formation, piece, pos::Pos, pos::PosKind, seat};
use yibu_domain::matches::ruleset;

use super::enums::Seat;

/// The rules of a match.
pub struct MatchRules(pub ruleset::RuleSet);

/// The rules of a match: fixed when its table opens.
#[Object]
impl MatchRules {
    /// Name and version of the rule set, for instance `siguo-formal/1`.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// Length of a normal turn in seconds.
    async fn turn_seconds(&self) -> i64 {
        seconds(self.0.turn)
    }

    /// Time for the first move after a formal takeover, in seconds.
    async fn takeover_first_seconds(&self) -> i64 {
        seconds(self.0.takeover_first)
    }

    /// How long a vacant seat on turn is waited for, in seconds.
    async fn takeover_wait_seconds(&self) -> i64 {
        seconds(self.0.takeover_wait)
    }

    /// Skips that a person has in the match.
    async fn skips(&self) -> u32 {
        u32::from(self.0.skips)
    }

    /// So many seconds after the fourth person sat, seats that are not ready are released; 0 = never.
    async fn release_unready_seconds(&self) -> i64 {
        seconds(self.0.release_unready)
    }

    /// How long players keep the record of the finished match, in seconds.
    async fn retention_seconds(&self) -> i64 {
        seconds(self.0.retention)
    }

    /// What ends are worth.
    async fn points(&self) -> Points {
        let points = &self.0.points;
        Points {
            win: points.win,
            win_takeover: points.win_takeover,
            loss: points.loss,
            loss_takeover: points.loss_takeover,
            departure: points.departure,
            side_gone: points.side_gone,
            team_surrender: points.team_surrender,
        }
    }
}

/// Points per end of a match.
#[derive(SimpleObject)]
pub struct Points {
    /// A win on the board.
    pub win: i32,
    /// A win on the board after joining by takeover.
    pub win_takeover: i32,
    /// A loss on the board.
    pub loss: i32,
    /// A loss on the board after joining by takeover.
    pub loss_takeover: i32,
    /// Leaving after the start, or timing out; at once.
    pub departure: i32,
    /// Each person still seated when the other side is gone.
    pub side_gone: i32,
    /// Each of the two who surrender as a team.
    pub team_surrender: i32,
}

/// How formations are made.
pub struct FormationRules;

/// How formations are made.
#[Object]
impl FormationRules {
    /// How many of each kind a formation holds.
    async fn pieces(&self) -> Vec<PieceCount> {
        let counts = piece::Piece::ALL.into_iter();
        counts
            .map(|piece| PieceCount {
                piece: piece.into(),
                code: piece.code(),
                count: piece.count_per_seat(),
            })
            .collect()
    }

    /// The positions of a seat's area, in index order.
    async fn positions(&self, #[graphql(desc = "Whose area.")] seat: Seat) -> Vec<AreaPosition> {
        let seat: seat::Seat = seat.into();
        let area = Pos::all().filter(|pos| pos.seat() == Some(seat));
        area.map(|pos| AreaPosition { at: pos.into(), kind: pos.kind().into() }).collect()
    }

    /// The rules that a formation can break.
    async fn rules(&self) -> Vec<FormationRuleName> {
        use formation::FormationRule as Rule;
        [
            Rule::BombInFrontRow,
            Rule::FlagNotInHeadquarters,
            Rule::MineNotInLastTwoRows,
            Rule::PositionEmpty,
            Rule::PositionInCamp,
            Rule::PositionNotOwn,
            Rule::UnknownPiece,
            Rule::WrongCount,
        ]
        .into_iter()
        .map(FormationRuleName::from)
        .collect()
    }
}

/// How many of a kind a formation holds.
#[derive(SimpleObject)]
pub struct PieceCount {
    /// The kind.
    pub piece: Piece,
    /// The kind's code, as formations are sent with.
    pub code: &'static str,
    /// How many.
    pub count: usize,
}

/// A position of a seat's area.
#[derive(SimpleObject)]
pub struct AreaPosition {
    /// The position.
    pub at: Position,
    /// What it is.
    pub kind: PositionKind,
}

/// What a position is.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "PosKind")]
pub enum PositionKind {
    /// 兵站: may be entered, left and attacked.
    Station,
    /// 行营: safe; an occupied one can be neither entered nor attacked.
    Camp,
    /// 大本营: whatever stands there never moves again.
    Headquarters,
}
