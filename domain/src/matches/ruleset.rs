//! The named rule set of a match: every duration and every number of points. Written into `opened` and
//! nowhere else; no page, API or production setting changes it.

use crate::games::siguo::rules::Options;
use crate::kernel::Span;
use serde::{Deserialize, Serialize};

/// Points per end of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Win on the board.
    pub win: i32,
    /// Win on the board after joining by takeover.
    pub win_takeover: i32,
    /// Loss on the board.
    pub loss: i32,
    /// Loss on the board after joining by takeover.
    pub loss_takeover: i32,
    /// Leaving after the start, or timing out; at once.
    pub departure: i32,
    /// Each person still seated when the other side is gone.
    pub side_gone: i32,
    /// Each of the two who surrender as a team.
    pub team_surrender: i32,
}

/// Everything about a match that a number can say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSet {
    /// Name and version, for instance `siguo-formal/1`.
    pub name: String,
    /// Rules of the board.
    pub options: Options,
    /// A normal turn.
    pub turn: Span,
    /// The first move after a formal takeover.
    pub takeover_first: Span,
    /// The takeover wait of a vacant seat.
    pub takeover_wait: Span,
    /// The shortest gap in service that stops the clocks.
    pub outage_minimum: Span,
    /// How long players keep the record of the finished match.
    pub retention: Span,
    /// Skips per person and match.
    pub skips: u8,
    /// After this time with four persons seated, seats that are not ready are released; 0 = never.
    pub release_unready: Span,
    /// What ends are worth.
    pub points: Points,
}

impl RuleSet {
    /// The formal four-dark match (正式四暗对局), `siguo-formal/1`.
    ///
    /// `release_unready` is the one value that comes from a site setting (hours × 3600 s; 0 = never).
    pub fn formal(release_unready: Span) -> Self {
        Self {
            name: "siguo-formal/1".to_owned(),
            options: Options::FORMAL,
            turn: Span::hours(16),
            takeover_first: Span::hours(3),
            takeover_wait: Span::hours(8),
            outage_minimum: Span::seconds(60),
            retention: Span::hours(72),
            skips: 5,
            release_unready,
            points: Points {
                win: 3,
                win_takeover: 4,
                loss: -3,
                loss_takeover: -2,
                departure: -9,
                side_gone: 3,
                team_surrender: -3,
            },
        }
    }
}
